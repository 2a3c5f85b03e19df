  // Ports of group_warp_scheduler for proofs.
  ,
  /// Per warp: it lives.
  output logic [NumWarps-1:0]            formal_live_o,
  /// Per warp: it is of the group, or was.
  output logic [NumWarps-1:0]            formal_member_o,
  /// Per bit of a group's number: a bit for each warp.
  output logic [GroupWidth*NumWarps-1:0] formal_groups_o,
  /// Per bit of a counter of loads: likewise.
  output logic [CountWidth*NumWarps-1:0] formal_counts_o,
  /// Per bit of a number: a bit for each unit of slots.
  output logic [AgeWidth*((NumWarps+AgeSlots-1)/AgeSlots)-1:0] formal_numbers_o,
  /// The number of the oldest TB.
  output logic [AgeWidth-1:0]            formal_oldest_o,
  /// The grant is a turn.
  output logic                           formal_turn_o
