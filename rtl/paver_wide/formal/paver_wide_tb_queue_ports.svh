  // Ports of paver_wide_tb_queue for proofs: those of paver_tb_queue, and these.
  `include "paver/formal/paver_tb_queue_ports.svh"
  ,
  /// The bit B: the sector is here.
  output logic                 formal_buffered_o,
  /// The next step of `next` carries into its upper half.
  output logic                 formal_carry_o
