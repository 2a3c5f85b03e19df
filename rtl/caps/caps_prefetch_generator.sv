// CAPS's prefetch request generator (section V.C): walks the jobs that a new stride (case A) or a
// new base (case B) gives, one address a cycle: base + (warp - leading warp) * stride for each live
// trailing warp of a CTA and each of its bases, warps ascending, bases ascending.
//
// A job looks the slot's PerCTA entry up when its turn comes (caps_prefetch_jobs). Multiples of
// the stride are counted up and down from the leading warp, without a multiplier. A base goes
// through three registers: read (F), added to (S), asked for (the probe).
// A prefetch is dropped when its CTA has ended, its PerCTA entry was written again or fell, its
// DIST entry was replaced or is throttled, or the line is in the L1 or in flight (rule "at
// emission").
module caps_prefetch_generator #(
  /// CTA slots of the SM, 1 to 32.
  parameter int CtaSlots = 8,
  /// Warps of the SM, 2 to 64.
  parameter int NumWarps = 48,
  /// Bits of a warp's number, at least as many as NumWarps needs.
  parameter int WarpWidth = 8,
  /// Bits of an address.
  parameter int AddrWidth = 32,
  /// Case A goes in steps (1): each trailing warp of the CTA that gave the stride brings a prefetch
  /// for the warp at its distance in each other CTA, as Fig. 9a draws it; or not (0, assumption).
  parameter int CaseAPaced = 0,
  /// As of caps_prefetch_jobs.
  parameter int Confidence = 0,
  /// Bits of a CTA slot's number; leave it at its default.
  parameter int SlotWidth = (CtaSlots > 1) ? $clog2(CtaSlots) : 1
) (
  /// Clock, rising edge.
  input  logic                         clk_i,
  /// Synchronous reset, active low: no jobs, no prefetch.
  input  logic                         rst_ni,
  /// A kernel ends: jobs and prefetch are dropped.
  input  logic                         clear_i,
  /// Per slot: the slot's CTA ends, and its jobs and its prefetch are dropped.
  input  logic [CtaSlots-1:0]          end_i,
  /// Per warp of the SM, slot after slot: the warp is a live one of the slot's CTA.
  input  logic [CtaSlots*NumWarps-1:0] live_warps_i,

  /// One-hot or zero: the DIST entry that gets a new stride. Case A: a job for each slot but one.
  input  logic [3:0]                   case_a_entry_i,
  /// The slot whose warps gave the stride, under case_a_entry_i.
  input  logic [SlotWidth-1:0]         case_a_slot_i,
  /// The warp that gave the stride is below its leading warp, under case_a_entry_i; for CaseAPaced.
  input  logic                         case_a_below_i,
  /// One-hot or zero: the DIST entry whose load a trailing warp executes; for CaseAPaced.
  input  logic [3:0]                   pace_entry_i,
  /// Slot of the trailing warp, under pace_entry_i.
  input  logic [SlotWidth-1:0]         pace_slot_i,
  /// Distance of the trailing warp from its leading warp, signed, under pace_entry_i.
  input  logic [6:0]                   pace_distance_i,
  /// One-hot or zero: the DIST entry for whose PC a slot got bases. Case B: a job for the slot.
  input  logic [3:0]                   case_b_entry_i,
  /// The slot that got bases, under case_b_entry_i.
  input  logic [SlotWidth-1:0]         case_b_slot_i,
  /// Per DIST entry: its prefetches are throttled, and its jobs and its prefetch are dropped.
  input  logic [3:0]                   throttled_i,

  /// The job at hand looks for the PC of job_entry_o in job_slot_o.
  output logic                         look_valid_o,
  /// The look-up is taken: stride_i is read one cycle later, the answer comes two cycles later.
  input  logic                         look_grant_i,
  /// DIST entry of the job at hand, one-hot, or zero.
  output logic [3:0]                   job_entry_o,
  /// CTA slot of the job at hand.
  output logic [SlotWidth-1:0]         job_slot_o,
  /// Stride of job_entry_o, in the cycle after look_grant_i.
  input  logic [AddrWidth-1:0]         stride_i,
  /// The answer: the slot holds the PC.
  input  logic                         hit_i,
  /// Number of the PerCTA entry that holds the PC, under hit_i.
  input  logic [1:0]                   entry_i,
  /// The entry's leading warp, under hit_i.
  input  logic [WarpWidth-1:0]         lead_i,
  /// The entry's number of bases, less one, under hit_i.
  input  logic [1:0]                   bases_i,
  /// A PerCTA entry is written for another load.
  input  logic                         replace_i,
  /// Slot of the entry that is written, under replace_i.
  input  logic [SlotWidth-1:0]         replace_slot_i,
  /// Number of the entry that is written, under replace_i.
  input  logic [1:0]                   replace_entry_i,
  /// A PerCTA entry falls: it becomes invalid.
  input  logic                         fall_i,
  /// Slot of the entry that falls, under fall_i.
  input  logic [SlotWidth-1:0]         fall_slot_i,
  /// Number of the entry that falls, under fall_i.
  input  logic [1:0]                   fall_entry_i,

  /// The base of word_index_o is wanted.
  output logic                         word_valid_o,
  /// Slot, entry and number of the base that is wanted.
  output logic [SlotWidth+3:0]         word_index_o,
  /// Number of the base that may be wanted in the next cycle, of the same slot and entry.
  output logic [1:0]                   word_next_o,
  /// The base that is wanted is read in this cycle.
  input  logic                         word_grant_i,
  /// The base that is read, under word_grant_i.
  input  logic [AddrWidth-1:0]         word_data_i,

  /// A question stands: is the line of probe_addr_o in the L1 or in flight?
  output logic                         probe_valid_o,
  /// Byte address of the question, under probe_valid_o.
  output logic [AddrWidth-1:0]         probe_addr_o,
  /// The question is answered in this cycle.
  input  logic                         probe_done_i,
  /// The answer: the line is in the L1 or in flight, under probe_done_i.
  input  logic                         probe_present_i,

  /// A prefetch stands, and is taken under prefetch_ready_i; it falls when it is dropped.
  output logic                         prefetch_valid_o,
  /// The L1 takes the prefetch that stands.
  input  logic                         prefetch_ready_i,
  /// Byte address of the prefetch, under prefetch_valid_o.
  output logic [AddrWidth-1:0]         prefetch_addr_o,
  /// The warp that will demand the line, under prefetch_valid_o.
  output logic [WarpWidth-1:0]         prefetch_warp_o,
  /// CTA slot of prefetch_warp_o, under prefetch_valid_o.
  output logic [SlotWidth-1:0]         prefetch_slot_o,
  /// DIST entry of the prefetch, one-hot, under prefetch_valid_o.
  output logic [3:0]                   prefetch_entry_o,

  /// No job waits or is at hand, and no prefetch stands.
  output logic                         idle_o
`ifdef FORMAL
  `include "caps/formal/caps_prefetch_generator_ports.svh"
`endif
);

  localparam IndexWidth = $clog2(NumWarps);

  typedef enum logic [2:0] {Idle, Look, Find, Answer, Down, Walk, Drain} state_e;

  state_e                 state_q;
  logic                   void_q;         // the job is void: its entry is gone
  logic [1:0]             percta_q, bases_q, number_q;
  logic [IndexWidth-1:0]  lead_q, warp_q;
  logic [AddrWidth-1:0]   stride_q;
  logic [NumWarps-1:0]    live_q;         // live warps of the job's CTA, a cycle ago
  logic                   base_valid_q;   // S: a base has been read
  logic [AddrWidth-1:0]   base_q;
  logic [IndexWidth-1:0]  base_warp_q;
  logic                   step_q;         // warp_q is one above S's warp
  logic [AddrWidth-1:0]   offset_q;       // (S's warp - lead_q) * stride, in Down ~
  logic                   probe_q;        // a probe stands at the output
  logic [AddrWidth-1:0]   probe_addr_q;
  logic [IndexWidth-1:0]  probe_warp_q;
  logic                   valid_q;        // a prefetch stands at the output
  logic [AddrWidth-1:0]   addr_q;
  logic [IndexWidth-1:0]  prefetch_warp_q;
  logic [SlotWidth-1:0]   prefetch_slot_q;
  logic [3:0]             prefetch_entry_q;

  // The job at hand, and whether it ends early.
  logic [CtaSlots-1:0]  slot_here;
  logic [3:0]           entry;
  logic [SlotWidth-1:0] slot;
  logic [IndexWidth:0]  distance, target;  // of a job for one warp: how far from lead_q, and which
  logic                 proves;
  logic                 idle, waits, whole, gone, job_dropped, same_entry, answer_fell, dropped;
  assign idle        = state_q == Idle;
  assign slot_here   = CtaSlots'(1) << slot;
  assign same_entry  = (replace_i && replace_slot_i == slot && replace_entry_i == percta_q)
                       || (fall_i && fall_slot_i == slot && fall_entry_i == percta_q);
  assign answer_fell = fall_i && fall_slot_i == slot && fall_entry_i == entry_i;
  assign dropped     = job_dropped || void_q;

  caps_prefetch_jobs #(
    .CtaSlots(CtaSlots),
    .IndexWidth(IndexWidth),
    .CaseAPaced(CaseAPaced),
    .Confidence(Confidence)
  ) u_jobs (
    .clk_i,
    .rst_ni,
    .clear_i,
    .end_i,
    .case_a_entry_i,
    .case_a_slot_i,
    .case_a_below_i,
    .pace_entry_i,
    .pace_slot_i,
    .pace_distance_i,
    .case_b_entry_i,
    .case_b_slot_i,
    .throttled_i,
    .take_i(idle),
    .waiting_o(waits),
    .entry_o(entry),
    .slot_o(slot),
    .whole_o(whole),
    .distance_o(distance),
    .dropped_o(job_dropped),
    .gone_o(gone),
    .proves_o(proves)
`ifdef FORMAL
    `include "caps/formal/caps_prefetch_generator_u_jobs.svh"
`endif
  );

  if (CaseAPaced != 0) begin : gen_paced
    logic [IndexWidth:0] target_q;
    always_ff @(posedge clk_i) begin
      if (state_q == Answer) target_q <= {1'b0, lead_i[IndexWidth-1:0]} + distance;
    end
    assign target = target_q;
  end else begin : gen_at_once
    assign target = distance;
  end

  // The warp at hand.
  logic [NumWarps-1:0] live, from, above, here;  // from: it and those above it; here: it alone
  logic                more_below, more_above, wanted;
  always_comb begin
    live = '0;
    for (int s = 0; s < CtaSlots; s++) begin
      live |= live_warps_i[s*NumWarps +: NumWarps] & {NumWarps{slot_here[s]}};
    end
  end
  assign from       = {NumWarps{1'b1}} << warp_q;
  assign above      = from << 1;
  assign here       = from & ~above;
  assign more_below = |(live_q & ~from);
  assign more_above = |(live_q & above);
  assign wanted     = |(live_q & here) && warp_q != lead_q
                      && (whole || {1'b0, warp_q} == target);

  // A probe goes when it is answered and there is room for its prefetch. Then S goes, then F.
  logic room, probe_goes, probe_room, base_goes, base_room, fetch, step_up, step_down;
  assign room         = ~valid_q | prefetch_ready_i;
  assign probe_goes   = probe_q & probe_done_i & (probe_present_i | room);
  assign probe_room   = ~probe_q | probe_goes;
  assign base_goes    = base_valid_q & probe_room;
  assign base_room    = ~base_valid_q | probe_room;
  assign word_valid_o = state_q == Walk && wanted && base_room;
  assign word_index_o = {slot, percta_q, number_q};
  assign fetch        = word_valid_o & word_grant_i;
  assign word_next_o  = !fetch ? number_q : (number_q == bases_q) ? 2'd0 : number_q + 2'd1;
  assign step_up      = state_q == Walk && base_room && (!wanted || (fetch && number_q == bases_q));
  assign step_down    = state_q == Down && more_below;

  logic [AddrWidth-1:0] next_offset, address;
  logic                 down;
  assign down = state_q == Down;
  carry_select_adder #(
    .Width(AddrWidth)
  ) u_step (
    .a_i(offset_q),
    .b_i(stride_q),
    .sum_o(next_offset)
  );
  carry_select_adder #(
    .Width(AddrWidth)
  ) u_address (
    .a_i(base_q),
    .b_i(offset_q),
    .sum_o(address)
  );

  assign look_valid_o     = state_q == Look;
  assign job_entry_o      = entry;
  assign job_slot_o       = slot;
  assign probe_valid_o    = probe_q;
  assign probe_addr_o     = probe_addr_q;
  assign prefetch_valid_o = valid_q;
  assign prefetch_addr_o  = addr_q;
  assign prefetch_warp_o  = WarpWidth'(prefetch_warp_q);
  assign prefetch_slot_o  = prefetch_slot_q;
  assign prefetch_entry_o = prefetch_entry_q;
  assign idle_o           = state_q == Idle && !waits && !valid_q && !proves;

  logic prefetch_dropped;
  logic [CtaSlots-1:0] prefetch_slot_here;
  assign prefetch_slot_here = CtaSlots'(1) << prefetch_slot_q;
  assign prefetch_dropped = (|(end_i & prefetch_slot_here))
                            || (|(prefetch_entry_q & (throttled_i | case_a_entry_i)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q      <= Idle;
      void_q       <= 1'b0;
      base_valid_q <= 1'b0;
      probe_q      <= 1'b0;
      valid_q      <= 1'b0;
    end else begin
      if (state_q != Idle && dropped) begin
        state_q <= Idle;
      end else begin
        case (state_q)
          Idle: begin
            if (waits) state_q <= Look;
          end
          Look:    if (look_grant_i) state_q <= Find;
          Find:    state_q <= Answer;
          Answer:  state_q <= Down;
          Down:    if (!more_below) state_q <= Walk;
          Walk:    if (step_up && !more_above) state_q <= Drain;
          default: if (!base_valid_q && probe_room) state_q <= Idle;
        endcase
      end
      // A cycle later, for the clock.
      void_q       <= (state_q == Idle && gone)
                      || (state_q == Answer && (!hit_i || answer_fell))
                      || (state_q >= Down && same_entry);
      base_valid_q <= ~dropped & (fetch | (base_valid_q & ~base_goes));
      probe_q      <= ~dropped & (base_goes | (probe_q & ~probe_goes));
      valid_q      <= (probe_goes & ~probe_present_i & ~dropped)
                      | (valid_q & ~prefetch_ready_i & ~prefetch_dropped);
    end
  end

  // Data without reset.
  always_ff @(posedge clk_i) begin
    live_q <= live;
    if (state_q == Find) stride_q <= stride_i;
    if (state_q == Answer) begin
      percta_q <= entry_i;
      bases_q  <= bases_i;
      lead_q   <= lead_i[IndexWidth-1:0];
    end
    if (state_q == Answer) warp_q <= lead_i[IndexWidth-1:0];
    else if (step_up) warp_q <= warp_q + IndexWidth'(1);
    else if (step_down) warp_q <= warp_q - IndexWidth'(1);
    if (state_q == Answer) step_q <= 1'b0;
    else if (base_room) step_q <= step_up;
    if (state_q == Look) offset_q <= '1;
    else if (down && !more_below) offset_q <= ~offset_q;
    else if (step_down || (step_q && base_room)) offset_q <= next_offset;
    number_q <= (state_q == Answer) ? 2'd0 : word_next_o;
    if (fetch) begin
      base_q      <= word_data_i;
      base_warp_q <= warp_q;
    end
    if (base_goes) begin
      probe_addr_q <= address;
      probe_warp_q <= base_warp_q;
    end
    if (probe_goes && !probe_present_i) begin
      addr_q           <= probe_addr_q;
      prefetch_warp_q  <= probe_warp_q;
      prefetch_slot_q  <= slot;
      prefetch_entry_q <= entry;
    end
  end

  logic unused;
  assign unused = &{1'b0, lead_i};

`ifdef FORMAL
  `include "caps/formal/caps_prefetch_generator_wires.svh"
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CtaSlots < 1 || CtaSlots > 32) begin : gen_0 cta_slots_is_not_1_to_32 u (); end
  if (NumWarps < 2 || NumWarps > 64) begin : gen_1 num_warps_is_not_2_to_64 u (); end
  if (WarpWidth < $clog2(NumWarps)) begin : gen_2 warp_width_is_not_enough u (); end
  if (CaseAPaced != 0 && CaseAPaced != 1) begin : gen_3 case_a_paced_is_not_0_or_1 u (); end
  if (Confidence != 0 && Confidence != 1) begin : gen_4 confidence_is_not_0_or_1 u (); end
`else
  if (CtaSlots < 1 || CtaSlots > 32) $error("CtaSlots is not 1 to 32");
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (WarpWidth < $clog2(NumWarps)) $error("WarpWidth is not enough for NumWarps");
  if (CaseAPaced != 0 && CaseAPaced != 1) $error("CaseAPaced is not 0 or 1");
  if (Confidence != 0 && Confidence != 1) $error("Confidence is not 0 or 1");
`endif

endmodule
