// PAVER's task stealer: Algorithm 2 as a sequential scan, one SM a cycle.
//
// An SM without a group but with a free context is the thief. The scan finds the donor, the SM
// with most waiting TBs (the lowest one of equals), and the sum over all SMs. A bit-serial division
// turns the sum into the average in place. The donor then gives max - average TBs from the end of
// its group, at most what it still has waiting.
//
// Registers as in the PAVER paper, section 5.2: max, average (first the sum), stolen count.
// Steps: IDLE -> SCAN (NumSm cycles) -> DIVIDE (SumWidth cycles) -> COUNT -> COMMIT -> REPORT.
module paver_task_stealer #(
  /// Number of SMs.
  parameter NumSm = 15,
  /// Bytes of a TB id: 2 or 4.
  parameter IdBytes = 2,
  /// Bits of a byte address, more than a position in a group takes (CountWidth and the id's bytes).
  parameter AddrWidth = 64,
  /// Bits of a count of waiting TBs.
  parameter CountWidth = 16,
  /// Bits of the sum of the counts. 16-bit ids: the sum counts different ids, so 16 bits suffice.
  parameter SumWidth = CountWidth,
  /// Bits of an SM's number; leave it at its default.
  parameter SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// A kernel starts or ends: drop a scan, forget that stealing ended.
  input  logic                  clear_i,
  /// Stealing is enabled and all groups are handed out.
  input  logic                  enable_i,
  /// Per SM: it holds no group and has a free context.
  input  logic [NumSm-1:0]      candidate_i,

  /// One-hot: the queue whose registers are read in this cycle.
  output logic [NumSm-1:0]      read_o,
  /// Address of the last id of the queue read; zero if it holds no group.
  input  logic [AddrWidth-1:0]  read_tail_i,
  /// Position of `next` of the queue read, in ids modulo 2^CountWidth; zero without a group.
  input  logic [CountWidth-1:0] read_next_i,
  /// The queue read issues a TB in this cycle.
  input  logic                  read_issue_i,

  /// One-hot: the thief takes a group in this cycle.
  output logic [NumSm-1:0]      load_o,
  /// Address of the first stolen id, under load_o.
  output logic [AddrWidth-1:0]  load_next_o,
  /// Address of the last stolen id, under load_o.
  output logic [AddrWidth-1:0]  load_tail_o,
  /// One-hot: the donor gives the end of its group away in this cycle.
  output logic [NumSm-1:0]      cut_o,
  /// Address of the last id that the donor keeps, under cut_o.
  output logic [AddrWidth-1:0]  cut_tail_o,

  /// A candidate would start a scan.
  output logic                  armed_o,
  /// Nothing is under way.
  output logic                  idle_o,
  /// One cycle after a commit: the outputs below tell what was stolen.
  output logic                  steal_valid_o,
  /// TBs moved, under steal_valid_o.
  output logic [CountWidth-1:0] steal_count_o,
  /// The SM that gave them, under steal_valid_o.
  output logic [SmWidth-1:0]    steal_donor_o,
  /// The SM that took them, under steal_valid_o.
  output logic [SmWidth-1:0]    steal_thief_o
