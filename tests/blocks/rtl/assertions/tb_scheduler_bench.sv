// A TB scheduler without a queue in memory: SCHEDULER is the module, SETTINGS the connections of what
// it samples at start, TBS the number of TBs that these are for; 0: any number.
module tb_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  localparam NumSm = 2;
  localparam count = (`TBS != 0) ? `TBS : 42;

  logic [NumSm-1:0] ready, finished, valid;
  logic             start, abort, busy;

  tb_scheduler_driver #(
    .NumSm(NumSm),
    .Tbs(count)
  ) u_driver (.*);

  `SCHEDULER #(
    .NumSm(NumSm),
    .IdWidth(16)
  ) u_dut (
    `SETTINGS
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .abort_i(abort),
    .tb_ready_i(ready),
    .tb_done_i(finished),
    .tb_valid_o(valid),
    .busy_o(busy)
  );

endmodule
