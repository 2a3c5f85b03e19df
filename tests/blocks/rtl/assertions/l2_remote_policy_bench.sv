// An L2 policy of four lanes: requests of all kinds, which come to their home.
module l2_remote_policy_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic       told, once;
  logic [3:0] valid, from_fabric;
  logic [7:0] kind, home;
  int         requests = 0;

  assign done = requests > 2000;

  l2_remote_policy #(
    .NumLanes(4),
    .NodeWidth(2)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .cfg_valid_i(told),
    .cfg_node_i(2'd2),
    .cfg_once_i(once),
    .cfg_remote_caching_i(1'b1),
    .req_valid_i(valid),
    .req_from_fabric_i(from_fabric),
    .req_kind_i(kind),
    .req_home_i(home)
  );

  initial begin
    told = 0; once = 0; valid = 0; from_fabric = 0; kind = 0; home = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      told        = requests == 0 || ($urandom % 50) == 0;
      once        = $urandom % 2 == 0;
      valid       = told ? 4'd0 : 4'($urandom);
      from_fabric = 4'($urandom);
      kind        = 8'($urandom);
      for (int i = 0; i < 4; i++) home[i*2 +: 2] = from_fabric[i] ? 2'd2 : 2'($urandom);
      requests += told ? 1 : $countones(valid);
    end
  end

endmodule
