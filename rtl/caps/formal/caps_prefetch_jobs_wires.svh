  // What caps_prefetch_jobs shows to proofs.
  assign formal_waiting_o = waiting_q;
