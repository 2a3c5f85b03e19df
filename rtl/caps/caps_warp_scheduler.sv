// CAPS's prefetch-aware warp scheduler (PAS, section V.A): which warp issues in the next cycle.
//
// Policy 0 is two-level: a few ready warps issue, in the order in which they came in; a warp whose
// next instruction waits for memory or at a barrier becomes pending; one pending warp that is
// eligible takes a free place each cycle, in turns (assumption), chosen in the cycle before. PAS
// takes leading warps first, both of the ready and of the pending ones. A warp whose prefetched
// data has come takes a place at once, if need be that of the trailing ready warp that came in
// last, which becomes pending.
// Policies 1 (loose round-robin) and 2 (greedy, then oldest) choose among all eligible warps,
// leading ones first; these policies need no wake-up. With policy 3 all three watch the warps, and
// the one that lets most instructions issue is in charge (caps_order_duel); this is not CAPS's.
//
// The grant is a register: made from one cycle's levels, it acts in the next one.
module caps_warp_scheduler #(
  /// Warp slots, 2 to 64.
  parameter NumWarps = 48,
  /// The policy: 0 two-level, 1 loose round-robin, 2 greedy then oldest, 3 the best of these.
  parameter Policy = 0,
  /// Leading warps come first (1, PAS), or the policy alone decides (0).
  parameter LeadingFirst = 1,
  /// Places for ready warps of the two-level policy, 2 to 16.
  parameter ReadyWarps = 8,
  /// Bits of a warp's number; leave it at its default.
  parameter WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no warp.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: its next instruction waits for data from memory.
  input  logic [NumWarps-1:0]  stalled_i,
  /// Per warp: the warp waits at a barrier.
  input  logic [NumWarps-1:0]  barrier_i,
  /// Per warp: the warp is the lowest of its CTA, and the CTA's base addresses are not known yet.
  input  logic [NumWarps-1:0]  leading_i,
  /// Per warp: the warp begins; of several in a cycle the lowest is the oldest.
  input  logic [NumWarps-1:0]  started_i,
  /// Per warp: the warp has exited; this counts before started_i.
  input  logic [NumWarps-1:0]  finished_i,
  /// The granted warp has issued.
  input  logic                 issued_valid_i,
  /// The warp that has issued, under issued_valid_i.
  input  logic [WarpWidth-1:0] issued_warp_i,
  /// Prefetched data of a warp has come.
  input  logic                 wake_valid_i,
  /// The warp whose data has come, under wake_valid_i.
  input  logic [WarpWidth-1:0] wake_warp_i,
  /// An epoch ends: policy 3 compares. For it, these come at equal distances.
  input  logic                 epoch_i,

  /// A warp is granted.
  output logic                 grant_valid_o,
  /// The warp that is granted, under grant_valid_o.
  output logic [WarpWidth-1:0] grant_warp_o,
  /// With the same levels and without a pulse, the next cycle changes nothing.
  output logic                 quiescent_o
`ifdef FORMAL
  `include "caps/formal/caps_warp_scheduler_ports.svh"
