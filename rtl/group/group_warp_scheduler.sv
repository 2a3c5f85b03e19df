// Warp scheduler that keeps the warps of a group of TBs together (PAVER's groups share lines only while
// their warps are near the same iteration; PAVER itself leaves warps to another scheduler).
//
// It stays with a warp until that stalls, or is a window of loads ahead and another can take over: of its
// group a warp that is not so far ahead, the oldest TB's first. Where there is none comes the lowest slot of
// all. The group is that of the warp that was granted last, told a cycle later.
//
// TBs are numbered as they begin, and are as old as their numbers from the oldest one on. A few slots in a
// row have one number, that of the TB that began last there. Numbers begin anew: where the next one is the
// oldest TB's, a TB that begins shares the last one.
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
  /// Bits of a TB's number, 1 to 4: TBs whose ages are told apart.
  parameter int AgeWidth = 3,
  /// Slots in a row that have one number, 1 to 8.
  parameter int AgeSlots = 4,
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
  /// Per warp: the warp begins; those of one cycle are of one TB.
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
  localparam int NumTbs    = 1 << AgeWidth;
  localparam int NumUnits  = (NumWarps + AgeSlots - 1) / AgeSlots;  // slots that have one number

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

  // Numbers of TBs, a mask of units of slots for each bit. Without reset: these registers count where a warp
  // lives.
  logic [AgeWidth*NumUnits-1:0] numbers_q;
  logic [AgeWidth-1:0]          oldest_q, number_q, next_number, number;  // `number`: of what begins
  assign next_number = number_q + AgeWidth'(1);
  assign number      = next_number == oldest_q ? number_q : next_number;
  always_ff @(posedge clk_i) begin
    if (|started_i) begin
      for (int w = 0; w < NumWarps; w++)
        for (int b = 0; b < AgeWidth; b++)
          if (started_i[w]) numbers_q[b*NumUnits+w/AgeSlots] <= number[b];
    end
  end

  // The oldest number: looked for after a cycle in which a warp begins or exits, or in which it passes on.
  logic [NumUnits-1:0] lives;
  logic                passes, looks_q;
  always_comb begin
    lives  = '0;
    passes = 1'b0;
    if (looks_q) begin
      for (int w = 0; w < NumWarps; w++) if (live[w]) lives[w/AgeSlots] = 1'b1;
      passes = |lives;
      for (int b = 0; b < AgeWidth; b++)
        lives &= ~(numbers_q[b*NumUnits +: NumUnits] ^ {NumUnits{oldest_q[b]}});
      passes &= ~(|lives);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      looks_q  <= 1'b0;
      oldest_q <= '0;
      number_q <= '0;
    end else begin
      looks_q <= (|started_i) | (|finished_i) | passes;
      if (passes) oldest_q <= oldest_q + AgeWidth'(1);
      if (|started_i) number_q <= number;
    end
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

  // The choice. A number is first if it has a warp that is near, and no older one has; of its units, and of
  // their slots, the lowest with such a warp is taken. A search that is not wanted finds nobody: index zero.
  logic                       stays, keeps, has_near, has_any, unused_any, moved_q;
  logic [WarpWidth-1:0]       near, lowest_near, lowest;
  logic [NumWarps-1:0]        nears;
  logic [NumUnits-1:0]        near_units, of_number, first_units;
  logic [NumTbs-1:0]          has, wraps, first;
  assign nears    = can & member_q & ~full;
  assign has_near = |nears;
  assign has_any  = |can;
  assign stays    = |(can & last & ~full);
  assign keeps    = stays | ((|(can & last)) & ~has_near) | ~has_any;
  always_comb begin
    near_units  = '0;
    of_number   = '0;
    first_units = '0;
    has         = '0;
    wraps       = '0;
    first       = '0;
    near        = '0;
    lowest_near = '0;
    if (!keeps) begin
      for (int w = 0; w < NumWarps; w++) if (nears[w]) near_units[w/AgeSlots] = 1'b1;
      for (int n = 0; n < NumTbs; n++) begin
        of_number = near_units;
        for (int b = 0; b < AgeWidth; b++)
          of_number &= numbers_q[b*NumUnits +: NumUnits] ^ {NumUnits{~n[b]}};
        has[n] = |of_number;
        wraps[n] = AgeWidth'(n) < oldest_q;  // numbers from zero on come last
      end
      first = has;
      for (int n = 0; n < NumTbs; n++) begin
        for (int m = 0; m < NumTbs; m++)
          if (m != n && has[m] && (m < n ? wraps[n] || !wraps[m] : wraps[n] && !wraps[m])) first[n] = 1'b0;
        of_number = near_units & {NumUnits{first[n]}};
        for (int b = 0; b < AgeWidth; b++)
          of_number &= numbers_q[b*NumUnits +: NumUnits] ^ {NumUnits{~n[b]}};
        first_units |= of_number;
      end
      first_units &= ~first_units + NumUnits'(1);
      for (int u = 0; u < NumUnits; u++) begin
        lowest_near = '0;
        for (int i = AgeSlots - 1; i >= 0; i--)
          if (u * AgeSlots + i < NumWarps && nears[u*AgeSlots+i]) lowest_near = WarpWidth'(u * AgeSlots + i);
        near |= lowest_near & {WarpWidth{first_units[u]}};
      end
    end
  end
  first_index #(
    .Count(NumWarps)
  ) u_any (
    .look_i(~stays & ~has_near),
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
      grant_warp_o  <= turns ? turn_q : keeps ? grant_warp_o : near | lowest;
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
  if (AgeWidth < 1 || AgeWidth > 4) begin : gen_3 age_width_is_not_1_to_4 u (); end
  if (AgeSlots < 1 || AgeSlots > 8) begin : gen_4 age_slots_is_not_1_to_8 u (); end
  if (Patience < 1 || Patience > 1023) begin : gen_5 patience_is_not_1_to_1023 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (GroupWidth < 1 || GroupWidth > 8) $error("GroupWidth is not 1 to 8");
  if (CountWidth < 2 || CountWidth > 5) $error("CountWidth is not 2 to 5");
  if (AgeWidth < 1 || AgeWidth > 4) $error("AgeWidth is not 1 to 4");
  if (AgeSlots < 1 || AgeSlots > 8) $error("AgeSlots is not 1 to 8");
  if (Patience < 1 || Patience > 1023) $error("Patience is not 1 to 1023");
`endif

endmodule
