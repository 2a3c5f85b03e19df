// CAPS's prefetch-aware warp scheduler (PAS, section V.A): which warp issues in the next cycle.
//
// Policy 0 is two-level (caps_two_level_policy): PAS takes leading warps first, both of its ready
// and of its pending ones. Policies 1 (loose round-robin, caps_turns_policy) and 2 (greedy, then
// oldest, caps_greedy_policy) choose among all eligible warps, leading ones first; these policies
// need no wake-up. With policy 3 all three watch the warps, and the one that lets most instructions
// issue is in charge (caps_order_duel); this is not CAPS's.
//
// The grant is a register: made from one cycle's levels, it acts in the next one.
module caps_warp_scheduler #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// The policy, 0 to 3: two-level, loose round-robin, greedy then oldest, the best of these.
  parameter int Policy = 0,
  /// Leading warps come first (1, PAS), or the policy alone decides (0).
  parameter int LeadingFirst = 1,
  /// Places for ready warps of the two-level policy, 2 to 16.
  parameter int ReadyWarps = 8,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no warp.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: its next instruction waits for data from memory.
  input  logic [NumWarps-1:0]  stalled_i,
  /// Per warp: the warp waits at a barrier.
  input  logic [NumWarps-1:0]  barrier_i,
  /// Per warp: the warp is the lowest of its CTA, and the CTA's base addresses are not known yet.
  input  logic [NumWarps-1:0]  leading_i,
  /// Per warp: the warp begins; of several in a cycle the lowest is the oldest.
  input  logic [NumWarps-1:0]  started_i,
  /// Per warp: the warp has exited; this counts before started_i.
  input  logic [NumWarps-1:0]  finished_i,
  /// The granted warp has issued.
  input  logic                 issued_valid_i,
  /// The warp that has issued, under issued_valid_i.
  input  logic [WarpWidth-1:0] issued_warp_i,
  /// Prefetched data of a warp has come.
  input  logic                 wake_valid_i,
  /// The warp whose data has come, under wake_valid_i.
  input  logic [WarpWidth-1:0] wake_warp_i,
  /// An epoch ends: policy 3 compares. For it, these come at equal distances.
  input  logic                 epoch_i,

  /// A warp is granted.
  output logic                 grant_valid_o,
  /// The warp that is granted, under grant_valid_o.
  output logic [WarpWidth-1:0] grant_warp_o,
  /// With the same levels and without a pulse, the next cycle changes nothing.
  output logic                 quiescent_o
`ifdef FORMAL
  `include "caps/formal/caps_warp_scheduler_ports.svh"
`endif
);

  // What each policy says; one that is not in charge, or not there, grants nobody. `changes`: a
  // register besides the grant.
  logic                 two_level_grants, turns_grants, greedy_grants;
  logic                 two_level_changes, turns_changes, greedy_changes, charge_changes;
  logic [WarpWidth-1:0] two_level_warp, turns_warp, greedy_warp;
  logic [2:0]           in_charge;  // one-hot: the policy whose grant counts
  logic                 grant_valid_q, quiescent_q;
  logic [WarpWidth-1:0] grant_warp_q;

  // No warp leads where the policy alone decides.
  logic [NumWarps-1:0] leading;
  assign leading = (LeadingFirst != 0) ? leading_i : '0;

  if (Policy == 0 || Policy == 3) begin : gen_two_level
    caps_two_level_policy #(
      .NumWarps(NumWarps),
      .ReadyWarps(ReadyWarps)
    ) u_two_level (
      .clk_i,
      .rst_ni,
      .eligible_i,
      .stalled_i,
      .barrier_i,
      .leading_i(leading),
      .finished_i,
      .wake_valid_i,
      .wake_warp_i,
      .in_charge_i(in_charge[0]),
      .grants_o(two_level_grants),
      .warp_o(two_level_warp),
      .changes_o(two_level_changes)
`ifdef FORMAL
      `include "caps/formal/caps_warp_scheduler_u_two_level.svh"
`endif
    );
  end else begin : gen_no_two_level
    logic unused;
    assign unused = &{1'b0, stalled_i, barrier_i, wake_valid_i, wake_warp_i};
    assign two_level_grants = 1'b0;
    assign two_level_changes = 1'b0;
    assign two_level_warp = '0;
  end

  if (Policy == 1 || Policy == 3) begin : gen_round_robin
    caps_turns_policy #(
      .NumWarps(NumWarps)
    ) u_turns (
      .clk_i,
      .rst_ni,
      .eligible_i,
      .leading_i(leading),
      .issued_valid_i,
      .issued_warp_i,
      .in_charge_i(in_charge[1]),
      .grants_o(turns_grants),
      .warp_o(turns_warp),
      .changes_o(turns_changes)
    );
  end else begin : gen_no_round_robin
    assign turns_grants = 1'b0;
    assign turns_changes = 1'b0;
    assign turns_warp = '0;
  end

  if (Policy == 2 || Policy == 3) begin : gen_greedy
    caps_greedy_policy #(
      .NumWarps(NumWarps),
      .GroupSize((Policy == 3) ? 2 : 1)
    ) u_greedy (
      .clk_i,
      .rst_ni,
      .eligible_i,
      .leading_i(leading),
      .started_i,
      .finished_i,
      .issued_valid_i,
      .issued_warp_i,
      .in_charge_i(in_charge[2]),
      .grants_o(greedy_grants),
      .warp_o(greedy_warp),
      .changes_o(greedy_changes)
    );
  end else begin : gen_no_greedy
    assign greedy_grants = 1'b0;
    assign greedy_changes = 1'b0;
    assign greedy_warp = '0;
  end

  if (Policy == 3) begin : gen_duel
    caps_order_duel #(
      .NumWarps(NumWarps)
    ) u_duel (
      .clk_i,
      .rst_ni,
      .started_i,
      .finished_i,
      .issued_i(issued_valid_i),
      .epoch_i,
      .order_o(in_charge),
      .changes_o(charge_changes)
    );
  end else begin : gen_one_policy
    logic unused;
    assign unused = &{1'b0, started_i, finished_i, issued_valid_i, issued_warp_i, epoch_i,
                      in_charge};
    assign in_charge      = 3'd1 << Policy;
    assign charge_changes = 1'b0;
  end

  assign grant_valid_o = grant_valid_q;
  assign grant_warp_o  = grant_warp_q;
  assign quiescent_o   = quiescent_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_valid_q <= 1'b0;
      quiescent_q   <= 1'b1;
    end else begin
      grant_valid_q <= two_level_grants | turns_grants | greedy_grants;
      quiescent_q   <= ~(two_level_changes | turns_changes | greedy_changes | charge_changes);
    end
  end
  always_ff @(posedge clk_i) begin
    grant_warp_q <= two_level_warp | turns_warp | greedy_warp;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
  if (Policy < 0 || Policy > 3) begin : gen_1 policy_is_not_0_to_3 u (); end
  if (LeadingFirst != 0 && LeadingFirst != 1) begin : gen_2 leading_first_is_not_0_or_1 u (); end
  if (ReadyWarps < 2 || ReadyWarps > 16) begin : gen_3 ready_warps_is_not_2_to_16 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (Policy < 0 || Policy > 3) $error("Policy is not 0 to 3");
  if (LeadingFirst != 0 && LeadingFirst != 1) $error("LeadingFirst is not 0 or 1");
  if (ReadyWarps < 2 || ReadyWarps > 16) $error("ReadyWarps is not 2 to 16");
`endif

endmodule
