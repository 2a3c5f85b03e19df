// All SMs' TB queues and the task stealer that moves TBs between them.
// What goes in (groups, fetched ids) and out (TBs) passes through its ports; inside, no TB may get
// lost or doubled: tests/blocks/formal proves that.
module paver_queue_bank #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Bits of a count of waiting TBs: a group holds at most 2^CountWidth ids.
  parameter int CountWidth = 16,
  /// Bits of the sum of the waiting TBs over all SMs.
  parameter int SumWidth = CountWidth,
  /// Bits of an SM's number; leave it at its default.
  parameter int SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,
  /// A kernel starts or ends: the stealer returns to its initial state.
  input  logic                     clear_i,
  /// The kernel is given up: no SM holds a group any more, nor is offered a TB.
  input  logic                     stop_i,
  /// Stealing is enabled and all groups are handed out (load_i stays zero from here on).
  input  logic                     steal_enable_i,
  /// Per SM: it may steal.
  input  logic [NumSm-1:0]         steal_allowed_i,

  /// One-hot or zero: the SM that gets the group of load_next_i and load_tail_i; it must hold none.
  input  logic [NumSm-1:0]         load_i,
  /// Address of the group's first id, under load_i.
  input  logic [AddrWidth-1:0]     load_next_i,
  /// Address of the group's last id, under load_i.
  input  logic [AddrWidth-1:0]     load_tail_i,

  /// Per SM: the fetch of a TB id is wanted.
  output logic [NumSm-1:0]         fetch_wanted_o,
  /// One-hot or zero: the SM whose fetch is accepted.
  input  logic [NumSm-1:0]         fetch_grant_i,
  /// One-hot or zero: the SM whose address is shown; its fetch is accepted and not answered yet.
  input  logic [NumSm-1:0]         fetch_read_i,
  /// Address of the id to fetch of the SM shown, else zero.
  output logic [AddrWidth-1:0]     fetch_addr_o,
  /// One-hot or zero: the SM whose id arrives.
  input  logic [NumSm-1:0]         fetch_rsp_i,
  /// The id that arrives, under fetch_rsp_i.
  input  logic [IdWidth-1:0]       fetch_id_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: a TB is offered.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: the id of the TB offered, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,

  /// Per SM: a group is held.
  output logic [NumSm-1:0]         held_o,
  /// A free context in an SM that may steal and holds no group would start a steal.
  output logic                     steal_armed_o,
  /// The stealer has nothing under way.
  output logic                     steal_idle_o,
  /// One cycle after a steal: the outputs below tell what was stolen.
  output logic                     steal_valid_o,
  /// TBs moved, under steal_valid_o.
  output logic [CountWidth-1:0]    steal_count_o,
  /// The SM that gave TBs, under steal_valid_o.
  output logic [SmWidth-1:0]       steal_donor_o,
  /// The SM that took TBs, under steal_valid_o.
  output logic [SmWidth-1:0]       steal_thief_o
`ifdef FORMAL
  `include "paver/formal/paver_queue_bank_ports.svh"
