// The block index of a TB: x, y and z of a linear id, x fastest. The TB after the one before costs
// one cycle; any other one a cycle for each bit that its y and z, and its z, may have: long division
// by divisors that launch_prepare has shifted.
module tb_index_divider #(
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,

  /// A launch begins with the grid below. No TB is divided in this cycle.
  input  logic                  start_i,
  /// TBs along x.
  input  logic [CountWidth-1:0] grid_x_i,
  /// TBs along y.
  input  logic [CountWidth-1:0] grid_y_i,
  /// grid_x, shifted to the left as far as an id may need.
  input  logic [CountWidth-1:0] x_divisor_i,
  /// By how much.
  input  logic [4:0]            x_shift_i,
  /// grid_y, likewise.
  input  logic [CountWidth-1:0] y_divisor_i,
  /// By how much.
  input  logic [4:0]            y_shift_i,

  /// A TB is taken, while ready_o.
  input  logic                  take_i,
  /// Its id, below the number of TBs.
  input  logic [IdWidth-1:0]    id_i,
  /// None is divided, and none waits.
  output logic                  ready_o,

  /// The TB's block index stands below.
  output logic                  valid_o,
  /// It goes, in this cycle.
  input  logic                  gone_i,
  /// The id that was taken.
  output logic [IdWidth-1:0]    id_o,
  /// Block index x.
  output logic [IdWidth-1:0]    x_o,
  /// Block index y.
  output logic [IdWidth-1:0]    y_o,
  /// Block index z.
  output logic [IdWidth-1:0]    z_o
);

  logic                  valid_q, works_q, second_q, known_q;
  logic [IdWidth-1:0]    id_q, x_q, y_q, z_q;
  logic [CountWidth-1:0] divisor_q, grid_x_q, grid_y_q, x_divisor_q, y_divisor_q;
  logic [4:0]            left_q, x_shift_q, y_shift_q;

  // The rest stands in y, the quotient in z.
  logic [CountWidth:0]   less;
  logic                  next, last, follows, ends_row, ends_plane;
  logic [IdWidth-1:0]    rest, quotient;
  assign less     = (CountWidth+1)'(y_q) - {1'b0, divisor_q};
  assign rest     = less[CountWidth] ? y_q : less[IdWidth-1:0];
  assign quotient = {z_q[IdWidth-2:0], ~less[CountWidth]};
  assign last     = left_q == '0;

  // After the last of 2^IdWidth TBs comes none.
  assign follows    = known_q & (id_i == id_q + IdWidth'(1)) & (id_i != '0);
  assign next       = take_i & follows;
  assign ends_row   = CountWidth'(x_q) + CountWidth'(1) == grid_x_q;
  assign ends_plane = CountWidth'(y_q) + CountWidth'(1) == grid_y_q;

  assign ready_o = ~valid_q & ~works_q;
  assign valid_o = valid_q;
  assign id_o    = id_q;
  assign x_o     = x_q;
  assign y_o     = y_q;
  assign z_o     = z_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      works_q  <= 1'b0;
      second_q <= 1'b0;
      known_q  <= 1'b0;
    end else begin
      valid_q  <= next | (works_q & second_q & last) | (valid_q & ~gone_i);
      works_q  <= (take_i & ~follows) | (works_q & ~(second_q & last));
      second_q <= works_q & (second_q ^ last);
      known_q  <= (known_q | take_i) & ~start_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      grid_x_q    <= grid_x_i;
      grid_y_q    <= grid_y_i;
      x_divisor_q <= x_divisor_i;
      x_shift_q   <= x_shift_i;
      y_divisor_q <= y_divisor_i;
      y_shift_q   <= y_shift_i;
    end
    if (take_i) id_q <= id_i;
    if (next) begin
      x_q <= ends_row ? '0 : x_q + IdWidth'(1);
      if (ends_row) y_q <= ends_plane ? '0 : y_q + IdWidth'(1);
      if (ends_row & ends_plane) z_q <= z_q + IdWidth'(1);
    end else if (take_i) begin
      y_q       <= id_i;
      z_q       <= '0;
      divisor_q <= x_divisor_q;
      left_q    <= x_shift_q;
    end else if (works_q & ~second_q & last) begin
      x_q       <= rest;
      y_q       <= quotient;
      z_q       <= '0;
      divisor_q <= y_divisor_q;
      left_q    <= y_shift_q;
    end else if (works_q) begin
      y_q       <= rest;
      z_q       <= quotient;
      divisor_q <= divisor_q >> 1;
      left_q    <= left_q - 5'd1;
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth != 16 && IdWidth != 32) begin : gen_0 id_width_is_not_16_or_32 u (); end
`else
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
