  // What paver_wide_tb_queue shows to proofs.
  `include "paver/formal/paver_tb_queue_wires.svh"
  assign formal_buffered_o = buffered_q;
  assign formal_carry_o    = carry_q;
