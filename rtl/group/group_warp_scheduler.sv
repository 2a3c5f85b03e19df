// Warp scheduler that keeps the warps of a group of TBs together (PAVER's groups share lines only while
// their warps are near the same iteration; PAVER itself leaves warps to another scheduler).
//
// It stays with a warp until that stalls or is a window of loads ahead; then come, the lowest slot first,
//   the warps of the same group that are not so far ahead, from the oldest warp's slot on;
//   those of them in other slots;
//   all of the group;
//   all.
// The group is that of the warp that was granted last, told a cycle later. TBs take the slots of those
// that end, so that the slots behind that of the oldest warp tell how old the others are, nearly.
//
// How far a warp is ahead, a counter of its loads and stores tells. Once all warps of the group have one,
// one is taken off each. A counter ends at its largest value, which is the window: what a warp does beyond
// is not counted.
//
// So that no warp starves, after `Patience` issues one belongs to the next warp in turn that can issue.
//
// The grant is a register: made from one cycle's levels, it acts in the next one.
module group_warp_scheduler #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// Bits of a group's number, 1 to 8: groups that are told apart.
  parameter int GroupWidth = 4,
  /// Bits of a warp's counter of loads, 2 to 5: the window is the largest number.
  parameter int CountWidth = 3,
  /// Issues between two turns, 1 to 1023.
  parameter int Patience = 256,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no warp.
  input  logic                  rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]   eligible_i,
  /// Per warp: the warp begins; those of one cycle are of one group.
  input  logic [NumWarps-1:0]   started_i,
  /// The group of the warps that begin, under started_i.
  input  logic [GroupWidth-1:0] started_group_i,
  /// Per warp: the warp has exited; this counts before started_i.
  input  logic [NumWarps-1:0]   finished_i,
  /// The granted warp has issued.
  input  logic                  issued_valid_i,
  /// What it issued loads or stores, under issued_valid_i.
  input  logic                  issued_load_i,

  /// A warp is granted.
  output logic                  grant_valid_o,
  /// The warp that is granted, under grant_valid_o; else the one that was granted last.
  output logic [WarpWidth-1:0]  grant_warp_o,
  /// With the same levels and without a pulse, the next cycle changes nothing.
  output logic                  quiescent_o
`ifdef FORMAL
  `include "group/formal/group_warp_scheduler_ports.svh"
