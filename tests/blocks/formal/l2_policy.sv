// LADM's L2 policy: what is at home here never leaves, of others' lines all but the reads that hit do,
// what others read under RONCE stays nowhere but with them, and nothing is decided without a request.
module l2_policy (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       cfg_valid_i,
  input logic [1:0] cfg_node_i,
  input logic       cfg_once_i,
  input logic       cfg_remote_caching_i,
  input logic [1:0] req_valid_i,
  input logic [1:0] req_from_fabric_i,
  input logic [3:0] req_kind_i,
  input logic [3:0] req_home_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [1:0] valid, probe, keep, forward, update, invalidate, fault;
  logic [3:0] class_of;
  logic       quiescent;

  l2_remote_policy #(
    .NumLanes(2),
    .NodeWidth(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cfg_valid_i,
    .cfg_node_i,
    .cfg_once_i,
    .cfg_remote_caching_i,
    .req_valid_i,
    .req_from_fabric_i,
    .req_kind_i,
    .req_home_i,
    .dec_valid_o(valid),
    .dec_class_o(class_of),
    .dec_probe_o(probe),
    .dec_keep_o(keep),
    .dec_forward_o(forward),
    .dec_update_o(update),
    .dec_invalidate_o(invalidate),
    .dec_fault_o(fault),
    .quiescent_o(quiescent)
  );

  // What was asked for last, and the settings that held then and hold now.
  logic [1:0] asked_q, from_fabric_q;
  logic [3:0] kind_q, home_q;
  logic [1:0] node_q, node_then_q;
  logic       once_q, once_then_q, caching_q, caching_then_q, told_q, told_then_q;
  always_ff @(posedge clk_i) begin
    asked_q        <= rst_ni ? req_valid_i : 2'd0;
    from_fabric_q  <= req_from_fabric_i;
    kind_q         <= req_kind_i;
    home_q         <= req_home_i;
    node_then_q    <= node_q;
    once_then_q    <= once_q;
    caching_then_q <= caching_q;
    told_then_q    <= told_q;
    if (!rst_ni) told_q <= 1'b0;
    else if (cfg_valid_i) told_q <= 1'b1;
    if (cfg_valid_i) begin
      node_q    <= cfg_node_i;
      once_q    <= cfg_once_i;
      caching_q <= cfg_remote_caching_i;
    end
  end

  // In induction the settings in the block are any; told after reset, they are those kept here.
  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) reset_q <= !rst_ni;

  for (genvar i = 0; i < 2; i++) begin : gen_lane
    logic reads, here, checks;
    assign reads  = ~kind_q[i*2+1];
    assign here   = home_q[i*2 +: 2] == node_then_q;
    assign checks = started_q && valid[i] && told_then_q;
    always_comb begin
      if (started_q && !reset_q) assert (valid[i] == asked_q[i]);
      if (checks) begin
        assert (forward[i] == (!from_fabric_q[i] && !here));
        assert (class_of[i*2 +: 2] == (from_fabric_q[i] ? 2'd2 : here ? 2'd0 : 2'd1));
        assert (fault[i] == (from_fabric_q[i] && !here));
        // At home here, and not for others under RONCE: it is kept.
        if (!forward[i] && !(once_then_q && from_fabric_q[i] && reads)) assert (keep[i] && probe[i]);
        if (once_then_q && from_fabric_q[i] && reads) assert (probe[i] && !keep[i]);
        // Of others' lines what is read, with remote caching.
        if (forward[i]) assert (keep[i] == (caching_then_q && reads) && probe[i] == caching_then_q);
        assert (update[i] == (forward[i] && caching_then_q && kind_q[i*2 +: 2] == 2'd2));
        assert (invalidate[i] == (forward[i] && caching_then_q && kind_q[i*2 +: 2] == 2'd3));
      end
    end
  end

  always_comb if (started_q && !reset_q) assert (quiescent == (valid == 2'd0));

endmodule
