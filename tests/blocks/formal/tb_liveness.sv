// A TB scheduler without a queue in memory brings every kernel to its end, for all time: as many TBs
// are issued as the kernel has, and busy_o falls behind them. As a claim of safety: while a kernel
// runs and none of its TBs does, TBs are issued or it ends within a few cycles. TBs left to issue and
// TBs that run can only become less between two such moments, if each TB that runs completes at last.
//
// A kernel may be given up, and ends then when its TBs that run have completed; not with NO_ABORTS.
//
// SCHEDULER, PORTS, SETTINGS and TBS are as in tb_conservation.sv; MOST: the cycles. Two SMs of two contexts; kernels
// follow one another without end. An SM on which nothing runs is ready.
module tb_liveness (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic         abort_i,
  input logic [2:0]   count_i,
  input logic [1:0]   tb_ready_i,
  input logic [1:0]   tb_done_i
);

  localparam NumSm = 2;
  localparam Most = `MOST;  // cycles in which nothing happens

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [2:0]          count, left_q, left;
  logic [NumSm-1:0]    valid, wants, issue;
  logic [NumSm*16-1:0] id;
  logic                busy, quiescent, over, aborted_q;
  logic [1:0]          running_q [0:NumSm-1];
  logic [5:0]          still_q;

  assign count = (`TBS != 0) ? 3'd`TBS : count_i;

  `SCHEDULER #(
    .NumSm(NumSm),
    .IdWidth(16),
    .IssuePorts(`PORTS)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .abort_i,
    `SETTINGS
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o(valid),
    .tb_id_o(id),
    .busy_o(busy),
    .quiescent_o(quiescent),
    .wants_context_o(wants)
  );
  assign issue = valid & tb_ready_i;
  assign over  = (issue[0] & issue[1]) ? left_q < 3'd2 : (|issue) & (left_q == 3'd0);
  assign left  = left_q - 3'(issue[0]) - 3'(issue[1]);

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    always_comb begin
      assume (!tb_done_i[s] || running_q[s] != 2'd0);
      assume (tb_ready_i[s] == (running_q[s] != 2'd2) || (!tb_ready_i[s] && running_q[s] == 2'd1));
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q[s] <= '0;
      else running_q[s] <= running_q[s] + 2'(issue[s]) - 2'(tb_done_i[s]);
    end
  end

  always_comb begin
    assume (`TBS != 0 || count <= 3'd3);
`ifdef NO_ABORTS
    assume (!abort_i);
`endif
    if (rst_ni) begin
      assert (!over);                          // no TB too many
      assert (busy || left_q == 3'd0 || aborted_q);  // none too few
      assert (busy || (running_q[0] == 2'd0 && running_q[1] == 2'd0));
      assert (still_q != 6'(Most));            // and on it goes
    end
  end

  always_ff @(posedge clk_i) begin
    aborted_q <= rst_ni & busy & (abort_i | aborted_q);
    if (!rst_ni || (aborted_q && !busy && !start_i)) left_q <= '0;
    else if (start_i & ~busy) left_q <= count;
    else left_q <= left;
    if (!rst_ni || !busy || (|issue) || running_q[0] != 2'd0 || running_q[1] != 2'd0) still_q <= '0;
    else still_q <= still_q + 6'd1;
  end

endmodule
