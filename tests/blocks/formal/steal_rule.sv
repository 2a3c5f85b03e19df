// Who steals: the rule and the queues of paver_wide together, with 3 SMs. Groups, free contexts, TBs'
// ends and the memory's times are arbitrary; the kernel comes under Rule. Whatever has happened, the
// SM to which a steal moves TBs
//   0: is none, as there is no steal;
//   1: has a free context when it is found;
//   2: has ended a TB of this kernel;
//   3: runs no TB.
module steal_rule #(
  parameter Rule = 0,
  parameter Cover = 0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic         last_group_i,   // from here on no group is handed out
  input logic [2:0]   load_i,
  input logic [7:0]   load_next_i,
  input logic [7:0]   load_tail_i,
  input logic [2:0]   grant_i,
  input logic [2:0]   rsp_i,
  input logic [2:0]   tb_ready_i,
  input logic [2:0]   tb_done_i
);

  localparam NumSm = 3;
  localparam AddrWidth = 8;
  localparam CountWidth = 4;

  // The first cycle is a reset, and the only one; the kernel starts once.
  logic started_q = 1'b0, begun_q, exhausted_q;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q     <= 1'b0;
      exhausted_q <= 1'b0;
    end else begin
      if (start_i) begun_q <= 1'b1;
      if (begun_q && last_group_i) exhausted_q <= 1'b1;
    end
  end

  logic [NumSm-1:0]           wanted, valid, held, fetching, allowed, issue;
  logic [NumSm*AddrWidth-1:0] next, tail;
  logic [NumSm*16-1:0]        tb_id;
  logic [AddrWidth-1:0]       fetch_addr;
  logic                       enable, none, adding, moving, armed, idle, steal_valid;
  logic [CountWidth-1:0]      steal_count;
  logic [1:0]                 donor, thief;
  assign issue = valid & tb_ready_i;

  paver_steal_rule #(
    .NumSm(NumSm),
    .CountWidth(3)
  ) u_rule (
    .clk_i,
    .rst_ni,
    .start_i,
    .rule_i(2'(Rule)),
    .issue_i(issue),
    .done_i(tb_done_i),
    .enable_o(enable),
    .allowed_o(allowed),
    .none_o(none),
    .adding_o(adding)
  );

  paver_wide_queue_bank #(
    .NumSm(NumSm),
    .IdWidth(16),
    .AddrWidth(AddrWidth),
    .Style(0),
    .CountWidth(CountWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .stop_i(1'b0),
    .clear_i(start_i),
    .start_i,
    .steal_enable_i(enable & exhausted_q),
    .steal_allowed_i(allowed),
    .load_i,
    .load_next_i,
    .load_tail_i,
    .fetch_wanted_o(wanted),
    .fetch_grant_i(grant_i),
    .fetch_read_i(grant_i),
    .fetch_addr_o(fetch_addr),
    .fetch_rsp_i(rsp_i),
    .fetch_data_i(256'd0),
    .tb_ready_i,
    .tb_valid_o(valid),
    .tb_id_o(tb_id),
    .held_o(held),
    .moving_o(moving),
    .steal_armed_o(armed),
    .steal_idle_o(idle),
    .steal_valid_o(steal_valid),
    .steal_count_o(steal_count),
    .steal_donor_o(donor),
    .steal_thief_o(thief),
    .formal_next_o(next),
    .formal_tail_o(tail),
    .formal_fetching_o(fetching)
  );

  // The world: one group, one grant and one answer a cycle.
  for (genvar s = 0; s < NumSm; s++) begin : gen_world
    always_comb begin
      assume (!load_i[s] || !held[s]);
      assume (!grant_i[s] || wanted[s]);
      assume (!rsp_i[s] || fetching[s]);
    end
  end
  always_comb begin
    assume ((load_i & (load_i - 3'd1)) == '0);
    assume ((grant_i & (grant_i - 3'd1)) == '0);
    assume ((rsp_i & (rsp_i - 3'd1)) == '0);
    assume (load_i == '0 || (begun_q && !exhausted_q));
    assume (load_i == '0 || (load_next_i <= load_tail_i && load_tail_i - load_next_i < 8'd30));
    assume (load_i == '0 || (!load_next_i[0] && !load_tail_i[0]));
    assume (!start_i || (rst_ni && !begun_q));
  end

  // What each SM has done, counted here anew: TBs that began less those that ended, of 5 at most.
  logic [NumSm-1:0] runs, ended_q, free_q;
  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [2:0] running_q;
    assign runs[s] = running_q != 3'd0;
    always_comb begin
      assume (!tb_done_i[s] || runs[s]);
      assume (!tb_ready_i[s] || running_q < 3'd5);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q <= '0;
      else running_q <= running_q + 3'(issue[s]) - 3'(tb_done_i[s]);
      if (!rst_ni) ended_q[s] <= 1'b0;
      else if (tb_done_i[s]) ended_q[s] <= 1'b1;
      if (!rst_ni) free_q[s] <= 1'b0;
      else if (tb_ready_i[s] && !valid[s] && !held[s]) free_q[s] <= 1'b1;
    end
  end

  // The claims, in the cycle after a steal: its TBs are in the thief's group, and none has begun.
  always_comb begin
    if (rst_ni && Cover == 0 && steal_valid) begin
      assert (Rule != 0);
      assert (Rule != 1 || free_q[thief]);
      assert (Rule != 2 || ended_q[thief]);
      assert (Rule != 3 || !runs[thief]);
    end
    // No TB runs where none is counted, and it is noticed two cycles later.
    if (rst_ni && Cover == 0) assert (!none || runs == '0);
  end

  // Interesting states: a steal; one by an SM on which a TB runs; one before any TB has ended.
  always_comb begin
    if (rst_ni && Cover == 1) assert (!steal_valid);
    if (rst_ni && Cover == 2) assert (!(steal_valid && runs[thief]));
    if (rst_ni && Cover == 3) assert (!(steal_valid && ended_q == '0));
  end

endmodule
