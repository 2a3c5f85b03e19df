// The warp that issued last, then the oldest, leading ones first: a part of caps_warp_scheduler.
//
// Of GroupSize consecutive warps one age is known, that of the youngest, and the lowest stands for
// them: the order of 48 warps takes four times the area of all the rest.
module caps_greedy_policy #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// Warps of which one age is known, 1 or 2.
  parameter int GroupSize = 1,
  /// Bits of a warp's number; leave it at its default.
  parameter int WarpWidth = $clog2(NumWarps)
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no warp has issued.
  input  logic                 rst_ni,

  /// Per warp: its next instruction could issue in the next cycle.
  input  logic [NumWarps-1:0]  eligible_i,
  /// Per warp: it comes before those that do not lead.
  input  logic [NumWarps-1:0]  leading_i,
  /// Per warp: the warp begins, and is not chosen yet; of several the lowest is the oldest.
  input  logic [NumWarps-1:0]  started_i,
  /// Per warp: the warp has exited.
  input  logic [NumWarps-1:0]  finished_i,
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

  localparam Groups = (NumWarps + GroupSize - 1) / GroupSize;
  // Leading warps and all are searched at once: [0] and [1].
  logic [NumWarps-1:0]      last_q, last, issued, stays_on;
  logic [Groups-1:0]        started;
  logic [Groups*Groups-1:0] older;
  logic [1:0]               stays, finds;
  logic [2*WarpWidth-1:0]   first;
  logic [WarpWidth-1:0]     last_warp, last_warp_q;
  logic                     goes_on, of_all;
  age_order #(
    .Count(Groups)
  ) u_order (
    .clk_i,
    .rst_ni,
    .touch_i(started),
    .older_o(older)
  );
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam Size = (g == Groups - 1) ? NumWarps - g*GroupSize : GroupSize;
    assign started[g] = |started_i[g*GroupSize +: Size];
  end
  for (genvar p = 0; p < 2; p++) begin : gen_pool
    // What begins now is not chosen yet.
    logic [NumWarps-1:0]  pool, grant;
    logic [Groups-1:0]    old, oldest;
    logic [WarpWidth-1:0] warp;
    assign pool = (p == 0) ? eligible_i & leading_i : eligible_i;
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      localparam Size = (g == Groups - 1) ? NumWarps - g*GroupSize : GroupSize;
      assign old[g]    = (|pool[g*GroupSize +: Size]) & ~started[g];
      assign oldest[g] = old[g] & ~(|(old & ~older[g*Groups +: Groups]));
    end
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      if (w % GroupSize == 0) begin : gen_first
        assign grant[w] = pool[w] & in_charge_i & oldest[w/GroupSize];
      end else begin : gen_second
        assign grant[w] = pool[w] & in_charge_i & ~pool[w-1] & oldest[w/GroupSize];
      end
    end
    always_comb begin
      warp = '0;
      for (int w = 0; w < NumWarps; w++) warp |= WarpWidth'(w) & {WarpWidth{grant[w]}};
    end
    // Both answers, since it takes long to know which one counts.
    assign stays[p] = goes_on ? |(pool & issued) : |(pool & stays_on);
    assign finds[p] = |old;
    assign first[p*WarpWidth +: WarpWidth] = warp;
  end
  for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
    assign issued[w] = issued_valid_i && issued_warp_i == WarpWidth'(w);
  end
  assign goes_on   = issued_valid_i && !(|(issued & finished_i));
  assign stays_on  = last_q & ~finished_i;
  assign last      = goes_on ? issued : stays_on;
  assign last_warp = goes_on ? issued_warp_i : last_warp_q;  // if there is one
  assign of_all    = ~(|(eligible_i & leading_i));
  assign grants_o  = (stays[of_all] | finds[of_all]) & in_charge_i;
  assign warp_o    = stays[of_all] ? last_warp & {WarpWidth{in_charge_i}}
                     : of_all ? first[WarpWidth +: WarpWidth] : first[0 +: WarpWidth];
  assign changes_o = (goes_on ? ~(|(issued & last_q)) : |(last_q & finished_i)) | (|started_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= '0;
    else last_q <= last;
  end
  always_ff @(posedge clk_i) last_warp_q <= last_warp;

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
  if (GroupSize != 1 && GroupSize != 2) begin : gen_1 group_size_is_not_1_or_2 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
  if (GroupSize != 1 && GroupSize != 2) $error("GroupSize is not 1 or 2");
`endif

endmodule
