  // What paver_wide_tb_queue shows to proofs.
  assign formal_next_o     = next_q;
  assign formal_tail_o     = tail_q;
  assign formal_fetching_o = fetching_q;
  assign formal_buffered_o = buffered_q;
