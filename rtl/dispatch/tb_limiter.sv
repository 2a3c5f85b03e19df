// Counts the TBs that each SM holds, offered or running, against a limit that is the same for all.
module tb_limiter #(
  /// Number of SMs.
  parameter NumSm = 15,
  /// Bits of the limit.
  parameter Width = 8
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low.
  input  logic             rst_ni,
  /// TBs that an SM may hold, at least 1.
  input  logic [Width-1:0] limit_i,
  /// Per SM: it is offered one TB in this cycle,
  input  logic [NumSm-1:0] offer_i,
  /// or two, all SMs alike.
  input  logic             pair_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0] done_i,
  /// Per SM: one more is within the limit.
  output logic [NumSm-1:0] room_o,
  /// Per SM: two more are within the limit.
  output logic [NumSm-1:0] pair_room_o
);

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [Width-1:0] held_q, added;

    assign added          = {{(Width - 2){1'b0}}, offer_i[s] & pair_i, offer_i[s] & ~pair_i};
    assign room_o[s]      = held_q < limit_i;
    assign pair_room_o[s] = room_o[s] & (held_q + Width'(1) < limit_i);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= held_q + added - {{(Width - 1){1'b0}}, done_i[s]};
    end
  end

endmodule
