// What all TB schedulers without a queue in memory share: begin and end of a kernel, one offer a
// cycle at each issue port, SM after SM, and the count of the TBs that run. A scheduler is this
// shell and an order behind it, which says which TB is next and which SMs may have it.
//
// Every output to the SMs is a function of registers where room_i, eligible_i and walking_i are.
// quiescent_o says that no register can change without an event at the inputs. Events are: start_i;
// abort_i; a bit of tb_done_i; a bit of tb_ready_i where tb_valid_o or wants_context_o is set.
module tb_scheduler_shell #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id.
  parameter int IdWidth = 16,
  /// TBs that may be offered in a cycle, one at each port, 1 to NumSm; neighbouring SMs share one.
  parameter int IssuePorts = 1,
  /// The order may have a TB for each SM (1), or one sequence for all (0).
  parameter int OwnIds = 0,
  /// Bits of own_ids_i; leave it at its default.
  parameter int OwnWidth = (OwnIds != 0) ? NumSm * IdWidth : 1,
  /// Bits of a number of issue ports; leave it at its default.
  parameter int RoomWidth = $clog2(IssuePorts + 1)
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Give the kernel up, for a cycle or more; ignored unless busy_o. From the second cycle after it
  /// no TB is offered; busy_o falls once the TBs that run have completed.
  input  logic                     abort_i,
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
  /// Offers that the order has TBs for in this cycle, at most IssuePorts. They may come later than
  /// eligible_i.
  input  logic [RoomWidth-1:0]     room_i,
  /// Per SM: the order lets it have a TB.
  input  logic [NumSm-1:0]         eligible_i,
  /// The next TB of the sequence. Ports that offer in one cycle get it and those after it, in turn.
  input  logic [IdWidth-1:0]       id_i,
  /// The TBs are those of own_ids_i, not of the sequence, for a whole kernel; with OwnIds only.
  input  logic                     own_i,
  /// Per SM: its next TB, under own_i.
  input  logic [OwnWidth-1:0]      own_ids_i,
  /// An offer is of two TBs of the sequence, id_i being even: the second follows the first.
  input  logic                     pair_i,
  /// The order's registers change without an event: more TBs may come.
  input  logic                     walking_i,
  /// Per SM: a TB of the order is taken for it, in this cycle.
  output logic [NumSm-1:0]         offer_o,
  /// Offers for which TBs are taken, in this cycle.
  output logic [RoomWidth-1:0]     take_o,
  /// Per SM: the TB that was offered is issued in this cycle.
  output logic [NumSm-1:0]         issue_o
);

  // No module has this name: elaboration ends here, in a way that all tools have.
  if ((IssuePorts - 1) * ((NumSm + IssuePorts - 1) / IssuePorts) >= NumSm) begin : gen_unsupported
    issue_port_without_an_sm u_stop ();
  end

  logic             busy_q, stop_q, start, finish, idle, adding;
  logic [NumSm-1:0] eligible;

  assign start  = start_i & ~busy_q;
  assign finish = busy_q & ~walking_i & ~(|wants_context_o) & idle;
  // What the order has left after an abort, nobody may have, until it begins anew.
  assign eligible = eligible_i & {NumSm{~stop_q}};

  assign busy_o          = busy_q;
  assign quiescent_o     = ~finish & ~walking_i & ~adding & ~(busy_q & stop_q);
  assign wants_context_o = eligible & {NumSm{room_i != '0}};
  assign start_o         = start;
  assign issue_o         = tb_valid_o & tb_ready_i;

  tb_offer_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .IssuePorts(IssuePorts),
    .OwnIds(OwnIds)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .stop_i(stop_q),
    .room_i,
    .eligible_i(eligible),
    .id_i,
    .own_i,
    .own_ids_i,
    .pair_i,
    .offer_o,
    .take_o,
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o,
    .tb_id_o,
    .idle_o(idle),
    .adding_o(adding)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      stop_q <= 1'b0;
    end else begin
      busy_q <= start | (busy_q & ~finish);
      stop_q <= ~start & ((busy_q & ~finish & abort_i) | stop_q);
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IssuePorts < 1 || IssuePorts > NumSm) begin : gen_1 issue_ports_is_not_1_to_num_sm u (); end
  if (OwnIds != 0 && OwnIds != 1) begin : gen_2 own_ids_is_not_0_or_1 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IssuePorts < 1 || IssuePorts > NumSm) $error("IssuePorts is not 1 to NumSm");
  if (OwnIds != 0 && OwnIds != 1) $error("OwnIds is not 0 or 1");
`endif

endmodule
