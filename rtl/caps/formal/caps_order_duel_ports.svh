  // Ports of caps_order_duel for proofs.
  ,
  /// Slots with a warp.
  output logic [NumWarps-1:0] formal_running_o,
  /// Slots that a warp has left, and none has taken again.
  output logic [NumWarps-1:0] formal_left_o,
  /// Warps begin where others have exited.
  output logic                formal_refills_o,
  /// A slot was empty at the end of the last epoch, and no warp has begun since.
  output logic                formal_waits_o,
  /// Epochs since the round began.
  output logic [5:0]          formal_step_o,
  /// The best order of this round.
  output logic [2:0]          formal_kept_o,
  /// What has issued in this epoch, and what has to be beaten.
  output logic [CountWidth-1:0] formal_count_o,
  output logic [CountWidth:0] formal_best_o
