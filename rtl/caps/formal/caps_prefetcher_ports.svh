  // Ports of caps_prefetcher for proofs.
  ,
  /// A stride enters the DIST table.
  output logic formal_train_o
