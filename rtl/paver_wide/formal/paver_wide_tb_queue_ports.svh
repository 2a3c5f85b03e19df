  // Ports of paver_wide_tb_queue for proofs: those of paver_tb_queue, and this.
  `include "paver/formal/paver_tb_queue_ports.svh"
  ,
  /// The bit B: the sector is here.
  output logic                 formal_buffered_o
