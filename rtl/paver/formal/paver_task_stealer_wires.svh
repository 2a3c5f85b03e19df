  // What paver_task_stealer shows to proofs.
  assign formal_state_o      = state_q;
  assign formal_tail_o       = {high, tail_q};
  assign formal_next_o       = next_q;
  assign formal_difference_o = difference_q;
  assign formal_borrow_o     = borrow_q;
  assign formal_found_o      = found_q;
  assign formal_candidates_o = {candidate_2_q, candidate_q};
  assign formal_issued_o     = issued_q;
  assign formal_step_o       = 8'(step_q);
  assign formal_max_o        = max_q;
  assign formal_sum_o        = sum_q;
  assign formal_remainder_o  = remainder_q;
