// CAPS's prefetcher (sections V.B and V.C): watches the global loads of an SM, learns the base
// addresses of each CTA and the stride between warps, and prefetches for trailing warps.
//
// A load goes down a pipeline without stalls, one address (beat) a cycle:
//   L  the port's registers; the PC is compared with the slot's PerCTA entries and the DIST table
//   T  hit or miss: a miss fills an entry; what the load is for is decided
//   P  a base is written (case B), or read by a load that found its entry; distance of the warps
//   M, A, C, D  the stride unit; C counts a misprediction, D enters a stride (case A) or drops an
//   entry
// A load of n addresses takes n cycles, and so does the L1, one line a cycle: loads come n cycles
// apart at least. A load that is compared with more bases than it has addresses takes the extra
// cycles only while no other load comes.
module caps_prefetcher #(
  /// CTA slots of the SM, 1 to 32.
  parameter int CtaSlots = 8,
  /// Warps of the SM, 2 to 64.
  parameter int NumWarps = 48,
  /// Bits of a warp's number, at least as many as NumWarps needs.
  parameter int WarpWidth = 8,
  /// Bits of a PC.
  parameter int PcWidth = 32,
  /// Bits of a byte address, 8 to 64.
  parameter int AddrWidth = 32,
  /// A load with more mispredictions than this is prefetched no more; 0 to 254.
  parameter int Threshold = 128,
  /// The leading warp's later executions of a load rewrite its bases and prefetch from them (1), or
  /// not (0, assumption).
  parameter int RefreshBase = 0,
  /// Case A goes in steps with the warps of the CTA that gave the stride (1); off by assumption.
  parameter int CaseAPaced = 0,
  /// Right predictions count as well as wrong ones, and a new stride has to prove itself (1), or
  /// not (0, as published).
  parameter int Confidence = 0,
  /// Storage of the PerCTA table: 0 to 2: flip-flops, latches, a RAM; strides: a RAM too under 2.
  parameter int Style = 0,
  /// Bits of a CTA slot's number; leave it at its default.
  parameter int SlotWidth = (CtaSlots > 1) ? $clog2(CtaSlots) : 1
) (
  /// Clock, rising edge.
  input  logic                         clk_i,
  /// Synchronous reset, active low: tables empty, no prefetch.
  input  logic                         rst_ni,

  /// The kernel ends: all is forgotten.
  input  logic                         kernel_end_i,
  /// Per slot: the slot's CTA ends, and all of the slot is forgotten at this edge.
  input  logic [CtaSlots-1:0]          cta_end_i,
  /// Per warp of the SM, slot after slot: the warp is a live one of the slot's CTA.
  input  logic [CtaSlots*NumWarps-1:0] live_warps_i,

  /// A warp's global load comes; ignored unless it has 1 to 4 addresses and is not indirect. With n
  /// addresses, the next such load comes n cycles later at the earliest.
  input  logic                         load_valid_i,
  /// PC of the load, under load_valid_i.
  input  logic [PcWidth-1:0]           load_pc_i,
  /// CTA slot of the load, under load_valid_i.
  input  logic [SlotWidth-1:0]         load_slot_i,
  /// Warp of the load, under load_valid_i.
  input  logic [WarpWidth-1:0]         load_warp_i,
  /// The load's address depends on loaded data, under load_valid_i.
  input  logic                         load_indirect_i,
  /// Number of the load's coalesced requests, under load_valid_i.
  input  logic [5:0]                   load_count_i,
  /// Byte addresses of the lowest lanes of the load's first four requests, under load_valid_i.
  input  logic [4*AddrWidth-1:0]       load_addr_i,

  /// A question stands: is the line of probe_addr_o in the L1 or in flight?
  output logic                         probe_valid_o,
  /// Byte address of the question, under probe_valid_o.
  output logic [AddrWidth-1:0]         probe_addr_o,
  /// The question is answered in this cycle.
  input  logic                         probe_done_i,
  /// The answer: the line is in the L1 or in flight, under probe_done_i.
  input  logic                         probe_present_i,

  /// A prefetch stands, and is taken under prefetch_ready_i; it falls if its CTA or stride goes.
  output logic                         prefetch_valid_o,
  /// The L1 takes the prefetch that stands.
  input  logic                         prefetch_ready_i,
  /// Byte address of the prefetch, under prefetch_valid_o.
  output logic [AddrWidth-1:0]         prefetch_addr_o,
  /// The warp to wake when the data is there, under prefetch_valid_o.
  output logic [WarpWidth-1:0]         prefetch_warp_o,
  /// CTA slot of prefetch_warp_o, under prefetch_valid_o.
  output logic [SlotWidth-1:0]         prefetch_slot_o,
  /// PC of the load that the prefetch is for, under prefetch_valid_o.
  output logic [PcWidth-1:0]           prefetch_pc_o,

  /// Per DIST entry: its prefetches are throttled.
  output logic [3:0]                   throttled_o,
  /// No register changes without a load, cta_end_i or kernel_end_i.
  output logic                         quiescent_o
`ifdef FORMAL
  `include "caps/formal/caps_prefetcher_ports.svh"
`endif
);

  localparam CountWidth = 8;
  localparam IndexWidth = $clog2(NumWarps);  // of a warp's number, but where it is stored

  // Stage L: the registers of the port.
  logic                   l_valid_q;
  logic [1:0]             l_number_q, l_last_q;  // beat; number of addresses, less one
  logic [SlotWidth-1:0]   l_slot_q;
  logic [IndexWidth-1:0]  l_warp_q;
  logic [4*AddrWidth-1:0] l_addr_q;
  // Stage T: what the look-ups in L found.
  logic                   t_valid_q;
  logic [1:0]             t_number_q, t_last_q;
  logic [IndexWidth-1:0]  t_warp_q;
  logic [AddrWidth-1:0]   t_addr_q;
  logic [3:0]             t_dist_q;
  // Stage P: the load with its PerCTA entry.
  logic                   p_valid_q, p_write_q, p_found_q, p_read_q;
  logic [1:0]             p_number_q, p_last_q, p_bases_q, p_entry_q;
  logic [SlotWidth-1:0]   p_slot_q;
  logic                   p_place_q, p_may_train_q;
  logic [AddrWidth-1:0]   p_addr_q;
  logic [IndexWidth-1:0]  p_warp_q, p_lead_q;
  logic [3:0]             p_dist_q;

  // Ends of CTAs, seen from each stage.
  logic                   l_drop, t_drop, p_drop;

  logic                   accept;
  assign accept = load_valid_i && !load_indirect_i && load_count_i != '0 && load_count_i <= 6'd4;

  // PerCTA look-ups: of a load that comes, else what the generator asks for.
  logic                   generator_look, generator_grant, stride_free;
  logic [SlotWidth-1:0]   generator_slot, t_slot;
  logic [PcWidth-1:0]     look_pc, generator_pc, t_pc;
  logic                   t_hit, t_write;
  logic [1:0]             t_entry, t_bases;
  logic [WarpWidth-1:0]   t_lead;
  assign generator_grant = generator_look & ~accept & stride_free;

  // What the stride unit commits.
  logic                   train, invalidate, mispredict;
  logic                   predict;
  logic [3:0]             look_hit, train_entry, mispredict_entry, throttled;
  logic                   commit_place, commit_below;
  logic [SlotWidth-1:0]   commit_slot;
  logic [1:0]             commit_entry;
  logic [AddrWidth-1:0]   new_stride;

  // Stage T: what the load is for.
  logic                   t_load, t_miss, t_same_warp, t_refresh;
  assign t_load      = t_valid_q && t_number_q == '0 && !t_drop;
  assign t_miss      = t_load & ~t_hit;
  assign t_same_warp = t_warp_q == t_lead[IndexWidth-1:0];
  assign t_refresh   = t_load && t_hit && t_same_warp && RefreshBase != 0;
  assign t_write     = t_miss | t_refresh;

  logic                   t_reads;  // in P
  assign t_reads = (t_number_q == '0) ? t_load & t_hit & ~t_refresh
                   : t_valid_q & ~p_drop & p_found_q & ~p_write_q & (t_number_q <= p_bases_q);

  // Stage P: the base read or written, and what it is read for.
  logic                   word_wanted;
  logic [6:0]             p_delta;
  logic [5:0]             p_distance;
  logic                   p_train, p_check;
  logic [SlotWidth+3:0]   p_index, word_index, read_index;
  logic [1:0]             word_next;
  logic [AddrWidth-1:0]   word, word_written;
  logic [AddrWidth-1:0]   stride;
  logic [3:0]             stride_entry;
  assign p_delta     = 7'(p_warp_q) - 7'(p_lead_q);
  assign p_distance  = p_delta[6] ? ~p_delta[5:0] + 6'd1 : p_delta[5:0];
  assign p_train     = p_read_q && p_may_train_q && p_distance == 6'd1 && p_number_q <= p_last_q;
  assign p_check     = p_read_q && p_dist_q != '0 && p_warp_q != p_lead_q;
  assign p_index     = {p_slot_q, p_entry_q, p_number_q};
  // The base to read in the next cycle. A load's later beats read where its first one did.
  assign read_index  = !t_reads           ? {word_index[SlotWidth+3:2], word_next}
                       : t_number_q == '0 ? {t_slot, t_entry, 2'd0}
                       : {p_slot_q, p_entry_q, t_number_q};
  // What the generator learns of a load's first beat: an entry holds another load; case B.
  logic                   p_first_write, p_replace;
  logic [3:0]             case_b;
  assign p_first_write = p_valid_q && p_write_q && p_number_q == '0;
  assign p_replace     = p_first_write & ~p_found_q;
  assign case_b        = p_dist_q & ~throttled & {4{p_first_write}};
  // A trailing warp's first beat, for CaseAPaced.
  logic [3:0]             pace_entry;
  assign pace_entry  = p_dist_q & ~(train_entry & {4{train}})
                       & {4{p_check && p_number_q == '0 && !p_drop}};

  // PCs of loads that train, two at most, each from T until it leaves D. A load of one of
  // them does not train as well, nor if its look-up in L was in the cycle before it was free.
  logic [1:0]             places, busy, busy_q, same;
  logic                   place;
  logic [PcWidth-1:0]     pc_0_q, pc_1_q;
  assign busy  = places | ({p_place_q, ~p_place_q} & {2{p_train}});
  assign same  = {t_pc == pc_1_q, t_pc == pc_0_q};
  assign place = busy[0];

  logic                   unit_busy, generator_idle;
  logic [3:0]             job_entry, prefetch_entry;

  caps_percta_table #(
    .CtaSlots(CtaSlots),
    .PcWidth(PcWidth),
    .WarpWidth(WarpWidth),
    .AddrWidth(AddrWidth),
    .Style(Style)
  ) u_percta_table (
    .clk_i,
    .rst_ni,
    .clear_i(kernel_end_i),
    .clear_slot_i(cta_end_i),
    .look_slot_i(accept ? load_slot_i : generator_slot),
    .look_pc_i(accept ? load_pc_i : generator_pc),
    .look_pc_o(look_pc),
    .slot_o(t_slot),
    .slot_ends_o(t_drop),
    .pc_o(t_pc),
    .hit_o(t_hit),
    .entry_o(t_entry),
    .lead_o(t_lead),
    .bases_o(t_bases),
    .write_i(t_write),
    .write_lead_i(WarpWidth'(t_warp_q)),
    .write_bases_i(t_last_q),
    .invalidate_i(invalidate),
    .invalidate_slot_i(commit_slot),
    .invalidate_entry_i(commit_entry),
    .word_write_i(p_valid_q & p_write_q & (p_number_q <= p_last_q)),
    .word_write_index_i(p_index),
    .word_write_data_i(p_addr_q),
    .word_read_index_i(read_index),
    .word_written_i(word_written),
    .word_read_data_o(word)
  );

  caps_dist_table #(
    .PcWidth(PcWidth),
    .AddrWidth(AddrWidth),
    .CountWidth(CountWidth),
    .Threshold(Threshold),
    .Style((Style == 2) ? 2 : 0),  // latches, open for half a cycle, would come late
    .Confidence(Confidence)
  ) u_dist_table (
    .clk_i,
    .rst_ni,
    .clear_i(kernel_end_i),
    .look_pc_i(look_pc),
    .look_hit_o(look_hit),
    .train_i(train),
    .train_pc_i(commit_place ? pc_1_q : pc_0_q),
    .train_stride_i(new_stride),
    .train_entry_o(train_entry),
    .mispredict_i(mispredict),
    .mispredict_entry_i(mispredict_entry),
    .predict_i(predict),
    .throttled_o(throttled),
    .stride_entry_i(stride_entry),
    .stride_o(stride),
    .job_entry_i(job_entry),
    .job_pc_o(generator_pc),
    .prefetch_entry_i(prefetch_entry),
    .prefetch_pc_o
  );

  caps_stride_unit #(
    .AddrWidth(AddrWidth),
    .SlotWidth(SlotWidth)
  ) u_stride_unit (
    .clk_i,
    .rst_ni,
    .clear_i(kernel_end_i),
    .drop_i(p_drop),
    .valid_i(p_valid_q),
    .first_i(p_number_q == '0),
    .in_load_i(p_number_q <= p_last_q),
    .train_i(p_train),
    .last_i(p_number_q == p_bases_q || p_number_q == p_last_q),
    .check_i(p_check),
    .addr_i(p_addr_q),
    .addr_o(word_written),
    .base_i(word),
    .below_i(p_delta[6]),
    .distance_i(p_distance),
    .dist_i(p_dist_q),
    .pc_place_i(p_place_q),
    .slot_i(p_slot_q),
    .entry_i(p_entry_q),
    .replace_i(t_write),
    .replace_slot_i(t_slot),
    .replace_entry_i(t_entry),
    .busy_o(unit_busy),
    .stride_want_i(job_entry),
    .stride_free_o(stride_free),
    .stride_entry_o(stride_entry),
    .stride_i(stride),
    .places_o(places),
    .commit_place_o(commit_place),
    .train_o(train),
    .stride_o(new_stride),
    .commit_below_o(commit_below),
    .commit_slot_o(commit_slot),
    .invalidate_o(invalidate),
    .commit_entry_o(commit_entry),
    .train_entry_i(train_entry & {4{train}}),
    .mispredict_o(mispredict),
    .mispredict_entry_o(mispredict_entry),
    .predict_o(predict)
  );

  caps_prefetch_generator #(
    .CtaSlots(CtaSlots),
    .NumWarps(NumWarps),
    .WarpWidth(WarpWidth),
    .AddrWidth(AddrWidth),
    .CaseAPaced(CaseAPaced),
    .Confidence(Confidence)
  ) u_prefetch_generator (
    .clk_i,
    .rst_ni,
    .clear_i(kernel_end_i),
    .end_i(cta_end_i),
    .live_warps_i,
    .case_a_entry_i(train_entry & {4{train}}),
    .case_a_slot_i(commit_slot),
    .case_a_below_i(commit_below),
    .pace_entry_i(pace_entry),
    .pace_slot_i(p_slot_q),
    .pace_distance_i(p_delta),
    .case_b_entry_i(case_b),
    .case_b_slot_i(p_slot_q),
    .throttled_i(throttled),
    .look_valid_o(generator_look),
    .look_grant_i(generator_grant),
    .job_entry_o(job_entry),
    .job_slot_o(generator_slot),
    .stride_i(stride),
    .hit_i(t_hit),
    .entry_i(t_entry),
    .lead_i(t_lead),
    .bases_i(t_bases),
    .replace_i(p_replace),
    .replace_slot_i(p_slot_q),
    .replace_entry_i(p_entry_q),
    .fall_i(invalidate),
    .fall_slot_i(commit_slot),
    .fall_entry_i(commit_entry),
    .word_valid_o(word_wanted),
    .word_index_o(word_index),
    .word_next_o(word_next),
    .word_grant_i(~p_read_q),
    .word_data_i(word),
    .probe_valid_o,
    .probe_addr_o,
    .probe_done_i,
    .probe_present_i,
    .prefetch_valid_o,
    .prefetch_ready_i,
    .prefetch_addr_o,
    .prefetch_warp_o,
    .prefetch_slot_o,
    .prefetch_entry_o(prefetch_entry),
    .idle_o(generator_idle)
  );

  assign throttled_o = throttled;
  assign quiescent_o = ~(l_valid_q | t_valid_q | p_valid_q | unit_busy) & generator_idle;

  // Not cta_end_i[slot]: a slot's number may be wider than the vector needs.
  logic accept_drop;
  assign l_drop      = |(cta_end_i & (CtaSlots'(1) << l_slot_q));
  assign p_drop      = |(cta_end_i & (CtaSlots'(1) << p_slot_q));
  assign accept_drop = |(cta_end_i & (CtaSlots'(1) << load_slot_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_end_i) begin
      l_valid_q <= 1'b0;
      t_valid_q <= 1'b0;
      p_valid_q <= 1'b0;
      p_read_q  <= 1'b0;
    end else begin
      if (accept) l_valid_q <= ~accept_drop;
      else if (l_drop || l_number_q == 2'd3) l_valid_q <= 1'b0;
      t_valid_q <= l_valid_q & ~l_drop;
      // Later beats follow the first in P; the look-up in T may be the generator's by then.
      p_valid_q <= t_valid_q & ~((t_number_q == '0) ? t_drop : p_drop);
      p_read_q  <= t_reads;
    end
  end

  // Data without reset.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      l_number_q <= '0;
      l_slot_q   <= load_slot_i;
      l_warp_q   <= load_warp_i[IndexWidth-1:0];
      l_last_q   <= load_count_i[1:0] - 2'd1;
      l_addr_q   <= load_addr_i;
    end else begin
      l_number_q <= l_number_q + 2'd1;
    end

    t_number_q <= l_number_q;
    t_last_q   <= l_last_q;
    t_warp_q   <= l_warp_q;
    t_addr_q   <= l_addr_q[l_number_q*AddrWidth +: AddrWidth];
    t_dist_q   <= look_hit & ~(train_entry & {4{train}});

    p_number_q <= t_number_q;
    p_addr_q   <= t_addr_q;
    if (t_load) begin
      p_write_q    <= t_write;
      p_found_q    <= t_hit;
      p_slot_q     <= t_slot;
      p_entry_q    <= t_entry;
      p_last_q     <= t_last_q;
      p_bases_q    <= t_bases;
      p_warp_q     <= t_warp_q;
      p_lead_q     <= t_lead[IndexWidth-1:0];
      p_dist_q      <= t_dist_q & ~(train_entry & {4{train}});
      p_may_train_q <= t_dist_q == '0 && !(&busy) && (same & (busy | busy_q)) == '0;
      p_place_q     <= place;
      if (!place) pc_0_q <= t_pc;
      else if (!busy[1]) pc_1_q <= t_pc;
    end else begin
      p_dist_q <= p_dist_q & ~(train_entry & {4{train}});
    end
    busy_q <= busy;
  end

`ifdef FORMAL
  `include "caps/formal/caps_prefetcher_wires.svh"
`endif

`ifdef FLAGSTONE_ASSERTIONS
  always_ff @(posedge clk_i) begin
    if (rst_ni) loads_come_apart: assert (!(accept && l_valid_q && l_number_q < l_last_q));
  end
`endif

  logic unused;
  assign unused = &{1'b0, word_wanted, word_index[1:0], load_count_i[5:3], load_warp_i, t_lead};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CtaSlots < 1 || CtaSlots > 32) begin : gen_0 cta_slots_is_not_1_to_32 u (); end
  if (NumWarps < 2 || NumWarps > 64) begin : gen_1 num_warps_is_not_2_to_64 u (); end
  if (WarpWidth < $clog2(NumWarps)) begin : gen_2 warp_width_is_not_enough u (); end
  if (AddrWidth < 8 || AddrWidth > 64) begin : gen_3 addr_width_is_not_8_to_64 u (); end
  if (Threshold < 0 || Threshold > 254) begin : gen_4 threshold_is_not_0_to_254 u (); end
  if (RefreshBase != 0 && RefreshBase != 1) begin : gen_5 refresh_base_is_not_0_or_1 u (); end
  if (CaseAPaced != 0 && CaseAPaced != 1) begin : gen_6 case_a_paced_is_not_0_or_1 u (); end
  if (Confidence != 0 && Confidence != 1) begin : gen_7 confidence_is_not_0_or_1 u (); end
  if (Style < 0 || Style > 2) begin : gen_8 style_is_not_0_to_2 u (); end
`else
  if (CtaSlots < 1 || CtaSlots > 32) $error("CtaSlots is not 1 to 32");
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (WarpWidth < $clog2(NumWarps)) $error("WarpWidth is not enough for NumWarps");
  if (AddrWidth < 8 || AddrWidth > 64) $error("AddrWidth is not 8 to 64");
  if (Threshold < 0 || Threshold > 254) $error("Threshold is not 0 to 254");
  if (RefreshBase != 0 && RefreshBase != 1) $error("RefreshBase is not 0 or 1");
  if (CaseAPaced != 0 && CaseAPaced != 1) $error("CaseAPaced is not 0 or 1");
  if (Confidence != 0 && Confidence != 1) $error("Confidence is not 0 or 1");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
