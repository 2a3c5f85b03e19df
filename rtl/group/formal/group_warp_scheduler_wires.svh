  // What group_warp_scheduler shows to proofs.
  assign formal_live_o    = live_q;
  assign formal_member_o  = member_q;
  assign formal_groups_o  = groups;
  assign formal_counts_o  = counts;
  assign formal_numbers_o = numbers_q;
  assign formal_oldest_o  = oldest_q;
  assign formal_turn_o    = turn_granted_q;
