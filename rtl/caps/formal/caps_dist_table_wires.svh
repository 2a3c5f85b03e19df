  // What caps_dist_table shows to proofs.
  assign formal_valid_o = valid_q;
  assign formal_pc_o    = pc_q;
  assign formal_count_o = count_q;
  assign formal_order_o = order_q;
