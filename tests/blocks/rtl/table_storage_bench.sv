// Bench: table_storage against a plain array, in each of its styles (the parameter Style of this
// bench), at several sizes, under random writes and reads. Ends with exit status 0 only when all
// reads agreed. The contract:
// - the word of the index that a rise samples stands from then on to the next rise, whatever the
//   inputs do meanwhile;
// - a read whose entry is written at the same rise means nothing, the one after it has the new word;
// - reset keeps the entries.
module table_storage_bench #(
  parameter Style = 0,
  parameter Cycles = 20000
);

  logic clk = 0, rst_n = 0, write_valid = 0;
  int   write_number = 0, read_number = 0;
  logic [63:0] write_data = 0;

  size #(.Style(Style), .Width(13), .Depth(6)) u_6 (clk, rst_n, write_valid, write_number, write_data,
                                                    read_number);
  size #(.Style(Style), .Width(1), .Depth(2)) u_2 (clk, rst_n, write_valid, write_number, write_data,
                                                   read_number);
  size #(.Style(Style), .Width(42), .Depth(8)) u_8 (clk, rst_n, write_valid, write_number, write_data,
                                                    read_number);
  size #(.Style(Style), .Width(32), .Depth(128)) u_128 (clk, rst_n, write_valid, write_number,
                                                        write_data, read_number);

  initial begin
    #5 clk = 1;
    #5 clk = 0;
    rst_n = 1;
    for (int cycle = 0; cycle < Cycles; cycle++) begin
      // The clock is low: inputs change, and last cycle's write is on its way into the latches.
      write_valid  = ($urandom % 3) != 0;
      write_number = $urandom & 32'h7fffffff;
      write_data   = {$urandom, $urandom};
      read_number  = ($urandom % 4 == 0) ? write_number : $urandom & 32'h7fffffff;
      rst_n        = ($urandom % 16) != 0;
      if (!rst_n) write_valid = 0;
      #5 clk = 1;
      #2 read_number = $urandom & 32'h7fffffff;  // nothing until the next rise
      #3 clk = 0;
    end
    u_2.done;
    u_6.done;
    u_8.done;
    u_128.done;
    $display("PASSED: style %0d", Style);
    $finish;
  end

endmodule

// A storage of one size, and what it is to hold.
module size #(
  parameter Style = 0,
  parameter Width = 8,
  parameter Depth = 4
) (
  input logic        clk,
  input logic        rst_n,
  input logic        write_valid,
  input int          write_number,
  input logic [63:0] write_data,
  input int          read_number
);

  localparam IndexWidth = $clog2(Depth);

  logic [IndexWidth-1:0] write_index, read_index, sampled_q;
  wire  [Width-1:0]      read;
  logic [Width-1:0]      expected [0:Depth-1];
  logic [Depth-1:0]      written = 0;
  logic                  known_q = 0, after_meeting_q = 0, met_q = 0;
  int                    compared = 0, meetings = 0, afterwards = 0;

  assign write_index = write_number % Depth;
  assign read_index  = read_number % Depth;

  table_storage #(
    .Width(Width),
    .Depth(Depth),
    .Style(Style)
  ) u_storage (
    .clk_i(clk),
    .rst_ni(rst_n),
    .write_valid_i(write_valid),
    .write_index_i(write_index),
    .write_data_i(write_data[Width-1:0]),
    .read_index_i(read_index),
    .read_data_o(read)
  );

  task check;
    if (known_q) begin
      compared++;
      if (read !== expected[sampled_q]) begin
        $display("style %0d, %0d x %0d, entry %0d at %0t: read %h, expected %h", Style, Depth, Width,
                 sampled_q, $time, read, expected[sampled_q]);
        $fatal;
      end
    end
  endtask

  always @(posedge clk) begin
    sampled_q       = read_index;
    met_q           = write_valid && write_index == read_index;
    known_q         = written[read_index] && !met_q;
    if (met_q) meetings++;
    if (after_meeting_q && known_q) afterwards++;
    after_meeting_q = met_q;
    if (write_valid) begin
      expected[write_index] = write_data[Width-1:0];
      written[write_index]  = 1;
    end
    #1 check;
    #3 check;
  end
  always @(negedge clk) begin
    #1 check;
    #3 check;
  end

  task done;
    if (compared < 10000 || meetings < 100 || afterwards < 100) begin
      $display("style %0d, %0d x %0d: %0d reads, %0d met a write: too few", Style, Depth, Width,
               compared, meetings);
      $fatal;
    end
  endtask

endmodule
