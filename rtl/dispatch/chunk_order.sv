// One contiguous part of the grid for each SM, SM after SM; each SM's TBs in the order of the ids.
//
// After start_i a walk over the SMs finds where each part begins: one cycle finds an SM's share,
// and the next one sets its part.
module chunk_order #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id, 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                     rst_ni,
  /// Begin anew with the two settings below, whatever is left.
  input  logic                     start_i,
  /// TBs in each SM's part, less the extra one.
  input  logic [CountWidth-1:0]    share_tbs_i,
  /// SMs, from SM 0 on, whose part has one TB more.
  input  logic [7:0]               extra_sms_i,
  /// Per SM: its next TB is taken; only under more_o.
  input  logic [NumSm-1:0]         take_i,
  /// Per SM: its next TB's id, under more_o.
  output logic [NumSm*IdWidth-1:0] ids_o,
  /// Per SM: TBs are left of its part.
  output logic [NumSm-1:0]         more_o,
  /// The walk goes on: more_o may rise without an input.
  output logic                     walking_o
);

  logic                  share, set_valid, is_extra;
  logic [NumSm-1:0]      set;
  logic [7:0]            extra_left_q;
  logic [CountWidth-1:0] rest_q, share_q;
  logic [IdWidth-1:0]    begin_q;

  assign is_extra = extra_left_q != '0;

  // Without reset: start_i sets these registers.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      rest_q       <= share_tbs_i;
      extra_left_q <= extra_sms_i;
    end else if (share) begin
      extra_left_q <= extra_left_q - 8'(is_extra);
    end
    if (share) share_q <= rest_q + CountWidth'(is_extra);
    if (start_i) begin_q <= '0;
    else if (set_valid) begin_q <= begin_q + share_q[IdWidth-1:0];
  end

  sm_walk #(
    .NumSm(NumSm)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .start_i,
    .share_o(share),
    .set_valid_o(set_valid),
    .set_o(set),
    .walking_o
  );

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [IdWidth-1:0]    id_q;
    logic [CountWidth-1:0] left_q;
    logic                  more_q;

    assign more_o[s]                   = more_q;
    assign ids_o[s*IdWidth +: IdWidth] = id_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) more_q <= 1'b0;
      else if (set[s]) more_q <= share_q != '0;
      else if (take_i[s]) more_q <= left_q != CountWidth'(1);
    end

    always_ff @(posedge clk_i) begin
      if (set[s]) begin
        id_q   <= begin_q;
        left_q <= share_q;
      end else if (take_i[s]) begin
        id_q   <= id_q + IdWidth'(1);
        left_q <= left_q - CountWidth'(1);
      end
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
