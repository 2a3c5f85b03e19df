// The programmable warp scheduler, 4 warps in 2 TB slots: a grant is for an eligible warp, of the group
// if there is one, and never lacks while a warp is eligible; the group has at most its size of live
// warps, and no other live warp is older than one of them; with room left it takes a warp within three
// cycles; idle means that nothing comes without an event.
//
// What begins was not there, or has just ended, and there is a slot for it: an SM has no more TBs.
module programmable_scheduler (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] eligible_i,
  input logic [3:0] started_i,
  input logic [3:0] finished_i,
  input logic       issued_valid_i,
  input logic [1:0] issued_warp_i,
  input logic       group_valid_i,
  input logic [2:0] group_size_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic       grant, quiescent, moved, next_valid, last_valid;
  logic [1:0] grant_warp, next, last;
  logic [7:0] warps;
  logic [3:0] older, group;
  logic [2:0] size, count;

  programmable_warp_scheduler #(
    .NumWarps(4),
    .TbSlots(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .eligible_i,
    .started_i,
    .finished_i,
    .issued_valid_i,
    .issued_warp_i,
    .group_valid_i,
    .group_size_i,
    .grant_valid_o(grant),
    .grant_warp_o(grant_warp),
    .quiescent_o(quiescent),
    .formal_warps_o(warps),
    .formal_older_o(older),
    .formal_group_o(group),
    .formal_size_o(size),
    .formal_count_o({count, moved}),
    .formal_next_o({next_valid, next}),
    .formal_last_o({last_valid, last})
  );

  logic [3:0] live, first_tb, second_tb, others, older_than_next;
  logic       slot_is_free;
  // The TB that began first, where both slots have warps.
  assign first_tb  = older[1] ? warps[3:0] : warps[7:4];
  assign second_tb = older[1] ? warps[7:4] : warps[3:0];
  assign live      = warps[3:0] | warps[7:4];
  assign others    = live & ~group;
  assign slot_is_free = (warps[3:0] & ~finished_i) == '0 || (warps[7:4] & ~finished_i) == '0;
  always_comb begin
    assume ((started_i & live & ~finished_i) == '0);
    assume (started_i == '0 || slot_is_free);
    assume ((eligible_i & ~((live & ~finished_i) | started_i)) == '0);
    assume ((finished_i & ~live) == '0);
    assume (!issued_valid_i || live[issued_warp_i]);
  end

  // Warps that are older than warp w: those of the first TB below it, or all of these.
  function automatic [3:0] before;
    input [3:0] in_first;
    input [3:0] in_second;
    input [1:0] w;
    begin
      before = in_first[w] ? in_first & ~(4'b1111 << w) : in_first | (in_second & ~(4'b1111 << w));
    end
  endfunction
  assign older_than_next = before(first_tb, second_tb, next);
  logic [3:0] older_than_0, older_than_1, older_than_2, older_than_3;
  assign older_than_0 = before(first_tb, second_tb, 2'd0);
  assign older_than_1 = before(first_tb, second_tb, 2'd1);
  assign older_than_2 = before(first_tb, second_tb, 2'd2);
  assign older_than_3 = before(first_tb, second_tb, 2'd3);

  // The cycle before, and the one before that.
  logic       past_q, pulse_q, past_quiescent_q, past_grant_q;
  logic       known_q, same_q;
  logic [1:0] past_warp_q, waits_q;
  logic [3:0] eligible_q, can_issue_q, group_q;
  logic [7:0] warps_q;
  logic       pulse, room, undisturbed, same;
  assign pulse = started_i != '0 || finished_i != '0 || issued_valid_i || group_valid_i;
  assign room  = 3'($countones(group)) < size && others != '0;
  assign undisturbed = finished_i == '0 && !group_valid_i;
  assign same  = past_q && eligible_i == eligible_q && !pulse;
  always_ff @(posedge clk_i) begin
    past_q           <= rst_ni;
    eligible_q       <= eligible_i;
    can_issue_q      <= eligible_i & live & ~finished_i;
    group_q          <= group;
    warps_q          <= warps;
    past_quiescent_q <= quiescent;
    past_grant_q     <= grant;
    past_warp_q      <= grant_warp;
    // Cycles in a row in which there was room and nobody joined.
    waits_q          <= rst_ni && room && undisturbed && !next_valid ? waits_q + 2'd1 : 2'd0;
    same_q           <= same && rst_ni;
    known_q          <= past_q && rst_ni;
  end

  always_comb begin
    if (started_q && past_q) begin
      a_granted_warp_was_eligible: assert (!grant || can_issue_q[grant_warp]);
      an_eligible_warp_is_granted: assert (grant == (|can_issue_q));
      the_group_goes_first: assert (!grant || group_q[grant_warp] || (can_issue_q & group_q) == '0);
      nobody_joins_at_the_groups_size: assert ((group & ~group_q) == '0 || 3'($countones(group)) <= size);
    end
    if (started_q) begin
      one_of_two_is_older: assert (older[1] != older[2]);
      no_warp_is_in_two_tbs: assert ((warps[3:0] & warps[7:4]) == '0);
      the_one_that_issued_last_lives: assert (!last_valid || live[last]);
      the_group_lives: assert ((group & ~live) == '0);
      the_group_has_its_size_at_most: assert (3'($countones(group)) <= size);
      the_group_is_the_oldest: assert ((!group[0] || (older_than_0 & others) == '0)
                                       && (!group[1] || (older_than_1 & others) == '0)
                                       && (!group[2] || (older_than_2 & others) == '0)
                                       && (!group[3] || (older_than_3 & others) == '0));
      the_count_is_right: assert (moved || count == 3'($countones(group)));
      the_next_one_is_the_oldest_of_the_others:
        assert (!next_valid || (others[next] && (older_than_next & others) == '0));
      there_is_room_for_the_next_one: assert (!next_valid || 3'($countones(group)) < size);
    end
    if (started_q && past_q) begin
      with_room_somebody_joins: assert (waits_q != 2'd3);
      then_the_group_has_been_counted: assert (waits_q == 2'd0 || !moved);
      and_somebody_chosen: assert (waits_q != 2'd2 || next_valid);
    end
    if (started_q && known_q && past_q && same_q && past_quiescent_q) begin
      idle_repeats_itself: assert (quiescent && grant == past_grant_q
                                   && (!grant || grant_warp == past_warp_q));
      idle_moves_no_warp: assert (group == group_q && warps == warps_q && !next_valid);
    end
  end

endmodule
