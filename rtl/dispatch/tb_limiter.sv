// Counts how many TBs each SM may still take, under a limit that is the same for all. A TB counts
// from its issue on: while it is offered, the SM gets no other offer.
module tb_limiter #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of the limit.
  parameter int Width = 8
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low: no room.
  input  logic             rst_ni,
  /// A kernel begins, with the limit below; no TB runs.
  input  logic             start_i,
  /// TBs that an SM may run at once, at least 1.
  input  logic [Width-1:0] limit_i,
  /// Per SM: one TB is issued in this cycle.
  input  logic [NumSm-1:0] issue_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0] done_i,
  /// Per SM: one TB more is within the limit.
  output logic [NumSm-1:0] room_o,
  /// Per SM: two TBs more are within the limit.
  output logic [NumSm-1:0] pair_room_o
);

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [Width-1:0] free_q, free;
    logic             issue, done, room_q, pair_room_q;

    assign issue          = issue_i[s];
    assign done           = done_i[s];
    assign room_o[s]      = room_q;
    assign pair_room_o[s] = pair_room_q;
    always_comb begin
      free = free_q;
      if (done & ~issue) free = free_q + Width'(1);
      if (issue & ~done) free = free_q - Width'(1);
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        free_q      <= '0;
        room_q      <= 1'b0;
        pair_room_q <= 1'b0;
      end else begin
        free_q      <= start_i ? limit_i : free;
        room_q      <= start_i ? limit_i != '0 : free != '0;
        pair_room_q <= start_i ? limit_i[Width-1:1] != '0 : free[Width-1:1] != '0;
      end
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
`endif

endmodule
