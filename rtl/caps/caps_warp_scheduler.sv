// CAPS's prefetch-aware warp scheduler (PAS, section V.A): which warp issues in the next cycle.
//
// Policy 0 is two-level: a few ready warps issue, in the order in which they came in; a warp whose
// next instruction waits for memory or at a barrier becomes pending; one pending warp that is
// eligible takes a free place each cycle, in turns (assumption). PAS takes leading warps first,
// both of the ready and of the pending ones. A warp whose prefetched data has come takes a place at
// once, if need be that of the trailing ready warp that came in last, which becomes pending.
// Policies 1 (loose round-robin) and 2 (greedy, then oldest) choose among all eligible warps, leading
// ones first; they need no wake-up.
//
// The grant is a register: made from one cycle's levels, it acts in the next one.
module caps_warp_scheduler #(
  /// Warp slots, 2 to 64.
  parameter NumWarps = 48,
  /// 0 two-level, 1 loose round-robin, 2 greedy then oldest.
  parameter Policy = 0,
  /// 1: leading warps first (PAS); 0: the policy alone.
  parameter LeadingFirst = 1,
  /// Two-level: places for ready warps, 2 to 16.
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
  /// Per warp: it waits at a barrier.
  input  logic [NumWarps-1:0]  barrier_i,
  /// Not used.
  input  logic [NumWarps-1:0]  wants_load_i,
  /// Per warp: the lowest of its CTA.
  input  logic [NumWarps-1:0]  leading_i,
  /// Per warp: it begins; of several in a cycle the lowest is the oldest.
  input  logic [NumWarps-1:0]  started_i,
  /// Per warp: it has exited; before started_i.
  input  logic [NumWarps-1:0]  finished_i,
  /// The granted warp has issued.
  input  logic                 issued_valid_i,
  /// That warp, under issued_valid_i.
  input  logic [WarpWidth-1:0] issued_warp_i,
  /// Prefetched data of a warp has come.
  input  logic                 wake_valid_i,
  /// That warp, under wake_valid_i.
  input  logic [WarpWidth-1:0] wake_warp_i,
  /// Not used.
  input  logic                 lost_locality_valid_i,
  /// Not used.
  input  logic [WarpWidth-1:0] lost_locality_warp_i,

  /// A warp is granted.
  output logic                 grant_valid_o,
  /// That warp, under grant_valid_o.
  output logic [WarpWidth-1:0] grant_warp_o,
  /// With the same levels and without a pulse, the next cycle changes nothing.
  output logic                 quiescent_o
);

  logic [NumWarps-1:0]  grant;    // one-hot, or zero
  logic                 changed;  // a register besides the grant
  logic                 grant_valid_q, quiescent_q;
  logic [WarpWidth-1:0] grant_warp_q, grant_index;

  // Leading warps first: those of `warps`, if there are any.
  logic [NumWarps-1:0] leading;
  assign leading = (LeadingFirst != 0) ? leading_i : '0;

  if (Policy == 0) begin : gen_two_level
    logic [ReadyWarps-1:0]            valid_q, kept, gone, lead, eligible, pool, here, free, fill;
    logic [ReadyWarps-1:0]            trailing, youngest, is_wake;
    logic [ReadyWarps*WarpWidth-1:0]  warp_q;
    logic [ReadyWarps*ReadyWarps-1:0] older;
    logic [NumWarps-1:0]              ready, leaves, wake, candidates, promoted;
    logic [WarpWidth-1:0]             turn_q, after, unused_index, enters_index;
    logic                             promote, wakes, some_promoted;

    assign leaves = finished_i | stalled_i | barrier_i;

    age_order #(
      .Count(ReadyWarps)
    ) u_order (
      .clk_i,
      .rst_ni,
      .touch_i(fill),
      .older_o(older)
    );

    // Each place: its warp's levels.
    logic [NumWarps*ReadyWarps-1:0] place;
    for (genvar r = 0; r < ReadyWarps; r++) begin : gen_place
      logic [NumWarps-1:0] one;
      for (genvar w = 0; w < NumWarps; w++) begin : gen_one
        assign one[w] = valid_q[r] && warp_q[r*WarpWidth +: WarpWidth] == WarpWidth'(w);
      end
      assign place[r*NumWarps +: NumWarps] = one;
      assign gone[r]     = |(one & leaves);
      assign lead[r]     = |(one & leading);
      assign eligible[r] = |(one & eligible_i);
      assign is_wake[r]  = |(one & wake);
      assign kept[r]     = valid_q[r] & ~gone[r];
      assign here[r]     = pool[r] & ~(|(pool & ~older[r*ReadyWarps +: ReadyWarps]));
      assign youngest[r] = trailing[r] & ~(|(trailing & older[r*ReadyWarps +: ReadyWarps]
                                             & ~(ReadyWarps'(1) << r)));
    end
    always_comb begin
      ready = '0;
      grant = '0;
      for (int r = 0; r < ReadyWarps; r++) begin
        ready |= place[r*NumWarps +: NumWarps];
        grant |= place[r*NumWarps +: NumWarps] & {NumWarps{here[r]}};
      end
    end
    assign pool     = (|(kept & eligible & lead)) ? kept & eligible & lead : kept & eligible;
    assign trailing = kept & ~lead;

    // One warp enters: the one that is woken, else a pending one.
    for (genvar w = 0; w < NumWarps; w++) begin : gen_wake
      assign wake[w] = wake_valid_i && wake_warp_i == WarpWidth'(w);
    end
    assign free  = ~valid_q & (valid_q + ReadyWarps'(1));  // the lowest free place
    assign wakes = (|(wake & ~leaves)) && !(|is_wake) && (!(&valid_q) || (|youngest));
    assign candidates = eligible_i & ~ready & ~leaves;
    round_robin_pick #(
      .Count(NumWarps)
    ) u_pending (
      .request_i((|(candidates & leading)) ? candidates & leading : candidates),
      .first_i(turn_q),
      .valid_o(some_promoted),
      .grant_o(promoted),
      .index_o(unused_index),
      .after_o(after)
    );
    assign promote = some_promoted & ~wakes & ~(&valid_q);
    assign fill    = wakes ? ((&valid_q) ? youngest : free) : free & {ReadyWarps{promote}};
    assign enters_index = wakes ? wake_warp_i : unused_index;
    assign changed = (|gone) | (|finished_i) | wakes | promote;

    for (genvar r = 0; r < ReadyWarps; r++) begin : gen_warp
      always_ff @(posedge clk_i) begin
        if (fill[r]) warp_q[r*WarpWidth +: WarpWidth] <= enters_index;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= '0;
        turn_q  <= '0;
      end else begin
        valid_q <= kept | fill;
        if (promote && !(|(promoted & leading))) turn_q <= after;
      end
    end

    logic unused;
    assign unused = &{1'b0, started_i, issued_valid_i, issued_warp_i};
  end else if (Policy == 1) begin : gen_round_robin
    logic [WarpWidth-1:0] turn_q, turn, unused_index, unused_after;
    logic                 unused_valid;
    assign turn = !issued_valid_i ? turn_q
                  : (issued_warp_i == WarpWidth'(NumWarps - 1)) ? '0
                  : issued_warp_i + WarpWidth'(1);
    round_robin_pick #(
      .Count(NumWarps)
    ) u_pick (
      .request_i((|(eligible_i & leading)) ? eligible_i & leading : eligible_i),
      .first_i(turn),
      .valid_o(unused_valid),
      .grant_o(grant),
      .index_o(unused_index),
      .after_o(unused_after)
    );
    assign changed = turn != turn_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) turn_q <= '0;
      else turn_q <= turn;
    end

    logic unused;
    assign unused = &{1'b0, unused_valid, unused_index, unused_after, stalled_i, barrier_i,
                      started_i, finished_i, wake_valid_i, wake_warp_i};
  end else begin : gen_greedy
    logic [NumWarps-1:0]          last_q, last, issued, pool, earlier, first, young;
    logic [NumWarps*NumWarps-1:0] older;
    age_order #(
      .Count(NumWarps)
    ) u_order (
      .clk_i,
      .rst_ni,
      .touch_i(started_i),
      .older_o(older)
    );
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      assign issued[w] = issued_valid_i && issued_warp_i == WarpWidth'(w);
      assign first[w]  = earlier[w] & ~(|(earlier & ~older[w*NumWarps +: NumWarps]));
    end
    assign last    = (issued_valid_i && !(|(issued & finished_i))) ? issued : last_q & ~finished_i;
    assign pool    = (|(eligible_i & leading)) ? eligible_i & leading : eligible_i;
    assign earlier = pool & ~started_i;  // what begins now is younger than the rest
    assign young   = pool & (~pool + NumWarps'(1));
    assign grant   = (|(pool & last)) ? pool & last : (|earlier) ? first : young;
    assign changed = (last != last_q) || (|started_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_q <= '0;
      else last_q <= last;
    end

    logic unused;
    assign unused = &{1'b0, stalled_i, barrier_i, wake_valid_i, wake_warp_i};
  end

  always_comb begin
    grant_index = '0;
    for (int w = 0; w < NumWarps; w++) grant_index |= WarpWidth'(w) & {WarpWidth{grant[w]}};
  end

  assign grant_valid_o = grant_valid_q;
  assign grant_warp_o  = grant_warp_q;
  assign quiescent_o   = quiescent_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_valid_q <= 1'b0;
      quiescent_q   <= 1'b1;
    end else begin
      grant_valid_q <= |grant;
      quiescent_q   <= ~changed;
    end
  end
  always_ff @(posedge clk_i) grant_warp_q <= grant_index;

  logic unused;
  assign unused = &{1'b0, wants_load_i, lost_locality_valid_i, lost_locality_warp_i};

endmodule
