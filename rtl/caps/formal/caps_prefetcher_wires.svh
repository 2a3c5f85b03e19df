  // What caps_prefetcher shows to proofs.
  assign formal_train_o = train;
