// The offers of a TB scheduler that hands out one TB (or one pair) a cycle, SM after SM: a register
// per SM, the round-robin pointer, and the count of the TBs that run. The scheduler around it says
// which TB is next and which SMs may have it.
module tb_offer_bank #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id.
  parameter IdWidth = 16
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// A kernel begins: round-robin starts at SM 0. No SM may be eligible in this cycle.
  input  logic                     clear_i,
  /// Per SM: it may be offered a TB now, if it has a free context and no offer.
  input  logic [NumSm-1:0]         eligible_i,
  /// The TB for the SM in offer_o; it may depend on offer_o.
  input  logic [IdWidth-1:0]       id_i,
  /// The offer is of two TBs, id_i (even) and the next, which is offered when the first is issued.
  input  logic                     pair_i,
  /// The SM that id_i is offered to from the next cycle on, one-hot; zero if none.
  output logic [NumSm-1:0]         offer_o,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,
  /// No TB is offered, and none runs.
  output logic                     idle_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;

  logic [NumSm-1:0]         valid_q, second_q, issue;
  logic [NumSm*IdWidth-1:0] tb_id_q;
  logic [SmWidth-1:0]       first_q, after, unused_index;
  logic                     pick, none_running;

  assign issue      = valid_q & tb_ready_i;
  assign tb_valid_o = valid_q;
  assign tb_id_o    = tb_id_q;
  assign idle_o     = none_running & ~(|valid_q);

  round_robin_pick #(
    .Count(NumSm)
  ) u_pick (
    .request_i(eligible_i & tb_ready_i & ~valid_q),
    .first_i(first_q),
    .valid_o(pick),
    .grant_o(offer_o),
    .index_o(unused_index),
    .after_o(after)
  );

  outstanding_tbs #(
    .NumSm(NumSm)
  ) u_running (
    .clk_i,
    .rst_ni,
    .issue_i(issue),
    .done_i(tb_done_i),
    .none_o(none_running)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= '0;
      valid_q  <= '0;
      second_q <= '0;
    end else begin
      if (clear_i) first_q <= '0;
      else if (pick) first_q <= after;
      valid_q  <= (valid_q & ~issue) | (issue & second_q) | offer_o;
      second_q <= (second_q & ~issue) | (offer_o & {NumSm{pair_i}});
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_id
    always_ff @(posedge clk_i) begin
      if (offer_o[s]) tb_id_q[s*IdWidth +: IdWidth] <= id_i;
      else if (issue[s] & second_q[s]) tb_id_q[s*IdWidth] <= 1'b1;
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_index};

endmodule
