  // Connections of u_queue in paver_wide_queue_bank for proofs.
  `include "paver/formal/paver_queue_bank_u_queue.svh"
  ,
  .formal_buffered_o(formal_buffered_o[s]),
  .formal_carry_o(formal_carry_o[s])
