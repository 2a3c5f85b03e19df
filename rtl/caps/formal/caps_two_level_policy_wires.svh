  // What caps_two_level_policy shows to proofs.
  assign formal_valid_o = valid_q;
  assign formal_older_o = older;
  assign formal_entry_o = entry_q;
  assign formal_lead_o  = lead_q;
  assign formal_next_o  = {next_valid_q, next_lead_q, next_q};
