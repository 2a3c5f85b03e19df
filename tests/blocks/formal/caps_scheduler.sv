// CAPS's warp scheduler, two-level with leading warps first, 4 warps and 2 places: a grant is for a
// ready warp that is eligible, a leading one if there is one; no warp has two places, or is ready and
// chosen to become it; a leading warp keeps its place while it does not wait; a woken warp is ready
// in the next cycle, unless all that are ready lead; idle means that nothing comes without an event.
//
// Which warps lead is arbitrary, in each cycle anew; ready warps have what they led in the cycle before.
module caps_scheduler (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] eligible_i,
  input logic [3:0] stalled_i,
  input logic [3:0] barrier_i,
  input logic [3:0] leading_i,
  input logic [3:0] finished_i,
  input logic       wake_valid_i,
  input logic [1:0] wake_warp_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic       grant, quiescent;
  logic [1:0] grant_warp, valid, lead, next;
  logic [3:0] older;
  logic [3:0] entry;
  logic       next_valid, next_lead;

  caps_warp_scheduler #(
    .NumWarps(4),
    .Policy(0),
    .LeadingFirst(1),
    .ReadyWarps(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .eligible_i,
    .stalled_i,
    .barrier_i,
    .leading_i,
    .started_i('0),
    .finished_i,
    .issued_valid_i(1'b0),
    .issued_warp_i('0),
    .wake_valid_i,
    .wake_warp_i,
    .epoch_i(1'b0),
    .grant_valid_o(grant),
    .grant_warp_o(grant_warp),
    .quiescent_o(quiescent),
    .formal_valid_o(valid),
    .formal_older_o(older),
    .formal_entry_o(entry),
    .formal_lead_o(lead),
    .formal_next_o({next_valid, next_lead, next})
  );

  logic [1:0] warp_0, warp_1;
  logic [3:0] ready, leaves, can_issue;
  assign warp_0    = entry[1:0];
  assign warp_1    = entry[3:2];
  assign ready     = ({3'b0, valid[0]} << warp_0) | ({3'b0, valid[1]} << warp_1);
  assign leaves    = stalled_i | barrier_i | finished_i;
  assign can_issue = ready & eligible_i & ~leaves;

  // The cycle before.
  logic       past_q, past_quiescent_q, past_grant_q, wakes_q, next_valid_q;
  logic [1:0] wake_warp_q, past_warp_q, next_q;
  logic [3:0] can_issue_q, ready_q, stays_q, eligible_q, stalled_q, barrier_q, pulses_q;
  logic [3:0] leading_q, led_q;  // one cycle back, and two, which is what counts for ready warps
  always_ff @(posedge clk_i) begin
    past_q           <= rst_ni;
    can_issue_q      <= can_issue;
    ready_q          <= ready;
    stays_q          <= ready & ~leaves;
    wakes_q          <= wake_valid_i && !leaves[wake_warp_i];
    wake_warp_q      <= wake_warp_i;
    eligible_q       <= eligible_i;
    stalled_q        <= stalled_i;
    barrier_q        <= barrier_i;
    leading_q        <= leading_i;
    led_q            <= leading_q;
    pulses_q         <= finished_i | {4{wake_valid_i}};
    past_quiescent_q <= quiescent;
    past_grant_q     <= grant;
    past_warp_q      <= grant_warp;
    next_valid_q     <= next_valid;
    next_q           <= next;
  end

  // Two cycles back: with the same levels and no pulse, an idle block repeats itself.
  logic       same, same_q, known_q;
  assign same = past_q && eligible_i == eligible_q && stalled_i == stalled_q && barrier_i == barrier_q
                && leading_i == leading_q && finished_i == '0 && !wake_valid_i;
  always_ff @(posedge clk_i) begin
    same_q  <= same & rst_ni;
    known_q <= past_q & rst_ni;
  end

  always_comb begin
    if (started_q && past_q) begin
      a_granted_warp_was_ready_and_eligible: assert (!grant || can_issue_q[grant_warp]);
      an_eligible_ready_warp_is_granted: assert (grant == (|can_issue_q));
      leading_warps_go_first:
        assert (!grant || led_q[grant_warp] || (can_issue_q & led_q) == '0);
      leading_warps_keep_their_places: assert ((stays_q & led_q & ~ready) == '0);
      at_most_one_warp_is_pushed_out:
        assert (((stays_q & ~ready) & ((stays_q & ~ready) - 4'd1)) == '0);
      only_a_woken_warp_pushes: assert (wakes_q || (stays_q & ~ready) == '0);
      a_woken_warp_is_ready:
        assert (!wakes_q || ready[wake_warp_q] || (stays_q & ~led_q) == '0);
    end
    if (started_q) begin
      one_of_two_is_older: assert (older[1] != older[2]);
      no_warp_has_two_places: assert (valid != 2'b11 || warp_0 != warp_1);
      places_know_who_led: assert ((!valid[0] || lead[0] == leading_q[warp_0])
                                   && (!valid[1] || lead[1] == leading_q[warp_1]));
      the_chosen_warp_is_pending: assert (!next_valid || !ready[next]);
    end
    if (started_q && known_q && past_q && same_q && past_quiescent_q) begin
      idle_repeats_itself: assert (quiescent && grant == past_grant_q
                                   && (!grant || grant_warp == past_warp_q));
      idle_moves_no_warp: assert (ready == ready_q && next_valid == next_valid_q
                                  && (!next_valid || next == next_q));
    end
  end

endmodule
