// The root that starts the nodes' TB schedulers: each node is started once, one at a time, with no more
// TBs than there are, all nodes' TBs together are the grid, and the root is busy until every node was
// busy and is no more. For any grid of up to 15 elements and any units, in each of the three orders,
// with the settings that `NodeMapSettings` makes of them; nodes that answer when they like.
module numa_root #(
  parameter Cover = 0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       start_i,
  input logic [3:0] elements_i,
  input logic [3:0] of_gpu_i,
  input logic [3:0] unit_i,
  input logic [1:0] order_i,  // 0: a part for each GPU; 1: chiplet-first; 2: GPU-first
  // Results of divisions, which are assumed to be right: a divider is large for a prover.
  input logic [3:0] last_gpu_i,
  input logic [3:0] last_i,
  input logic [3:0] full_units_i,
  input logic [3:0] last_units_i,
  input logic [5:0] answer_i
);

  localparam Gpus = 3;
  localparam Chiplets = 2;
  localparam NumNodes = 6;

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  // Units in turn on ranks, as ShareOut in node_map_settings.cc.
  logic [4:0] full, last, full_units, last_units, unit;
  logic [2:0] ranks;
  logic       parts;
  assign parts = order_i == 2'd0;
  assign ranks = parts ? 3'(Chiplets) : 3'(NumNodes);
  assign unit  = 5'(unit_i);
  assign full  = parts ? 5'(of_gpu_i) : 5'(elements_i);
  assign last  = parts ? 5'(last_i) : 5'd0;
  assign full_units = 5'(full_units_i);
  assign last_units = 5'(last_units_i);

  logic [9:0] full_lack, last_lack;
  assign full_lack = 10'(full_units) * 10'(unit) - 10'(full);
  assign last_lack = 10'(last_units) * 10'(unit) - 10'(last);
  always_comb begin
    assume (!parts || (8'(last_gpu_i) * 8'(of_gpu_i) + 8'(last_i) == 8'(elements_i) && last_i < of_gpu_i));
    assume (full_lack < 10'(unit));
    assume (last_lack < 10'(unit));
  end

  // Of at most 20 units on 2 or 6 ranks.
  function automatic logic [4:0] quotient(input logic two, input logic [4:0] units);
    if (two) quotient = units >> 1;
    else quotient = (units >= 5'd18) ? 5'd3 : (units >= 5'd12) ? 5'd2 : 5'(units >= 5'd6);
  endfunction
  function automatic logic [4:0] remainder(input logic two, input logic [4:0] units);
    remainder = units - quotient(two, units) * (two ? 5'd2 : 5'd6);
  endfunction

  // A part for each GPU holds the grid, in whole or in part; units are not larger than a part.
  always_comb begin
    assume (elements_i != 4'd0 && of_gpu_i != 4'd0 && unit_i != 4'd0);
    assume (order_i != 2'd3);
    assume (!parts || (6'(of_gpu_i) * 6'd3 >= 6'(elements_i) && of_gpu_i <= elements_i));
    assume (unit_i <= (parts ? of_gpu_i : elements_i));
  end

  logic [NumNodes-1:0] node_start, node_busy;
  logic [16:0]         count, unused_run, unused_line;
  logic [15:0]         unused_first, unused_step, unused_line_jump, unused_run_jump;
  logic                busy, unused_quiescent;

  numa_tb_root #(
    .Gpus(Gpus),
    .Chiplets(Chiplets),
    .IdWidth(16)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .gpu_step_i(16'd0),
    .chiplet_step_i(16'd0),
    .run_tbs_i(17'(unit)),
    .step_i(16'd1),
    .line_tbs_i(17'd0),
    .line_jump_i(16'd0),
    .run_jump_i(16'd0),
    .gpu_rank_i(parts ? 5'd0 : order_i == 2'd1 ? 5'(Chiplets) : 5'd1),
    .chiplet_rank_i(order_i == 2'd2 ? 5'(Gpus) : 5'd1),
    .last_gpu_i(parts ? 5'(last_gpu_i) : 5'(Gpus)),
    .full_tbs_i(17'(quotient(parts, full_units)) * 17'(unit)),
    .full_extra_i(remainder(parts, full_units)),
    .full_short_i(remainder(parts, full_units + 5'(ranks) - 5'd1)),
    .full_lack_i(17'(full_lack)),
    .last_tbs_i(17'(quotient(parts, last_units)) * 17'(unit)),
    .last_extra_i(remainder(parts, last_units)),
    .last_short_i(remainder(parts, last_units + 5'(ranks) - 5'd1)),
    .last_lack_i(17'(last_lack)),
    .node_busy_i(node_busy),
    .node_start_o(node_start),
    .node_tb_count_o(count),
    .node_first_o(unused_first),
    .node_run_tbs_o(unused_run),
    .node_step_o(unused_step),
    .node_line_tbs_o(unused_line),
    .node_line_jump_o(unused_line_jump),
    .node_run_jump_o(unused_run_jump),
    .busy_o(busy),
    .quiescent_o(unused_quiescent)
  );

  // A node is asked, then busy for one cycle or more, each when it likes.
  logic [NumNodes-1:0] asked_q, busy_q, seen_q;
  logic                kernel_q;
  logic [3:0]          grid_q;
  logic [16:0]         sum_q;
  assign node_busy = busy_q | (asked_q & answer_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q  <= '0;
      busy_q   <= '0;
      seen_q   <= '0;
      kernel_q <= 1'b0;
      sum_q    <= '0;
    end else begin
      asked_q <= (asked_q & ~answer_i) | node_start;
      busy_q  <= node_busy & answer_i;
      if (start_i && !busy) begin
        seen_q   <= '0;
        kernel_q <= 1'b1;
        sum_q    <= '0;
        grid_q   <= elements_i;
      end else if (node_start != '0) begin
        seen_q <= seen_q | node_start;
        sum_q  <= sum_q + count;
      end
    end
  end

  if (Cover == 0) begin : gen_claims
    always_comb if (started_q) begin
      assert ((node_start & (node_start - 6'd1)) == '0);
      assert ((node_start & seen_q) == '0);
      if (node_start != '0) assert (count <= 17'(grid_q));
      if (&seen_q) assert (sum_q == 17'(grid_q));
      if (kernel_q && (asked_q | busy_q) != '0) assert (busy);
      if (kernel_q && !busy) assert (&seen_q);
    end
  end else begin : gen_cover
    // The kernel ends, and another one begins.
    always_comb if (started_q) assert (!(kernel_q && !busy && start_i));
  end

endmodule
