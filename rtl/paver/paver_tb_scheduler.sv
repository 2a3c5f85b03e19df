// PAVER's TB scheduler: TB groups from a queue in global memory, one queue per SM, task stealing.
//
// Every output is a function of registers. quiescent_o says that no register can change without an
// event at the inputs. Events are: start_i; abort_i; a bit of tb_done_i; mem_rsp_valid_i; mem_req_ready_i
// while mem_req_valid_o; a bit of tb_ready_i where tb_valid_o or wants_context_o is set. A tick
// with quiescent_o and without an event may be skipped.
//
// The page paver_tb_scheduler.md beside this file has the protocol and the latencies.
module paver_tb_scheduler #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Group descriptors fetched ahead, waiting for an SM or in flight: 1 to 128.
  parameter int Descriptors = 4
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel with the three values below, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Byte address of the first group descriptor, a multiple of 16.
  input  logic [AddrWidth-1:0]     queue_base_i,
  /// Number of group descriptors.
  input  logic [31:0]              queue_count_i,
  /// Which SMs steal TBs once all groups are handed out: 0 none, 1 those with a free context and
  /// no group, 2 of these those on which a TB has completed, 3 those on which none runs.
  input  logic [1:0]               steal_rule_i,
  /// Give the kernel up, for a cycle or more; ignored unless busy_o. From the second cycle after it
  /// no TB is offered and no request is shown anew; busy_o falls once what is under way has ended.
  input  logic                     abort_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,

  /// A kernel runs: from the cycle after start_i until all groups are issued and all TBs completed.
  output logic                     busy_o,
  /// No register can change without an event at the inputs (see above).
  output logic                     quiescent_o,
  /// Per SM: a free context is an event although no TB is offered.
  output logic [NumSm-1:0]         wants_context_o,

  /// The memory takes the request shown.
  input  logic                     mem_req_ready_i,
  /// A read request is shown; it stays until taken.
  output logic                     mem_req_valid_o,
  /// Byte address of the request, a multiple of its size.
  output logic [AddrWidth-1:0]     mem_req_addr_o,
  /// Bytes of the request: a TB id's (2 or 4) or a descriptor's (16).
  output logic [4:0]               mem_req_size_o,
  /// The oldest unanswered request is answered.
  input  logic                     mem_rsp_valid_i,
  /// The bytes read, the addressed one lowest.
  input  logic [127:0]             mem_rsp_data_i,

  /// In the cycle before, a steal was committed: the outputs below tell what was stolen.
  output logic                     steal_valid_o,
  /// TBs moved, under steal_valid_o.
  output logic [15:0]              steal_count_o,
  /// The SM that gave TBs, under steal_valid_o.
  output logic [7:0]               steal_donor_o,
  /// The SM that took TBs, under steal_valid_o.
  output logic [7:0]               steal_thief_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;
  localparam CountWidth = 16;
  // 16-bit ids: the waiting TBs of all SMs are different ids, so their number fits in 16 bits.
  localparam SumWidth = (IdWidth > 16) ? CountWidth + $clog2(NumSm) : CountWidth;

  logic busy_q, stop_q;
  logic start, finish, none_running, adding, exhausted, handing, waiting;

  logic                 desc_wanted, desc_grant, desc_rsp;
  logic [AddrWidth-1:0] desc_addr;
  logic [NumSm-1:0]     id_wanted, id_grant, id_read, id_rsp;
  logic [AddrWidth-1:0] id_addr;
  logic                 fetch_pending;

  logic [NumSm-1:0]     held, load, allowed;
  logic [AddrWidth-1:0] load_next, load_tail;
  logic                 steal_enable, steal_idle, steal_armed;
  logic [SmWidth-1:0]   steal_donor, steal_thief;

  assign start  = start_i & ~busy_q;
  assign finish = busy_q & exhausted & none_running & ~waiting & ~(|held);

  assign busy_o        = busy_q;
  assign quiescent_o   = ~(finish | stop_q | fetch_pending | handing | adding) & steal_idle;
  assign wants_context_o = allowed & {NumSm{steal_armed}};
  assign steal_donor_o = 8'(steal_donor);
  assign steal_thief_o = 8'(steal_thief);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      stop_q <= 1'b0;
    end else begin
      busy_q <= start | (busy_q & ~finish);
      stop_q <= busy_q & ~finish & (abort_i | stop_q);
    end
  end

  paver_group_dispatcher #(
    .NumSm(NumSm),
    .AddrWidth(AddrWidth),
    .Descriptors(Descriptors)
  ) u_dispatcher (
    .clk_i,
    .rst_ni,
    .stop_i(stop_q),
    .start_i(start),
    .queue_base_i,
    .queue_count_i,
    .fetch_wanted_o(desc_wanted),
    .fetch_addr_o(desc_addr),
    .fetch_grant_i(desc_grant),
    .fetch_rsp_i(desc_rsp),
    .fetch_data_i(mem_rsp_data_i),
    .held_i(held),
    .load_o(load),
    .load_next_o(load_next),
    .load_tail_o(load_tail),
    .moves_o(handing),
    .exhausted_o(exhausted)
  );

  paver_queue_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .AddrWidth(AddrWidth),
    .CountWidth(CountWidth),
    .SumWidth(SumWidth)
  ) u_queues (
    .clk_i,
    .rst_ni,
    .clear_i(start | finish),
    .stop_i(stop_q),
    .steal_enable_i(busy_q & steal_enable & exhausted),
    .steal_allowed_i(allowed),
    .load_i(load),
    .load_next_i(load_next),
    .load_tail_i(load_tail),
    .fetch_wanted_o(id_wanted),
    .fetch_grant_i(id_grant),
    .fetch_read_i(id_read),
    .fetch_addr_o(id_addr),
    .fetch_rsp_i(id_rsp),
    .fetch_id_i(mem_rsp_data_i[IdWidth-1:0]),
    .tb_ready_i,
    .tb_valid_o,
    .tb_id_o,
    .held_o(held),
    .steal_armed_o(steal_armed),
    .steal_idle_o(steal_idle),
    .steal_valid_o,
    .steal_count_o,
    .steal_donor_o(steal_donor),
    .steal_thief_o(steal_thief)
  );

  paver_fetch_port #(
    .NumSm(NumSm),
    .IdBytes(IdWidth / 8),
    .AddrWidth(AddrWidth),
    .Descriptors(Descriptors)
  ) u_port (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .stop_i(stop_q),
    .id_wanted_i(id_wanted),
    .id_grant_o(id_grant),
    .id_read_o(id_read),
    .id_addr_i(id_addr),
    .id_rsp_o(id_rsp),
    .desc_wanted_i(desc_wanted),
    .desc_grant_o(desc_grant),
    .desc_addr_i(desc_addr),
    .desc_rsp_o(desc_rsp),
    .mem_req_ready_i,
    .mem_req_valid_o,
    .mem_req_addr_o,
    .mem_req_size_o,
    .mem_rsp_valid_i,
    .pending_o(fetch_pending),
    .waiting_o(waiting)
  );

  paver_steal_rule #(
    .NumSm(NumSm)
  ) u_rule (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .rule_i(steal_rule_i),
    .issue_i(tb_valid_o & tb_ready_i),
    .done_i(tb_done_i),
    .enable_o(steal_enable),
    .allowed_o(allowed),
    .none_o(none_running),
    .adding_o(adding)
  );

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
  if (AddrWidth < 19 || AddrWidth > 64) begin : gen_2 addr_width_is_not_19_to_64 u (); end
  if (Descriptors < 1 || Descriptors > 128) begin : gen_3 descriptors_is_not_1_to_128 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (AddrWidth < 19 || AddrWidth > 64) $error("AddrWidth is not 19 to 64");
  if (Descriptors < 1 || Descriptors > 128) $error("Descriptors is not 1 to 128");
`endif

endmodule
