// The root of two GPUs of three chiplets, whose TB schedulers hear of their starts and end when they
// like.
module numa_tb_root_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic       start, busy;
  logic [5:0] asked, node_busy, node_start;
  int         kernels = 0;

  assign done = kernels > 50;

  numa_tb_root #(
    .Gpus(2),
    .Chiplets(3)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .gpu_step_i(16'd21),
    .chiplet_step_i(16'd7),
    .run_tbs_i(17'd7),
    .step_i(16'd1),
    .line_tbs_i(17'd0),
    .line_jump_i(16'd0),
    .run_jump_i(16'd0),
    .gpu_rank_i(5'd3),
    .chiplet_rank_i(5'd1),
    .last_gpu_i(5'd2),
    .full_tbs_i(17'd7),
    .full_extra_i(5'd0),
    .full_short_i(5'd5),
    .full_lack_i(17'd0),
    .last_tbs_i(17'd0),
    .last_extra_i(5'd0),
    .last_short_i(5'd0),
    .last_lack_i(17'd0),
    .node_busy_i(node_busy),
    .node_start_o(node_start),
    .busy_o(busy)
  );

  initial begin
    start = 0; asked = 0; node_busy = 0;
  end

  always @(posedge clk) if (rst_n) asked <= (asked | node_start) & ~node_busy;

  always @(negedge clk) begin
    if (rst_n) begin
      start = !busy && ($urandom % 4) == 0;
      if (start) kernels++;
      for (int n = 0; n < 6; n++) begin
        node_busy[n] = node_busy[n] ? ($urandom % 8) != 0 : asked[n] && ($urandom % 5) == 0;
      end
    end
  end

endmodule
