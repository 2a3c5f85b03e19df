  // Connections of u_jobs in caps_prefetch_generator for proofs.
  ,
  .formal_waiting_o
