// Warp scheduler whose high-priority group has as many warps as a register says, across the borders of
// TBs (Liu, Liu, Wang, section 3: their mapping with a programmable warp scheduler). The scheduler
// itself stands in another publication: that software names the size, and that the group crosses TBs,
// is theirs, all else is our assumption.
//
// The group are the oldest warps: those of the TB that began first, lowest first, then those of the
// next one. Until the group has its size a warp joins every third cycle: the group is counted, the next
// one is chosen, and joins. A smaller size begins a new group. In the group warps take turns; in cycles
// in which none of them can issue, the others take turns. With size 0, as after reset, there is no
// group, and the order is greedy then oldest.
//
// Warps that begin in one cycle are a TB. Each TB slot holds which warps those are, so that ages are
// kept of TBs alone; where more TBs are there than slots, the last ones are taken for one.
//
// The grant is a register: made from one cycle's levels, it acts in the next one.
module programmable_warp_scheduler #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// TBs that are told apart, 2 to 32.
  parameter int TbSlots = 8,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps),
  /// Bits of the group's size; leave it at its default.
  parameter int SizeWidth = $clog2(NumWarps + 1)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no warp, and a group of none.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: the warp begins; those of one cycle are a TB.
  input  logic [NumWarps-1:0]  started_i,
  /// Per warp: the warp has exited; this counts before started_i.
  input  logic [NumWarps-1:0]  finished_i,
  /// The granted warp has issued.
  input  logic                 issued_valid_i,
  /// The warp that has issued, under issued_valid_i.
  input  logic [WarpWidth-1:0] issued_warp_i,
  /// The software writes the size of the group.
  input  logic                 group_valid_i,
  /// Warps of the group, under group_valid_i; 0: there is none.
  input  logic [SizeWidth-1:0] group_size_i,

  /// A warp is granted.
  output logic                 grant_valid_o,
  /// The warp that is granted, under grant_valid_o.
  output logic [WarpWidth-1:0] grant_warp_o,
  /// With the same levels and without a pulse, the next cycle changes nothing.
  output logic                 quiescent_o
`ifdef FORMAL
  `include "cta_mapping/formal/programmable_warp_scheduler_ports.svh"
