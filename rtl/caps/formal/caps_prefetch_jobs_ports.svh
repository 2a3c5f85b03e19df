  // Ports of caps_prefetch_jobs for proofs.
  ,
  /// The waiting jobs, slot after slot for each DIST entry.
  output logic [4*CtaSlots-1:0] formal_waiting_o
