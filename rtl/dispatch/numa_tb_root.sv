// Starts the TB schedulers of the nodes that share a grid, one node a cycle, each with its part of a map
// of TBs to nodes (LADM's chiplets), and waits until all of them have ended. It walks over the nodes,
// all chiplets of a GPU before the next GPU, by additions alone: nodes get runs of TBs in turn, by rank.
module numa_tb_root #(
  /// Number of GPUs, 1 to 16.
  parameter int Gpus = 4,
  /// Number of chiplets of a GPU, 1 to 16; at most 32 nodes in all.
  parameter int Chiplets = 4,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32,
  /// Number of nodes; leave it at its default.
  parameter int NumNodes = Gpus * Chiplets
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,

  /// Begin a kernel with the settings below, for one cycle; ignored while busy_o.
  input  logic                  start_i,
  /// From a GPU's first TB to that of the next GPU; distances are modulo 2^IdWidth.
  input  logic [IdWidth-1:0]    gpu_step_i,
  /// From a chiplet's first TB to that of the GPU's next chiplet.
  input  logic [IdWidth-1:0]    chiplet_step_i,
  /// TBs in a run.
  input  logic [CountWidth-1:0] run_tbs_i,
  /// From a TB to the next one in a line.
  input  logic [IdWidth-1:0]    step_i,
  /// TBs in a line; 0: a run has no lines.
  input  logic [CountWidth-1:0] line_tbs_i,
  /// From a line's last TB to the next line's first one, in a run.
  input  logic [IdWidth-1:0]    line_jump_i,
  /// From a run's last TB to the node's next run's first one.
  input  logic [IdWidth-1:0]    run_jump_i,
  /// From a GPU's first rank to that of the next GPU.
  input  logic [4:0]            gpu_rank_i,
  /// From a chiplet's rank to that of the GPU's next chiplet.
  input  logic [4:0]            chiplet_rank_i,
  /// The first GPU that is not full; those behind it have no TBs. Gpus: all are full.
  input  logic [4:0]            last_gpu_i,
  /// Of a full GPU: TBs of a node, in whole runs.
  input  logic [CountWidth-1:0] full_tbs_i,
  /// Of a full GPU: ranks below this one have a run more.
  input  logic [4:0]            full_extra_i,
  /// Of a full GPU: the rank whose last run is short.
  input  logic [4:0]            full_short_i,
  /// Of a full GPU: TBs that this run lacks.
  input  logic [CountWidth-1:0] full_lack_i,
  /// Of the GPU last_gpu_i: TBs of a node, in whole runs.
  input  logic [CountWidth-1:0] last_tbs_i,
  /// Of the GPU last_gpu_i: ranks below this one have a run more.
  input  logic [4:0]            last_extra_i,
  /// Of the GPU last_gpu_i: the rank whose last run is short.
  input  logic [4:0]            last_short_i,
  /// Of the GPU last_gpu_i: TBs that this run lacks.
  input  logic [CountWidth-1:0] last_lack_i,

  /// Per node: its TB scheduler is busy.
  input  logic [NumNodes-1:0]   node_busy_i,
  /// Per node: its TB scheduler begins with the values below. One node at most.
  output logic [NumNodes-1:0]   node_start_o,
  /// Number of the node's TBs, under node_start_o, as all below.
  output logic [CountWidth-1:0] node_tb_count_o,
  /// The node's first TB.
  output logic [IdWidth-1:0]    node_first_o,
  /// As run_tbs_i.
  output logic [CountWidth-1:0] node_run_tbs_o,
  /// As step_i.
  output logic [IdWidth-1:0]    node_step_o,
  /// As line_tbs_i.
  output logic [CountWidth-1:0] node_line_tbs_o,
  /// As line_jump_i.
  output logic [IdWidth-1:0]    node_line_jump_o,
  /// As run_jump_i.
  output logic [IdWidth-1:0]    node_run_jump_o,

  /// A kernel runs: from the cycle after start_i until every node was started, was busy and is no more.
  output logic                  busy_o,
  /// No register changes without start_i or a change of node_busy_i.
  output logic                  quiescent_o
);

  localparam GpuWidth = 5;
  localparam RankWidth = 5;

  logic                  start, last_chiplet, new_gpu, is_last;
  // The node that is computed, one-hot; those that were started and have not been seen busy.
  logic [NumNodes-1:0]   at_q, sent_q, sent;
  logic [Chiplets-1:0]   chiplet_q;  // one-hot
  logic [GpuWidth-1:0]   gpu_q, last_gpu_q, next_gpu;
  logic [IdWidth-1:0]    first_q, gpu_first_q, gpu_step_q, chiplet_step_q, from_first, first_step;
  logic [IdWidth-1:0]    next_first;
  logic [RankWidth-1:0]  rank_q, gpu_first_rank_q, gpu_rank_q, chiplet_rank_q, from_rank, rank_step;
  logic [RankWidth-1:0]  next_rank;
  // Settings of full GPUs and of the last one; of the GPU that the walk is at.
  logic [RankWidth-1:0]  full_extra_q, last_extra_q, full_short_q, last_short_q, extra, short;
  logic [RankWidth-1:0]  extra_q, short_q;
  logic [CountWidth-1:0] full_tbs_q, last_tbs_q, full_lack_q, last_lack_q, tbs_q, lack_q;
  logic                  none_q, more_q, lacks_q;
  logic [CountWidth-1:0] run, lack, partial, carries, count;

  assign start        = start_i & ~busy_o;
  assign last_chiplet = chiplet_q[Chiplets-1];
  assign new_gpu      = start | last_chiplet;

  // The walk: to the next chiplet, or from the GPU's first one to that of the next GPU.
  assign from_first = last_chiplet ? gpu_first_q : first_q;
  assign first_step = last_chiplet ? gpu_step_q : chiplet_step_q;
  assign from_rank  = last_chiplet ? gpu_first_rank_q : rank_q;
  assign rank_step  = last_chiplet ? gpu_rank_q : chiplet_rank_q;
  assign next_rank  = start ? '0 : from_rank + rank_step;
  assign next_gpu   = start ? '0 : gpu_q + GpuWidth'(1);

  carry_select_adder #(
    .Width(IdWidth)
  ) u_first (
    .a_i(from_first),
    .b_i(first_step),
    .sum_o(next_first)
  );

  // What the next node's GPU has, so that a node's count is no more than a sum.
  assign is_last = next_gpu == (start ? last_gpu_i : last_gpu_q);
  always_comb begin
    extra = extra_q;
    short = short_q;
    if (new_gpu) begin
      extra = start ? full_extra_i : full_extra_q;
      short = start ? full_short_i : full_short_q;
      if (is_last) begin
        extra = start ? last_extra_i : last_extra_q;
        short = start ? last_short_i : last_short_q;
      end
    end
  end

  // Whole runs, a run more, less what the last one lacks: three numbers as two, and their sum.
  assign run     = more_q ? node_run_tbs_o : '0;
  assign lack    = lacks_q ? ~lack_q : '1;
  assign partial = tbs_q ^ run ^ lack;
  assign carries = {(tbs_q[CountWidth-2:0] & run[CountWidth-2:0])
                    | (tbs_q[CountWidth-2:0] & lack[CountWidth-2:0])
                    | (run[CountWidth-2:0] & lack[CountWidth-2:0]), 1'b1};

  // The cast is for Icarus, which takes the type of a choice between two numbers for no integer.
  carry_select_adder #(
    .Width(32'(CountWidth))
  ) u_count (
    .a_i(partial),
    .b_i(carries),
    .sum_o(count)
  );

  assign sent = (sent_q | node_start_o) & ~node_busy_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      at_q         <= '0;
      node_start_o <= '0;
      sent_q       <= '0;
      busy_o       <= 1'b0;
    end else begin
      at_q         <= start ? NumNodes'(1) : at_q << 1;
      node_start_o <= at_q;
      sent_q       <= sent;
      busy_o       <= start | (|at_q) | (|sent) | (|node_busy_i);
    end
  end

  // Without reset: these registers count under at_q and node_start_o.
  always_ff @(posedge clk_i) begin
    if (start || at_q != '0) begin
      chiplet_q <= new_gpu ? Chiplets'(1) : chiplet_q << 1;
      first_q   <= start ? '0 : next_first;
      rank_q    <= next_rank;
      extra_q   <= extra;
      short_q   <= short;
      more_q    <= next_rank < extra;
      lacks_q   <= next_rank == short;
      if (new_gpu) begin
        gpu_q            <= next_gpu;
        gpu_first_q      <= start ? '0 : next_first;
        gpu_first_rank_q <= next_rank;
        none_q           <= next_gpu > (start ? last_gpu_i : last_gpu_q);
        tbs_q            <= start ? (is_last ? last_tbs_i : full_tbs_i)
                                  : (is_last ? last_tbs_q : full_tbs_q);
        lack_q           <= start ? (is_last ? last_lack_i : full_lack_i)
                                  : (is_last ? last_lack_q : full_lack_q);
      end
    end
    if (at_q != '0) begin
      node_first_o    <= first_q;
      node_tb_count_o <= none_q ? '0 : count;
    end
    if (start) begin
      gpu_step_q       <= gpu_step_i;
      chiplet_step_q   <= chiplet_step_i;
      node_run_tbs_o   <= run_tbs_i;
      node_step_o      <= step_i;
      node_line_tbs_o  <= line_tbs_i;
      node_line_jump_o <= line_jump_i;
      node_run_jump_o  <= run_jump_i;
      gpu_rank_q       <= gpu_rank_i;
      chiplet_rank_q   <= chiplet_rank_i;
      last_gpu_q       <= last_gpu_i;
      full_tbs_q       <= full_tbs_i;
      full_extra_q     <= full_extra_i;
      full_short_q     <= full_short_i;
      full_lack_q      <= full_lack_i;
      last_tbs_q       <= last_tbs_i;
      last_extra_q     <= last_extra_i;
      last_short_q     <= last_short_i;
      last_lack_q      <= last_lack_i;
    end
  end

  assign quiescent_o = ~((|at_q) | (|node_start_o));

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Gpus < 1 || Gpus > 16) begin : gen_0 gpus_is_not_1_to_16 u (); end
  if (Chiplets < 1 || Chiplets > 16) begin : gen_1 chiplets_is_not_1_to_16 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_2 id_width_is_not_16_or_32 u (); end
  if (NumNodes > 32) begin : gen_3 num_nodes_is_not_at_most_32 u (); end
`else
  if (Gpus < 1 || Gpus > 16) $error("Gpus is not 1 to 16");
  if (Chiplets < 1 || Chiplets > 16) $error("Chiplets is not 1 to 16");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (NumNodes > 32) $error("NumNodes is not at most 32");
`endif

endmodule
