  // What programmable_warp_scheduler shows to proofs, but for its TB slots.
  assign formal_older_o = older;
  assign formal_group_o = group_q;
  assign formal_size_o  = size_q;
  assign formal_count_o = {count, moved_q};
  assign formal_next_o  = {next_valid_q, next_q};
  assign formal_last_o  = {last_valid_q, last_q};
