// CAPS's prefetch generator, 2 slots of 4 warps: a prefetched address is base + distance * stride;
// a job fetches each base of each live trailing warp once, whatever the L1 does; what is fetched is
// prefetched or found present; nothing for a CTA that has ended, nothing with a throttled stride;
// idle means that nothing comes without a new case.
//
// Stride, bases, leading warp and live warps are arbitrary, chosen at reset.
module caps_generator (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic [1:0] end_i,
  input logic [7:0] live_i,
  input logic [3:0] case_a_entry_i,
  input logic       case_a_slot_i,
  input logic [3:0] case_b_entry_i,
  input logic       case_b_slot_i,
  input logic [3:0] throttled_i,
  input logic       look_grant_i,
  input logic [4:0] stride_i,
  input logic       hit_i,
  input logic [1:0] entry_i,
  input logic [1:0] lead_i,
  input logic [1:0] bases_i,
  input logic       replace_i,
  input logic       replace_slot_i,
  input logic [1:0] replace_entry_i,
  input logic       fall_i,
  input logic       fall_slot_i,
  input logic [1:0] fall_entry_i,
  input logic       word_grant_i,
  input logic [4:0] word_data_i,
  input logic       probe_done_i,
  input logic       probe_present_i,
  input logic       prefetch_ready_i
);

  localparam [2:0] Idle = 3'd0, Look = 3'd1, Find = 3'd2, Answer = 3'd3, Down = 3'd4, Walk = 3'd5,
                   Drain = 3'd6;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [4:0] stride_q;
  logic [7:0] live_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stride_q <= stride_i;
      live_q   <= live_i;
    end
  end

  logic       look, word, probe, prefetch, idle, slot, prefetch_slot;
  logic [3:0] job_entry, prefetch_entry;
  logic [4:0] word_index, probe_addr, prefetch_addr, offset;
  logic [1:0] prefetch_warp, lead, warp, base_warp, probe_warp;
  logic       dropped, base_valid, step;
  logic [4:0] stride;
  logic [3:0] live;
  logic [7:0] waiting;
  logic [2:0] state;
  logic [1:0] bases;

  caps_prefetch_generator #(
    .CtaSlots(2),
    .NumWarps(4),
    .WarpWidth(2),
    .AddrWidth(5)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .end_i,
    .live_warps_i(live_q),
    .case_a_entry_i,
    .case_a_slot_i,
    .case_a_below_i(1'b0),
    .pace_entry_i('0),
    .pace_slot_i('0),
    .pace_distance_i('0),
    .case_b_entry_i,
    .case_b_slot_i,
    .throttled_i,
    .look_valid_o(look),
    .look_grant_i,
    .job_entry_o(job_entry),
    .job_slot_o(slot),
    .stride_i(stride_q),
    .hit_i,
    .entry_i,
    .lead_i,
    .bases_i,
    .replace_i,
    .replace_slot_i,
    .replace_entry_i,
    .fall_i,
    .fall_slot_i,
    .fall_entry_i,
    .word_valid_o(word),
    .word_index_o(word_index),
    .word_grant_i,
    .word_data_i,
    .probe_valid_o(probe),
    .probe_addr_o(probe_addr),
    .probe_done_i,
    .probe_present_i,
    .prefetch_valid_o(prefetch),
    .prefetch_ready_i,
    .prefetch_addr_o(prefetch_addr),
    .prefetch_warp_o(prefetch_warp),
    .prefetch_slot_o(prefetch_slot),
    .prefetch_entry_o(prefetch_entry),
    .idle_o(idle),
    .formal_waiting_o(waiting),
    .formal_state_o(state),
    .formal_lead_o(lead),
    .formal_warp_o(warp),
    .formal_stride_o(stride),
    .formal_live_o(live),
    .formal_dropped_o(dropped),
    .formal_base_valid_o(base_valid),
    .formal_base_warp_o(base_warp),
    .formal_step_o(step),
    .formal_offset_o(offset),
    .formal_bases_o(bases),
    .formal_probe_warp_o(probe_warp)
  );

  // distance * stride, modulo 2^5.
  function automatic [4:0] times;
    input [1:0] warp_i, lead_warp_i;
    input [4:0] by_i;
    times = (5'(warp_i) - 5'(lead_warp_i)) * by_i;
  endfunction

  // What S, the probe and the prefetch were made of; what the job has fetched of each warp.
  logic       fetch, goes, base_goes, emitted, gone;
  logic [4:0] base_q, probe_base_q, sent_base_q;
  logic [1:0] sent_lead_q, sent_warp_q, number_q;
  logic [3:0] fetched_q, trailing, below, here;
  logic [1:0] bases_q, ended_q;
  assign fetch   = word & word_grant_i;
  assign goes    = probe & probe_done_i & (probe_present_i | ~prefetch | prefetch_ready_i);
  assign base_goes = base_valid & (~probe | goes);
  // What ends the job at hand: nothing else does.
  logic       replaced_q;
  assign gone    = clear_i | dropped;
  always_comb begin
    if (rst_ni && started_q && state >= Find) begin
      assert (dropped == ((slot ? end_i[1] : end_i[0])
                          || (job_entry & (throttled_i | case_a_entry_i)) != 4'd0
                          || ((job_entry & case_b_entry_i) != 4'd0 && case_b_slot_i == slot)
                          || replaced_q));
    end
  end
  always_ff @(posedge clk_i) begin
    replaced_q <= rst_ni && !clear_i
                  && ((state == Answer && !hit_i)
                      || (fall_i && fall_slot_i == slot
                          && ((state == Answer && fall_entry_i == entry_i)
                              || (state >= Down && fall_entry_i == word_index[3:2])))
                      || (replace_i && replace_slot_i == slot && state >= Down
                          && replace_entry_i == word_index[3:2]));
  end
  assign emitted = goes & ~probe_present_i & ~gone;
  assign trailing = (slot ? live_q[7:4] : live_q[3:0]) & ~(4'd1 << lead);
  assign here     = 4'd1 << warp;
  assign below    = here - 4'd1;

  logic       emitted_q, held_q, withdrawn_q, idle_q, case_q, fetch_q, base_goes_q, probe_held_q;
  logic [4:0] held_addr_q;
  always_ff @(posedge clk_i) begin
    if (fetch) base_q <= word_data_i;
    if (base_goes) probe_base_q <= base_q;
    if (emitted) begin
      sent_base_q <= probe_base_q;
      sent_lead_q <= lead;
      sent_warp_q <= probe_warp;
    end
    if (state == Answer) begin
      fetched_q <= 4'd0;
      bases_q   <= bases_i;
      number_q  <= 2'd0;
    end else if (fetch) begin
      number_q <= (number_q == bases_q) ? 2'd0 : number_q + 2'd1;
      if (number_q == bases_q) fetched_q <= fetched_q | here;
    end
    emitted_q   <= emitted & rst_ni;
    fetch_q     <= fetch & ~gone & rst_ni;
    base_goes_q  <= base_goes & ~gone & rst_ni;
    probe_held_q <= ((probe & ~goes) | (base_valid & ~base_goes)) & ~gone & rst_ni;
    held_q      <= prefetch & ~prefetch_ready_i & ~clear_i & rst_ni
                   & ~(prefetch_slot ? end_i[1] : end_i[0])
                   & ((prefetch_entry & (throttled_i | case_a_entry_i)) == 4'd0);
    withdrawn_q <= prefetch & ~prefetch_ready_i & ((prefetch_entry & throttled_i) != 4'd0) & ~emitted;
    held_addr_q <= prefetch_addr;
    idle_q      <= idle & rst_ni;
    case_q      <= case_a_entry_i != 4'd0 || case_b_entry_i != 4'd0;
    // Ended, and no case since.
    for (int s = 0; s < 2; s++) begin
      if (rst_ni && end_i[s]) ended_q[s] <= 1'b1;
      else if (!rst_ni || case_a_entry_i != 4'd0
               || (case_b_entry_i != 4'd0 && case_b_slot_i == 1'(s))) ended_q[s] <= 1'b0;
    end
  end

  always_comb begin
    if (rst_ni && started_q) begin
      assert (state <= Drain);
      if (state >= Answer) assert (stride == stride_q && live == (slot ? live_q[7:4] : live_q[3:0]));
      // The claim: the address.
      if (state == Down) assert (~offset == times(warp, lead, stride_q) && !step);
      if (state == Walk) assert (offset + (step ? stride_q : 5'd0) == times(warp, lead, stride_q));
      if (base_valid) begin
        assert (state == Walk || state == Drain);
        assert (offset == times(base_warp, lead, stride_q));
        assert (state == Drain || (3'(warp) == 3'(base_warp) + 3'(step)));
        assert (step || number_q != 2'd0);
      end
      if (probe) begin
        assert (state == Walk || state == Drain);
        assert (probe_addr == probe_base_q + times(probe_warp, lead, stride_q));
      end
      if (prefetch) begin
        assert (prefetch_addr == sent_base_q + times(sent_warp_q, sent_lead_q, stride_q));
        assert (prefetch_warp == sent_warp_q);
      end
      // Each live trailing warp once: those below are done, those from here on are not.
      if (state >= Down) assert (bases == bases_q && number_q <= bases_q);
      if (state == Down) assert (fetched_q == 4'd0 && number_q == 2'd0 && word_index[1:0] == 2'd0);
      if (state == Walk) begin
        assert (fetched_q == (trailing & below));
        assert (number_q == word_index[1:0] && (number_q == 2'd0 || (trailing & here) != 4'd0));
      end
      if (state == Drain) assert (fetched_q == trailing);
      if (state == Drain) assert (number_q == 2'd0);
      // Nothing is lost: a fetch goes to S and to the probe, an absent line gives a prefetch.
      assert (!fetch_q || base_valid);
      assert (!base_goes_q || probe);
      assert (!probe_held_q || probe);
      assert (!emitted_q || prefetch);
      assert (!held_q || (prefetch && (emitted_q || prefetch_addr == held_addr_q)));
      assert (!(held_q && emitted_q));
      assert (!withdrawn_q || !prefetch);
      // Nothing comes from nowhere.
      assert (!prefetch || emitted_q || held_q);
      // Nothing for an ended CTA.
      assert (!prefetch || !(prefetch_slot ? ended_q[1] : ended_q[0]));
      assert (!(probe || base_valid || (state >= Look && !dropped)) || !(slot ? ended_q[1] : ended_q[0]));
      for (int d = 0; d < 4; d++) begin
        assert (!(waiting[2*d] && ended_q[0]) && !(waiting[2*d+1] && ended_q[1]));
      end
      // Idle means idle.
      assert (!(idle_q && !case_q) || (idle && !prefetch && !probe && !base_valid));
      assert (!idle || (waiting == 8'd0 && state == Idle));
    end
    // The tables around it: one case at a time of each kind, none with a throttled stride.
    assume ((case_a_entry_i & (case_a_entry_i - 4'd1)) == 4'd0);
    assume ((case_b_entry_i & (case_b_entry_i - 4'd1)) == 4'd0);
    assume ((case_b_entry_i & throttled_i) == 4'd0);
  end

endmodule