`ifdef FORMAL
  ,
  /// For proofs: the state, 0 IDLE to 5 REPORT.
  output logic [2:0]            formal_state_o,
  /// For proofs: the step in SCAN and DIVIDE, from COUNT on the donor.
  output logic [7:0]            formal_step_o,
  /// For proofs: MaxWaitingTB.
  output logic [CountWidth-1:0] formal_max_o,
  /// For proofs: the sum, in DIVIDE with the bits of the quotient below, then the average.
  output logic [SumWidth-1:0]   formal_sum_o,
  /// For proofs: the division's remainder.
  output logic [SmWidth-1:0]    formal_remainder_o
`endif
);

  localparam IdShift = $clog2(IdBytes);
  localparam LowWidth = IdShift + CountWidth;  // address bits that tell a position in a group
  localparam PartialWidth = SmWidth + 1;
  localparam StepWidth = ($clog2(SumWidth) > SmWidth) ? $clog2(SumWidth) : SmWidth;

  typedef enum logic [2:0] {Idle, Scan, Divide, Count, Commit, Report} state_e;

  state_e                state_q;
  logic                  ended_q;      // no TB waits anywhere: stealing is over for this kernel
  logic [StepWidth-1:0]  step_q;       // SCAN: the SM; DIVIDE: the bit; from COUNT on: the donor
  logic [SmWidth-1:0]    donor_q, thief_q, first_q;
  logic [CountWidth-1:0] max_q, count_q;
  logic [SumWidth-1:0]   sum_q;        // after DIVIDE: the average
  logic [SmWidth-1:0]    remainder_q;

  // The thief: round-robin among the candidates.
  logic [SmWidth-1:0] thief, after_thief;
  logic               found;
  logic [NumSm-1:0]   unused_grant;
  round_robin_pick #(
    .Count(NumSm)
  ) u_thief (
    .request_i(candidate_i),
    .first_i(first_q),
    .valid_o(found),
    .grant_o(unused_grant),
    .index_o(thief),
    .after_o(after_thief)
  );

  // WaitingTB of the queue read; more: it beats the maximum so far.
  logic [CountWidth-1:0] waiting, max_now;
  logic                  more;
  assign waiting = read_tail_i[IdShift +: CountWidth] - read_next_i;
  assign more    = waiting > max_q;
  assign max_now = more ? waiting : max_q;

  // One step of restoring division by NumSm: the next bit of the sum, from the top, enters the
  // remainder; the bit of the quotient takes its place at the bottom.
  logic [PartialWidth-1:0] partial;
  logic [SmWidth-1:0]      reduced;
  logic                    fits;
  assign partial = {remainder_q, sum_q[SumWidth-1]};
  assign fits    = partial >= PartialWidth'(NumSm);
  assign reduced = fits ? partial[SmWidth-1:0] - SmWidth'(NumSm) : partial[SmWidth-1:0];

  // What the donor can give after its issue of this cycle, and the addresses that follow from it.
  logic [CountWidth-1:0] left, moved;
  assign left  = (read_issue_i && waiting != '0) ? waiting - CountWidth'(1) : waiting;
  assign moved = (count_q < left) ? count_q : left;

  // The thief's `next` is one id after the donor's new tail. Where this step carries out of the low
  // bits, the subtraction had borrowed there, so that the high bits are the old tail's again.
  logic [LowWidth-1:0] step_low;
  assign step_low    = cut_tail_o[LowWidth-1:0] + LowWidth'(IdBytes);
  assign cut_tail_o  = read_tail_i - (AddrWidth'(moved) << IdShift);
  assign load_next_o = {(&cut_tail_o[IdShift +: CountWidth]) ? read_tail_i[AddrWidth-1:LowWidth]
                                                             : cut_tail_o[AddrWidth-1:LowWidth],
                        step_low};
  assign load_tail_o = read_tail_i;

  logic commit;
  assign commit = state_q == Commit && moved != '0;

  logic [SmWidth-1:0] sm;
  assign sm = step_q[SmWidth-1:0];
  always_comb begin
    read_o          = '0;
    cut_o           = '0;
    load_o          = '0;
    read_o[sm]      = 1'b1;
    cut_o[sm]       = commit;
    load_o[thief_q] = commit;
  end

  assign idle_o        = state_q == Idle;
  assign armed_o       = idle_o & enable_i & ~ended_q;
  assign steal_valid_o = state_q == Report;
  assign steal_count_o = count_q;
  assign steal_donor_o = donor_q;
  assign steal_thief_o = thief_q;

`ifdef FORMAL
  assign formal_state_o     = state_q;
  assign formal_step_o      = 8'(step_q);
  assign formal_max_o       = max_q;
  assign formal_sum_o       = sum_q;
  assign formal_remainder_o = remainder_q;
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
      ended_q <= 1'b0;
      first_q <= '0;
    end else begin
      case (state_q)
        Idle: begin
          if (armed_o && found) begin
            state_q <= Scan;
            first_q <= after_thief;
          end
        end
        Scan: begin
          if (step_q == StepWidth'(NumSm - 1)) begin
            state_q <= (max_now == '0) ? Idle : Divide;
            ended_q <= max_now == '0;
          end
        end
        Divide: begin
          if (step_q == StepWidth'(SumWidth - 1)) state_q <= Count;
        end
        Count:   state_q <= Commit;
        Commit:  state_q <= commit ? Report : Scan;
        default: state_q <= Idle;
      endcase
    end
  end

  // Data registers without reset: each step sets what the next one reads.
  always_ff @(posedge clk_i) begin
    case (state_q)
      Idle: begin
        step_q  <= '0;
        max_q   <= '0;
        sum_q   <= '0;
        thief_q <= thief;
      end
      Scan: begin
        step_q <= (step_q == StepWidth'(NumSm - 1)) ? '0 : step_q + StepWidth'(1);
        max_q  <= max_now;
        sum_q  <= sum_q + SumWidth'(waiting);
        if (more) donor_q <= sm;
        remainder_q <= '0;
      end
      Divide: begin
        step_q      <= (step_q == StepWidth'(SumWidth - 1)) ? StepWidth'(donor_q)
                                                            : step_q + StepWidth'(1);
        sum_q       <= {sum_q[SumWidth-2:0], fits};
        remainder_q <= reduced;
      end
      Count: count_q <= max_q - sum_q[CountWidth-1:0];
      Commit: begin
        step_q  <= '0;
        max_q   <= '0;
        sum_q   <= '0;
        count_q <= moved;
      end
      default: ;
    endcase
  end

endmodule
