// The offers of a TB scheduler that hands out one TB (or one pair) a cycle, SM after SM: a register
// per SM, the round-robin pointer, and the count of the TBs that run. An order elsewhere says
// which TB is next and which SMs may have it.
module tb_offer_bank #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id.
  parameter IdWidth = 16,
  /// Each SM has a TB of its own in id_i (1), or all SMs have the same (0).
  parameter OwnIds = 0,
  /// Bits of id_i; leave it at its default.
  parameter IdsWidth = (OwnIds != 0) ? NumSm * IdWidth : IdWidth
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// A kernel begins: round-robin starts at SM 0. No TB may be there in this cycle.
  input  logic                     clear_i,
  /// A TB is there to be offered. This bit counts after the choice of an SM, which it would delay.
  input  logic                     more_i,
  /// Per SM: the SM may be offered a TB, if it has a free context and no offer.
  input  logic [NumSm-1:0]         eligible_i,
  /// The TB that an SM in offer_o gets.
  input  logic [IdsWidth-1:0]      id_i,
  /// The offer is of two TBs, id_i (even) and the next, which is offered when the first is issued.
  input  logic                     pair_i,
  /// The SM that id_i is offered to from the next cycle on, one-hot; zero if none.
  output logic [NumSm-1:0]         offer_o,
  /// A TB is offered from the next cycle on: offer_o is not zero.
  output logic                     take_o,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,
  /// No TB is offered, and none runs.
  output logic                     idle_o,
  /// The count of the TBs that run is about to change.
  output logic                     adding_o
);

  logic [NumSm-1:0]         valid_q, second_q, issue, pick;
  logic [NumSm*IdWidth-1:0] tb_id_q;
  logic                     none_running, picks;

  assign issue      = valid_q & tb_ready_i;
  assign tb_valid_o = valid_q;
  assign tb_id_o    = tb_id_q;
  assign idle_o     = none_running & ~(|valid_q);
  assign offer_o    = pick & {NumSm{more_i}};
  assign take_o     = picks & more_i;

  round_robin_arbiter #(
    .Count(NumSm)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .clear_i,
    .request_i(eligible_i & tb_ready_i & ~valid_q),
    .take_i(more_i),
    .valid_o(picks),
    .grant_o(pick)
  );

  outstanding_tbs #(
    .NumSm(NumSm)
  ) u_running (
    .clk_i,
    .rst_ni,
    .issue_i(issue),
    .done_i(tb_done_i),
    .none_o(none_running),
    .adding_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      second_q <= '0;
    end else begin
      valid_q  <= (valid_q & ~issue) | (issue & second_q) | offer_o;
      second_q <= (second_q & ~issue) | (offer_o & {NumSm{pair_i}});
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_id
    localparam Own = (OwnIds != 0) ? s * IdWidth : 0;
    always_ff @(posedge clk_i) begin
      if (offer_o[s]) tb_id_q[s*IdWidth +: IdWidth] <= id_i[Own +: IdWidth];
      else if (issue[s] & second_q[s]) tb_id_q[s*IdWidth] <= 1'b1;
    end
  end

endmodule