`endif
);

  localparam int WaitWidth = $clog2(Patience + 1);

  // Per warp: lives; is of the group; can issue; was granted last; has the next turn.
  logic [NumWarps-1:0] live_q, live, member_q, member, can, last, next;
  assign live = live_q & ~finished_i;
  assign can  = eligible_i & live;  // what begins now is not chosen yet
  assign last = NumWarps'(1) << grant_warp_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) live_q <= '0;
    else live_q <= live | started_i;
  end

  // Groups' numbers, a mask of warps for each bit.
  logic [GroupWidth*NumWarps-1:0] groups;
  logic [GroupWidth-1:0]          group;
  for (genvar b = 0; b < GroupWidth; b++) begin : gen_group
    logic [NumWarps-1:0] bits_q;
    assign groups[b*NumWarps +: NumWarps] = bits_q;
    assign group[b] = |(bits_q & last);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bits_q <= '0;
      else if (|started_i) bits_q <= (bits_q & ~started_i) | (started_i & {NumWarps{started_group_i[b]}});
    end
  end
  always_comb begin
    member = '1;
    for (int b = 0; b < GroupWidth; b++)
      member &= ~(groups[b*NumWarps +: NumWarps] ^ {NumWarps{group[b]}});
  end
  // Without reset: told anew in each cycle, this register counts for warps that live.
  always_ff @(posedge clk_i) member_q <= member;

  // Counters, likewise. `full`: a window ahead; `some`: not the slowest. Without reset: these registers
  // count for warps that live.
  logic [CountWidth*NumWarps-1:0] counts;
  logic [NumWarps-1:0]            full, some, loads, falls, up, down;
  logic                           lowers;
  assign loads  = last & {NumWarps{issued_valid_i & issued_load_i}};
  assign lowers = (|(live_q & member_q)) & ~(|(live_q & member_q & ~some));
  assign falls  = member_q & {NumWarps{lowers}};
  assign up     = loads & ~falls & ~full;
  assign down   = falls & ~loads;
  always_comb begin
    full = '1;
    some = '0;
    for (int b = 0; b < CountWidth; b++) begin
      full &= counts[b*NumWarps +: NumWarps];
      some |= counts[b*NumWarps +: NumWarps];
    end
  end
  for (genvar b = 0; b < CountWidth; b++) begin : gen_count
    logic [NumWarps-1:0] bits_q, moves;
    assign counts[b*NumWarps +: NumWarps] = bits_q;
    // All lower bits are ones, or zeros.
    if (b == 0) begin : gen_lowest
      assign moves = up | down;
    end else begin : gen_higher
      logic [NumWarps-1:0] ones, zeros;
      always_comb begin
        ones  = '1;
        zeros = '1;
        for (int i = 0; i < b; i++) begin
          ones  &= counts[i*NumWarps +: NumWarps];
          zeros &= ~counts[i*NumWarps +: NumWarps];
        end
      end
      assign moves = (up & ones) | (down & zeros);
    end
    always_ff @(posedge clk_i) bits_q <= (bits_q ^ moves) & ~started_i;
  end

  // Slots at and behind that of the oldest warp: where it has ended, the next one that lives is.
  logic [NumWarps-1:0] behind_q;
  logic                passes;
  assign passes = (|live) & ~(|(live & behind_q & ~(behind_q << 1)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_q <= '1;
    else if (passes) behind_q <= behind_q[NumWarps-2] ? behind_q << 1 : '1;
  end

  // Turns: whose it is next, and the issues since the last one.
  logic [WaitWidth-1:0] wait_q;
  logic [WarpWidth-1:0] turn_q, turn;
  logic                 due, taken, skips, turns, turn_granted_q;
  assign next  = NumWarps'(1) << turn_q;
  assign taken = issued_valid_i & turn_granted_q;
  assign due   = wait_q == WaitWidth'(Patience) && !taken;
  assign turns = due & (|(can & next));
  assign skips = due & ~(|(can & next)) & (|can);
  assign turn  = (turn_q == WarpWidth'(NumWarps - 1)) ? '0 : turn_q + WarpWidth'(1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q         <= '0;
      turn_q         <= '0;
      turn_granted_q <= 1'b0;
    end else begin
      if (taken) wait_q <= '0;
      else if (issued_valid_i && wait_q != WaitWidth'(Patience)) wait_q <= wait_q + WaitWidth'(1);
      if (taken | skips) turn_q <= turn;
      turn_granted_q <= turns;
    end
  end

  // The choice. A search that is not wanted finds nobody: index zero.
  logic                 stays, keeps, has_older, has_near, has_mine, has_any, unused_any, moved_q;
  logic [WarpWidth-1:0] older, near, mine, lowest;
  assign stays   = |(can & last & ~full);
  assign has_any = |can;
  assign keeps   = stays | ~has_any;
  first_index #(
    .Count(NumWarps)
  ) u_older (
    .look_i(~stays),
    .request_i(can & member_q & ~full & behind_q),
    .valid_o(has_older),
    .index_o(older)
  );
  first_index #(
    .Count(NumWarps)
  ) u_near (
    .look_i(~stays & ~has_older),
    .request_i(can & member_q & ~full),
    .valid_o(has_near),
    .index_o(near)
  );
  first_index #(
    .Count(NumWarps)
  ) u_mine (
    .look_i(~stays & ~has_older & ~has_near),
    .request_i(can & member_q),
    .valid_o(has_mine),
    .index_o(mine)
  );
  first_index #(
    .Count(NumWarps)
  ) u_any (
    .look_i(~stays & ~has_older & ~has_near & ~has_mine),
    .request_i(can),
    .valid_o(unused_any),
    .index_o(lowest)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_valid_o <= 1'b0;
      grant_warp_o  <= '0;
      moved_q       <= 1'b0;
      quiescent_o   <= 1'b1;
    end else begin
      grant_valid_o <= has_any;
      grant_warp_o  <= turns ? turn_q : keeps ? grant_warp_o : older | near | mine | lowest;
      // The group is told a cycle after the warp.
      moved_q       <= turns | ~keeps | (|started_i);
      quiescent_o   <= ~(turns | ~keeps | moved_q | (|started_i) | (|finished_i) | issued_valid_i | lowers
                         | skips | passes);
    end
  end

`ifdef FORMAL
  `include "group/formal/group_warp_scheduler_wires.svh"
`endif

  logic unused;
  assign unused = &{1'b0, unused_any};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
  if (GroupWidth < 1 || GroupWidth > 8) begin : gen_1 group_width_is_not_1_to_8 u (); end
  if (CountWidth < 2 || CountWidth > 5) begin : gen_2 count_width_is_not_2_to_5 u (); end
  if (Patience < 1 || Patience > 1023) begin : gen_3 patience_is_not_1_to_1023 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (GroupWidth < 1 || GroupWidth > 8) $error("GroupWidth is not 1 to 8");
  if (CountWidth < 2 || CountWidth > 5) $error("CountWidth is not 2 to 5");
  if (Patience < 1 || Patience > 1023) $error("Patience is not 1 to 1023");
`endif

endmodule
