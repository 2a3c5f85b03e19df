// The round-robin arbiter is fair, for all time: between two grants of one requester, each other that
// has asked all the time has had one. Two requesters, any, are followed.
module arbiter_fair #(
  parameter Count = 11
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Count-1:0] request_i,
  input logic             take_i,
  input logic [Count-1:0] first_i,  // of the two, one-hot
  input logic [Count-1:0] other_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [Count-1:0] grant, first_q, other_q;
  logic             valid, used, passed_q;
  round_robin_arbiter #(
    .Count(Count)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .request_i,
    .take_i,
    .valid_o(valid),
    .grant_o(grant)
  );
  assign used = take_i & valid;

  always_comb begin
    if (!rst_ni) begin
      assume ((first_i & (first_i - Count'(1))) == '0 && first_i != '0);
      assume ((other_i & (other_i - Count'(1))) == '0 && other_i != '0);
      assume (first_i != other_i);
    end else begin
      assert (valid == (request_i != '0));
      assert ((grant & ~request_i) == '0 && (grant & (grant - Count'(1))) == '0);
      assert ((grant != '0) == valid);
      assert (!(used && grant == first_q && passed_q && (request_i & other_q) != '0));
    end
  end

  // The first one had a grant, and the other has asked since then in vain.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= first_i;
      other_q  <= other_i;
      passed_q <= 1'b0;
    end else if ((request_i & other_q) == '0 || (used && grant == other_q)) begin
      passed_q <= 1'b0;
    end else if (used && grant == first_q) begin
      passed_q <= 1'b1;
    end
  end

endmodule
