  // Ports of caps_percta_table for proofs.
  ,
  /// Per slot and entry: the entry is valid.
  output logic [4*CtaSlots-1:0] formal_valid_o,
  /// Per slot: the order of writing, as of lru_of_4.
  output logic [6*CtaSlots-1:0] formal_order_o,
  /// The entries that the answer found.
  output logic [3:0]            formal_hit_o
