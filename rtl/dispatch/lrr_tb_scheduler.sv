// Loose round-robin TB scheduler, the baseline: ids 0 .. queue_count_i - 1 in order, one TB a cycle
// at most, SM after SM. A TB is bound to an SM only when the SM has a free context and no offer
// pending; other SMs are passed over. It has PAVER's ports and makes no memory request.
//
// Every output is a function of registers. quiescent_o says that no register can change without an
// event at the inputs. Events are: start_i; a bit of tb_done_i; a bit of tb_ready_i where
// tb_valid_o is set, and any bit of it while wants_context_o is set.
module lrr_tb_scheduler #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter IdWidth = 16,
  /// Bits of a byte address, at most 64.
  parameter AddrWidth = 64
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel of queue_count_i TBs, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Not used: there is no queue in memory.
  input  logic [AddrWidth-1:0]     queue_base_i,
  /// Number of TBs.
  input  logic [31:0]              queue_count_i,
  /// Not used: nothing waits at an SM.
  input  logic                     steal_enable_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,

  /// From the cycle after start_i until all TBs have completed.
  output logic                     busy_o,
  /// No register can change without an event at the inputs (see above).
  output logic                     quiescent_o,
  /// A free context in an SM that is offered no TB is an event.
  output logic                     wants_context_o,

  /// Not used.
  input  logic                     mem_req_ready_i,
  /// Always low.
  output logic                     mem_req_valid_o,
  /// Always zero.
  output logic [AddrWidth-1:0]     mem_req_addr_o,
  /// Always zero.
  output logic [4:0]               mem_req_size_o,
  /// Not used.
  input  logic                     mem_rsp_valid_i,
  /// Not used.
  input  logic [127:0]             mem_rsp_data_i,

  /// Always low.
  output logic                     steal_valid_o,
  /// Always zero.
  output logic [15:0]              steal_count_o,
  /// Always zero.
  output logic [7:0]               steal_donor_o,
  /// Always zero.
  output logic [7:0]               steal_thief_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;

  logic                     busy_q;
  logic [31:0]              next_id_q, count_q;
  logic [SmWidth-1:0]       first_q, after, unused_index;
  logic [NumSm-1:0]         valid_q, grant, offer, issue;
  logic [NumSm*IdWidth-1:0] tb_id_q;
  logic                     start, finish, more, pick, none_running;

  assign start  = start_i & ~busy_q;
  assign more   = next_id_q != count_q;
  assign finish = busy_q & ~more & none_running & ~(|valid_q);
  assign issue  = valid_q & tb_ready_i;
  assign offer  = grant & {NumSm{more}};

  assign tb_valid_o      = valid_q;
  assign tb_id_o         = tb_id_q;
  assign busy_o          = busy_q;
  assign quiescent_o     = ~finish;
  assign wants_context_o = more;

  assign mem_req_valid_o = 1'b0;
  assign mem_req_addr_o  = '0;
  assign mem_req_size_o  = '0;
  assign steal_valid_o   = 1'b0;
  assign steal_count_o   = '0;
  assign steal_donor_o   = '0;
  assign steal_thief_o   = '0;

  round_robin_pick #(
    .Count(NumSm)
  ) u_pick (
    .request_i(tb_ready_i & ~valid_q),
    .first_i(first_q),
    .valid_o(pick),
    .grant_o(grant),
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
      busy_q    <= 1'b0;
      next_id_q <= '0;
      count_q   <= '0;
      first_q   <= '0;
      valid_q   <= '0;
    end else if (start) begin
      busy_q    <= 1'b1;
      next_id_q <= '0;
      count_q   <= queue_count_i;
      first_q   <= '0;
    end else begin
      if (finish) busy_q <= 1'b0;
      valid_q <= (valid_q & ~issue) | offer;
      if (more & pick) begin
        next_id_q <= next_id_q + 32'd1;
        first_q   <= after;
      end
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_id
    always_ff @(posedge clk_i) begin
      if (offer[s]) tb_id_q[s*IdWidth +: IdWidth] <= next_id_q[IdWidth-1:0];
    end
  end

  logic unused;
  assign unused = &{1'b0, queue_base_i, steal_enable_i, mem_req_ready_i, mem_rsp_valid_i,
                    mem_rsp_data_i, unused_index};

endmodule
