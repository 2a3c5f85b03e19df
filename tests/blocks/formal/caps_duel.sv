// Which order of warps is in charge, 3 warps: always one; until a warp begins in a slot that another
// has left, and where slots stay empty from one epoch's end to the next, the greedy one wins by twice
// what the others issue alone, and gives way where this begins; another one from an epoch's end on,
// but for that end of the greedy one; what is announced comes.
module caps_duel (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] started_i,
  input logic [2:0] finished_i,
  input logic       issued_i,
  input logic       epoch_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [2:0] order;
  logic       changes;
  logic [2:0] running, left;
  logic       refills, waits;
  logic [5:0] step;
  logic [2:0] kept, count;
  logic [3:0] best;
  caps_order_duel #(
    .NumWarps(3),
    .CountWidth(3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .started_i,
    .finished_i,
    .issued_i,
    .epoch_i,
    .order_o(order),
    .changes_o(changes),
    .formal_running_o(running),
    .formal_left_o(left),
    .formal_refills_o(refills),
    .formal_waits_o(waits),
    .formal_step_o(step),
    .formal_kept_o(kept),
    .formal_count_o(count),
    .formal_best_o(best)
  );

  // What has been since reset, or since the SM was last empty: written anew, from the rule.
  logic [2:0] live_q, live, empty_q, empty;
  logic       refilled_q, stays_q;  // a warp took a left slot; one was empty at the last epoch's end
  assign live  = (live_q & ~finished_i) | started_i;
  assign empty = (empty_q | finished_i) & ~started_i;
  always_comb begin
    assume ((started_i & live_q & ~finished_i) == '0);
    assume ((finished_i & ~live_q) == '0);
  end
  logic refill;
  assign refill = |(started_i & (empty_q | finished_i));
  always_ff @(posedge clk_i) begin
    live_q     <= rst_ni ? live : '0;
    empty_q    <= (rst_ni && live != '0) ? empty : '0;
    refilled_q <= rst_ni && live != '0 && (refilled_q || refill);
    if (!rst_ni) stays_q <= 1'b0;
    else if (epoch_i) stays_q <= live != '0 && empty != '0;
    else if (started_i != '0) stays_q <= 1'b0;
  end

  logic       past_q, epoch_q, changes_q, drains_q, refills_q;
  logic [2:0] order_q, count_q;
  logic [3:0] best_q;
  logic [5:0] step_q;
  always_ff @(posedge clk_i) begin
    past_q    <= rst_ni;
    epoch_q   <= epoch_i;
    changes_q <= changes;
    order_q   <= order;
    drains_q  <= epoch_i && stays_q && started_i == '0;
    refills_q <= refills;
    count_q   <= count;
    best_q    <= best;
    step_q    <= step;
  end

  always_comb begin
    if (started_q) begin
      slots_are_what_their_warps_do:
        assert (running == live_q && left == empty_q && waits == stays_q);
      one_that_refills_has_refilled: assert (!refills || refilled_q);
      one_order_is_kept: assert (step < 6'd2 || kept == 3'd1 || kept == 3'd2 || kept == 3'd4);
      the_second_one_comes_next:
        assert ((step != 6'd2 && step != 6'd3) || order == {kept[1:0], kept[2]});
      one_that_is_tried_has_not_won: assert ((step != 6'd4 && step != 6'd5) || kept != order);
      a_round_ends: assert (step <= 6'd37);
      one_order_is_in_charge: assert (order == 3'd1 || order == 3'd2 || order == 3'd4);
    end
    if (started_q && past_q) begin
      what_is_announced_comes: assert (changes_q == (order != order_q));
      orders_change_at_an_epochs_end: assert (order == order_q || epoch_q || order_q[2]);
      an_sm_that_drains_does_not_refill: assert (!drains_q || !refills);
      the_greedy_one_ends_with_the_refills: assert (refills || !refills_q || !order[2]);
      a_last_wave_is_greedy_for_twice_as_much:
        assert (!epoch_q || refills || !order_q[2] || (step_q != 6'd3 && step_q != 6'd5)
                || kept[2] == ({2'b0, count_q} > {best_q, 1'b0}));
    end
  end

endmodule
