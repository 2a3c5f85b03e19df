// A TB's block index is that of its id, for all time: with grids of up to 3 x 3 x 3 TBs, ids in any
// order, of launches one behind the other. It comes as soon as the page says.
module dispatch_index (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic [1:0]  grid_x_i,
  input logic [1:0]  grid_y_i,
  input logic [1:0]  grid_z_i,
  input logic [2:0]  x_shift_i,
  input logic [2:0]  y_shift_i,
  input logic        take_i,
  input logic [4:0]  id_i,
  input logic        gone_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic        ready, valid, begun_q;
  logic [15:0] id, x, y, z;
  logic [16:0] x_divisor, y_divisor;
  logic [1:0]  grid_x_q, grid_y_q;
  logic [4:0]  cycles_q, most_q;
  logic [4:0]  row;
  assign x_divisor = 17'(grid_x_i) << x_shift_i;
  assign y_divisor = 17'(grid_y_i) << y_shift_i;

  tb_index_divider u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .grid_x_i({15'd0, grid_x_i}),
    .grid_y_i({15'd0, grid_y_i}),
    .x_divisor_i(x_divisor),
    .x_shift_i({2'd0, x_shift_i}),
    .y_divisor_i(y_divisor),
    .y_shift_i({2'd0, y_shift_i}),
    .take_i,
    .id_i({11'd0, id_i}),
    .ready_o(ready),
    .valid_o(valid),
    .gone_i,
    .id_o(id),
    .x_o(x),
    .y_o(y),
    .z_o(z)
  );

  logic [4:0] tbs, tbs_q;
  assign tbs = 5'(grid_x_i) * 5'(grid_y_i) * 5'(grid_z_i);
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      grid_x_q <= grid_x_i;
      grid_y_q <= grid_y_i;
      tbs_q    <= tbs;
      most_q   <= 5'(x_shift_i) + 5'(y_shift_i) + 5'd2;
    end
    if (!rst_ni) begun_q <= 1'b0;
    else if (start_i) begun_q <= 1'b1;
    if (!rst_ni || take_i || valid) cycles_q <= '0;
    else if (!ready) cycles_q <= cycles_q + 5'd1;
  end

  // z has few bits, and so have products here.
  assign row = 5'(y[1:0]) + 5'(z[1:0]) * 5'(grid_y_q);

  always_comb begin
    assume (grid_x_i != '0 && grid_y_i != '0);
    assume (x_shift_i <= 3'd4 && y_shift_i <= 3'd4);
    // As launch_prepare leaves them: twice a divisor is not below what it divides.
    assume ({x_divisor, 1'b0} >= 18'(tbs));
    assume ({y_divisor, 1'b0} >= 18'(4'(grid_y_i) * 4'(grid_z_i)));
    assume (!start_i || (ready && !take_i));
    assume (!take_i || (ready && begun_q && id_i < tbs_q));
    assume (!gone_i || valid);
    assume (rst_ni || (!start_i && !take_i && !gone_i));
    if (rst_ni && valid) begin
      assert (x < 16'(grid_x_q) && y < 16'(grid_y_q));
      assert (z < 16'd4 && 7'(id) == 7'(x[1:0]) + 7'(row) * 7'(grid_x_q));
    end
    if (rst_ni) assert (cycles_q <= most_q || ready);
  end

endmodule
