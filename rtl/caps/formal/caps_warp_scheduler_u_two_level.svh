  // Connections of u_two_level in caps_warp_scheduler for proofs.
  ,
  .formal_valid_o,
  .formal_older_o,
  .formal_entry_o,
  .formal_lead_o,
  .formal_next_o
