// PAVER's TB scheduler, which reads ids one by one.
module paver_tb_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  localparam NumSm = 3;

  logic [NumSm-1:0] ready, finished, valid;
  logic             start, abort, busy, req_ready, req_valid, rsp_valid, steal_valid;
  logic [63:0]      addr;
  logic [255:0]     data;

  paver_driver #(
    .NumSm(NumSm)
  ) u_driver (.*);

  paver_tb_scheduler #(
    .NumSm(NumSm),
    .IdWidth(16)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .abort_i(abort),
    .queue_base_i(64'h1000),
    .queue_count_i(32'd6),
    .steal_rule_i(2'd1),
    .tb_ready_i(ready),
    .tb_done_i(finished),
    .tb_valid_o(valid),
    .busy_o(busy),
    .mem_req_ready_i(req_ready),
    .mem_req_valid_o(req_valid),
    .mem_req_addr_o(addr),
    .mem_rsp_valid_i(rsp_valid),
    .mem_rsp_data_i(data[127:0]),
    .steal_valid_o(steal_valid)
  );

endmodule
