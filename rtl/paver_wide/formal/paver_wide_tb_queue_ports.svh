  // Ports of paver_wide_tb_queue for proofs.
  ,
  /// The register `next`.
  output logic [AddrWidth-1:0]  formal_next_o,
  /// The register `tail`.
  output logic [AddrWidth-1:0]  formal_tail_o,
  /// The bit F: the sector is in flight.
  output logic                  formal_fetching_o,
  /// The bit B: the sector is here.
  output logic                  formal_buffered_o
