// Warps in turn, leading ones first: a part of caps_warp_scheduler. The warp after the one that has
// issued last has the turn.
//
// The first of the leading warps and of all, from the turn on and from warp 0 on: four searches
// side by side. Which of them counts is known as late as what they find, so that none waits for it.
module caps_turns_policy #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: warp 0 has the turn.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: it comes before those that do not lead.
  input  logic [NumWarps-1:0]  leading_i,
  /// The granted warp has issued.
  input  logic                 issued_valid_i,
  /// The warp that has issued, under issued_valid_i.
  input  logic [WarpWidth-1:0] issued_warp_i,
  /// The order is in charge; else it grants nobody.
  input  logic                 in_charge_i,

  /// A warp is granted in the next cycle.
  output logic                 grants_o,
  /// That warp, under grants_o; else zero.
  output logic [WarpWidth-1:0] warp_o,
  /// A register of the order changes.
  output logic                 changes_o
);

  // Of leading warps [0] and [1], of all [2] and [3]; from the turn on [0] and [2].
  logic [WarpWidth-1:0]   turn_q, turn;
  logic [NumWarps-1:0]    on, lead;
  logic [4*WarpWidth-1:0] first;
  logic [3:0]             some;
  assign turn = !issued_valid_i ? turn_q
                : (issued_warp_i == WarpWidth'(NumWarps - 1)) ? '0
                : issued_warp_i + WarpWidth'(1);
  // From the turn on: none if the last warp has issued, which is as if all were.
  assign on   = issued_valid_i ? ({NumWarps{1'b1}} << issued_warp_i) << 1
                : {NumWarps{1'b1}} << turn_q;
  assign lead = eligible_i & leading_i;
  for (genvar p = 0; p < 4; p++) begin : gen_search
    logic [NumWarps-1:0] pool;
    assign pool = ((p < 2) ? lead : eligible_i) & ((p % 2 == 0) ? on : {NumWarps{1'b1}});
    first_index #(
      .Count(NumWarps)
    ) u_first (
      .look_i(in_charge_i),
      .request_i(pool),
      .valid_o(some[p]),
      .index_o(first[p*WarpWidth +: WarpWidth])
    );
  end
  assign grants_o  = some[3];
  assign warp_o    = first[0 +: WarpWidth]
                     | (first[WarpWidth +: WarpWidth] & {WarpWidth{~some[0]}})
                     | (first[2*WarpWidth +: WarpWidth] & {WarpWidth{~some[1]}})
                     | (first[3*WarpWidth +: WarpWidth] & {WarpWidth{~some[1] & ~some[2]}});
  assign changes_o = turn != turn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= '0;
    else turn_q <= turn;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
`endif

endmodule
