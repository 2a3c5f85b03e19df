// Counts the TBs that run: issued and not yet completed, over all SMs.
module outstanding_tbs #(
  /// Number of SMs.
  parameter NumSm = 15,
  /// Bits of the count; it must hold the TBs that all SMs together can run.
  parameter Width = 16
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
  output logic             none_o
);

  logic [Width-1:0] count_q;

  assign none_o = count_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      count_q <= count_q + Width'($countones(issue_i)) - Width'($countones(done_i));
    end
  end

endmodule
