// CAPS's PerCTA table (section V.B, Table I): for each CTA slot of an SM four entries of a load's
// PC, its leading warp and up to four base addresses, 21 bytes. Valid bits, the number of bases and
// the order of writing stand beside them.
//
// A look-up is asked for at a clock's rise. In the cycle behind it the slot's four PCs are there and
// compared, and in the next one the entry is told, in which the asker may write it: the entry found,
// else an invalid one, else the one written longest ago. Bases have a port of their own, one word a
// cycle in and out. Storage is separable: Style chooses flip-flops, latches or a RAM; what is read
// while it is written comes from registers here.
module caps_percta_table #(
  /// CTA slots of the SM, 1 to 32.
  parameter int CtaSlots = 8,
  /// Bits of a PC.
  parameter int PcWidth = 32,
  /// Bits of a warp's number.
  parameter int WarpWidth = 8,
  /// Bits of an address.
  parameter int AddrWidth = 32,
  /// Storage of PCs, leading warps and bases: 0 to 2: flip-flops, latches, a RAM.
  parameter int Style = 0,
  /// Bits of a CTA slot's number; leave it at its default.
  parameter int SlotWidth = (CtaSlots > 1) ? $clog2(CtaSlots) : 1
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: all entries invalid.
  input  logic                 rst_ni,
  /// A kernel ends: all entries become invalid.
  input  logic                 clear_i,
  /// Per slot: the slot's CTA ends, and its entries become invalid.
  input  logic [CtaSlots-1:0]  clear_slot_i,

  /// The slot to look in.
  input  logic [SlotWidth-1:0] look_slot_i,
  /// The PC to look for.
  input  logic [PcWidth-1:0]   look_pc_i,
  /// One cycle after a look-up was asked for: the PC to look for.
  output logic [PcWidth-1:0]   look_pc_o,
  /// Two cycles after a look-up was asked for: the slot looked in.
  output logic [SlotWidth-1:0] slot_o,
  /// The CTA of slot_o ends in this cycle, combinational.
  output logic                 slot_ends_o,
  /// Two cycles after a look-up was asked for: the PC looked for.
  output logic [PcWidth-1:0]   pc_o,
  /// A valid entry of slot_o holds pc_o.
  output logic                 hit_o,
  /// The entry found, else the one that a write takes.
  output logic [1:0]           entry_o,
  /// The found entry's leading warp, under hit_o.
  output logic [WarpWidth-1:0] lead_o,
  /// The found entry's number of bases, less one, under hit_o.
  output logic [1:0]           bases_o,
  /// In the cycle of the answer: entry_o gets the PC looked for, and the two values below.
  input  logic                 write_i,
  /// The new leading warp, under write_i.
  input  logic [WarpWidth-1:0] write_lead_i,
  /// The new number of bases, less one, under write_i.
  input  logic [1:0]           write_bases_i,

  /// An entry becomes invalid, unless write_i writes it.
  input  logic                 invalidate_i,
  /// Slot of the entry that becomes invalid, under invalidate_i.
  input  logic [SlotWidth-1:0] invalidate_slot_i,
  /// Number of the entry that becomes invalid, under invalidate_i.
  input  logic [1:0]           invalidate_entry_i,

  /// A base is written.
  input  logic                   word_write_i,
  /// Slot, entry and number of the base to write, under word_write_i.
  input  logic [SlotWidth+3:0]   word_write_index_i,
  /// The base to write, under word_write_i.
  input  logic [AddrWidth-1:0]   word_write_data_i,
  /// Slot, entry and number of the base to read.
  input  logic [SlotWidth+3:0]   word_read_index_i,
  /// The base written in the cycle before.
  input  logic [AddrWidth-1:0]   word_written_i,
  /// One cycle later: the base of word_read_index_i as of then.
  output logic [AddrWidth-1:0]   word_read_data_o
`ifdef FORMAL
  `include "caps/formal/caps_percta_table_ports.svh"
