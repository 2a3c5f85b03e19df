  // Ports of paver_wide_queue_bank for proofs: those of paver_queue_bank, and these.
  `include "paver/formal/paver_queue_bank_ports.svh"
  ,
  /// All B bits: the sector is here.
  output logic [NumSm-1:0]           formal_buffered_o,
  /// Of all SMs: the next step of `next` carries into its upper half.
  output logic [NumSm-1:0]           formal_carry_o,
  /// The id of the SM moves to nextTB.
  output logic [NumSm-1:0]           formal_move_o
