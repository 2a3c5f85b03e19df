  // Ports of paver_wide_queue_bank for proofs.
  ,
  /// All `next` registers, SM after SM.
  output logic [NumSm*AddrWidth-1:0] formal_next_o,
  /// All `tail` registers, SM after SM.
  output logic [NumSm*AddrWidth-1:0] formal_tail_o,
  /// All F bits: the sector is in flight.
  output logic [NumSm-1:0]           formal_fetching_o,
  /// All B bits: the sector is here.
  output logic [NumSm-1:0]           formal_buffered_o,
  /// The id of the SM moves to nextTB.
  output logic [NumSm-1:0]           formal_move_o,
  /// The stealer's state, 0 IDLE to 10 REPORT.
  output logic [3:0]                 formal_state_o,
  /// The stealer's step in SCAN and DIVIDE, from COUNT on the donor.
  output logic [7:0]                 formal_step_o,
  /// The tail that the stealer read last.
  output logic [AddrWidth-1:0]       formal_steal_tail_o,
  /// The position of `next` that the stealer read last.
  output logic [CountWidth-1:0]      formal_steal_next_o,
  /// The stealer's last difference, from the tail down.
  output logic [CountWidth-1:0]      formal_difference_o,
  /// MaxWaitingTB, from READ on the stolen count.
  output logic [CountWidth-1:0]      formal_max_o,
  /// The borrow of the stealer's last difference.
  output logic                       formal_borrow_o,
  /// The stealer has a thief.
  output logic                       formal_found_o,
  /// The SMs read one and two cycles ago were candidates.
  output logic [1:0]                 formal_candidates_o,
  /// The donor has issued a TB since it was read.
  output logic                       formal_issued_o,
  /// The thief takes all that waits: only nextTB stays.
  output logic                       formal_all_o
