// The TBs of one of several nodes that share a grid: runs of TBs at given distances. A run is a
// number of lines of the grid, or a part of one; a line is a row or a column.
module numa_order #(
  /// Bits of a TB id, 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                  rst_ni,
  /// Begin with the settings below.
  input  logic                  start_i,
  /// Number of TBs.
  input  logic [CountWidth-1:0] tb_count_i,
  /// The first TB.
  input  logic [IdWidth-1:0]    first_i,
  /// TBs in a run; 0: all of them.
  input  logic [CountWidth-1:0] run_tbs_i,
  /// From a TB to the next one in a line; distances are modulo 2^IdWidth.
  input  logic [IdWidth-1:0]    step_i,
  /// TBs in a line; 0: a run has no lines.
  input  logic [CountWidth-1:0] line_tbs_i,
  /// From a line's last TB to the next line's first one, in a run.
  input  logic [IdWidth-1:0]    line_jump_i,
  /// From a run's last TB to the next run's first one.
  input  logic [IdWidth-1:0]    run_jump_i,
  /// The next TB is taken; only under more_o.
  input  logic                  take_i,
  /// The next TB's id, under more_o.
  output logic [IdWidth-1:0]    id_o,
  /// TBs are left.
  output logic                  more_o
);

  logic                  more_q, run_ends, line_ends;
  logic [IdWidth-1:0]    id_q, step_q, line_jump_q, run_jump_q, distance;
  // TBs not yet taken: in all, of the run, of the line; and the settings.
  logic [CountWidth-1:0] left_q, run_left_q, line_left_q, run_tbs_q, line_tbs_q;

  assign id_o   = id_q;
  assign more_o = more_q;

  assign run_ends  = run_left_q == CountWidth'(1);
  assign line_ends = line_left_q == CountWidth'(1);

  always_comb begin
    distance = step_q;
    if (line_ends) distance = line_jump_q;
    if (run_ends) distance = run_jump_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (start_i) more_q <= tb_count_i != '0;
    else if (take_i) more_q <= left_q != CountWidth'(1);
  end

  // Without reset: these registers count under more_q.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      run_tbs_q   <= run_tbs_i;
      line_tbs_q  <= line_tbs_i;
      step_q      <= step_i;
      line_jump_q <= line_jump_i;
      run_jump_q  <= run_jump_i;
    end
    if (start_i) begin
      id_q        <= first_i;
      left_q      <= tb_count_i;
      run_left_q  <= run_tbs_i;
      line_left_q <= line_tbs_i;
    end else if (take_i) begin
      id_q        <= id_q + distance;
      left_q      <= left_q - CountWidth'(1);
      run_left_q  <= run_ends ? run_tbs_q : run_left_q - CountWidth'(1);
      line_left_q <= (run_ends || line_ends) ? line_tbs_q : line_left_q - CountWidth'(1);
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth != 16 && IdWidth != 32) begin : gen_0 id_width_is_not_16_or_32 u (); end
`else
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
