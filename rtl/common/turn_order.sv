// The order of entries that take turns: one that is written comes last, and when one has had its
// turn, those behind it come first and it comes last. A bit for each pair of entries says which of
// the two is before the other, kept for both as in age_order.
module turn_order #(
  /// Number of entries, at least 2.
  parameter int Count = 8
) (
  /// Clock, rising edge.
  input  logic                   clk_i,
  /// Synchronous reset, active low: entry 0 is the first, then 1, and so on.
  input  logic                   rst_ni,
  /// This entry has had its turn; at most one. It counts before a write.
  input  logic [Count-1:0]       turn_i,
  /// This entry is written in this cycle; at most one.
  input  logic [Count-1:0]       touch_i,
  /// Bit i * Count + j: i is before j, or i is j, after the turn and before the write.
  output logic [Count*Count-1:0] before_o
);

  // Those that go behind the others, in their order: the entry of the turn and all before it.
  logic [Count-1:0] goes;

  for (genvar i = 0; i < Count; i++) begin : gen_row
    logic [Count-1:0] itself, later, row, row_q;
    assign itself  = Count'(1) << i;
    assign later   = ({Count{1'b1}} << i) & ~itself;
    assign goes[i] = |(turn_i & (row_q | itself));
    assign row     = goes[i] ? (row_q & goes) : (row_q | goes);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) row_q <= later;
      else if (touch_i[i]) row_q <= '0;
      else if ((|turn_i) || (|touch_i)) row_q <= (row | touch_i) & ~itself;
    end
    assign before_o[i*Count +: Count] = row | itself;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Count < 2) begin : gen_0 count_is_not_at_least_2 u (); end
`else
  if (Count < 2) $error("Count is not at least 2");
`endif

endmodule
