// The memory with PAVER's queue: descriptors of four groups, and the TB ids behind them. It takes a
// request in each cycle and answers in the next, from the FPGA's block RAM.
module queue_memory (
  /// Clock, rising edge.
  input  logic         clk_i,
  /// Synchronous reset, active low.
  input  logic         rst_ni,
  /// A read is asked for.
  input  logic         req_valid_i,
  /// Its byte address.
  input  logic [31:0]  req_addr_i,
  /// The read before is answered.
  output logic         rsp_valid_o,
  /// The bytes read, the addressed one lowest.
  output logic [127:0] rsp_data_o
);

  localparam int Words = 256;     // of 16 bits
  localparam int FirstId = 'h40;  // byte address of the first group's first id

  // TBs of the groups: one is so long that others steal from it. Then where each group ends.
  localparam int Group0 = 20;
  localparam int Group1 = 3;
  localparam int Group2 = 5;
  localparam int Group3 = 4;
  localparam int End0 = FirstId + 2 * Group0;
  localparam int End1 = End0 + 2 * Group1;
  localparam int End2 = End1 + 2 * Group2;
  localparam int End3 = End2 + 2 * Group3;

  (* rom_style = "block", ram_style = "block" *)
  logic [127:0] rows [Words/8];
  logic [127:0] row_q;
  logic [2:0]   shift_q;
  logic         valid_q;

  // Word 0 of a descriptor is the low half of its first address, word 4 that of its last.
  function automatic logic [15:0] word_at(input int word);
    case (word)
      0:       word_at = 16'(FirstId);
      4:       word_at = 16'(End0 - 2);
      8:       word_at = 16'(End0);
      12:      word_at = 16'(End1 - 2);
      16:      word_at = 16'(End1);
      20:      word_at = 16'(End2 - 2);
      24:      word_at = 16'(End2);
      28:      word_at = 16'(End3 - 2);
      default: word_at = word < FirstId / 2 ? 16'd0 : 16'(word - FirstId / 2);
    endcase
  endfunction

  initial begin
    for (int i = 0; i < Words / 8; i++) begin
      rows[i] = {word_at(8 * i + 7), word_at(8 * i + 6), word_at(8 * i + 5), word_at(8 * i + 4),
                 word_at(8 * i + 3), word_at(8 * i + 2), word_at(8 * i + 1), word_at(8 * i)};
    end
  end

  always_ff @(posedge clk_i) begin
    row_q   <= rows[req_addr_i[8:4]];
    shift_q <= req_addr_i[3:1];
    valid_q <= req_valid_i & rst_ni;
  end

  assign rsp_valid_o = valid_q;
  assign rsp_data_o  = {row_q[127:16], row_q[16*shift_q +: 16]};

  logic unused;
  assign unused = &{1'b0, req_addr_i[31:9], req_addr_i[0]};

endmodule
