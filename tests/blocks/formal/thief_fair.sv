// The task stealer is fair to thieves, for all time: between two steals of one SM, each other that was
// a candidate all the time has stolen. Counts of waiting TBs are arbitrary; two of three SMs, any, are
// followed.
module thief_fair (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       enable_i,
  input logic [2:0] candidate_i,
  input logic [7:0] read_tail_i,
  input logic [3:0] read_next_i,
  input logic       read_issue_i,
  input logic       more_to_come_i,
  input logic [2:0] first_i,  // of the two, one-hot
  input logic [2:0] other_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [2:0] load, first_q, other_q;
  logic       passed_q;
  paver_task_stealer #(
    .NumSm(3),
    .IdBytes(2),
    .AddrWidth(8),
    .CountWidth(4),
    .SumWidth(4)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .enable_i,
    .candidate_i,
    .read_tail_i,
    .read_next_i,
    .read_issue_i,
    .more_to_come_i,
    .load_o(load)
  );

  always_comb begin
    if (!rst_ni) begin
      assume (first_i == 3'b001 || first_i == 3'b010 || first_i == 3'b100);
      assume (other_i == 3'b001 || other_i == 3'b010 || other_i == 3'b100);
      assume (first_i != other_i);
    end else begin
      assert ((load & (load - 3'd1)) == 3'd0);
      assert (!(load == first_q && passed_q && (candidate_i & other_q) != 3'd0));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= first_i;
      other_q  <= other_i;
      passed_q <= 1'b0;
    end else if ((candidate_i & other_q) == 3'd0 || load == other_q) begin
      passed_q <= 1'b0;
    end else if (load == first_q) begin
      passed_q <= 1'b1;
    end
  end

endmodule
