// a + b, in blocks of six bits: each block adds for both values of the carry into it, and the
// carry, when it comes, selects. Combinational.
module carry_select_adder #(
  /// Bits of the operands and of the sum.
  parameter int Width = 32
) (
  /// First operand.
  input  logic [Width-1:0] a_i,
  /// Second operand.
  input  logic [Width-1:0] b_i,
  /// The sum, modulo 2^Width.
  output logic [Width-1:0] sum_o
);

  localparam Block = 6;
  localparam Blocks = (Width + Block - 1) / Block;

  // Per block: the carry out of it without and with one into it; the carry into it.
  logic [Blocks-1:0] out_without, out_with, carry;

  for (genvar b = 0; b < Blocks; b++) begin : gen_block
    localparam Bits = (b == Blocks - 1) ? Width - b * Block : Block;
    logic [Bits-1:0] a, without, with_carry;
    assign a = a_i[b*Block +: Bits];
    assign {out_without[b], without} = {1'b0, a} + {1'b0, b_i[b*Block +: Bits]};
    assign {out_with[b], with_carry} = {1'b0, a} + {1'b0, b_i[b*Block +: Bits]} + (Bits+1)'(1);
    assign sum_o[b*Block +: Bits]    = carry[b] ? with_carry : without;
  end

  always_comb begin
    carry = '0;
    for (int b = 1; b < (Width + Block - 1) / Block; b++) begin
      carry[b] = out_without[b-1] | (out_with[b-1] & carry[b-1]);
    end
  end

  logic unused;
  assign unused = &{1'b0, out_without[Blocks-1], out_with[Blocks-1]};

endmodule
