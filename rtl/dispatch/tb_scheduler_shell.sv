// What all TB schedulers without a queue in memory share: begin and end of a kernel, one offer a
// cycle, SM after SM, and the count of the TBs that run. A scheduler is this shell and an order
// behind it, which says which TB is next and which SMs may have it.
//
// Every output to the SMs is a function of registers where more_i, eligible_i and walking_i are.
// quiescent_o says that no register can change without an event at the inputs. Events are: start_i;
// a bit of tb_done_i; a bit of tb_ready_i where tb_valid_o or wants_context_o is set.
module tb_scheduler_shell #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id.
  parameter IdWidth = 16,
  /// TBs that may be offered in a cycle, each to another SM: 1, and no other number yet.
  parameter IssuePorts = 1,
  /// Each SM has a TB of its own in id_i (1), or there is one for each issue port (0).
  parameter OwnIds = 0,
  /// Bits of id_i; leave it at its default.
  parameter IdsWidth = ((OwnIds != 0) ? NumSm : IssuePorts) * IdWidth
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,
  /// A kernel runs: from the cycle after start_i until all TBs have completed.
  output logic                     busy_o,
  /// No register can change without an event at the inputs (see above).
  output logic                     quiescent_o,
  /// Per SM: a free context is an event although no TB is offered.
  output logic [NumSm-1:0]         wants_context_o,

  /// The order takes its settings and begins anew, in this cycle.
  output logic                     start_o,
  /// Per issue port: the order has a TB for it. This bit may come later than eligible_i.
  input  logic [IssuePorts-1:0]    more_i,
  /// Per SM: the order lets it have a TB.
  input  logic [NumSm-1:0]         eligible_i,
  /// The next TB of each issue port, or of each SM.
  input  logic [IdsWidth-1:0]      id_i,
  /// Per issue port: the offer is of two TBs, that of id_i, which is even, and the one after it.
  input  logic [IssuePorts-1:0]    pair_i,
  /// The order's registers change without an event: more TBs may come.
  input  logic                     walking_i,
  /// Per SM: a TB of the order is taken for it, in this cycle.
  output logic [NumSm-1:0]         offer_o,
  /// Per issue port: its TB is taken, in this cycle.
  output logic [IssuePorts-1:0]    take_o,
  /// Per SM: the TB that was offered is issued in this cycle.
  output logic [NumSm-1:0]         issue_o
);

  // No module has this name: elaboration ends here, in a way that all tools have.
  if (IssuePorts != 1) begin : gen_unsupported
    issue_ports_must_be_1 u_stop ();
  end

  logic busy_q, start, finish, idle, adding;

  assign start  = start_i & ~busy_q;
  assign finish = busy_q & ~walking_i & ~(|wants_context_o) & idle;

  assign busy_o          = busy_q;
  assign quiescent_o     = ~finish & ~walking_i & ~adding;
  assign wants_context_o = eligible_i & {NumSm{more_i[0]}};
  assign start_o         = start;
  assign issue_o         = tb_valid_o & tb_ready_i;

  tb_offer_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .OwnIds(OwnIds)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .more_i(more_i[0]),
    .eligible_i,
    .id_i,
    .pair_i(pair_i[0]),
    .offer_o,
    .take_o(take_o[0]),
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o,
    .tb_id_o,
    .idle_o(idle),
    .adding_o(adding)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start) busy_q <= 1'b1;
    else if (finish) busy_q <= 1'b0;
  end

endmodule