`endif
);

  // Sources of a new group: the dispatcher, and after its last one the stealer.
  logic [NumSm-1:0]     steal_load, steal_cut;
  logic [AddrWidth-1:0] steal_next, steal_tail, cut_tail;
  logic [NumSm-1:0]     load;
  logic [AddrWidth-1:0] load_next, load_tail;
  logic                 stealing, cut_all;
  assign stealing  = ~steal_idle_o;
`ifdef FORMAL
  `include "paver/formal/paver_queue_bank_wires.svh"
`endif
  assign load      = load_i | steal_load;
  assign load_next = stealing ? steal_next : load_next_i;
  assign load_tail = stealing ? steal_tail : load_tail_i;

  // What each SM shows, zero unless selected, and the OR of it. Arrays, not flat vectors: Verilator
  // builds a flat vector anew for each slice that is read of it.
  wire  [AddrWidth-1:0]  sm_fetch_addr [0:NumSm-1];
  wire  [AddrWidth-1:0]  sm_read_tail [0:NumSm-1];
  wire  [CountWidth-1:0] sm_read_next [0:NumSm-1];
  logic [NumSm-1:0]      read, sm_read_issue;
  logic [AddrWidth-1:0]  read_tail;
  logic [CountWidth-1:0] read_next;

  always_comb begin
    fetch_addr_o = '0;
    read_tail    = '0;
    read_next    = '0;
    for (int s = 0; s < NumSm; s++) begin
      fetch_addr_o |= sm_fetch_addr[s];
      read_tail    |= sm_read_tail[s];
      read_next    |= sm_read_next[s];
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    paver_tb_queue #(
      .IdWidth(IdWidth),
      .AddrWidth(AddrWidth),
      .CountWidth(CountWidth)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .stop_i,
      .load_i(load[s]),
      .load_next_i(load_next),
      .load_tail_i(load_tail),
      .cut_i(steal_cut[s]),
      .cut_tail_i(cut_tail),
      .cut_all_i(cut_all),
      .fetch_wanted_o(fetch_wanted_o[s]),
      .fetch_grant_i(fetch_grant_i[s]),
      .fetch_read_i(fetch_read_i[s]),
      .fetch_addr_o(sm_fetch_addr[s]),
      .fetch_rsp_i(fetch_rsp_i[s]),
      .fetch_id_i,
      .tb_ready_i(tb_ready_i[s]),
      .tb_valid_o(tb_valid_o[s]),
      .tb_id_o(tb_id_o[s*IdWidth +: IdWidth]),
      .held_o(held_o[s]),
      .read_i(read[s]),
      .read_tail_o(sm_read_tail[s]),
      .read_next_o(sm_read_next[s]),
      .read_issue_o(sm_read_issue[s])
`ifdef FORMAL
      `include "paver/formal/paver_queue_bank_u_queue.svh"
`endif
    );
  end

  paver_task_stealer #(
    .NumSm(NumSm),
    .IdBytes(IdWidth / 8),
    .AddrWidth(AddrWidth),
    .CountWidth(CountWidth),
    .SumWidth(SumWidth)
  ) u_stealer (
    .clk_i,
    .rst_ni,
    .clear_i(clear_i | stop_i),
    .enable_i(steal_enable_i & ~stop_i),
    .candidate_i(tb_ready_i & ~held_o & steal_allowed_i),
    .read_o(read),
    .read_tail_i(read_tail),
    .read_next_i(read_next),
    .read_issue_i(|sm_read_issue),
    .more_to_come_i(1'b0),
    .load_o(steal_load),
    .load_next_o(steal_next),
    .load_tail_o(steal_tail),
    .cut_o(steal_cut),
    .cut_tail_o(cut_tail),
    .cut_all_o(cut_all),
    .armed_o(steal_armed_o),
    .idle_o(steal_idle_o),
    .steal_valid_o,
    .steal_count_o,
    .steal_donor_o,
    .steal_thief_o
`ifdef FORMAL
    `include "paver/formal/paver_queue_bank_u_stealer.svh"
`endif
  );

`ifdef FLAGSTONE_ASSERTIONS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !stop_i) begin
      valid_within_group:   assert ((tb_valid_o & ~held_o) == '0);
      load_only_when_free:  assert ((load & held_o) == '0);
      cut_only_a_group:     assert ((steal_cut & ~held_o) == '0);
      one_answer_at_a_time: assert ($onehot0(fetch_rsp_i) && (fetch_rsp_i & tb_valid_o) == '0);
    end
  end
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
  if (AddrWidth < 6 || AddrWidth > 64) begin : gen_2 addr_width_is_not_6_to_64 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (AddrWidth < 6 || AddrWidth > 64) $error("AddrWidth is not 6 to 64");
`endif

endmodule
