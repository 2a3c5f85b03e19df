// The order in which the entries of a table were last written, oldest first: a bit for each pair of
// entries says which of the two is older.
module age_order #(
  /// Number of entries, at least 2.
  parameter Count = 4
) (
  /// Clock, rising edge.
  input  logic                   clk_i,
  /// Synchronous reset, active low: entry 0 is the oldest, then 1, and so on.
  input  logic                   rst_ni,
  /// These entries are written in this cycle and become the newest; the lowest is the oldest of them.
  input  logic [Count-1:0]       touch_i,
  /// Bit i * Count + j: i is older than j, or i is j.
  output logic [Count*Count-1:0] older_o
);

  // Row i, bit j > i: i is older than j. The rest of a row stays zero, and is no register.
  for (genvar i = 0; i < Count; i++) begin : gen_row
    logic [Count-1:0] later, row_q;
    assign later = {Count{1'b1}} << (i + 1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) row_q <= later;
      else row_q <= later & (touch_i | (row_q & ~{Count{touch_i[i]}}));
    end
    assign older_o[i*Count+i] = 1'b1;
    for (genvar j = i + 1; j < Count; j++) begin : gen_pair
      assign older_o[i*Count+j] = row_q[j];
      assign older_o[j*Count+i] = ~row_q[j];
    end
  end

endmodule
