// Bench: the three bodies of table_storage against a plain array, under random writes and reads.
// Ends with exit status 0 only when all reads agreed.
module table_storage_bench;

  localparam Width = 13;
  localparam Depth = 6;
  localparam Cycles = 20000;

  logic             clk = 0, rst_n = 0, write_valid = 0;
  logic [2:0]       write_index = 0, read_index = 0;
  logic [Width-1:0] write_data = 0;
  wire  [Width-1:0] read [0:2];
  logic [Width-1:0] expected [0:Depth-1];
  logic [Depth-1:0] written = 0;
  int               compared = 0, same_entry = 0;

  for (genvar style = 0; style < 3; style++) begin : gen_style
    table_storage #(
      .Width(Width),
      .Depth(Depth),
      .Style(style)
    ) u_storage (
      .clk_i(clk),
      .rst_ni(rst_n),
      .write_valid_i(write_valid),
      .write_index_i(write_index),
      .write_data_i(write_data),
      .read_index_i(read_index),
      .read_data_o(read[style])
    );
  end

  // What stands at the read port is to be right in both halves of a cycle.
  task check;
    if (written[read_index]) begin
      for (int style = 0; style < 3; style++) begin
        compared++;
        if (read[style] !== expected[read_index]) begin
          $display("style %0d, entry %0d at %0t: read %h, expected %h", style, read_index, $time,
                   read[style], expected[read_index]);
          $fatal;
        end
      end
    end
  endtask

  initial begin
    #5 clk = 1;
    #5 clk = 0;
    rst_n = 1;
    for (int cycle = 0; cycle < Cycles; cycle++) begin
      // The clock is low: inputs change, and last cycle's write is on its way into the latches.
      write_valid = ($urandom % 3) != 0;
      write_index = $urandom % Depth;
      write_data  = $urandom;
      read_index  = $urandom % Depth;
      #1 check;
      #4 clk = 1;
      if (write_valid) begin
        expected[write_index] = write_data;
        written[write_index]  = 1;
        if (write_index == read_index) same_entry++;
      end
      #1 check;
      read_index = $urandom % Depth;
      #1 check;
      #3 clk = 0;
    end
    if (compared < Cycles || same_entry < 100) $fatal;
    $display("PASSED: %0d reads", compared);
    $finish;
  end

endmodule
