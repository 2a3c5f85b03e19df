  // Ports of programmable_warp_scheduler for proofs.
  ,
  /// Per TB slot: the warps that began in one cycle, NumWarps bits each.
  output logic [TbSlots*NumWarps-1:0] formal_warps_o,
  /// The order of the TB slots, as of age_order.
  output logic [TbSlots*TbSlots-1:0]  formal_older_o,
  /// The warps of the group.
  output logic [NumWarps-1:0]         formal_group_o,
  /// The size of the group.
  output logic [SizeWidth-1:0]        formal_size_o,
  /// The group's warps as they were counted, and whether it has changed since.
  output logic [SizeWidth:0]          formal_count_o,
  /// A warp joins next, and the warp.
  output logic [WarpWidth:0]          formal_next_o,
  /// The warp that issued last lives, and the warp.
  output logic [WarpWidth:0]          formal_last_o
