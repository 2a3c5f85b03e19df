  // Ports of caps_dist_table for proofs.
  ,
  /// Per entry: the entry is valid.
  output logic [3:0]              formal_valid_o,
  /// Per entry: the load's PC.
  output logic [4*PcWidth-1:0]    formal_pc_o,
  /// Per entry: the misprediction counter.
  output logic [4*CountWidth-1:0] formal_count_o,
  /// The order of writing, as of lru_of_4.
  output logic [5:0]              formal_order_o
