// Another project's GPU: its two SMs hold a TB each, and lrr_tb_scheduler hands TBs to them.
module my_sm (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tb_valid_i,
  input  logic [15:0] tb_id_i,
  output logic        tb_ready_o,
  output logic        tb_done_o
);
  logic [3:0] left;  // cycles that the TB still takes: 3, or 9 if its id is even

  assign tb_ready_o = left == 0;
  always_ff @(posedge clk_i) begin
    tb_done_o <= rst_ni && left == 1;
    if (!rst_ni) left <= 0;
    else if (tb_valid_i && tb_ready_o) left <= tb_id_i[0] ? 4'd3 : 4'd9;
    else if (left != 0) left <= left - 1;
  end
endmodule

module my_gpu;
  logic clk = 0, rst_n = 0, start = 0;
  logic [1:0]  valid, ready, done;
  logic [31:0] id;
  wire         busy, unused_quiescent;
  wire [1:0]   unused_wants;
  integer      cycle = 0;

  lrr_tb_scheduler #(.NumSm(2)) u_scheduler (
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .tb_count_i(17'd5),
    .abort_i(1'b0),
    .tb_ready_i(ready),
    .tb_done_i(done),
    .tb_valid_o(valid),
    .tb_id_o(id),
    .busy_o(busy),
    .quiescent_o(unused_quiescent),
    .wants_context_o(unused_wants)
  );
  for (genvar sm = 0; sm < 2; sm = sm + 1) begin : gen_sm
    my_sm u_sm (
      .clk_i(clk),
      .rst_ni(rst_n),
      .tb_valid_i(valid[sm]),
      .tb_id_i(id[sm*16+:16]),
      .tb_ready_o(ready[sm]),
      .tb_done_o(done[sm])
    );
  end

  always #1 clk = !clk;
  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst_n <= cycle >= 2;
    start <= cycle == 3;
    if (rst_n && valid[0] && ready[0]) $display("cycle %0d: TB %0d on SM 0", cycle, id[15:0]);
    if (rst_n && valid[1] && ready[1]) $display("cycle %0d: TB %0d on SM 1", cycle, id[31:16]);
    if (cycle > 6 && !busy) begin
      $display("cycle %0d: all TBs have completed", cycle);
      $finish;
    end
  end
endmodule
