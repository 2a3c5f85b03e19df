  // Connections of u_stealer in paver_wide_queue_bank for proofs.
  ,
  .formal_state_o,
  .formal_step_o,
  .formal_tail_o(formal_steal_tail_o),
  .formal_next_o(formal_steal_next_o),
  .formal_difference_o,
  .formal_max_o,
  .formal_borrow_o,
  .formal_found_o,
  .formal_candidates_o,
  .formal_issued_o
