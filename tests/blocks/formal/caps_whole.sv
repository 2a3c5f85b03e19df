// CAPS's whole prefetcher, 2 slots of 4 warps: in a kernel whose loads have strides and one address, each prefetch is
// for a line that its warp's own load will want, whatever is ended, recycled, indirect or held up.
// Nothing is prefetched for a load that is indirect, nor for a CTA that has loaded nothing; what
// stands at the output stays until it is taken or must fall; idle means that nothing comes.
//
// Stride, which load is indirect and the live warps are arbitrary, chosen at reset; a CTA's base is
// arbitrary, and another one in each CTA that gets the slot.
module caps_whole #(
  parameter Cover = 0  // instead of the claims: no prefetch; one is to be reached
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       kernel_end_i,
  input logic [1:0] cta_end_i,
  input logic [7:0] live_i,
  input logic [7:0] stride_i,
  input logic [7:0] base_0_i,
  input logic [7:0] base_1_i,
  input logic       indirect_pc_i,
  input logic       load_valid_i,
  input logic       load_pc_i,
  input logic       load_slot_i,
  input logic [1:0] load_warp_i,
  input logic [7:0] other_addr_i,
  input logic       probe_done_i,
  input logic       probe_present_i,
  input logic       prefetch_ready_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);
  always_comb assume (!started_q || rst_ni);

  logic [7:0] stride_q, base_0_q, base_1_q;
  logic [7:0] live_q;
  logic       indirect_pc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stride_q      <= stride_i & 8'hc0;
      live_q        <= live_i;
      indirect_pc_q <= indirect_pc_i;
    end
    if (!rst_ni || cta_end_i[0]) base_0_q <= base_0_i & 8'hc0;
    if (!rst_ni || cta_end_i[1]) base_1_q <= base_1_i & 8'hc0;
  end

  // The address of a warp's load.
  function automatic [7:0] address_of;
    input [7:0] base;
    input [1:0] warp;
    input       pc;
    address_of = base + 8'(warp) * stride_q + {2'b0, pc, 5'b0};
  endfunction

  logic       indirect, counts;
  logic [7:0] base, first;
  assign indirect = load_pc_i == indirect_pc_q;
  assign base     = load_slot_i ? base_1_q : base_0_q;
  assign first    = indirect ? other_addr_i : address_of(base, load_warp_i, load_pc_i);
  assign counts   = load_valid_i && !indirect;

  logic       probe, prefetch, quiescent, slot, pc, train;
  logic [7:0] probe_addr, addr;
  logic [5:0] warp;
  logic [3:0] throttled;
  caps_prefetcher #(
    .CtaSlots(2),
    .NumWarps(4),
    .WarpWidth(6),
    .PcWidth(1),
    .AddrWidth(8),
    .Threshold(1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kernel_end_i,
    .cta_end_i,
    .live_warps_i(live_q),
    .load_valid_i,
    .load_pc_i,
    .load_slot_i,
    .load_warp_i({4'b0, load_warp_i}),
    .load_indirect_i(indirect),
    .load_count_i(6'd1),
    .load_addr_i({24'b0, first}),
    .probe_valid_o(probe),
    .probe_addr_o(probe_addr),
    .probe_done_i,
    .probe_present_i,
    .prefetch_valid_o(prefetch),
    .prefetch_ready_i,
    .prefetch_addr_o(addr),
    .prefetch_warp_o(warp),
    .prefetch_slot_o(slot),
    .prefetch_pc_o(pc),
    .throttled_o(throttled),
    .quiescent_o(quiescent),
    .formal_train_o(train)
  );

  // Since its CTA began, a slot has loaded.
  logic [1:0] loaded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_end_i) loaded_q <= '0;
    else loaded_q <= (loaded_q | ({1'b0, counts} << load_slot_i)) & ~cta_end_i;
  end

  // The cycle before.
  logic       held_q, idle_q, slot_q, pc_q;
  logic [7:0] addr_q, want;
  logic [5:0] warp_q;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && prefetch && !prefetch_ready_i && !kernel_end_i && !cta_end_i[slot] && !train;
    idle_q <= rst_ni && quiescent && !counts && !kernel_end_i && cta_end_i == '0;
    slot_q <= slot;
    pc_q   <= pc;
    addr_q <= addr;
    warp_q <= warp;
  end
  assign want = address_of(slot ? base_1_q : base_0_q, warp[1:0], pc);

  if (Cover == 0) begin : gen_claims
    always_comb begin
      if (started_q && prefetch) begin
        its_warps_load_will_want_it: assert (addr == want);
        its_warp_lives: assert (warp[5:2] == '0 && (live_q[{slot, warp[1:0]}]));
        its_cta_has_loaded: assert (loaded_q[slot]);
        its_load_is_not_indirect: assert (pc != indirect_pc_q);
        not_while_idle: assert (!quiescent);
      end
      if (started_q && held_q) begin
        a_prefetch_stays: assert (prefetch && addr == addr_q && warp == warp_q && slot == slot_q
                                  && pc == pc_q);
      end
      if (started_q && idle_q) begin
        idle_stays_idle: assert (quiescent && !prefetch && !probe);
      end
      if (started_q) strides_are_right: assert (throttled == '0);
    end
  end else begin : gen_cover
    always_comb if (started_q) no_prefetch: assert (!prefetch);
  end

  logic unused;
  assign unused = &{1'b0, probe_addr};

endmodule