`endif
);

  // What each policy says; one that is not there says nothing. `changes`: a register besides the
  // grant.
  logic                 two_level_grants, turns_grants, greedy_grants;
  logic                 two_level_changes, turns_changes, greedy_changes, charge_changes;
  logic [WarpWidth-1:0] two_level_warp, turns_warp, greedy_warp;
  logic [2:0]           in_charge;  // one-hot: the policy whose grant counts
  logic                 grant_valid_q, quiescent_q;
  logic [WarpWidth-1:0] grant_warp_q;

  // Leading warps first: those of `warps`, if there are any.
  logic [NumWarps-1:0] leading;
  assign leading = (LeadingFirst != 0) ? leading_i : '0;

  if (Policy == 0 || Policy == 3) begin : gen_two_level
    logic [ReadyWarps-1:0]            valid_q, lead_q, leads, gone, kept, eligible, some_older, fill, free;
    logic [ReadyWarps-1:0]            pool, here, trailing, youngest;
    logic [ReadyWarps*WarpWidth-1:0]  entry_q;
    logic [ReadyWarps*ReadyWarps-1:0] older;
    logic [NumWarps-1:0]              ready, leaves, can_issue, wake, candidates;
    logic [WarpWidth-1:0]             enters_index;
    logic                             promote, wakes, enters_lead;
    // The pending warp that enters next, and whether it led when it was chosen; the trailing one
    // that was chosen last, now and until now.
    logic                             next_valid_q, next_lead_q;
    logic [WarpWidth-1:0]             next_q, last, last_q;

    assign leaves    = finished_i | stalled_i | barrier_i;
    assign can_issue = eligible_i & ~leaves;

    age_order #(
      .Count(ReadyWarps)
    ) u_order (
      .clk_i,
      .rst_ni,
      .touch_i(fill),
      .older_o(older)
    );

    // A warp as a bit of all: which of eight, in which eight. Shifts of constants are as shallow as
    // comparisons, and many times as fast in simulators.
    function automatic [NumWarps-1:0] bit_of;
      input                 valid;
      input [WarpWidth-1:0] warp;
      reg   [5:0]           number;
      begin
        number = 6'(warp);
        bit_of = NumWarps'(({8{8'd1}} << number[2:0])
                           & (64'({8{valid}}) << {number[5:3], 3'd0}));
      end
    endfunction

    // The warps of the valid places.
    function automatic [NumWarps-1:0] warps_of;
      input [ReadyWarps*WarpWidth-1:0] entries;
      input [ReadyWarps-1:0]           valid;
      begin
        warps_of = '0;
        for (int r = 0; r < ReadyWarps; r++)
          warps_of = warps_of | bit_of(valid[r], entries[r*WarpWidth +: WarpWidth]);
      end
    endfunction

    // The warp of the one place that is chosen.
    function automatic [WarpWidth-1:0] index_of;
      input [ReadyWarps*WarpWidth-1:0] entries;
      input [ReadyWarps-1:0]           place;
      begin
        index_of = '0;
        for (int r = 0; r < ReadyWarps; r++)
          index_of = index_of | (entries[r*WarpWidth +: WarpWidth] & {WarpWidth{place[r]}});
      end
    endfunction

    // Each place: its warp's levels. Whether it leads is that of the cycle before, so that the choice
    // among the places need not wait for it.
    for (genvar r = 0; r < ReadyWarps; r++) begin : gen_place
      logic [WarpWidth-1:0]  warp;
      logic [NumWarps-1:0]   mine;
      assign warp        = entry_q[r*WarpWidth +: WarpWidth];
      assign mine        = bit_of(valid_q[r], warp);
      assign leads[r]    = |(mine & leading);
      assign gone[r]     = |(mine & leaves);
      assign eligible[r] = |(mine & can_issue);
      assign kept[r]     = valid_q[r] & ~gone[r];
      assign some_older[r] = |(pool & ~older[r*ReadyWarps +: ReadyWarps]);
    end
    assign two_level_grants = |eligible;
    // The oldest of those that lead; of all if none that leads can issue.
    assign pool       = eligible & (lead_q | {ReadyWarps{~(|(eligible & lead_q))}});
    assign here       = pool & ~some_older;
    assign trailing = kept & ~lead_q;
    assign ready    = warps_of(entry_q, valid_q);
    assign two_level_warp = index_of(entry_q, here);

    // The trailing one that came in last, where it has to go; else simulators need not look for it.
    always_comb begin
      youngest = '0;
      if (wake_valid_i && (&valid_q)) begin
        for (int r = 0; r < ReadyWarps; r++) begin
          youngest[r] = trailing[r] & ~(|(trailing & older[r*ReadyWarps +: ReadyWarps]
                                          & ~(ReadyWarps'(1) << r)));
        end
      end
    end

    // One warp enters: the one that is woken, else the pending one that was chosen.
    logic                next_gone, next_goes;
    logic [NumWarps-1:0] next;
    assign next  = bit_of(next_valid_q, next_q);
    assign wake  = bit_of(wake_valid_i, wake_warp_i);
    assign free  = ~valid_q & (valid_q + ReadyWarps'(1));  // the lowest free place
    assign wakes = (|(wake & ~leaves & ~ready)) && (!(&valid_q) || (|trailing));
    assign next_gone = (|(next & leaves)) || (wake_valid_i && wake_warp_i == next_q);
    assign promote   = next_valid_q & ~next_gone & ~wakes & ~(&valid_q);
    assign next_goes = ~next_valid_q | next_gone | promote;
    assign fill    = (youngest & {ReadyWarps{wakes}}) | (free & {ReadyWarps{wakes | promote}});
    assign enters_index = wakes ? wake_warp_i : next_q;
    assign enters_lead  = wakes ? |(wake & leading) : |(next & leading);

    // Nobody is chosen while a chosen one waits for a free place.
    logic may_go;
    assign may_go = ~next_valid_q || !(&valid_q) || wake_valid_i || (|(next & leaves));

    // The choice: the lowest leading one, else the next trailing one in turn, by three searches.
    logic [NumWarps-1:0]    after;
    logic [WarpWidth-1:0]   choice, first_lead, first_after, first_trail;
    logic                   some_lead, some_after, some_trail;
    assign candidates = can_issue & ~ready & ~wake & ~next;
    assign last  = (next_valid_q && !next_lead_q) ? next_q : last_q;
    assign after = ({NumWarps{1'b1}} << last) << 1;
    first_index #(
      .Count(NumWarps)
    ) u_lead (
      .look_i(may_go),
      .request_i(candidates & leading),
      .valid_o(some_lead),
      .index_o(first_lead)
    );
    first_index #(
      .Count(NumWarps)
    ) u_after (
      .look_i(may_go),
      .request_i(candidates & ~leading & after),
      .valid_o(some_after),
      .index_o(first_after)
    );
    first_index #(
      .Count(NumWarps)
    ) u_trail (
      .look_i(may_go),
      .request_i(candidates & ~leading),
      .valid_o(some_trail),
      .index_o(first_trail)
    );
    assign choice  = first_lead | (first_after & {WarpWidth{~some_lead}})
                     | (first_trail & {WarpWidth{~some_lead & ~some_after}});
    // A woken warp is no candidate: if it does not enter, it may be one in the next cycle.
    assign two_level_changes = (|gone) | (|(valid_q & (leads ^ lead_q))) | (|finished_i)
                               | wake_valid_i | promote | (next_valid_q & next_gone)
                               | (next_goes & (some_lead | some_trail));

    for (genvar r = 0; r < ReadyWarps; r++) begin : gen_warp
      always_ff @(posedge clk_i) begin
        if (fill[r]) entry_q[r*WarpWidth +: WarpWidth] <= enters_index;
        lead_q[r] <= fill[r] ? enters_lead : leads[r];
      end
    end
    always_ff @(posedge clk_i) begin
      if (next_goes) begin
        next_q      <= choice;
        next_lead_q <= some_lead;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q      <= '0;
        next_valid_q <= 1'b0;
        last_q       <= WarpWidth'(NumWarps - 1);
      end else begin
        valid_q <= kept | fill;
        if (next_goes) next_valid_q <= some_lead | some_trail;
        last_q <= last;
      end
    end

`ifdef FORMAL
    `include "caps/formal/caps_warp_scheduler_wires.svh"
`endif

  end else begin : gen_no_two_level
    logic unused;
    assign unused = &{1'b0, stalled_i, barrier_i, wake_valid_i, wake_warp_i};
    assign two_level_grants = 1'b0;
    assign two_level_changes = 1'b0;
    assign two_level_warp = '0;
  end

  if (Policy == 1 || Policy == 3) begin : gen_round_robin
    logic [WarpWidth-1:0] turn_q, turn, unused_after;
    logic [NumWarps-1:0]  unused_grant;
    assign turn = !issued_valid_i ? turn_q
                  : (issued_warp_i == WarpWidth'(NumWarps - 1)) ? '0
                  : issued_warp_i + WarpWidth'(1);
    round_robin_pick #(
      .Count(NumWarps)
    ) u_pick (
      .request_i((|(eligible_i & leading)) ? eligible_i & leading : eligible_i),
      .first_i(turn),
      .valid_o(turns_grants),
      .grant_o(unused_grant),
      .index_o(turns_warp),
      .after_o(unused_after)
    );
    assign turns_changes = turn != turn_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) turn_q <= '0;
      else turn_q <= turn;
    end

    logic unused;
    assign unused = &{1'b0, unused_grant, unused_after};
  end else begin : gen_no_round_robin
    assign turns_grants = 1'b0;
    assign turns_changes = 1'b0;
    assign turns_warp = '0;
  end

  if (Policy == 2 || Policy == 3) begin : gen_greedy
    // Consecutive warps of which one age is known, that of the youngest: the order of 48 warps takes
    // four times the area of all the rest.
    localparam GroupSize = (Policy == 3) ? 2 : 1;
    localparam Groups    = (NumWarps + GroupSize - 1) / GroupSize;
    // Leading warps and all are searched at once: [0] and [1].
    logic [NumWarps-1:0]      last_q, last, issued;
    logic [Groups-1:0]        started;
    logic [Groups*Groups-1:0] older;
    logic [1:0]               stays, finds;
    logic [2*WarpWidth-1:0]   first;
    logic [WarpWidth-1:0]     last_warp, last_warp_q;
    logic                     goes_on, of_all;
    age_order #(
      .Count(Groups)
    ) u_order (
      .clk_i,
      .rst_ni,
      .touch_i(started),
      .older_o(older)
    );
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      localparam Size = (g == Groups - 1) ? NumWarps - g*GroupSize : GroupSize;
      assign started[g] = |started_i[g*GroupSize +: Size];
    end
    for (genvar p = 0; p < 2; p++) begin : gen_pool
      // What begins now is not chosen yet.
      logic [NumWarps-1:0]  pool, grant;
      logic [Groups-1:0]    old, oldest;
      logic [WarpWidth-1:0] warp;
      assign pool = (p == 0) ? eligible_i & leading : eligible_i;
      for (genvar g = 0; g < Groups; g++) begin : gen_group
        localparam Size = (g == Groups - 1) ? NumWarps - g*GroupSize : GroupSize;
        assign old[g]    = (|pool[g*GroupSize +: Size]) & ~started[g];
        assign oldest[g] = old[g] & ~(|(old & ~older[g*Groups +: Groups]));
      end
      for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
        if (w % GroupSize == 0) begin : gen_first
          assign grant[w] = pool[w] & oldest[w/GroupSize];
        end else begin : gen_second
          assign grant[w] = pool[w] & ~pool[w-1] & oldest[w/GroupSize];
        end
      end
      always_comb begin
        warp = '0;
        for (int w = 0; w < NumWarps; w++) warp |= WarpWidth'(w) & {WarpWidth{grant[w]}};
      end
      assign stays[p] = |(pool & last);
      assign finds[p] = |old;
      assign first[p*WarpWidth +: WarpWidth] = warp;
    end
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      assign issued[w] = issued_valid_i && issued_warp_i == WarpWidth'(w);
    end
    assign goes_on   = issued_valid_i && !(|(issued & finished_i));
    assign last      = goes_on ? issued : last_q & ~finished_i;
    assign last_warp = goes_on ? issued_warp_i : last_warp_q;  // if there is one
    assign of_all    = ~(|(eligible_i & leading));
    assign greedy_grants  = stays[of_all] | finds[of_all];
    assign greedy_warp    = stays[of_all] ? last_warp
                            : of_all ? first[WarpWidth +: WarpWidth] : first[0 +: WarpWidth];
    assign greedy_changes = (last != last_q) || (|started_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_q <= '0;
      else last_q <= last;
    end
    always_ff @(posedge clk_i) last_warp_q <= last_warp;

  end else begin : gen_no_greedy
    assign greedy_grants = 1'b0;
    assign greedy_changes = 1'b0;
    assign greedy_warp = '0;
  end

  if (Policy == 3) begin : gen_duel
    caps_order_duel #(
      .NumWarps(NumWarps)
    ) u_duel (
      .clk_i,
      .rst_ni,
      .started_i,
      .finished_i,
      .issued_i(issued_valid_i),
      .epoch_i,
      .order_o(in_charge),
      .changes_o(charge_changes)
    );
  end else begin : gen_one_policy
    logic unused_pulses;
    assign unused_pulses  = &{1'b0, started_i, finished_i, issued_valid_i, issued_warp_i, epoch_i};
    assign in_charge      = 3'd1 << Policy;
    assign charge_changes = 1'b0;
  end

  assign grant_valid_o = grant_valid_q;
  assign grant_warp_o  = grant_warp_q;
  assign quiescent_o   = quiescent_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_valid_q <= 1'b0;
      quiescent_q   <= 1'b1;
    end else begin
      grant_valid_q <= (two_level_grants & in_charge[0]) | (turns_grants & in_charge[1])
                       | (greedy_grants & in_charge[2]);
      quiescent_q   <= ~(two_level_changes | turns_changes | greedy_changes | charge_changes);
    end
  end
  always_ff @(posedge clk_i) begin
    grant_warp_q <= (two_level_warp & {WarpWidth{in_charge[0]}})
                    | (turns_warp & {WarpWidth{in_charge[1]}})
                    | (greedy_warp & {WarpWidth{in_charge[2]}});
  end

endmodule
