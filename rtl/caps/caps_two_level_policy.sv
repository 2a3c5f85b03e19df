// CAPS's two-level order of warps, with leading ones first (section V.A): a part of
// caps_warp_scheduler.
//
// A few ready warps issue, in the order in which they came in; a warp whose next instruction waits
// for memory or at a barrier becomes pending; one pending warp that is eligible takes a free place
// each cycle, in turns (assumption), chosen in the cycle before. Leading warps come first, both of
// the ready and of the pending ones. A warp whose prefetched data has come takes a place at once,
// if need be that of the trailing ready warp that came in last, which becomes pending.
module caps_two_level_policy #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// Places for ready warps, 2 to 16.
  parameter int ReadyWarps = 8,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no ready warp.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: its next instruction waits for data from memory.
  input  logic [NumWarps-1:0]  stalled_i,
  /// Per warp: the warp waits at a barrier.
  input  logic [NumWarps-1:0]  barrier_i,
  /// Per warp: it comes before those that do not lead.
  input  logic [NumWarps-1:0]  leading_i,
  /// Per warp: the warp has exited.
  input  logic [NumWarps-1:0]  finished_i,
  /// Prefetched data of a warp has come.
  input  logic                 wake_valid_i,
  /// The warp whose data has come, under wake_valid_i.
  input  logic [WarpWidth-1:0] wake_warp_i,
  /// The order is in charge; else it grants nobody.
  input  logic                 in_charge_i,

  /// A warp is granted in the next cycle.
  output logic                 grants_o,
  /// That warp, under grants_o; else zero.
  output logic [WarpWidth-1:0] warp_o,
  /// A register of the order changes.
  output logic                 changes_o
`ifdef FORMAL
  `include "caps/formal/caps_two_level_policy_ports.svh"
`endif
);

  logic [ReadyWarps-1:0]            valid_q, lead_q, leads, gone, kept, woken, fill, free;
  logic [ReadyWarps-1:0]            eligible, eligible_lead, oldest, oldest_lead;
  logic [ReadyWarps-1:0]            trailing, youngest;
  logic [ReadyWarps*WarpWidth-1:0]  entry_q, warps;
  logic [ReadyWarps*ReadyWarps-1:0] older;
  logic [NumWarps-1:0]              ready, leaves, can_issue, wake, candidates;
  logic [WarpWidth-1:0]             enters_index;
  logic                             promote, wakes, enters_lead, full;
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

  // A warp as a bit of all: which of eight, in which eight. Shifts of constants are shallow, and fast
  // in simulators. `valid` comes behind them: a number that means nothing may be X.
  function automatic [NumWarps-1:0] bit_of;
    input                 valid;
    input [WarpWidth-1:0] warp;
    reg   [5:0]           number;
    begin
      number = 6'(warp);
      bit_of = NumWarps'(({8{8'd1}} << number[2:0])
                         & (64'(8'hff) << {number[5:3], 3'd0})) & {NumWarps{valid}};
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
    logic [ReadyWarps-1:0] elder;
    assign warp           = entry_q[r*WarpWidth +: WarpWidth];
    assign mine           = bit_of(valid_q[r], warp);
    assign leads[r]       = |(mine & leading_i);
    assign gone[r]        = |(mine & leaves);
    assign eligible[r]    = |(mine & can_issue);
    assign kept[r]        = valid_q[r] & ~gone[r];
    assign woken[r]       = valid_q[r] && warp == wake_warp_i;
    assign elder          = ~older[r*ReadyWarps +: ReadyWarps];
    assign oldest[r]      = eligible[r] & ~(|(eligible & elder));
    assign oldest_lead[r] = eligible_lead[r] & ~(|(eligible_lead & elder));
  end
  // The oldest of those that lead; of all if none that leads can issue. Both are searched for at
  // once: which of them counts is known as late as either.
  assign eligible_lead = eligible & lead_q;
  assign grants_o      = (|eligible) & in_charge_i;
  assign warps         = entry_q & {ReadyWarps*WarpWidth{in_charge_i}};
  assign warp_o        = index_of(warps, oldest_lead)
                         | (index_of(warps, oldest) & {WarpWidth{~(|eligible_lead)}});
  assign trailing      = kept & ~lead_q;
  assign ready         = warps_of(entry_q, valid_q);
  assign full          = &valid_q;

  // The trailing one that came in last, where it has to go; else simulators need not look for it.
  always_comb begin
    youngest = '0;
    if (wake_valid_i && full) begin
      for (int r = 0; r < ReadyWarps; r++) begin
        youngest[r] = trailing[r] & ~(|(trailing & older[r*ReadyWarps +: ReadyWarps]
                                        & ~(ReadyWarps'(1) << r)));
      end
    end
  end

  // One warp enters: the one that is woken, else the pending one that was chosen.
  logic                next_gone, next_stays, next_goes;
  logic [NumWarps-1:0] next;
  assign next  = bit_of(next_valid_q, next_q);
  assign wake  = bit_of(wake_valid_i, wake_warp_i);
  assign free  = ~valid_q & (valid_q + ReadyWarps'(1));  // the lowest free place
  // Each place looks for the woken one by itself: among the bits of `ready` it is found later.
  assign wakes = (|(wake & ~leaves)) && !(|woken) && (!full || (|trailing));
  assign next_gone  = (|(next & leaves)) || (wake_valid_i && wake_warp_i == next_q);
  assign next_stays = next_valid_q & ~next_gone;
  assign promote    = next_stays & ~wakes & ~full;
  assign next_goes  = ~next_stays | promote;
  assign fill = (youngest | free) & {ReadyWarps{wakes | (next_stays & ~full)}};
  assign enters_index = wakes ? wake_warp_i : next_q;
  assign enters_lead  = wakes ? |(wake & leading_i) : |(next & leading_i);

  // Nobody is chosen while a chosen one waits for a free place.
  logic may_go;
  assign may_go = ~next_valid_q || !full || wake_valid_i || (|(next & leaves));

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
    .request_i(candidates & leading_i),
    .valid_o(some_lead),
    .index_o(first_lead)
  );
  first_index #(
    .Count(NumWarps)
  ) u_after (
    .look_i(may_go),
    .request_i(candidates & ~leading_i & after),
    .valid_o(some_after),
    .index_o(first_after)
  );
  first_index #(
    .Count(NumWarps)
  ) u_trail (
    .look_i(may_go),
    .request_i(candidates & ~leading_i),
    .valid_o(some_trail),
    .index_o(first_trail)
  );
  assign choice  = first_lead | (first_after & {WarpWidth{~some_lead}})
                   | (first_trail & {WarpWidth{~some_lead & ~some_after}});
  // A woken warp is no candidate: if it does not enter, it may be one in the next cycle.
  assign changes_o = (|gone) | (|(valid_q & (leads ^ lead_q))) | (|finished_i)
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
  `include "caps/formal/caps_two_level_policy_wires.svh"
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
  if (ReadyWarps < 2 || ReadyWarps > 16) begin : gen_1 ready_warps_is_not_2_to_16 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (ReadyWarps < 2 || ReadyWarps > 16) $error("ReadyWarps is not 2 to 16");
`endif

endmodule
