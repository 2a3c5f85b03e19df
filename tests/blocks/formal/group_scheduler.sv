// The warp scheduler that keeps groups together, 3 warps with windows of 3 loads and a turn after 2
// issues. A grant is for a warp that can issue, and never lacks while one can. A warp that can issue all
// the time does so before 3 * (2 + 2) others have: none starves. But for turns and the warp that was
// granted last, those of the group go first that are no window ahead, the oldest TB's before others; then
// comes the lowest slot. The group is told a cycle later. A counter goes up by a load of its warp alone,
// never past its end, and down by one once all warps of the group that live have one. What begins is no
// older than who lives. Where a warp lives, the oldest number is that of one within five cycles. Idle means
// that nothing comes without an event.
//
// All is arbitrary, but: the followed warp issues when it is granted.
module group_scheduler #(
  parameter Starves = 0  // 1: the claim that none does, alone
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] eligible_i,
  input logic [2:0] started_i,
  input logic       started_group_i,
  input logic [2:0] finished_i,
  input logic       issued_valid_i,
  input logic       issued_load_i,
  input logic [1:0] followed_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic       grant, quiescent, turn;
  logic [1:0] grant_warp;
  logic [2:0] live, member, groups;
  logic [5:0] counts, numbers;
  logic [1:0] oldest;

  group_warp_scheduler #(
    .NumWarps(3),
    .GroupWidth(1),
    .CountWidth(2),
    .AgeWidth(2),
    .AgeSlots(1),
    .Patience(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .eligible_i,
    .started_i,
    .started_group_i,
    .finished_i,
    .issued_valid_i,
    .issued_load_i,
    .grant_valid_o(grant),
    .grant_warp_o(grant_warp),
    .quiescent_o(quiescent),
    .formal_live_o(live),
    .formal_member_o(member),
    .formal_groups_o(groups),
    .formal_counts_o(counts),
    .formal_numbers_o(numbers),
    .formal_oldest_o(oldest),
    .formal_turn_o(turn)
  );

  logic [2:0] can, granted, full, ahead;
  assign can     = eligible_i & live & ~finished_i;
  assign granted = 3'd1 << grant_warp;
  assign full    = counts[5:3] & counts[2:0];
  assign ahead   = counts[5:3] | counts[2:0];
  always_comb assume (!issued_valid_i || grant);

  if (Starves == 1) begin : gen_starves
    logic [1:0] followed_q;
    logic [3:0] waits_q;  // issues of others
    logic       goes_on;
    assign goes_on = can[followed_q] && !(issued_valid_i && grant_warp == followed_q);
    always_comb begin
      assume (followed_i != 2'd3);
      assume (!grant || grant_warp != followed_q || issued_valid_i);
      if (started_q) none_starves: assert (waits_q < 4'd12);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        followed_q <= followed_i;
        waits_q    <= '0;
      end else if (!goes_on) begin
        waits_q <= '0;
      end else begin
        waits_q <= waits_q + {3'd0, issued_valid_i};
      end
    end
  end else begin : gen_rules
    // The cycle before.
    logic       past_q, grant_q, quiescent_q, same_q, issued_load_q, lowers_q;
    logic [1:0] warp_q;
    logic [2:0] can_q, near_q, stays_q, member_q, groups_q, last_q, eligible_q, begins_q;
    logic [2:0] near, lives_oldest;
    logic [5:0] counts_q;
    logic [2:0] dead_q;  // cycles in a row in which others live, none of the oldest number, undisturbed
    logic       pulse;
    assign near = can & member & ~full;
    assign pulse = started_i != '0 || finished_i != '0 || issued_valid_i;
    always_ff @(posedge clk_i) begin
      past_q        <= rst_ni;
      dead_q        <= !rst_ni || live == '0 || lives_oldest != '0 || started_i != '0 || finished_i != '0
                       ? 3'd0 : dead_q + 3'd1;
      grant_q       <= grant;
      warp_q        <= grant_warp;
      quiescent_q   <= quiescent;
      same_q        <= past_q && eligible_i == eligible_q && !pulse;
      can_q         <= can;
      near_q        <= near;
      stays_q       <= can & granted & (near == '0 ? 3'b111 : ~full);
      last_q        <= granted;
      member_q      <= member;
      groups_q      <= groups;
      counts_q      <= counts;
      eligible_q    <= eligible_i;
      begins_q      <= started_i;
      issued_load_q <= issued_valid_i && issued_load_i;
      lowers_q      <= (live & member) != '0 && (live & member & ~ahead) == '0;
    end
    logic [2:0] loads, falls, right, begins_youngest, none_older;
    logic [5:0] ages, ages_q;  // of warps, by their TBs' numbers
    always_ff @(posedge clk_i) ages_q <= ages;
    for (genvar w = 0; w < 3; w++) begin : gen_warp
      logic [1:0] count, was;
      assign ages[2*w +: 2]  = {numbers[3+w], numbers[w]} - oldest;
      assign lives_oldest[w] = live[w] && ages[2*w +: 2] == 2'd0;
      assign begins_youngest[w] = (!live[0] || ages[2*w +: 2] >= ages[1:0])
                                  && (!live[1] || ages[2*w +: 2] >= ages[3:2])
                                  && (!live[2] || ages[2*w +: 2] >= ages[5:4]);
      assign none_older[w] = !near_q[w] || ages_q[2*w +: 2] > ages_q[2*grant_warp +: 2]
                             || (ages_q[2*w +: 2] == ages_q[2*grant_warp +: 2] && w[1:0] >= grant_warp);
      assign count    = {counts[3+w], counts[w]};
      assign was      = {counts_q[3+w], counts_q[w]};
      assign loads[w] = issued_load_q && last_q[w];
      assign falls[w] = lowers_q && member_q[w];
      assign right[w] = count == (falls[w] ? was - 2'(!loads[w]) : was + 2'(loads[w] && was != 2'd3));
    end

    always_comb begin
      if (started_q && past_q) begin
        a_granted_warp_could_issue: assert (!grant || can_q[grant_warp]);
        one_that_can_issue_is_granted: assert (grant == (can_q != '0));
        the_last_one_goes_on: assert (turn || stays_q == '0 || stays_q[grant_warp]);
        those_near_go_first: assert (turn || !grant || stays_q[grant_warp] || near_q[grant_warp]
                                     || near_q == '0);
        then_the_lowest: assert (turn || !grant || stays_q[grant_warp] || near_q != '0
                                 || (can_q & ~(3'b111 << grant_warp)) == '0);
        the_group_is_that_of_the_last_one:
          assert (member == ~(groups_q ^ {3{groups_q[warp_q]}}));
        what_begins_has_no_loads: assert ((begins_q & ahead) == '0);
        a_counter_counts: assert ((right | begins_q | ~live) == '1);
        the_oldest_goes_first: assert (turn || !grant || stays_q[grant_warp] || !near_q[grant_warp]
                                       || none_older == 3'b111);
        what_begins_is_the_youngest: assert ((begins_q & ~begins_youngest) == '0);
      end
      if (started_q) begin
        an_oldest_lives: assert (dead_q != 3'd5);
      end
      if (started_q && past_q && same_q && quiescent_q) begin
        idle_repeats_itself: assert (quiescent && grant == grant_q && grant_warp == warp_q);
        idle_counts_nothing: assert (counts == counts_q && groups == groups_q && ages == ages_q);
      end
    end
  end

endmodule
