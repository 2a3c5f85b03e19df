  // Connections of u_queue in paver_queue_bank for proofs.
  ,
  .formal_next_o(formal_next_o[s*AddrWidth +: AddrWidth]),
  .formal_tail_o(formal_tail_o[s*AddrWidth +: AddrWidth]),
  .formal_fetching_o(formal_fetching_o[s])
