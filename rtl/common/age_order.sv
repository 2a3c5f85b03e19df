// The order in which the entries of a table were last written, oldest first: a bit for each pair of
// entries says which of the two is older.
module age_order #(
  /// Number of entries, at least 2.
  parameter Count = 4
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low: entry 0 is the oldest, then 1, and so on.
  input  logic             rst_ni,
  /// At most one bit: this entry is written in this cycle and becomes the newest.
  input  logic [Count-1:0] touch_i,
  /// The entry that was written longest ago, one-hot.
  output logic [Count-1:0] oldest_o
`ifdef FORMAL
  ,
  /// For proofs: bit i * Count + j says that i is older than j; the diagonal is set.
  output logic [Count*Count-1:0] formal_older_o
`endif
);

  logic [Count*Count-1:0] older;  // bit i * Count + j: i is older than j, or i is j

  for (genvar i = 0; i < Count; i++) begin : gen_entry
    assign older[i*Count+i] = 1'b1;
    for (genvar j = i + 1; j < Count; j++) begin : gen_pair
      logic older_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) older_q <= 1'b1;
        else if (touch_i[i]) older_q <= 1'b0;
        else if (touch_i[j]) older_q <= 1'b1;
      end
      assign older[i*Count+j] = older_q;
      assign older[j*Count+i] = ~older_q;
    end
    assign oldest_o[i] = &older[i*Count +: Count];
  end

`ifdef FORMAL
  assign formal_older_o = older;
`endif

endmodule
