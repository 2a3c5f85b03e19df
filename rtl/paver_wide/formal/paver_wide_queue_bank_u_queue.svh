  // Connections of u_queue in paver_wide_queue_bank for proofs.
  ,
  .formal_next_o(formal_next_o[s*AddrWidth +: AddrWidth]),
  .formal_tail_o(formal_tail_o[s*AddrWidth +: AddrWidth]),
  .formal_fetching_o(formal_fetching_o[s]),
  .formal_buffered_o(formal_buffered_o[s])
