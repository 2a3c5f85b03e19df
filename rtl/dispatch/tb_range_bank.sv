// Which TBs belong to which SM, for mappings that give each SM a fixed part of a sequence over the
// grid: first, SM after SM, ranges of equal size; then the rest, again SM after SM, in ranges that
// differ by at most one TB. Any range may be empty. No division and no product: the sizes come from
// outside, and after start_i a walk over the SMs, one a cycle, finds where each range begins: one
// cycle finds an SM's share and how far that reaches, the next one sets its ranges.
//
// The sequence goes from a TB to the next by adding `step` to the id, and after every `length`
// TBs by adding `jump`: along the rows of the grid (step 1, no jumps) or down its columns.
module tb_range_bank #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id; ids, steps and jumps are modulo 2^IdWidth.
  parameter int IdWidth = 16,
  /// Bits of a count of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,
  /// A kernel begins: no SM has a TB yet.
  input  logic                     clear_i,

  /// Take the settings below, for one cycle, and find the ranges.
  input  logic                     start_i,
  /// TBs in an SM's first range; the ranges begin at TB 0.
  input  logic [CountWidth-1:0]    first_i,
  /// Distance of the ids at which the first ranges of SM s and s + 1 begin.
  input  logic [IdWidth-1:0]       first_step_i,
  /// The TB at which the rest begins, at the top of a column where there are jumps.
  input  logic [IdWidth-1:0]       rest_id_i,
  /// TBs that an SM gets of the rest.
  input  logic [CountWidth-1:0]    rest_i,
  /// Product of rest_i and step_i.
  input  logic [IdWidth-1:0]       rest_step_i,
  /// SMs, from SM 0 on, that get one TB more of the rest.
  input  logic [7:0]               extra_i,
  /// Distance of the ids of neighbours in the sequence.
  input  logic [IdWidth-1:0]       step_i,
  /// TBs from one jump to the next, more than rest_i; 0 for none.
  input  logic [CountWidth-1:0]    length_i,
  /// Distance of the ids at a jump.
  input  logic [IdWidth-1:0]       jump_i,

  /// Per SM: TBs are left of its ranges.
  output logic [NumSm-1:0]         more_o,
  /// The SM whose next TB is taken, one-hot or zero; only under more_o.
  input  logic [NumSm-1:0]         take_i,
  /// Per SM: its next TB's id, under more_o.
  output logic [NumSm*IdWidth-1:0] ids_o,
  /// The walk goes on: more_o may rise without an input.
  output logic                     walking_o
);

  // The settings, from start_i on. A place is told by the TBs before the next jump.
  logic [CountWidth-1:0] first_q, rest_q, length_q, farthest_q;
  logic [IdWidth-1:0]    first_step_q, rest_step_q, step_q, jump_q, jump_more_q;
  logic                  has_first_q, jumps_q;

  // The walk, first step: the next SM's share, and what it adds to id and place without and with a
  // jump.
  logic                  share, is_extra;
  logic [7:0]            extra_left_q;
  logic [IdWidth-1:0]    own_step, id_step_q, id_jump_q;
  logic [CountWidth-1:0] own_share, share_q, reach_q;
  logic [CountWidth:0]   less_q;  // -share_q

  // Second step: the SM whose ranges are set in this cycle, and where they begin.
  logic [NumSm-1:0]      set;
  logic                  set_valid, crosses, has_share;
  logic [IdWidth-1:0]    first_id_q, rest_id_q;
  logic [CountWidth-1:0] rest_place_q;
  logic [CountWidth:0]   place_after;

  assign is_extra    = extra_left_q != '0;
  assign own_share   = rest_q + CountWidth'(is_extra);
  assign own_step    = rest_step_q + (is_extra ? step_q : '0);
  assign place_after = {1'b0, rest_place_q} + less_q;
  assign crosses     = jumps_q & place_after[CountWidth];
  assign has_share   = share_q != '0;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_q      <= first_i;
      first_step_q <= first_step_i;
      rest_q       <= rest_i;
      rest_step_q  <= rest_step_i;
      step_q       <= step_i;
      length_q     <= length_i;
      jump_q       <= jump_i;
      has_first_q  <= first_i != '0;
      jumps_q      <= length_i != '0;
      farthest_q   <= length_i - CountWidth'(1);
      jump_more_q  <= jump_i - step_i;
      extra_left_q <= extra_i;
    end else if (share) begin
      extra_left_q <= extra_left_q - 8'(is_extra);
    end
  end

  always_ff @(posedge clk_i) begin
    if (share) begin
      share_q   <= own_share;
      less_q    <= {1'b1, ~rest_q} + (CountWidth+1)'(!is_extra);
      reach_q   <= length_q - rest_q - CountWidth'(is_extra);
      id_step_q <= own_step;
      id_jump_q <= own_step + jump_more_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_id_q   <= '0;
      rest_id_q    <= rest_id_i;
      rest_place_q <= length_i - CountWidth'(1);
    end else if (set_valid) begin
      first_id_q   <= first_id_q + first_step_q;
      rest_id_q    <= crosses ? rest_id_q + id_jump_q : rest_id_q + id_step_q;
      rest_place_q <= crosses ? rest_place_q + reach_q : place_after[CountWidth-1:0];
    end
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
    // The range that is handed out, and the part of the rest that comes after it.
    logic [IdWidth-1:0]    id_q, rest_begin_q;
    logic [CountWidth-1:0] left_q, place_q, rest_left_q, rest_start_q;
    logic                  more_q, last, jump;

    assign last = left_q == CountWidth'(1);
    assign jump = place_q == '0;

    assign more_o[s]                   = more_q;
    assign ids_o[s*IdWidth +: IdWidth] = id_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) more_q <= 1'b0;
      else if (set[s]) more_q <= has_first_q | has_share;
      else if (take_i[s]) more_q <= ~last | (rest_left_q != '0);
    end

    always_ff @(posedge clk_i) begin
      if (set[s]) begin
        left_q       <= has_first_q ? first_q : share_q;
        rest_left_q  <= has_first_q ? share_q : '0;
        id_q         <= has_first_q ? first_id_q : rest_id_q;
        place_q      <= has_first_q ? farthest_q : rest_place_q;
        rest_begin_q <= rest_id_q;
        rest_start_q <= rest_place_q;
      end else if (take_i[s]) begin
        left_q  <= last ? rest_left_q : left_q - CountWidth'(1);
        if (last) rest_left_q <= '0;
        id_q    <= last ? rest_begin_q : jump ? id_q + jump_q : id_q + step_q;
        place_q <= last ? rest_start_q : jump ? farthest_q : place_q - CountWidth'(1);
      end
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
`endif

endmodule
