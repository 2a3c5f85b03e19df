// The order in which entries were last written, oldest first: a bit for each pair of entries says
// which of the two is older. It is kept for both of the pair: half as many flip-flops would do, but
// simulators would make their mirror image anew in each cycle.
module age_order #(
  /// Number of entries, at least 2.
  parameter int Count = 8
) (
  /// Clock, rising edge.
  input  logic                   clk_i,
  /// Synchronous reset, active low: entry 0 is the oldest, then 1, and so on.
  input  logic                   rst_ni,
  /// These entries are written in this cycle and become the newest, the lowest first.
  input  logic [Count-1:0]       touch_i,
  /// Bit i * Count + j: i is older than j, or i is j.
  output logic [Count*Count-1:0] older_o
);

  for (genvar i = 0; i < Count; i++) begin : gen_row
    logic [Count-1:0] itself, later, row_q;
    assign itself = Count'(1) << i;
    assign later  = ({Count{1'b1}} << i) & ~itself;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) row_q <= later;
      else if (touch_i[i]) row_q <= touch_i & later;
      else if (|touch_i) row_q <= (row_q | touch_i) & ~itself;
    end
    assign older_o[i*Count +: Count] = row_q | itself;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Count < 2) begin : gen_0 count_is_not_at_least_2 u (); end
`else
  if (Count < 2) $error("Count is not at least 2");
`endif

endmodule
