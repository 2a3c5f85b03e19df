// The jobs of CAPS's prefetch generator (section V.C): which CTA slots wait for prefetches with the
// stride of which DIST entry, and the one at hand. Case A, a new stride, gives a job for each slot
// but that of the warps it comes from; case B, new bases, gives one for their slot.
//
// What waits is a bit for each DIST entry and CTA slot, so that nothing overflows: lowest entry
// first, then lowest slot (assumption). A job goes when its CTA ends, its entry gets a new stride
// or is throttled, or it comes again.
module caps_prefetch_jobs #(
  /// CTA slots of the SM, 1 to 32.
  parameter int CtaSlots = 8,
  /// Bits of the number of a warp of the SM, 1 to 6.
  parameter int IndexWidth = 6,
  /// Case A goes in steps (1): each trailing warp of the CTA that gave the stride brings a prefetch
  /// for the warp at its distance in each other CTA, as Fig. 9a draws it; or not (0, assumption).
  parameter int CaseAPaced = 0,
  /// A DIST entry that is throttled no more gives a job for each slot (1), or none (0).
  parameter int Confidence = 0,
  /// Bits of a CTA slot's number; leave it at its default.
  parameter int SlotWidth = (CtaSlots > 1) ? $clog2(CtaSlots) : 1
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no job waits.
  input  logic                  rst_ni,
  /// A kernel ends: all jobs are dropped.
  input  logic                  clear_i,
  /// Per slot: the slot's CTA ends, and its jobs are dropped.
  input  logic [CtaSlots-1:0]   end_i,

  /// One-hot or zero: the DIST entry that gets a new stride.
  input  logic [3:0]            case_a_entry_i,
  /// The slot whose warps gave the stride, under case_a_entry_i.
  input  logic [SlotWidth-1:0]  case_a_slot_i,
  /// The warp that gave the stride is below its leading warp, under case_a_entry_i; for CaseAPaced.
  input  logic                  case_a_below_i,
  /// One-hot or zero: the DIST entry whose load a trailing warp executes; for CaseAPaced.
  input  logic [3:0]            pace_entry_i,
  /// Slot of the trailing warp, under pace_entry_i.
  input  logic [SlotWidth-1:0]  pace_slot_i,
  /// Distance of the trailing warp from its leading warp, signed, under pace_entry_i.
  input  logic [6:0]            pace_distance_i,
  /// One-hot or zero: the DIST entry for whose PC a slot got bases.
  input  logic [3:0]            case_b_entry_i,
  /// The slot that got bases, under case_b_entry_i.
  input  logic [SlotWidth-1:0]  case_b_slot_i,
  /// Per DIST entry: its prefetches are throttled, and its jobs are dropped.
  input  logic [3:0]            throttled_i,

  /// No job is at hand: the next one is taken, if any waits.
  input  logic                  take_i,
  /// A job waits.
  output logic                  waiting_o,
  /// DIST entry of the job at hand, one-hot, or zero.
  output logic [3:0]            entry_o,
  /// CTA slot of the job at hand.
  output logic [SlotWidth-1:0]  slot_o,
  /// The job at hand is for all warps of the CTA, not for that at distance_o from the leading one.
  output logic                  whole_o,
  /// Distance that the job's DIST entry has come to, signed.
  output logic [IndexWidth:0]   distance_o,
  /// The job at hand is to end, by what happens in this cycle.
  output logic                  dropped_o,
  /// The job taken in this cycle, under take_i, is to end.
  output logic                  gone_o,
  /// What is throttled has changed in this cycle; for Confidence.
  output logic                  proves_o
`ifdef FORMAL
  `include "caps/formal/caps_prefetch_jobs_ports.svh"
