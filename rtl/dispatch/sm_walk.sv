// Visits the SMs after start_i, one a cycle from SM 0 on, to set up what each one gets. A visit has
// two steps: in a cycle of share_o its owner finds the share of the next SM, and in the cycle after
// that, of set_valid_o, gives it to the SM. The first step is a cycle ahead of the second, and
// may run on past the last SM.
module sm_walk #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low.
  input  logic             rst_ni,
  /// Visit all SMs from the next cycle on; not while walking_o.
  input  logic             start_i,
  /// First step: the share of the next SM, SM 0 in the first cycle.
  output logic             share_o,
  /// Second step: an SM gets the share of the cycle before.
  output logic             set_valid_o,
  /// One-hot under set_valid_o, else zero: the SM.
  output logic [NumSm-1:0] set_o,
  /// Not all SMs have been visited.
  output logic             walking_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;

  logic               sharing_q, setting_q;
  logic [SmWidth-1:0] sm_q;

  assign share_o     = sharing_q;
  assign set_valid_o = setting_q;
  assign walking_o   = sharing_q | setting_q;

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    assign set_o[s] = setting_q & (sm_q == SmWidth'(s));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sharing_q <= 1'b0;
      setting_q <= 1'b0;
      sm_q      <= '0;
    end else if (start_i) begin
      sharing_q <= 1'b1;
      sm_q      <= '0;
    end else begin
      setting_q <= sharing_q;
      if (setting_q) begin
        sm_q <= sm_q + SmWidth'(1);
        if (sm_q == SmWidth'(NumSm - 1)) begin
          sharing_q <= 1'b0;
          setting_q <= 1'b0;
        end
      end
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
`endif

endmodule
