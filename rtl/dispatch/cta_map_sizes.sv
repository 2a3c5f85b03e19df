// The sizes of CTA mapping's ranges from the grid's: with W TBs in a line (a row for x, a column for
// y), H lines and S SMs, a = H / S, c = W * (H mod S), q = c / S, r = c mod S.
//
// One subtraction and one addition a cycle: a division gives a bit of its quotient, from the top, and
// the product of the quotient and a number grows along with it. Three steps: H / S with a * W; (H mod
// S) * W; c / S with q times the distance of neighbours.
module cta_map_sizes #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id; ids and their distances are modulo 2^IdWidth.
  parameter int IdWidth = 16,
  /// Bits of a count of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: nothing is under way.
  input  logic                  rst_ni,
  /// Begin with the grid below, when nothing is under way.
  input  logic                  start_i,
  /// Lines are columns (y); else rows (x); under start_i.
  input  logic                  along_y_i,
  /// TBs of the grid, modulo 2^IdWidth, under start_i.
  input  logic [IdWidth-1:0]    tb_count_i,
  /// TBs in a row, under start_i.
  input  logic [CountWidth-1:0] columns_i,
  /// Rows of the grid, under start_i.
  input  logic [CountWidth-1:0] rows_i,

  /// The sizes are under way.
  output logic                  busy_o,
  /// The sizes below are there, for this cycle.
  output logic                  done_o,
  /// a * W: TBs in an SM's first range, under done_o.
  output logic [CountWidth-1:0] first_o,
  /// Distance of the ids at which the first ranges of SM s and s + 1 begin, under done_o.
  output logic [IdWidth-1:0]    first_step_o,
  /// TB at which the rest begins, under done_o.
  output logic [IdWidth-1:0]    rest_id_o,
  /// q: TBs that each SM gets of the rest, under done_o.
  output logic [CountWidth-1:0] rest_o,
  /// r: SMs that get one TB more of the rest, under done_o.
  output logic [7:0]            extra_sms_o,
  /// Distance of the ids of neighbours in the sequence, under done_o.
  output logic [IdWidth-1:0]    step_o,
  /// TBs from one jump of the sequence to the next, or 0, under done_o.
  output logic [CountWidth-1:0] length_o,
  /// Distance of the ids at a jump, under done_o.
  output logic [IdWidth-1:0]    jump_o,
  /// Product of rest_o and step_o, under done_o.
  output logic [IdWidth-1:0]    rest_step_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;
  localparam StepWidth = $clog2(CountWidth);

  typedef enum logic [2:0] {Idle, Lines, Left, Rest, Done} state_e;

  state_e                state_q;
  logic [StepWidth-1:0]  step_q;       // bits to go, less one
  logic                  along_y_q;
  logic [IdWidth-1:0]    tb_count_q;
  logic [CountWidth-1:0] columns_q, rows_q;
  logic [CountWidth-1:0] number_q;     // what is divided; the quotient takes its place
  logic [SmWidth-1:0]    remainder_q;  // in Left: the lines left, which go out at the top
  logic [CountWidth-1:0] product_q;
  logic [CountWidth-1:0] first_q;
  logic [IdWidth-1:0]    first_step_q, rest_id_q;

  // One step of restoring division by NumSm.
  logic [SmWidth:0]      partial;
  logic [SmWidth-1:0]    remainder;
  logic [CountWidth-1:0] number;
  logic                  fits;
  assign partial   = {remainder_q, number_q[CountWidth-1]};
  assign fits      = partial >= (SmWidth+1)'(NumSm);
  assign remainder = fits ? partial[SmWidth-1:0] - SmWidth'(NumSm) : partial[SmWidth-1:0];
  assign number    = {number_q[CountWidth-2:0], fits};

  // One step of a product, from the top bit of the number that multiplies.
  logic [CountWidth-1:0] line, neighbour, factor, product;
  logic                  adds, last;
  assign line      = along_y_q ? rows_q : columns_q;
  assign neighbour = along_y_q ? columns_q : CountWidth'(1);
  assign factor    = (state_q == Rest) ? neighbour : line;
  assign adds      = (state_q == Left) ? remainder_q[SmWidth-1] : fits;
  assign product   = (product_q << 1) + (factor & {CountWidth{adds}});
  assign last      = step_q == '0;

  assign busy_o       = state_q != Idle;
  assign done_o       = state_q == Done;
  assign first_o      = first_q;
  assign first_step_o = first_step_q;
  assign rest_id_o    = rest_id_q;
  assign rest_o       = number_q;
  assign extra_sms_o  = 8'(remainder_q);
  assign step_o       = neighbour[IdWidth-1:0];
  assign length_o     = rows_q & {CountWidth{along_y_q}};
  // 1 - (rows - 1) * columns
  assign jump_o       = (IdWidth'(1) + columns_q[IdWidth-1:0] - tb_count_q)
                        & {IdWidth{along_y_q}};
  assign rest_step_o  = product_q[IdWidth-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      case (state_q)
        Idle:    if (start_i) state_q <= Lines;
        Lines:   if (last) state_q <= Left;
        Left:    if (last) state_q <= Rest;
        Rest:    if (last) state_q <= Done;
        default: state_q <= Idle;
      endcase
    end
  end

  // Data without reset: start_i sets it.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      along_y_q   <= along_y_i;
      tb_count_q  <= tb_count_i;
      columns_q   <= columns_i;
      rows_q      <= rows_i;
      number_q    <= along_y_i ? columns_i : rows_i;
      remainder_q <= '0;
      product_q   <= '0;
      step_q      <= StepWidth'(CountWidth - 1);
    end else begin
      product_q <= product;
      step_q    <= step_q - StepWidth'(1);
      case (state_q)
        Lines: begin
          number_q    <= number;
          remainder_q <= remainder;
          if (last) begin
            first_q      <= product;
            first_step_q <= along_y_q ? number[IdWidth-1:0] : product[IdWidth-1:0];
            product_q    <= '0;
            step_q       <= StepWidth'(SmWidth - 1);
          end
        end
        Left: begin
          remainder_q <= remainder_q << 1;
          if (step_q == StepWidth'(SmWidth - 1)) begin
            rest_id_q <= columns_q[IdWidth-1:0] - IdWidth'(remainder_q);
          end
          if (last) begin
            number_q  <= product;
            product_q <= '0;
            step_q    <= StepWidth'(CountWidth - 1);
          end
        end
        Rest: begin
          number_q    <= number;
          remainder_q <= remainder;
          if (!along_y_q && step_q == StepWidth'(CountWidth - 1)) begin
            rest_id_q <= tb_count_q - number_q[IdWidth-1:0];
          end
        end
        default: product_q <= product_q;
      endcase
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
