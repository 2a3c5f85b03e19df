// CAPS's arithmetic: what two warps' addresses of the same load tell (section V.B). It takes a beat
// (one address of a load and one base of its PerCTA entry) a cycle and commits four cycles later.
//
//   M  base + delta * stride as a sum and a carry; to train, the two addresses that are subtracted
//   A  their sum: the predicted address, or the stride
//   C  compare: a load's strides with one another; predicted lines with the load's lines
//   D  a stride that all agree on is entered, or the entry falls; mispredictions count in C
//
// A CTA may end while its load is in M to D: what the load tells of the stride holds for the other
// CTAs, and an entry that another load has taken does not fall.
//
// Complements spare the carry-ins: -x = ~x + 1, so b - d * s = ~(~b + d * s), a - b = ~(~a + b).
module caps_stride_unit #(
  /// Bits of an address.
  parameter int AddrWidth = 32,
  /// Bits of a CTA slot's number.
  parameter int SlotWidth = 3,
  /// log2 of the bytes of a cache line.
  parameter int LineBits = 7
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no beat is under way.
  input  logic                 rst_ni,
  /// A kernel ends: all beats are dropped.
  input  logic                 clear_i,
  /// The beat at the input is dropped: its CTA ends.
  input  logic                 drop_i,

  /// A beat comes. The beats of a load come in consecutive cycles.
  input  logic                 valid_i,
  /// The beat is its load's first, under valid_i.
  input  logic                 first_i,
  /// The beat has an address of the load, under valid_i.
  input  logic                 in_load_i,
  /// The beat trains: addr_i and base_i give a stride.
  input  logic                 train_i,
  /// The beat is the load's last that trains, under train_i.
  input  logic                 last_i,
  /// The beat checks a prediction.
  input  logic                 check_i,
  /// The load's address, under in_load_i.
  input  logic [AddrWidth-1:0] addr_i,
  /// addr_i of the cycle before.
  output logic [AddrWidth-1:0] addr_o,
  /// The entry's base.
  input  logic [AddrWidth-1:0] base_i,
  /// The load's warp is below the leading warp.
  input  logic                 below_i,
  /// Distance of the load's warp from the leading warp, under check_i.
  input  logic [5:0]           distance_i,
  /// DIST entry of the load's PC, one-hot or zero, under check_i.
  input  logic [3:0]           dist_i,
  /// Place that keeps the load's PC while it trains, under train_i.
  input  logic                 pc_place_i,
  /// The load's CTA slot.
  input  logic [SlotWidth-1:0] slot_i,
  /// The load's PerCTA entry.
  input  logic [1:0]           entry_i,
  /// The PerCTA table is written in this cycle.
  input  logic                 replace_i,
  /// Slot of the entry that is written, under replace_i.
  input  logic [SlotWidth-1:0] replace_slot_i,
  /// Number of the entry that is written, under replace_i.
  input  logic [1:0]           replace_entry_i,

  /// A beat is under way.
  output logic                 busy_o,
  /// One-hot or zero: the DIST entry whose stride somebody else wants in the next cycle.
  input  logic [3:0]           stride_want_i,
  /// The stride of other_entry_i comes in the next cycle: the beat at the input needs none.
  /// Combinational.
  output logic                 stride_free_o,
  /// One-hot or zero: the DIST entry whose stride M, or somebody else, needs in the next cycle.
  output logic [3:0]           stride_entry_o,
  /// The stride of stride_entry_o of the cycle before.
  input  logic [AddrWidth-1:0] stride_i,
  /// Per place of a PC: a load that trains with this PC is under way.
  output logic [1:0]           places_o,
  /// Place that keeps the PC of the load in D, under train_o.
  output logic                 commit_place_o,
  /// All strides of the load in D agree: stride_o is entered.
  output logic                 train_o,
  /// The stride to enter, under train_o.
  output logic [AddrWidth-1:0] stride_o,
  /// The warp of the load in D is below the leading warp, under train_o.
  output logic                 commit_below_o,
  /// The strides of the load in D differ: its PerCTA entry is to fall.
  output logic                 invalidate_o,
  /// CTA slot of the load in D, under train_o or invalidate_o.
  output logic [SlotWidth-1:0] commit_slot_o,
  /// PerCTA entry of the load in D, under invalidate_o.
  output logic [1:0]           commit_entry_o,
  /// One-hot or zero: the DIST entry that train_o fills. Beats that used it lose it.
  input  logic [3:0]           train_entry_i,
  /// A load was predicted wrongly with the stride of mispredict_entry_o.
  output logic                 mispredict_o,
  /// One-hot or zero: the DIST entry that the beat in C used.
  output logic [3:0]           mispredict_entry_o,
  /// A load's first address was predicted rightly with the stride of mispredict_entry_o.
  output logic                 predict_o
);

  localparam LineWidth = AddrWidth - LineBits;

  logic                 m_valid_q, m_first_q, m_in_q, m_train_q, m_last_q, m_check_q, m_stale_q;
  logic                 a_valid_q, a_first_q, a_in_q, a_train_q, a_last_q, a_check_q, a_stale_q;
  logic                 c_valid_q, c_first_q, c_in_q, c_train_q, c_last_q, c_check_q, c_stale_q;
  logic                 m_below_q, a_invert_q, a_below_q, c_below_q;
  logic                 m_place_q, a_place_q, c_place_q;
  logic [AddrWidth-1:0] m_addr_q, m_base_q, a_sum_q, a_carry_q, c_value_q;
  logic [5:0]           m_distance_q;
  logic [3:0]           uses, stride_entry_q, a_dist_q, c_dist_q;  // stride_entry_q: of stride_i
  logic                 m_uses_q;  // stride_entry_q is for M
  logic [LineWidth-1:0] a_line_q, c_line_q;
  logic [SlotWidth-1:0] m_slot_q, a_slot_q, c_slot_q;
  logic [1:0]           m_entry_q, a_entry_q, c_entry_q;

  assign uses          = dist_i & {4{check_i}} & ~train_entry_i;
  assign stride_free_o = uses == '0;

  // M: delta * stride in digits of -2 to 2 (Booth, radix 4); a negative one is a complement, whose
  // missing one goes where the next digit's product has zeros. Then three numbers to two at a time.
  logic [5:0]           d;
  logic [2:0]           one, two, minus;
  logic [AddrWidth-1:0] t0, t1, t2, t3, t4;
  logic [AddrWidth-1:0] s1, c1, s2, c2, s3, c3;
  assign d     = m_distance_q;
  assign one   = {d[4] ^ d[3], d[2] ^ d[1], d[0]};
  assign two   = {d[5] ? ~d[4] & ~d[3] : d[4] & d[3], d[3] ? ~d[2] & ~d[1] : d[2] & d[1],
                  d[1] & ~d[0]};
  assign minus = {d[5], d[3], d[1]};

  function automatic [AddrWidth-1:0] product;
    input [AddrWidth-1:0] stride;
    input                 is_one, is_two, is_minus;
    product = ((stride & {AddrWidth{is_one}}) | ((stride << 1) & {AddrWidth{is_two}}))
              ^ {AddrWidth{is_minus}};
  endfunction

  assign t0 = m_base_q ^ {AddrWidth{m_below_q}};
  assign t1 = m_train_q ? m_addr_q ^ {AddrWidth{~m_below_q}}
                        : product(stride_i, one[0], two[0], minus[0]);
  assign t2 = (product(stride_i, one[1], two[1], minus[1]) << 2) | AddrWidth'(minus[0]);
  assign t3 = (product(stride_i, one[2], two[2], minus[2]) << 4) | (AddrWidth'(minus[1]) << 2);
  assign t4 = ((stride_i & {AddrWidth{d[5]}}) << 6) | (AddrWidth'(minus[2]) << 4);
  assign s1 = t2 ^ t3 ^ t4;  // the stride comes late, and t1 has a choice more
  assign c1 = ((t2 & t3) | (t4 & (t2 | t3))) << 1;
  assign s2 = s1 ^ t0 ^ t1;
  assign c2 = ((t0 & t1) | (s1 & (t0 | t1))) << 1;
  assign s3 = s2 ^ c2 ^ c1;
  assign c3 = ((s2 & c2) | (c1 & (s2 | c2))) << 1;

  // A: the sum of M's sum and carry.
  logic [AddrWidth-1:0] sum;
  carry_select_adder #(
    .Width(AddrWidth)
  ) u_sum (
    .a_i(a_sum_q),
    .b_i(a_carry_q),
    .sum_o(sum)
  );

  // C: a load's strides are compared with one another.
  logic [AddrWidth-1:0] stride_q;
  logic                 unequal, unequal_q;
  assign unequal = ~c_first_q & (unequal_q | (c_value_q != stride_q));

  // C: lines. The load's other beats are up to three cycles behind and ahead; `near` says which of
  // them there are, youngest first, `is_same` which have a line like the predicted one.
  logic [LineWidth-1:0] w1_line_q, w2_line_q, w3_line_q, line;
  logic                 w1_first_q, w1_in_q, w2_first_q, w2_in_q, w3_in_q;
  logic [6:0]           near, is_same;
  logic                 wrong, wrong_q;
  assign line    = c_value_q[AddrWidth-1:LineBits];
  logic a_more, m_more, more;
  assign a_more = a_valid_q & ~a_first_q;
  assign m_more = a_more & m_valid_q & ~m_first_q;
  assign more   = m_more & valid_i & ~first_i;
  assign near   = {~c_first_q & ~w1_first_q & ~w2_first_q, ~c_first_q & ~w1_first_q, ~c_first_q,
                   1'b1, a_more, m_more, more};
  assign is_same[0] = in_load_i & (addr_i[AddrWidth-1:LineBits] == line);
  assign is_same[1] = m_in_q & (m_addr_q[AddrWidth-1:LineBits] == line);
  assign is_same[2] = a_in_q & (a_line_q == line);
  assign is_same[3] = c_in_q & (c_line_q == line);
  assign is_same[4] = w1_in_q & (w1_line_q == line);
  assign is_same[5] = w2_in_q & (w2_line_q == line);
  assign is_same[6] = w3_in_q & (w3_line_q == line);
  assign wrong      = c_valid_q & c_check_q & ~(|(near & is_same));

  // D: what a load's last beat decided.
  logic                 d_train_q, d_invalidate_q, d_below_q, d_place_q;
  logic [SlotWidth-1:0] d_slot_q;
  logic [1:0]           d_entry_q;

  assign busy_o         = m_valid_q | a_valid_q | c_valid_q | d_train_q | d_invalidate_q;
  assign addr_o         = m_addr_q;
  assign stride_entry_o = uses | (stride_want_i & {4{stride_free_o}});
  assign commit_place_o = d_place_q;
  assign commit_below_o = d_below_q;
  assign commit_slot_o  = d_slot_q;
  assign commit_entry_o = d_entry_q;
  assign stride_o       = stride_q;
  assign train_o        = d_train_q;
  assign invalidate_o   = d_invalidate_q;
  logic decide, c_stale;
  assign decide  = c_valid_q & c_train_q & c_last_q;
  assign c_stale = c_stale_q
                   | (replace_i && replace_slot_i == c_slot_q && replace_entry_i == c_entry_q);
  assign mispredict_o       = wrong & ~(wrong_q & ~c_first_q);
  assign mispredict_entry_o = c_dist_q;
  assign predict_o          = c_valid_q & c_check_q & c_first_q & (|(near & is_same));

  logic m_trains, a_trains, c_trains;
  assign m_trains = m_valid_q & m_train_q;
  assign a_trains = a_valid_q & a_train_q;
  assign c_trains = c_valid_q & c_train_q;
  assign places_o = {(m_trains & m_place_q) | (a_trains & a_place_q) | (c_trains & c_place_q)
                     | (d_train_q & d_place_q),
                     (m_trains & ~m_place_q) | (a_trains & ~a_place_q) | (c_trains & ~c_place_q)
                     | (d_train_q & ~d_place_q)};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      m_valid_q      <= 1'b0;
      a_valid_q      <= 1'b0;
      c_valid_q      <= 1'b0;
      d_train_q      <= 1'b0;
      d_invalidate_q <= 1'b0;
    end else begin
      m_valid_q      <= valid_i & ~drop_i;
      a_valid_q      <= m_valid_q;
      c_valid_q      <= a_valid_q;
      d_train_q      <= decide & ~unequal;
      d_invalidate_q <= decide & unequal & ~c_stale;
    end
  end

  // Data without reset: the valid bits say when these registers count.
  always_ff @(posedge clk_i) begin
    m_first_q    <= first_i;
    m_in_q       <= in_load_i;
    m_train_q    <= train_i;
    m_last_q     <= last_i;
    m_check_q    <= check_i;
    m_addr_q     <= addr_i;
    m_base_q     <= base_i;
    m_below_q    <= below_i;
    m_distance_q <= distance_i;
    m_uses_q     <= ~stride_free_o;
    stride_entry_q <= stride_entry_o;
    m_place_q    <= pc_place_i;
    m_slot_q     <= slot_i;
    m_entry_q    <= entry_i;
    m_stale_q    <= replace_i && replace_slot_i == slot_i && replace_entry_i == entry_i;

    a_first_q    <= m_first_q;
    a_in_q       <= m_in_q;
    a_train_q    <= m_train_q;
    a_last_q     <= m_last_q;
    a_check_q    <= m_check_q;
    a_sum_q      <= s3;
    a_carry_q    <= c3;
    a_invert_q   <= m_train_q | m_below_q;
    a_below_q    <= m_below_q;
    a_line_q     <= m_addr_q[AddrWidth-1:LineBits];
    a_place_q    <= m_place_q;
    a_dist_q     <= stride_entry_q & {4{m_uses_q}} & ~train_entry_i;
    a_slot_q     <= m_slot_q;
    a_entry_q    <= m_entry_q;
    a_stale_q    <= m_stale_q
                    | (replace_i && replace_slot_i == m_slot_q && replace_entry_i == m_entry_q);

    c_first_q    <= a_first_q;
    c_in_q       <= a_in_q;
    c_train_q    <= a_train_q;
    c_last_q     <= a_last_q;
    c_check_q    <= a_check_q;
    c_value_q    <= sum ^ {AddrWidth{a_invert_q}};
    c_below_q    <= a_below_q;
    c_line_q     <= a_line_q;
    c_place_q    <= a_place_q;
    c_dist_q     <= a_dist_q & ~train_entry_i;
    c_slot_q     <= a_slot_q;
    c_entry_q    <= a_entry_q;
    c_stale_q    <= a_stale_q
                    | (replace_i && replace_slot_i == a_slot_q && replace_entry_i == a_entry_q);

    d_below_q    <= c_below_q;
    d_place_q    <= c_place_q;
    d_slot_q     <= c_slot_q;
    d_entry_q    <= c_entry_q;

    w1_first_q   <= c_first_q;
    w1_in_q      <= c_in_q;
    w1_line_q    <= c_line_q;
    w2_first_q   <= w1_first_q;
    w2_in_q      <= w1_in_q;
    w2_line_q    <= w1_line_q;
    w3_in_q      <= w2_in_q;
    w3_line_q    <= w2_line_q;
    if (c_first_q) stride_q <= c_value_q;
    unequal_q    <= unequal;
    wrong_q      <= wrong | (wrong_q & ~c_first_q);
  end

endmodule
