// Counts the TBs that run: issued and not yet completed, over all SMs. In three steps, since a sum
// over many SMs takes more than a cycle: what a cycle brings is counted in groups of SMs, then
// summed up, then added to the number of running TBs.
module outstanding_tbs #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of the count; it must hold the TBs that all SMs together can run.
  parameter int Width = 16
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low.
  input  logic             rst_ni,
  /// Per SM: one TB is issued in this cycle.
  input  logic [NumSm-1:0] issue_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0] done_i,
  /// No TB runs.
  output logic             none_o,
  /// The count is to change by what one of the last two cycles brought.
  output logic             adding_o
);

  localparam Size = 16;  // SMs in a group
  localparam Most = 16;  // groups
  localparam Groups = (NumSm + Size - 1) / Size;
  localparam PartWidth = $clog2(2 * Size + 1);
  localparam SumWidth = ($clog2(NumSm + 1) + 1 > PartWidth) ? $clog2(NumSm + 1) + 1 : PartWidth;

  // Issued less completed, plus the SMs in the group: a count of ones, never negative.
  logic [Groups*PartWidth-1:0] parts_q;
  logic [Most*PartWidth-1:0]   parts;  // with zeros for groups that there are not
  logic [SumWidth-1:0]         sum, sum_q;
  logic [Width-1:0]            count_q;
  logic                        event_now, counted_q, summed_q;

  assign event_now = |{issue_i, done_i};
  assign adding_o  = counted_q | summed_q;
  assign none_o    = count_q == '0 && !adding_o;

  assign parts = (Most*PartWidth)'(parts_q);
  always_comb begin
    sum = SumWidth'(0) - SumWidth'(NumSm);  // Yosys reads a sign before a cast as the width's
    for (int i = 0; i < Most; i++) sum = sum + SumWidth'(parts[i*PartWidth +: PartWidth]);
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam First = g * Size;
    localparam Members = (NumSm - First < Size) ? NumSm - First : Size;
    // A wire of its own: Icarus 11 counts the ones of a concatenation wrongly.
    logic [2*Members-1:0] ones;
    assign ones = {issue_i[First +: Members], ~done_i[First +: Members]};
    always_ff @(posedge clk_i) begin
      if (event_now) parts_q[g*PartWidth +: PartWidth] <= PartWidth'($countones(ones));
    end
  end

  always_ff @(posedge clk_i) begin
    if (counted_q) sum_q <= sum;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counted_q <= 1'b0;
      summed_q  <= 1'b0;
      count_q   <= '0;
    end else begin
      counted_q <= event_now;
      summed_q  <= counted_q;
      if (summed_q) count_q <= count_q + {{(Width - SumWidth){sum_q[SumWidth-1]}}, sum_q};
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
`endif

endmodule
