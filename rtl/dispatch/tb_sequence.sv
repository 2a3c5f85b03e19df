// The ids of a kernel's TBs in order, for TB schedulers that hand them out so, several in a cycle if
// there are several issue ports.
//
// The number of TBs left is kept in two parts, so that the cycle in which TBs are taken changes few
// bits of it: near_q, from which they are taken, and behind it far_lots_q lots and far_rest_q TBs.
// A cycle takes a lot at most. near_q gets the next lot when TBs are taken while it has less than
// two: it is never short of one while there are others.
module tb_sequence #(
  /// Bits of a TB id, 6 to 32.
  parameter int IdWidth = 16,
  /// Issue ports: TBs, or pairs, that may be taken in a cycle.
  parameter int IssuePorts = 1,
  /// Bits of a number of TBs.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32,
  /// Bits of a number of issue ports; leave it at its default.
  parameter int RoomWidth = $clog2(IssuePorts + 1)
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                  rst_ni,
  /// Begin with TB 0.
  input  logic                  start_i,
  /// Number of TBs, under start_i.
  input  logic [CountWidth-1:0] count_i,
  /// TBs that are taken, or pairs; at most room_o.
  input  logic [RoomWidth-1:0]  take_i,
  /// TBs are taken in pairs.
  input  logic                  pair_i,
  /// The next TB's id, if there is one.
  output logic [IdWidth-1:0]    id_o,
  /// TBs that are left, or pairs under pair_i, but IssuePorts at most.
  output logic [RoomWidth-1:0]  room_o,
  /// One TB is left.
  output logic                  last_o
);

  localparam LotWidth = $clog2(2 * IssuePorts);  // a lot is a power of two
  localparam NearWidth = LotWidth + 2;           // of less than three lots
  localparam LotsWidth = CountWidth - LotWidth;
  localparam LowWidth = RoomWidth + 1;  // of what a cycle takes

  logic [IdWidth-1:0]   id_q;
  logic [NearWidth-1:0] near_q, lot, offers, taken;
  logic [LotsWidth-1:0] far_lots_q;
  logic [LotWidth-1:0]  far_rest_q;
  logic [LowWidth:0]    id_low;
  logic                 many, refill;

  assign id_o   = id_q;
  assign last_o = near_q == NearWidth'(1);

  assign offers = pair_i ? near_q >> 1 : near_q;
  assign room_o = (offers < NearWidth'(IssuePorts)) ? RoomWidth'(offers) : RoomWidth'(IssuePorts);

  assign taken  = pair_i ? NearWidth'(take_i) << 1 : NearWidth'(take_i);
  assign id_low = {1'b0, id_q[LowWidth-1:0]} + {1'b0, LowWidth'(taken)};

  assign many   = count_i[CountWidth-1:LotWidth+1] != '0;  // two lots or more
  assign refill = !near_q[NearWidth-1];
  always_comb begin
    lot = '0;
    if (refill && far_lots_q != '0) lot = NearWidth'(1) << LotWidth;
    if (refill && far_lots_q == '0) lot = NearWidth'(far_rest_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      near_q <= '0;
    end else if (start_i) begin
      near_q <= many ? NearWidth'(2) << LotWidth : NearWidth'(count_i[LotWidth:0]);
    end else if (take_i != '0) begin
      near_q <= near_q + lot - taken;
    end
  end

  // Without reset: these registers count where near_q is not zero.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      id_q       <= '0;
      far_lots_q <= many ? count_i[CountWidth-1:LotWidth] - LotsWidth'(2) : '0;
      far_rest_q <= many ? count_i[LotWidth-1:0] : '0;
    end else if (take_i != '0) begin
      id_q[LowWidth-1:0] <= id_low[LowWidth-1:0];
      if (id_low[LowWidth]) id_q[IdWidth-1:LowWidth] <= id_q[IdWidth-1:LowWidth] +
                                                        (IdWidth-LowWidth)'(1);
      if (refill && far_lots_q != '0) far_lots_q <= far_lots_q - LotsWidth'(1);
      if (refill && far_lots_q == '0) far_rest_q <= '0;
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth < 6 || IdWidth > 32) begin : gen_0 id_width_is_not_6_to_32 u (); end
`else
  if (IdWidth < 6 || IdWidth > 32) $error("IdWidth is not 6 to 32");
`endif

endmodule
