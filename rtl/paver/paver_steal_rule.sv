// Which SMs may steal, by a rule that a kernel brings: 0 none; 1 any with a free context; 2 those
// on which a TB of the kernel has completed, so that none steals while it fills; 3 those on which
// no TB runs. It counts each SM's TBs for that, and so tells when none runs at all.
module paver_steal_rule #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of an SM's count of running TBs.
  parameter int CountWidth = 7
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low.
  input  logic             rst_ni,
  /// A kernel starts under rule_i; no TB runs.
  input  logic             start_i,
  /// The rule, under start_i.
  input  logic [1:0]       rule_i,
  /// Per SM: one TB is issued in this cycle.
  input  logic [NumSm-1:0] issue_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0] done_i,
  /// Some SMs may steal, now or later.
  output logic             enable_o,
  /// Per SM: it may steal.
  output logic [NumSm-1:0] allowed_o,
  /// No TB runs, and the last two cycles brought none and ended none.
  output logic             none_o,
  /// One of the last two cycles brought or ended a TB.
  output logic             adding_o
);

  localparam [1:0] WhenFree = 2'd1, NeverFirst = 2'd2, WhenIdle = 2'd3;

  logic [1:0]       rule_q;
  logic [NumSm-1:0] ended_q, idle;
  logic [1:0]       events_q;

  assign adding_o  = |events_q;
  assign none_o    = &idle & ~adding_o;
  assign enable_o  = rule_q != 2'd0;
  assign allowed_o = (rule_q == WhenFree) ? '1 : (rule_q == NeverFirst) ? ended_q :
                     (rule_q == WhenIdle) ? idle : '0;

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [CountWidth-1:0] running_q;
    assign idle[s] = running_q == '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q <= '0;
      else if (issue_i[s] & ~done_i[s]) running_q <= running_q + CountWidth'(1);
      else if (done_i[s] & ~issue_i[s]) running_q <= running_q - CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) events_q <= '0;
    else events_q <= {events_q[0], |{issue_i, done_i}};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rule_q  <= '0;
      ended_q <= '0;
    end else if (start_i) begin
      rule_q  <= rule_i;
      ended_q <= '0;
    end else begin
      ended_q <= ended_q | done_i;
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
`endif

endmodule