`endif
);

  localparam Depth = (CtaSlots > 1) ? CtaSlots : 2;  // a storage has two entries at least
  localparam InfoWidth = WarpWidth + 2;
  localparam WayWidth = PcWidth + InfoWidth;

  logic [4*CtaSlots-1:0] valid_q;
  logic [SlotWidth-1:0]  look_slot_q, slot_q;
  logic [PcWidth-1:0]    look_pc_q, pc_q;
  logic [3:0]            late_q;       // per entry: it was written as the look-up's ways were read
  logic                  late_same_q;  // with the PC that is looked for
  logic [3:0]            same_q;       // per entry: its PC was the one looked for
  logic [3:0]            bypass_q;     // per entry: it was written in the cycle of the comparison
  logic                  bypass_same_q;
  logic [InfoWidth-1:0]  bypass_info_q;

  logic [3:0]            hit, entry, valid, oldest, same;
  logic [4*InfoWidth-1:0] way_info_q;    // per entry: leading warp, bases less one
  logic [5:0]            order_q [0:Depth-1];  // per slot, as of lru_of_4
  logic [5:0]            order;
  logic [CtaSlots-1:0]   slot_here_q;  // slot_q as a bit of all, for the clock

  for (genvar e = 0; e < 4; e++) begin : gen_way
    logic [WayWidth-1:0] way;
    table_storage #(
      .Width(WayWidth),
      .Depth(Depth),
      .Style(Style)
    ) u_storage (
      .clk_i,
      .rst_ni,
      .write_valid_i(write_i & entry[e]),
      .write_index_i(slot_q),
      .write_data_i({pc_q, write_lead_i, write_bases_i}),
      .read_index_i(look_slot_i),
      .read_data_o(way)
    );
    assign same[e] = late_q[e] ? late_same_q : way[WayWidth-1 -: PcWidth] == look_pc_q;
    always_ff @(posedge clk_i) begin
      way_info_q[e*InfoWidth +: InfoWidth] <= late_q[e] ? bypass_info_q : way[InfoWidth-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    look_slot_q   <= look_slot_i;
    look_pc_q     <= look_pc_i;
    late_same_q   <= look_pc_i == pc_q;
    late_q        <= (write_i && look_slot_i == slot_q) ? entry : '0;
    slot_q        <= look_slot_q;
    pc_q          <= look_pc_q;
    same_q        <= same;
    bypass_same_q <= look_pc_q == pc_q;
    bypass_info_q <= {write_lead_i, write_bases_i};
    bypass_q      <= (write_i && look_slot_q == slot_q) ? entry : '0;
    slot_here_q   <= CtaSlots'(1) << look_slot_q;
  end

  // The answer.
  always_comb begin
    valid = '0;
    for (int s = 0; s < CtaSlots; s++) valid |= valid_q[s*4 +: 4] & {4{slot_here_q[s]}};
  end
  lru_of_4 u_lru (
    .order_i(order_q[slot_q]),
    .touch_i(entry),
    .order_o(order),
    .oldest_o(oldest)
  );
  always_ff @(posedge clk_i) begin
    if (write_i) order_q[slot_q] <= order;
  end
  assign hit   = valid & ((same_q & ~bypass_q) | (bypass_q & {4{bypass_same_q}}));
  assign look_pc_o   = look_pc_q;
  assign slot_o      = slot_q;
  assign slot_ends_o = |(clear_slot_i & slot_here_q);
  assign pc_o   = pc_q;
  assign hit_o  = |hit;
  assign entry  = hit_o ? hit : (&valid) ? oldest : ~valid & (valid + 4'd1);
  assign entry_o = {entry[3] | entry[2], entry[3] | entry[1]};

  logic [InfoWidth-1:0] info;
  always_comb begin
    info = bypass_info_q & {InfoWidth{|(hit & bypass_q)}};
    for (int e = 0; e < 4; e++) begin
      info |= way_info_q[e*InfoWidth +: InfoWidth] & {InfoWidth{hit[e] & ~bypass_q[e]}};
    end
  end
  assign {lead_o, bases_o} = info;

  // Which entries are valid, of all slots. A zero that is shifted by X is X: so it is not shifted.
  logic [4*CtaSlots-1:0] written, fallen;
  assign written = {CtaSlots{entry & {4{write_i}}}} & ((4*CtaSlots)'(4'hf) << {slot_q, 2'd0});
  assign fallen  = invalidate_i ? (4*CtaSlots)'(1) << {invalidate_slot_i, invalidate_entry_i} : '0;
  always_ff @(posedge clk_i) begin
    valid_q <= (valid_q & ~fallen) | written;
    for (int s = 0; s < CtaSlots; s++) begin
      if (clear_slot_i[s]) valid_q[s*4 +: 4] <= '0;
    end
    if (!rst_ni || clear_i) valid_q <= '0;
  end

`ifdef FORMAL
  `include "caps/formal/caps_percta_table_wires.svh"
`endif

  // A base that is written as it is read: the asker still has it.
  logic                 word_late_q;
  logic [AddrWidth-1:0] stored_word;
  always_ff @(posedge clk_i) begin
    word_late_q <= word_write_i && word_write_index_i == word_read_index_i;
  end
  assign word_read_data_o = word_late_q ? word_written_i : stored_word;

  table_storage #(
    .Width(AddrWidth),
    .Depth(16 * Depth),
    .Style(Style)
  ) u_bases (
    .clk_i,
    .rst_ni,
    .write_valid_i(word_write_i),
    .write_index_i(word_write_index_i),
    .write_data_i(word_write_data_i),
    .read_index_i(word_read_index_i),
    .read_data_o(stored_word)
  );

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CtaSlots < 1 || CtaSlots > 32) begin : gen_0 cta_slots_is_not_1_to_32 u (); end
  if (Style < 0 || Style > 2) begin : gen_1 style_is_not_0_to_2 u (); end
`else
  if (CtaSlots < 1 || CtaSlots > 32) $error("CtaSlots is not 1 to 32");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
