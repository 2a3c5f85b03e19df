// No TB gets lost, none is issued twice where ids come by the sector: the queues and the stealer of
// paver_wide together, with 3 SMs.
//
// One id in memory, at an arbitrary address, is followed from its group's hand-out to its issue.
// It is `owned` while it is in some SM's range [next, tail], or in some SM's nextTB; the claim is
// that it is in exactly one of these places then and in none at any other time. Whether it is in a
// buffer as well plays no part: what a buffer holds goes to nextTB only at `next`. Groups, free
// contexts and the times of grants and answers are arbitrary.
module tb_ownership_wide (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic         last_group_i,   // from here on no group is handed out
  input logic [2:0]   load_i,
  input logic [7:0]   load_next_i,
  input logic [7:0]   load_tail_i,
  input logic [2:0]   grant_i,
  input logic [2:0]   read_i,
  input logic [2:0]   rsp_i,
  input logic [255:0] sector_i,
  input logic [2:0]   tb_ready_i,
  input logic [2:0]   allowed_i,
  input logic [7:0]   token_addr_i
);

  localparam NumSm = 3;
  localparam AddrWidth = 8;
  localparam CountWidth = 4;

  // The first cycle is a reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // Arbitrary, chosen at reset: the id's address.
  logic [AddrWidth-1:0] token_addr_q;
  always_ff @(posedge clk_i) if (!rst_ni) token_addr_q <= token_addr_i;

  logic [NumSm-1:0]           wanted, valid, held, fetching, buffered, carry, move;
  logic [NumSm*AddrWidth-1:0] next, tail;
  logic [NumSm*16-1:0]        tb_id;
  logic [AddrWidth-1:0]       fetch_addr;
  logic                       moving, armed, idle, steal_valid;
  logic [CountWidth-1:0]      steal_count;
  logic [1:0]                 donor, thief;
  logic                       exhausted_q;
  logic [3:0]                 state;
  logic [7:0]                 step;
  logic [AddrWidth-1:0]       steal_tail;
  logic [CountWidth-1:0]      steal_next, difference, max;
  logic                       borrow, found, issued, all;
  logic [1:0]                 candidates;

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
    .clear_i,
    .start_i(1'b0),
    .steal_enable_i(exhausted_q),
    .steal_allowed_i(allowed_i),
    .load_i,
    .load_next_i,
    .load_tail_i,
    .fetch_wanted_o(wanted),
    .fetch_grant_i(grant_i),
    .fetch_read_i(read_i),
    .fetch_addr_o(fetch_addr),
    .fetch_rsp_i(rsp_i),
    .fetch_data_i(sector_i),
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
    .formal_fetching_o(fetching),
    .formal_buffered_o(buffered),
    .formal_carry_o(carry),
    .formal_move_o(move),
    .formal_state_o(state),
    .formal_step_o(step),
    .formal_steal_tail_o(steal_tail),
    .formal_steal_next_o(steal_next),
    .formal_difference_o(difference),
    .formal_max_o(max),
    .formal_borrow_o(borrow),
    .formal_found_o(found),
    .formal_candidates_o(candidates),
    .formal_issued_o(issued),
    .formal_all_o(all)
  );

  // What the stealer has read of its donor, and what the donor is now.
  localparam [3:0] Scan = 4'd1, Divide = 4'd3, Count = 4'd4, Read = 4'd5, Clamp = 4'd7, Cut = 4'd8,
                   Commit = 4'd9;
  logic [AddrWidth-1:0]  donor_next, donor_tail;
  logic [CountWidth-1:0] waiting, donor_shown;
  logic                  donor_held;
  assign donor_next  = next[donor*AddrWidth +: AddrWidth];
  assign donor_tail  = tail[donor*AddrWidth +: AddrWidth];
  assign donor_held  = held[donor];
  assign donor_shown = donor_next[1 +: CountWidth] - CountWidth'(valid[donor] & buffered[donor]);
  assign waiting     = steal_tail[1 +: CountWidth] - steal_next;

  // Where the token is, and who issues it.
  logic [NumSm-1:0] in_range, in_next_tb, issues, loads_token;
  logic [2:0]       owners;
  logic             owned_q, gone_q;
  assign owners = 3'($countones({in_range, in_next_tb}));

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [AddrWidth-1:0] first, last, next_tb_q;  // next_tb_q: where nextTB's id stands
    assign first          = next[s*AddrWidth +: AddrWidth];
    assign last           = tail[s*AddrWidth +: AddrWidth];
    assign in_range[s]    = held[s] && first <= token_addr_q && token_addr_q <= last;
    assign in_next_tb[s]  = valid[s] && next_tb_q == token_addr_q;
    assign issues[s]      = tb_ready_i[s] & in_next_tb[s];
    assign loads_token[s] = load_i[s] && load_next_i <= token_addr_q
                            && token_addr_q <= load_tail_i;

    logic                 was_fetching_q;
    logic [AddrWidth-1:0] before_q;
    always_ff @(posedge clk_i) begin
      was_fetching_q <= rst_ni & (fetching[s] | grant_i[s]);
      before_q       <= first;
      if (move[s]) next_tb_q <= first;
    end

    always_comb begin
      if (rst_ni) begin
        // A group lies in memory in order, is not longer than positions can tell, and is aligned.
        assert (!held[s] || first <= last);
        assert (!held[s] || last - first < 8'd30);
        assert (!held[s] || (!first[0] && !last[0]));
        // Sectors are fetched for groups, and once; an id moves where there is room for it.
        assert (held[s] || (!buffered[s] && !fetching[s]));
        assert (!(buffered[s] && fetching[s]));
        assert (!move[s] || (buffered[s] && !valid[s]));
        // Where an id may move, the carry of the step is known.
        assert (!buffered[s] || valid[s] || carry[s] == &first[3:1]);
        // `next` stands from the grant to the answer: the address may be read in any cycle between.
        assert (!(was_fetching_q && fetching[s]) || first == before_q);
      end
      // An SM without a group may get one; an SM that wants a sector may be granted; an SM that
      // fetches may be answered.
      assume (!load_i[s] || !held[s]);
      assume (!grant_i[s] || wanted[s]);
      assume (!rsp_i[s] || fetching[s]);
    end
  end

  always_comb begin
    if (rst_ni) begin
      // The claim.
      assert (owners == (owned_q ? 3'd1 : 3'd0));
      assert (!(owned_q && gone_q));
      // The id is issued at most once.
      assert (issues == '0 || (owned_q && issues == in_next_tb));
      // One SM's id moves at a time, as all three share a memory; one address is read, its sector's.
      assert ((move & (move - 3'd1)) == '0);
      assert (!read_i[0] || fetch_addr == {next[5 +: 3], 5'd0});
      assert (!read_i[1] || fetch_addr == {next[AddrWidth+5 +: 3], 5'd0});
      assert (!read_i[2] || fetch_addr == {next[2*AddrWidth+5 +: 3], 5'd0});
      // The stealer takes nothing before the last group is handed out.
      assert (exhausted_q || idle);
      // Until the steal, the thief stays without a group, and so do the candidates for it.
      assert (state <= 4'd10);
      assert (state < Divide || state > Commit || found);
      assert (idle || steal_valid || !found
              || (thief < 2'd3 && (held & (3'd1 << thief)) == '0));
      if (state == Scan) begin
        assert (step < 8'd5);
        assert (!candidates[0] || step < 8'd1 || step > 8'd3
                || (held & (3'd1 << (step - 8'd1))) == '0);
        assert (!candidates[1] || step < 8'd2 || (held & (3'd1 << (step - 8'd2))) == '0);
      end
      if (state >= Scan && state <= Divide) assert (max == '0 || donor < 2'd3);
      if (state == Divide || state == Count) assert (max != '0);
      // While nothing changes what it can give, the donor is what was read of it; one that can give
      // nothing may end its group meanwhile.
      if (state >= Count && state <= Commit) assert (step < 8'd3 && step == 8'(donor));
      if (state > Read && state <= Commit && !issued && waiting != '0) begin
        assert (steal_tail == (donor_held ? donor_tail : '0));
        assert (steal_next == (donor_held ? donor_shown : '0));
      end
      if (state == Clamp) assert (difference == waiting);
      if (state == Cut || state == Commit) assert (max <= waiting && all == (max == waiting));
      if (state == Commit) begin
        assert (max != '0 && difference == steal_tail[1 +: CountWidth] - max);
        assert (borrow == (steal_tail[1 +: CountWidth] < max));
      end
    end
    assume (!token_addr_q[0]);
    // The world: one group, one grant and one answer a cycle; each id is in one group only.
    assume ((load_i & (load_i - 3'd1)) == '0);
    assume ((grant_i & (grant_i - 3'd1)) == '0);
    assume ((read_i & (read_i - 3'd1)) == '0);
    assume ((rsp_i & (rsp_i - 3'd1)) == '0);
    assume (load_i == '0 || !exhausted_q);
    assume (load_i == '0 || (load_next_i <= load_tail_i && load_tail_i - load_next_i < 8'd30));
    assume (load_i == '0 || (!load_next_i[0] && !load_tail_i[0]));
    assume (loads_token == '0 || (!owned_q && !gone_q));
    // A kernel starts or ends only when no SM holds a group.
    assume (!clear_i || (held == '0 && valid == '0));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owned_q     <= 1'b0;
      gone_q      <= 1'b0;
      exhausted_q <= 1'b0;
    end else begin
      if (loads_token != '0) owned_q <= 1'b1;
      else if (issues != '0) owned_q <= 1'b0;
      if (issues != '0) gone_q <= 1'b1;
      if (clear_i) exhausted_q <= 1'b0;
      else if (last_group_i) exhausted_q <= 1'b1;
    end
  end

endmodule