`endif
);

  logic [NumWarps-1:0]        group_q, group, joins;
  logic [SizeWidth-1:0]       size_q;
  logic                       clear;
  // The group's warps, counted by sixteen, and whether it has changed since; the warp that joins next.
  localparam Parts = (NumWarps + 15) / 16;
  logic [Parts*5-1:0]         counts_q;
  logic [SizeWidth-1:0]       count;
  logic                       moved_q, moves, next_valid_q, next_valid;
  logic [WarpWidth-1:0]       next_q, next;
  // The warp of the group, and of the others, that was granted last; the warp that issued last.
  logic [WarpWidth-1:0]       high_q, low_q, last_q, last;
  logic                       has_group;  // there is a size
  logic                       last_valid_q, last_valid, stays;
  logic [NumWarps-1:0]        live, keeps;  // keeps: all but those that have exited
  logic [NumWarps-1:0]        known;        // the warps that were there, and have not exited

  assign keeps = ~finished_i;

  // TB slots: their warps, and which of them are the oldest among those with a warp that is looked for.
  logic [TbSlots-1:0]         empty, takes, newest, has_eligible, has_other;
  logic [TbSlots-1:0]         oldest_eligible, oldest_other;
  logic [TbSlots*TbSlots-1:0] older;
  logic [TbSlots*NumWarps-1:0] warps;
  assign takes = (|empty) ? empty & (~empty + TbSlots'(1)) : newest;
  age_order #(
    .Count(TbSlots)
  ) u_order (
    .clk_i,
    .rst_ni,
    .touch_i(takes & {TbSlots{|started_i}}),
    .older_o(older)
  );
  for (genvar t = 0; t < TbSlots; t++) begin : gen_tb
    logic [NumWarps-1:0] warps_q, mine;
    logic [TbSlots-1:0]  younger;
    assign mine    = warps_q & keeps;
    assign younger = older[t*TbSlots +: TbSlots];
    assign warps[t*NumWarps +: NumWarps] = mine;
    assign empty[t]  = ~(|mine);
    assign newest[t] = younger == TbSlots'(1) << t;
    assign has_eligible[t]    = |(mine & eligible_i);
    assign has_other[t]       = |(mine & ~group_q);
    assign oldest_eligible[t] = has_eligible[t] & ~(|(has_eligible & ~younger));
    assign oldest_other[t]    = has_other[t] & ~(|(has_other & ~younger));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) warps_q <= '0;
      else warps_q <= mine | (started_i & {NumWarps{takes[t]}});
    end
`ifdef FORMAL
    `include "cta_mapping/formal/programmable_warp_scheduler_gen_tb.svh"
`endif
  end

  // The warps of the slots that are chosen.
  function automatic [NumWarps-1:0] warps_of;
    input [TbSlots*NumWarps-1:0] all;
    input [TbSlots-1:0]          slots;
    begin
      warps_of = '0;
      for (int t = 0; t < TbSlots; t++)
        warps_of = warps_of | (all[t*NumWarps +: NumWarps] & {NumWarps{slots[t]}});
    end
  endfunction

  assign known     = warps_of(warps, {TbSlots{1'b1}});
  assign has_group = |size_q;

  // The group. Each of the three steps takes a cycle: to count, to choose, to join.
  logic unused_valid;
  for (genvar p = 0; p < Parts; p++) begin : gen_count
    localparam Size = (p == Parts - 1) ? NumWarps - 16 * p : 16;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) counts_q[p*5 +: 5] <= '0;
      else counts_q[p*5 +: 5] <= 5'($countones(group_q[p*16 +: Size]));
    end
  end
  always_comb begin
    count = '0;
    for (int p = 0; p < (NumWarps + 15) / 16; p++) count = count + SizeWidth'(counts_q[p*5 +: 5]);
  end
  assign clear      = group_valid_i && group_size_i < size_q;
  assign joins      = next_valid_q ? (NumWarps'(1) << next_q) & keeps : '0;
  assign group      = group_q & keeps;
  assign moves      = (|finished_i) | group_valid_i | next_valid_q;
  assign next_valid = ~next_valid_q & ~moved_q & ~clear & (|has_other) && count < size_q;
  first_index #(
    .Count(NumWarps)
  ) u_next (
    .look_i(~next_valid_q & ~moved_q),
    .request_i(warps_of(warps, oldest_other) & ~group_q),
    .valid_o(unused_valid),
    .index_o(next)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group_q      <= '0;
      size_q       <= '0;
      moved_q      <= 1'b0;
      next_valid_q <= 1'b0;
    end else begin
      group_q      <= (group | joins) & {NumWarps{~clear}};
      moved_q      <= moves;
      next_valid_q <= next_valid;
      if (group_valid_i) size_q <= group_size_i;
    end
  end
  // Without reset: this register counts under next_valid_q.
  always_ff @(posedge clk_i) next_q <= next;

  // Of the group and of the others: the first behind the one of them that was granted last.
  logic [NumWarps-1:0]  high, low, after_high, after_low;
  logic                 some_high, some_after_high, some_after_low, unused_low;
  logic [WarpWidth-1:0] first_high, first_after_high, first_low, first_after_low, high_turn, low_turn;
  assign high       = eligible_i & group;
  assign low        = eligible_i & known;  // where none of the group is
  assign after_high = ({NumWarps{1'b1}} << high_q) << 1;
  assign after_low  = ({NumWarps{1'b1}} << low_q) << 1;
  first_index #(
    .Count(NumWarps)
  ) u_after_high (
    .look_i(has_group),
    .request_i(high & after_high),
    .valid_o(some_after_high),
    .index_o(first_after_high)
  );
  first_index #(
    .Count(NumWarps)
  ) u_high (
    .look_i(has_group),
    .request_i(high),
    .valid_o(some_high),
    .index_o(first_high)
  );
  first_index #(
    .Count(NumWarps)
  ) u_after_low (
    .look_i(has_group),
    .request_i(low & after_low),
    .valid_o(some_after_low),
    .index_o(first_after_low)
  );
  first_index #(
    .Count(NumWarps)
  ) u_low (
    .look_i(has_group),
    .request_i(low),
    .valid_o(unused_low),
    .index_o(first_low)
  );
  assign high_turn = some_after_high ? first_after_high : first_high;
  assign low_turn  = some_after_low ? first_after_low : first_low;

  // Without a group: the one that issued last, else the oldest. What begins now is not chosen yet.
  logic [WarpWidth-1:0] oldest;
  logic                 unused_oldest;
  assign live       = eligible_i & keeps;
  assign last       = issued_valid_i ? issued_warp_i : last_q;
  assign last_valid = (issued_valid_i | last_valid_q) & keeps[last];
  assign stays      = (issued_valid_i | last_valid_q) & live[last];
  first_index #(
    .Count(NumWarps)
  ) u_oldest (
    .look_i(~has_group),
    .request_i(warps_of(warps, oldest_eligible) & eligible_i),
    .valid_o(unused_oldest),
    .index_o(oldest)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      high_q       <= WarpWidth'(NumWarps - 1);
      low_q        <= WarpWidth'(NumWarps - 1);
      last_valid_q <= 1'b0;
    end else begin
      if (some_high) high_q <= high_turn;
      if (has_group && !some_high && (|has_eligible)) low_q <= low_turn;
      last_valid_q <= last_valid;
    end
  end
  // Without reset: this register counts under last_valid_q.
  always_ff @(posedge clk_i) last_q <= last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_valid_o <= 1'b0;
      quiescent_o   <= 1'b1;
    end else begin
      grant_valid_o <= |has_eligible;
      // With a group, turns go on with each grant.
      quiescent_o   <= ~((|started_i) | moves | moved_q | next_valid | (has_group & (|has_eligible))
                         | (last_valid != last_valid_q) | (last_valid & (last != last_q)));
    end
  end
  always_ff @(posedge clk_i) begin
    grant_warp_o <= high_turn
                    | (low_turn & {WarpWidth{~some_high}})
                    | (last & {WarpWidth{~has_group & stays}})
                    | (oldest & {WarpWidth{~stays}});
  end

`ifdef FORMAL
  `include "cta_mapping/formal/programmable_warp_scheduler_wires.svh"
`endif

  logic unused;
  assign unused = &{1'b0, unused_valid, unused_low, unused_oldest};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
  if (TbSlots < 2 || TbSlots > 32) begin : gen_1 tb_slots_is_not_2_to_32 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (TbSlots < 2 || TbSlots > 32) $error("TbSlots is not 2 to 32");
`endif

endmodule
