  // What caps_order_duel shows to proofs.
  assign formal_running_o = running_q;
  assign formal_left_o    = left_q;
  assign formal_refills_o = refills_q;
  assign formal_waits_o   = waits_q;
  assign formal_step_o    = step_q;
  assign formal_kept_o    = kept_q;
  assign formal_count_o   = count_q;
  assign formal_best_o    = best_q;
