  // Ports of paver_task_stealer for proofs.
  ,
  /// The state, 0 IDLE to 10 REPORT.
  output logic [3:0]            formal_state_o,
  /// The tail that was read last; the high bits are those shown in this cycle.
  output logic [AddrWidth-1:0]  formal_tail_o,
  /// The position of `next` that was read last.
  output logic [CountWidth-1:0] formal_next_o,
  /// The last difference, from the tail down.
  output logic [CountWidth-1:0] formal_difference_o,
  /// The borrow of the last difference.
  output logic                  formal_borrow_o,
  /// The scan has found a thief.
  output logic                  formal_found_o,
  /// The SMs read one and two cycles ago were candidates.
  output logic [1:0]            formal_candidates_o,
  /// The donor has issued a TB since it was read.
  output logic                  formal_issued_o,
  /// The step in SCAN and DIVIDE, from COUNT on the donor.
  output logic [7:0]            formal_step_o,
  /// MaxWaitingTB, from READ on the stolen count.
  output logic [CountWidth-1:0] formal_max_o,
  /// The sum, in DIVIDE with the bits of the quotient below, then the average.
  output logic [SumWidth-1:0]   formal_sum_o,
  /// The division's remainder.
  output logic [SmWidth-1:0]    formal_remainder_o
