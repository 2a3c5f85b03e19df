// A TB scheduler without a queue in memory hands out each TB of a kernel exactly once, whichever
// contexts are free when and however TBs complete: none is lost, doubled or invented. One TB, an
// arbitrary one, is followed through a kernel on two SMs.
//
// SCHEDULER is the module, PORTS the number of its issue ports, SETTINGS the connections of what it
// samples at start, TBS the number of TBs that these are for; 0: any number up to 3 will do. TBs of
// other kernels, and completions that nobody waits for, do not occur. The kernel may be given up: from
// the second cycle after that on no TB is issued, and one that was not is lost rightly. With COVER the one claim is that
// no kernel of two TBs or more ends after both SMs had one: where it fails, the others say something.
module tb_conservation (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic         abort_i,
  input logic [2:0]   count_i,
  input logic [2:0]   token_i,
  input logic [1:0]   tb_ready_i,
  input logic [1:0]   tb_done_i
);

  localparam NumSm = 2;
  localparam IdWidth = 16;

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [2:0]               count, token_q, count_q;
  logic [NumSm-1:0]         valid, wants;
  logic [NumSm*IdWidth-1:0] id;
  logic                     busy, quiescent;

  assign count = (`TBS != 0) ? 3'd`TBS : count_i;

  `SCHEDULER #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
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

  logic [NumSm-1:0] issue, is_token;
  logic [2:0]       running_q [0:NumSm-1];
  logic             issued_q, was_busy_q, begun_q, aborted_q, was_aborted_q;
  logic [NumSm-1:0] served_q;  // which had a TB
  assign issue = valid & tb_ready_i;

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    assign is_token[s] = issue[s] && id[s*IdWidth +: IdWidth] == {13'd0, token_q};
    always_comb begin
      if (rst_ni) begin
        // Not invented.
`ifndef COVER
        assert (!issue[s] || (begun_q && id[s*IdWidth +: IdWidth] < {13'd0, count_q}));
`endif
      end
      assume (!tb_done_i[s] || running_q[s] != 3'd0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q[s] <= '0;
      else running_q[s] <= running_q[s] + 3'(issue[s]) - 3'(tb_done_i[s]);
    end
  end

  always_comb begin
    assume (!start_i || (!begun_q && !busy));  // one kernel
    assume (`TBS != 0 || count <= 3'd3);
    if (rst_ni) begin
`ifdef COVER
      assert (aborted_q || !(was_busy_q && !busy && served_q == 2'b11 && count_q > 3'd1));
`else
      // Not doubled: neither in two cycles nor on two SMs.
      assert (!(issued_q && is_token != '0));
      assert (is_token != 2'b11);
      // Not lost: the kernel ends when all are issued and have completed.
      assert (!(was_busy_q && !busy && token_q < count_q && !issued_q && !aborted_q));
      // Nor issued after an abort.
      assert (!was_aborted_q || valid == '0);
      assert (!(was_busy_q && !busy && (running_q[0] != '0 || running_q[1] != '0)));
`endif
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      token_q    <= token_i;
      count_q    <= '0;
      issued_q   <= 1'b0;
      was_busy_q <= 1'b0;
      begun_q    <= 1'b0;
      aborted_q  <= 1'b0;
      was_aborted_q <= 1'b0;
      served_q   <= '0;
    end else begin
      was_busy_q <= busy;
      aborted_q  <= aborted_q | (busy & abort_i);
      was_aborted_q <= aborted_q;
      served_q   <= served_q | issue;
      if (start_i) begin
        count_q <= count;
        begun_q <= 1'b1;
      end
      if (is_token != '0) issued_q <= 1'b1;
    end
  end

endmodule
