// What launch_prepare finds is right: with up to 7 TBs along each axis, any limit and resources of a
// TB, all runs of 80 cycles. A launch that cannot run fails, for the first reason there is; any other
// one becomes ready.
module dispatch_prepare #(
  // Whether the claim is that it is never ready, or that it never fails: states to be reached.
  parameter int Cover = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [2:0]  grid_x_i,
  input logic [2:0]  grid_y_i,
  input logic [2:0]  grid_z_i,
  input logic [7:0]  tb_limit_i,
  input logic [3:0]  queue_low_i,
  input logic [1:0]  queue_count_i,
  input logic [2:0]  tb_warps_i
);

  logic       started_q = 1'b0;
  logic [2:0] grid_x_q, grid_y_q, grid_z_q, tb_warps_q;
  logic [7:0] tb_limit_q;
  logic [3:0] queue_low_q;
  logic [1:0] queue_count_q;
  logic [6:0] cycles_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    cycles_q  <= rst_ni ? cycles_q + 7'd1 : '0;
    if (!started_q) begin
      {grid_x_q, grid_y_q, grid_z_q}           <= {grid_x_i, grid_y_i, grid_z_i};
      {tb_limit_q, queue_low_q, queue_count_q} <= {tb_limit_i, queue_low_i, queue_count_i};
      tb_warps_q                               <= tb_warps_i;
    end
  end
  always_comb assume (started_q == rst_ni);

  logic        ready, fails, no_tbs, unaligned, no_groups, too_large;
  logic [3:0]  reason, contexts, warps;
  logic [16:0] tbs, x_divisor, y_divisor, share;
  logic [4:0]  x_shift, y_shift;
  logic [7:0]  extra;
  launch_prepare #(
    .NumSm(3),
    .Contexts(4),
    .SmWarps(6),
    .Shares(1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .begin_i(1'b1),
    .end_i(1'b0),
    .grid_x_i({14'd0, grid_x_q}),
    .grid_y_i({14'd0, grid_y_q}),
    .grid_z_i({14'd0, grid_z_q}),
    .tb_limit_i(tb_limit_q),
    .queue_low_i(queue_low_q),
    .queue_count_i({30'd0, queue_count_q}),
    .tb_warps_i({5'd0, tb_warps_q}),
    .tb_registers_i(20'd0),
    .tb_shared_i(20'd0),
    .ready_o(ready),
    .fails_o(fails),
    .reason_o(reason),
    .tb_count_o(tbs),
    .x_divisor_o(x_divisor),
    .x_shift_o(x_shift),
    .y_divisor_o(y_divisor),
    .y_shift_o(y_shift),
    .share_tbs_o(share),
    .extra_sms_o(extra),
    .contexts_o(contexts)
  );

  // How many TBs of so many warps an SM of six holds, of four contexts.
  always_comb begin
    case (tb_warps_q)
      3'd0, 3'd1: warps = 4'b1111;
      3'd2: warps = 4'b0111;
      3'd3: warps = 4'b0011;
      3'd7: warps = 4'b0000;
      default: warps = 4'b0001;
    endcase
    case (tb_limit_q)
      8'd1: warps = warps & 4'b0001;
      8'd2: warps = warps & 4'b0011;
      8'd3: warps = warps & 4'b0111;
      default: ;
    endcase
  end
  assign no_tbs    = grid_x_q == '0 || grid_y_q == '0 || grid_z_q == '0;
  assign unaligned = !no_tbs && queue_low_q != '0;
  assign no_groups = !no_tbs && !unaligned && queue_count_q == '0;
  assign too_large = !no_tbs && !unaligned && !no_groups && warps == '0;

  always_comb begin
    if (rst_ni && Cover == 1) assert (!ready);
    if (rst_ni && Cover == 2) assert (!(fails && reason == 4'd3));
    if (rst_ni && Cover == 0) begin
      assert (!fails || reason == (no_tbs ? 4'd1 : unaligned ? 4'd4 : no_groups ? 4'd5 : 4'd3));
      assert (!fails || no_tbs || unaligned || no_groups || too_large);
      assert (!ready || !(no_tbs || unaligned || no_groups || too_large));
      if (ready) begin
        assert (tbs == 17'(9'(grid_x_q) * 9'(grid_y_q) * 9'(grid_z_q)));
        assert (x_divisor == 17'(grid_x_q) << x_shift && {x_divisor, 1'b0} >= {1'b0, tbs});
        assert (y_divisor == 17'(grid_y_q) << y_shift);
        assert ({y_divisor, 1'b0} >= 18'(6'(grid_y_q) * 6'(grid_z_q)));
        assert (extra < 8'd3 && 17'(10'(share) * 10'd3) + 17'(extra) == tbs);
        assert (contexts == warps);
      end
      assert (ready || fails || cycles_q < 7'd78);
    end
  end

endmodule