`endif
);

  logic [4*CtaSlots-1:0] waiting_q;  // DIST entry d, slot s = bit d * CtaSlots + s
  logic [3:0]            entry_q;
  logic [SlotWidth-1:0]  slot_q;

  // Slots one-hot.
  logic [CtaSlots-1:0] slot_here, case_a_others, case_b_slot, pace_others;
  assign slot_here     = CtaSlots'(1) << slot_q;
  assign case_a_others = ~(CtaSlots'(1) << case_a_slot_i);
  assign case_b_slot   = CtaSlots'(1) << case_b_slot_i;
  assign pace_others   = ~(CtaSlots'(1) << pace_slot_i);

  // The next job.
  logic [3:0]           has, pick;
  logic [CtaSlots-1:0]  row, pick_slot;
  logic [SlotWidth-1:0] pick_index;
  for (genvar d = 0; d < 4; d++) begin : gen_has
    assign has[d] = |waiting_q[d*CtaSlots +: CtaSlots];
  end
  assign pick = has & (~has + 4'd1);
  always_comb begin
    row = '0;
    for (int d = 0; d < 4; d++) row |= waiting_q[d*CtaSlots +: CtaSlots] & {CtaSlots{pick[d]}};
  end
  assign pick_slot = row & (~row + CtaSlots'(1));
  always_comb begin
    pick_index = '0;
    for (int s = 0; s < CtaSlots; s++) pick_index |= SlotWidth'(s) & {SlotWidth{pick_slot[s]}};
  end
  assign gone_o = (|(end_i & pick_slot)) || (|(pick & (throttled_i | case_a_entry_i)))
                  || ((|(pick & case_b_entry_i)) && (|(case_b_slot & pick_slot)));

  assign waiting_o = |has;
  assign entry_o   = entry_q;
  assign slot_o    = slot_q;
  assign dropped_o = (|(end_i & slot_here)) || (|(entry_q & (throttled_i | case_a_entry_i)))
                     || (|(entry_q & case_b_entry_i) && case_b_slot_i == slot_q);

  // Entries that have been throttled until now.
  logic [3:0] proven;
  if (Confidence != 0) begin : gen_confidence
    logic [3:0] throttled_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) throttled_q <= '0;
      else throttled_q <= throttled_i;
    end
    assign proven   = throttled_q & ~throttled_i;
    assign proves_o = throttled_q != throttled_i;
  end else begin : gen_no_confidence
    assign proven   = '0;
    assign proves_o = 1'b0;
  end

  // Jobs come and go.
  logic [3:0] pace;  // one-hot or zero: a waiting job of each other slot, for one distance
  for (genvar d = 0; d < 4; d++) begin : gen_waiting
    logic [CtaSlots-1:0] taken, next;
    assign taken = pick_slot & {CtaSlots{pick[d] & take_i}};
    assign next  = case_a_entry_i[d] ? case_a_others
                   : throttled_i[d]  ? '0
                   : proven[d]       ? '1
                   : (waiting_q[d*CtaSlots +: CtaSlots] & ~taken)
                     | (case_b_slot & {CtaSlots{case_b_entry_i[d]}})
                     | (pace_others & {CtaSlots{pace[d]}});
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) waiting_q[d*CtaSlots +: CtaSlots] <= '0;
      else waiting_q[d*CtaSlots +: CtaSlots] <= next & ~end_i;
    end
  end

  // Data without reset.
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      entry_q <= pick;
      slot_q  <= pick_index;
    end
  end

  // CaseAPaced: which waiting jobs are for whole CTAs (case B); for each DIST entry the distance
  // that the others are for, and whose warps set it; whether the job at hand is for a whole CTA.
  if (CaseAPaced != 0) begin : gen_paced
    // DIST entry d = bits [d*width +: width].
    logic [4*CtaSlots-1:0]       whole_q;
    logic [4*SlotWidth-1:0]      lead_slot_q;
    logic [4*(IndexWidth+1)-1:0] distance_q;
    logic [3:0]                  leads_q;
    logic                        job_whole_q, pick_whole;
    always_comb begin
      pick_whole = 1'b0;
      distance_o = '0;
      for (int d = 0; d < 4; d++) begin
        pick_whole |= |(whole_q[d*CtaSlots +: CtaSlots] & pick_slot & {CtaSlots{pick[d]}});
        distance_o |= distance_q[d*(IndexWidth+1) +: IndexWidth+1] & {(IndexWidth+1){entry_q[d]}};
      end
    end
    for (genvar d = 0; d < 4; d++) begin : gen_entry
      logic [CtaSlots-1:0]  lead_here, taken;
      logic [SlotWidth-1:0] lead_slot;
      assign lead_slot = lead_slot_q[d*SlotWidth +: SlotWidth];
      for (genvar s = 0; s < CtaSlots; s++) begin : gen_lead_here
        assign lead_here[s] = lead_slot == SlotWidth'(s);
      end
      assign pace[d] = pace_entry_i[d] && leads_q[d] && lead_slot == pace_slot_i;
      assign taken   = pick_slot & {CtaSlots{pick[d] & take_i}};
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) begin
          whole_q[d*CtaSlots +: CtaSlots] <= '0;
          leads_q[d]                      <= 1'b0;
        end else begin
          whole_q[d*CtaSlots +: CtaSlots] <= ((whole_q[d*CtaSlots +: CtaSlots] & ~taken)
                                              | (case_b_slot & {CtaSlots{case_b_entry_i[d]}}))
                                             & ~end_i & ~{CtaSlots{case_a_entry_i[d]}};
          leads_q[d] <= case_a_entry_i[d] | (leads_q[d] & ~(|(end_i & lead_here)));
        end
      end
      always_ff @(posedge clk_i) begin
        if (case_a_entry_i[d]) begin
          lead_slot_q[d*SlotWidth +: SlotWidth]        <= case_a_slot_i;
          distance_q[d*(IndexWidth+1) +: IndexWidth+1] <= {{IndexWidth{case_a_below_i}}, 1'b1};
        end else if (pace[d]) begin
          distance_q[d*(IndexWidth+1) +: IndexWidth+1] <= pace_distance_i[IndexWidth:0];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (take_i) job_whole_q <= pick_whole;
    end
    assign whole_o = job_whole_q;

    logic unused_distance;
    assign unused_distance = &{1'b0, pace_distance_i};
  end else begin : gen_at_once
    logic unused_pace;
    assign unused_pace = &{1'b0, case_a_below_i, pace_entry_i, pace_distance_i};
    assign pace        = '0;
    assign whole_o     = 1'b1;
    assign distance_o  = '0;
  end

`ifdef FORMAL
  `include "caps/formal/caps_prefetch_jobs_wires.svh"
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CtaSlots < 1 || CtaSlots > 32) begin : gen_0 cta_slots_is_not_1_to_32 u (); end
  if (IndexWidth < 1 || IndexWidth > 6) begin : gen_1 index_width_is_not_1_to_6 u (); end
  if (CaseAPaced != 0 && CaseAPaced != 1) begin : gen_2 case_a_paced_is_not_0_or_1 u (); end
  if (Confidence != 0 && Confidence != 1) begin : gen_3 confidence_is_not_0_or_1 u (); end
`else
  if (CtaSlots < 1 || CtaSlots > 32) $error("CtaSlots is not 1 to 32");
  if (IndexWidth < 1 || IndexWidth > 6) $error("IndexWidth is not 1 to 6");
  if (CaseAPaced != 0 && CaseAPaced != 1) $error("CaseAPaced is not 0 or 1");
  if (Confidence != 0 && Confidence != 1) $error("Confidence is not 0 or 1");
`endif

endmodule
