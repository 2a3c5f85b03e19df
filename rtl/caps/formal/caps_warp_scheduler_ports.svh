  // Ports of caps_warp_scheduler for proofs.
  ,
  /// Of the two-level policy: the places that hold a warp.
  output logic [ReadyWarps-1:0]               formal_valid_o,
  /// Of the two-level policy: the order of the places, as of age_order.
  output logic [ReadyWarps*ReadyWarps-1:0]    formal_older_o,
  /// Per place: its warp leads, and the warp.
  output logic [ReadyWarps*(WarpWidth+1)-1:0] formal_entry_o,
  /// A pending warp is chosen, it leads, and the warp.
  output logic [WarpWidth+1:0]                formal_next_o
