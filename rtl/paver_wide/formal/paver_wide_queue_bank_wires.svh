  // What paver_wide_queue_bank shows to proofs.
  assign formal_all_o  = cut_all;
  assign formal_move_o = move;
