  // What paver_queue_bank shows to proofs.
  assign formal_all_o = cut_all;
