// Which TBs belong to which SM, for mappings that give each SM a fixed part of a sequence over the
// grid: first, SM after SM, ranges of equal size; then the rest, again SM after SM, in ranges that
// differ by at most one TB. Either may be empty. No division and no product: the sizes come from
// outside, and after start_i a walk over the SMs, one a cycle, finds where each range begins.
//
// The sequence goes from a TB to the next by adding `step` to the id, and after every `length`
// TBs by adding `jump`: along the rows of the grid (step 1, no jumps) or down its columns.
module tb_range_bank #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id; ids, steps and jumps are modulo 2^IdWidth.
  parameter IdWidth = 16,
  /// Bits of a count of TBs; leave it at its default.
  parameter CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel with the settings below, for one cycle, when nothing is left of the one before.
  input  logic                     start_i,
  /// TBs in an SM's first range; the ranges begin at TB 0.
  input  logic [CountWidth-1:0]    first_i,
  /// Distance of the ids at which the first ranges of SM s and s + 1 begin.
  input  logic [IdWidth-1:0]       first_step_i,
  /// The TB at which the rest begins, at the top of a column where there are jumps.
  input  logic [IdWidth-1:0]       rest_id_i,
  /// TBs that an SM gets of the rest.
  input  logic [CountWidth-1:0]    rest_i,
  /// rest_i times step_i.
  input  logic [IdWidth-1:0]       rest_step_i,
  /// SMs, from SM 0 on, that get one TB more of the rest.
  input  logic [7:0]               extra_i,
  /// Distance of the ids of neighbours in the sequence.
  input  logic [IdWidth-1:0]       step_i,
  /// TBs from one jump to the next, more than rest_i; 0 for none.
  input  logic [CountWidth-1:0]    length_i,
  /// Distance of the ids at a jump.
  input  logic [IdWidth-1:0]       jump_i,

  /// Per SM: it has a TB left.
  output logic [NumSm-1:0]         more_o,
  /// The SM whose next TB is taken, one-hot or zero; only under more_o.
  input  logic [NumSm-1:0]         take_i,
  /// That TB; zero if none is taken.
  output logic [IdWidth-1:0]       id_o,
  /// The walk goes on: more_o may rise without an input.
  output logic                     walking_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;

  logic [NumSm*IdWidth-1:0] id;  // per SM

  // The settings, from start_i on.
  logic [CountWidth-1:0] first_q, rest_q, length_q;
  logic [IdWidth-1:0]    first_step_q, rest_step_q, step_q, jump_q;
  logic [7:0]            extra_q;

  // The walk: the SM whose ranges are set in this cycle, and where they begin.
  logic                  walking_q;
  logic [SmWidth-1:0]    sm_q;
  logic [IdWidth-1:0]    first_id_q, rest_id_q;
  logic [CountWidth-1:0] rest_position_q;

  logic                  is_extra, crosses;
  logic [CountWidth-1:0] share, position_after;

  assign walking_o      = walking_q;
  assign is_extra       = 8'(sm_q) < extra_q;
  assign share          = rest_q + CountWidth'(is_extra);
  assign position_after = rest_position_q + share;
  assign crosses        = (length_q != '0) & (position_after >= length_q);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_q         <= first_i;
      first_step_q    <= first_step_i;
      rest_q          <= rest_i;
      rest_step_q     <= rest_step_i;
      extra_q         <= extra_i;
      step_q          <= step_i;
      length_q        <= length_i;
      jump_q          <= jump_i;
      first_id_q      <= '0;
      rest_id_q       <= rest_id_i;
      rest_position_q <= '0;
    end else if (walking_q) begin
      first_id_q      <= first_id_q + first_step_q;
      rest_id_q       <= rest_id_q + rest_step_q + (is_extra ? step_q : '0)
                         + (crosses ? jump_q - step_q : '0);
      rest_position_q <= crosses ? position_after - length_q : position_after;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walking_q <= 1'b0;
      sm_q      <= '0;
    end else if (start_i) begin
      walking_q <= 1'b1;
      sm_q      <= '0;
    end else if (walking_q) begin
      walking_q <= sm_q != SmWidth'(NumSm - 1);
      sm_q      <= sm_q + SmWidth'(1);
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    // The range that is handed out, and the part of the rest that comes after it.
    logic [IdWidth-1:0]    id_q, rest_begin_q;
    logic [CountWidth-1:0] left_q, position_q, rest_left_q, rest_offset_q;
    logic                  set, last, jump;

    assign set  = walking_q & (sm_q == SmWidth'(s));
    assign last = left_q == CountWidth'(1);
    assign jump = position_q + CountWidth'(1) == length_q;

    assign more_o[s]                = left_q != '0;
    assign id[s*IdWidth +: IdWidth] = id_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q      <= '0;
        rest_left_q <= '0;
      end else if (set) begin
        left_q      <= (first_q == '0) ? share : first_q;
        rest_left_q <= (first_q == '0) ? '0 : share;
      end else if (take_i[s]) begin
        left_q      <= last ? rest_left_q : left_q - CountWidth'(1);
        rest_left_q <= last ? '0 : rest_left_q;
      end
      if (set) begin
        id_q          <= (first_q == '0) ? rest_id_q : first_id_q;
        position_q    <= (first_q == '0) ? rest_position_q : '0;
        rest_begin_q  <= rest_id_q;
        rest_offset_q <= rest_position_q;
      end else if (take_i[s]) begin
        id_q       <= last ? rest_begin_q : id_q + (jump ? jump_q : step_q);
        position_q <= last ? rest_offset_q : jump ? '0 : position_q + CountWidth'(1);
      end
    end
  end

  for (genvar b = 0; b < IdWidth; b++) begin : gen_id
    logic [NumSm-1:0] bits;
    for (genvar s = 0; s < NumSm; s++) begin : gen_bit
      assign bits[s] = id[s*IdWidth + b];
    end
    assign id_o[b] = |(bits & take_i);
  end

endmodule
