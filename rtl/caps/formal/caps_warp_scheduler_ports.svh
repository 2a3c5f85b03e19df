  // Ports of caps_warp_scheduler for proofs.
  ,
  /// Of the two-level policy: the places that hold a warp.
  output logic [ReadyWarps-1:0]               formal_valid_o,
  /// Of the two-level policy: the order of the places, as of age_order.
  output logic [ReadyWarps*ReadyWarps-1:0]    formal_older_o,
  /// Per place: its warp.
  output logic [ReadyWarps*WarpWidth-1:0]     formal_entry_o,
  /// Per place: its warp has led in the cycle before.
  output logic [ReadyWarps-1:0]               formal_lead_o,
  /// A pending warp is chosen, it led then, and the warp.
  output logic [WarpWidth+1:0]                formal_next_o
