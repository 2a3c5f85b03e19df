  // What paver_wide_queue_bank shows to proofs.
  `include "paver/formal/paver_queue_bank_wires.svh"
  assign formal_move_o = move;
