// Which of four entries was written longest ago, and what changes when one is. Combinational: the
// order is six bits, which may lie in a register or in a table of many orders. They need no reset,
// as nothing is left of what they were once all entries have been written.
module lru_of_4 (
  /// A bit for each pair of entries, from the lowest: 0-1, 0-2, 0-3, 1-2, 1-3, 2-3; the first of
  /// the pair is older.
  input  logic [5:0] order_i,
  /// The entry that is written, as one bit of four; or none.
  input  logic [3:0] touch_i,
  /// The order after the write, with the entry of touch_i as the newest.
  output logic [5:0] order_o,
  /// The entry that was written longest ago by order_i, as one bit of four; undefined until all
  /// four have been written.
  output logic [3:0] oldest_o
);

  logic [5:0] first, second;  // per pair: that one of it is written
  assign first   = {touch_i[2], {2{touch_i[1]}}, {3{touch_i[0]}}};
  assign second  = {{2{touch_i[3]}}, touch_i[2], touch_i[3], touch_i[2], touch_i[1]};
  assign order_o = second | (order_i & ~first);

  assign oldest_o = {(order_i & 6'b110100) == 6'b000000, (order_i & 6'b101010) == 6'b100000,
                     (order_i & 6'b011001) == 6'b011000, (order_i & 6'b000111) == 6'b000111};

endmodule
