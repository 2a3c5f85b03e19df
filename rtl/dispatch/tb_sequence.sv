// The ids of a kernel's TBs in order, for TB schedulers that hand them out so. Whether there are
// more is a register of its own: it stands before the choice of an SM.
module tb_sequence #(
  /// Bits of a TB id, at most 32.
  parameter IdWidth = 16,
  /// Bits of a number of TBs.
  parameter CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                  rst_ni,
  /// Begin with TB 0.
  input  logic                  start_i,
  /// Number of TBs, under start_i.
  input  logic [CountWidth-1:0] count_i,
  /// The next TB is taken; only under more_o.
  input  logic                  take_i,
  /// Under take_i: the TB after the next is taken with it; there must be one.
  input  logic                  pair_i,
  /// The next TB's id, under more_o.
  output logic [IdWidth-1:0]    id_o,
  /// TBs are left.
  output logic                  more_o,
  /// The next TB is the last one, under more_o.
  output logic                  last_o
);

  logic [IdWidth-1:0]    id_q;
  logic [CountWidth-1:0] left_q;
  logic                  more_q, last_q;

  assign id_o   = id_q;
  assign more_o = more_q;
  assign last_o = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (start_i) more_q <= count_i != '0;
    else if (take_i) more_q <= left_q != (pair_i ? CountWidth'(2) : CountWidth'(1));
  end

  // Without reset: these registers count under more_q.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      id_q   <= '0;
      left_q <= count_i;
      last_q <= count_i == CountWidth'(1);
    end else if (take_i) begin
      id_q   <= id_q + (pair_i ? IdWidth'(2) : IdWidth'(1));
      left_q <= left_q - (pair_i ? CountWidth'(2) : CountWidth'(1));
      last_q <= left_q == (pair_i ? CountWidth'(3) : CountWidth'(2));
    end
  end

endmodule
