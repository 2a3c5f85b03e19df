// PAVER's task stealer: Algorithm 2 as a sequential scan, one SM a cycle.
//
// The scan finds the donor, the SM with most waiting TBs (the lowest one of equals), the sum over
// all SMs, and the thief, an SM without a group but with a free context, round-robin. A bit-serial
// division turns the sum into the average in place. The donor then gives max - average TBs from the
// end of its group, at most what it still has waiting.
//
// Pipelined for 1,200 MHz with 80 SMs: what a queue shows is registered, then subtracted, then
// used. The donor is read again after the division, and once more if it issues a TB between that
// and the commit. An issue in the commit's own cycle needs no care: the thief takes what stands
// behind nextTB, and if that is all, the donor's group ends with the issue (cut_all_o).
//
// Registers as in the PAVER paper, section 5.2: max, average (first the sum), stolen count; the
// count takes the place of max, which it follows from.
// Steps: IDLE -> SCAN (NumSm + 2 cycles) -> JUDGE -> DIVIDE (SumWidth cycles) -> COUNT -> READ ->
// SUBTRACT -> CLAMP -> CUT -> COMMIT -> REPORT.
module paver_task_stealer #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bytes of a TB id: 2 or 4.
  parameter int IdBytes = 2,
  /// Bits of a byte address, more than a position in a group takes (CountWidth and the id's bytes).
  parameter int AddrWidth = 64,
  /// Bits of a count of waiting TBs.
  parameter int CountWidth = 16,
  /// Bits of the sum of the counts. 16-bit ids: the sum counts different ids, so 16 bits suffice.
  parameter int SumWidth = CountWidth,
  /// The donor's tail stays in a register from READ to the commit (1), or all but its low bits are
  /// read from the queue again (0).
  parameter int HoldTail = 0,
  /// Bits of an SM's number; leave it at its default.
  parameter int SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// A kernel starts or ends: a scan is dropped, and stealing may begin again.
  input  logic                  clear_i,
  /// Stealing is enabled and all groups are handed out.
  input  logic                  enable_i,
  /// Per SM: the SM holds no group and has a free context.
  input  logic [NumSm-1:0]      candidate_i,

  /// One-hot or zero: the queue whose registers are read in this cycle.
  output logic [NumSm-1:0]      read_o,
  /// Address of the last id of the queue read; zero if it holds no group.
  input  logic [AddrWidth-1:0]  read_tail_i,
  /// Position of `next` of the queue read, in ids modulo 2^CountWidth; zero without a group.
  input  logic [CountWidth-1:0] read_next_i,
  /// The queue read issues a TB in this cycle.
  input  logic                  read_issue_i,
  /// More TBs will wait somewhere without a steal: when none waits, stealing is not over.
  input  logic                  more_to_come_i,

  /// One-hot or zero: the thief, which takes a group in this cycle.
  output logic [NumSm-1:0]      load_o,
  /// Address of the first stolen id, under load_o.
  output logic [AddrWidth-1:0]  load_next_o,
  /// Address of the last stolen id, under load_o.
  output logic [AddrWidth-1:0]  load_tail_o,
  /// One-hot or zero: the donor, which gives the end of its group away in this cycle.
  output logic [NumSm-1:0]      cut_o,
  /// Address of the last id that the donor keeps, under cut_o.
  output logic [AddrWidth-1:0]  cut_tail_o,
  /// The donor keeps nextTB alone, under cut_o.
  output logic                  cut_all_o,

  /// A candidate would start a scan.
  output logic                  armed_o,
  /// Neither a scan nor a steal is under way.
  output logic                  idle_o,
  /// One cycle after a commit: the outputs below tell what was stolen.
  output logic                  steal_valid_o,
  /// TBs moved, under steal_valid_o.
  output logic [CountWidth-1:0] steal_count_o,
  /// The SM that gave TBs, under steal_valid_o.
  output logic [SmWidth-1:0]    steal_donor_o,
  /// The SM that took TBs, under steal_valid_o.
  output logic [SmWidth-1:0]    steal_thief_o
`ifdef FORMAL
  `include "paver/formal/paver_task_stealer_ports.svh"
`endif
);

  localparam IdShift = $clog2(IdBytes);
  localparam LowWidth = IdShift + CountWidth;  // address bits that tell a position in a group
  localparam PartialWidth = SmWidth + 1;
  localparam ScanWidth = $clog2(NumSm + 2);
  localparam StepWidth = ($clog2(SumWidth) > ScanWidth) ? $clog2(SumWidth) : ScanWidth;

  typedef enum logic [3:0] {
    Idle, Scan, Judge, Divide, Count, Read, Subtract, Clamp, Cut, Commit, Report
  } state_e;

  state_e                state_q;
  logic                  ended_q;   // no TB waits anywhere: stealing is over for this kernel
  logic [StepWidth-1:0]  step_q;    // SCAN: the SM read; DIVIDE: the bit; from COUNT on: the donor
  logic [SmWidth-1:0]    donor_q, thief_q;
  logic [SmWidth-1:0]    last_q;    // the thief before: round-robin goes on after it
  logic                  found_q;   // there is a thief,
  logic                  later_q;   // and it comes after last_q
  logic [CountWidth-1:0] max_q;     // from READ on: the stolen count
  logic [SumWidth-1:0]   sum_q;     // after DIVIDE: the average
  logic [SmWidth-1:0]    remainder_q;
  logic                  issued_q;  // the donor has issued a TB since it was read
  logic                  all_q;     // the donor gives all that waits

  // First stage: what the queue selected shows, of its tail what tells positions.
  logic [LowWidth-1:0]   tail_q;
  logic [CountWidth-1:0] next_q;
  logic                  candidate_q;
  always_ff @(posedge clk_i) begin
    if (state_q == Scan || state_q == Read) begin
      tail_q <= read_tail_i[LowWidth-1:0];
      next_q <= read_next_i;
    end
    candidate_q <= |(candidate_i & read_o);
  end

  // Second stage: WaitingTB in SCAN and SUBTRACT; the position of the donor's new tail in CUT.
  logic [CountWidth-1:0] position, subtrahend, difference, difference_q;
  logic                  borrow, borrow_q, candidate_2_q;
  assign position             = tail_q[IdShift +: CountWidth];
  assign subtrahend           = (state_q == Cut) ? max_q : next_q;
  assign {borrow, difference} = {1'b0, position} - {1'b0, subtrahend};
  always_ff @(posedge clk_i) begin
    if (state_q != Idle) begin
      difference_q <= difference;
      borrow_q     <= borrow;
    end
    candidate_2_q <= candidate_q;
  end

  // Third stage: the SM read two cycles ago.
  logic [StepWidth-1:0] index;
  logic                 evaluate, more, later, take;
  assign index    = step_q - StepWidth'(2);
  assign evaluate = state_q == Scan && step_q >= StepWidth'(2);
  assign more     = difference_q > max_q;
  assign later    = index > StepWidth'(last_q);
  assign take     = candidate_2_q & (~found_q | (later & ~later_q));

  // One step of restoring division by NumSm: the next bit of the sum, from the top, enters the
  // remainder; the bit of the quotient takes its place at the bottom.
  logic [PartialWidth-1:0] partial;
  logic [SmWidth-1:0]      reduced;
  logic                    fits;
  assign partial = {remainder_q, sum_q[SumWidth-1]};
  assign fits    = partial >= PartialWidth'(NumSm);
  assign reduced = fits ? partial[SmWidth-1:0] - SmWidth'(NumSm) : partial[SmWidth-1:0];

  // The high bits of the tail, and the same less one: in parts, of which the upper ones know by a
  // register whether all below are zero. From READ to the commit the donor is shown and its tail
  // stands, so that these bits need no register, but for a faster clock.
  localparam HighWidth = AddrWidth - LowWidth;
  localparam PartWidth = 8;
  logic [HighWidth-1:0] high, high_less;
  if (HoldTail != 0) begin : gen_hold_tail
    logic [HighWidth-1:0] high_q;
    always_ff @(posedge clk_i) begin
      if (state_q == Scan || state_q == Read) high_q <= read_tail_i[AddrWidth-1:LowWidth];
    end
    assign high = high_q;
  end else begin : gen_show_tail
    assign high = read_tail_i[AddrWidth-1:LowWidth];
  end
  for (genvar p = 0; p * PartWidth < HighWidth; p++) begin : gen_part
    localparam Begin = p * PartWidth;
    localparam Bits = (HighWidth - Begin < PartWidth) ? HighWidth - Begin : PartWidth;
    if (p == 0) begin : gen_lowest
      assign high_less[0 +: Bits] = high[0 +: Bits] - Bits'(1);
    end else begin : gen_upper
      logic below_zero_q;
      always_ff @(posedge clk_i) below_zero_q <= high[Begin-1:0] == '0;
      assign high_less[Begin +: Bits] = high[Begin +: Bits] - Bits'(below_zero_q);
    end
  end

  // The thief's `next` is one id after the donor's new tail. Where this step carries out of the low
  // bits, the subtraction had borrowed there, so that the high bits are the old tail's again.
  assign load_tail_o = {high, tail_q};
  assign cut_tail_o  = {borrow_q ? high_less : high, difference_q, tail_q[IdShift-1:0]};
  assign load_next_o = {(borrow_q & ~(&difference_q)) ? high_less : high,
                        difference_q + CountWidth'(1), tail_q[IdShift-1:0]};
  assign cut_all_o = all_q;

  logic commit;
  assign commit = state_q == Commit && !issued_q;

  always_comb begin
    read_o = '0;
    cut_o  = '0;
    load_o = '0;
    for (int s = 0; s < NumSm; s++) begin
      read_o[s] = step_q == StepWidth'(s);
      cut_o[s]  = commit && step_q == StepWidth'(s);
      load_o[s] = commit && thief_q == SmWidth'(s);
    end
  end

  assign idle_o        = state_q == Idle;
  assign armed_o       = idle_o & enable_i & ~ended_q;
  assign steal_valid_o = state_q == Report;
  assign steal_count_o = max_q;
  assign steal_donor_o = donor_q;
  assign steal_thief_o = thief_q;

`ifdef FORMAL
  `include "paver/formal/paver_task_stealer_wires.svh"
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
      ended_q <= 1'b0;
      last_q  <= SmWidth'(NumSm - 1);
    end else begin
      case (state_q)
        Idle:     if (armed_o && (|candidate_i)) state_q <= Scan;
        Scan:     if (step_q == StepWidth'(NumSm + 1)) state_q <= Judge;
        Judge: begin
          if (max_q == '0 || !found_q) state_q <= Idle;
          else state_q <= Divide;
          ended_q <= max_q == '0 && !more_to_come_i;
        end
        Divide:   if (step_q == StepWidth'(SumWidth - 1)) state_q <= Count;
        Count:    state_q <= Read;
        Read:     state_q <= Subtract;
        Subtract: state_q <= Clamp;
        Clamp:    state_q <= Cut;
        Cut: begin
          if (max_q == '0) state_q <= Scan;
          else state_q <= Commit;
        end
        Commit: begin
          if (issued_q) begin
            state_q <= Read;
          end else begin
            state_q <= Report;
            last_q  <= thief_q;
          end
        end
        default:  state_q <= Idle;
      endcase
    end
  end

  // Data registers without reset: each step sets what the next one reads.
  logic begin_scan;
  assign begin_scan = state_q == Idle || (state_q == Cut && max_q == '0);
  always_ff @(posedge clk_i) begin
    if (begin_scan) begin
      step_q  <= '0;
      max_q   <= '0;
      sum_q   <= '0;
      found_q <= 1'b0;
      later_q <= 1'b0;
    end else begin
      case (state_q)
        Scan:  step_q <= step_q + StepWidth'(1);
        Judge: step_q <= '0;
        Divide: begin
          step_q <= (step_q == StepWidth'(SumWidth - 1)) ? StepWidth'(donor_q)
                                                         : step_q + StepWidth'(1);
          sum_q  <= {sum_q[SumWidth-2:0], fits};
        end
        Count: max_q <= max_q - sum_q[CountWidth-1:0];
        Clamp: if (!more) max_q <= difference_q;
        default: ;
      endcase
      if (evaluate) begin
        sum_q <= sum_q + SumWidth'(difference_q);
        if (more) begin
          max_q   <= difference_q;
          donor_q <= index[SmWidth-1:0];
        end
        if (take) begin
          thief_q <= index[SmWidth-1:0];
          found_q <= 1'b1;
          later_q <= later;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Scan) remainder_q <= '0;
    else if (state_q == Divide) remainder_q <= reduced;
    if (state_q == Clamp) all_q <= ~more;
    issued_q <= read_issue_i | (issued_q & state_q != Read);
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdBytes != 2 && IdBytes != 4) begin : gen_1 id_bytes_is_not_2_or_4 u (); end
  if (HoldTail != 0 && HoldTail != 1) begin : gen_2 hold_tail_is_not_0_or_1 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdBytes != 2 && IdBytes != 4) $error("IdBytes is not 2 or 4");
  if (HoldTail != 0 && HoldTail != 1) $error("HoldTail is not 0 or 1");
`endif

endmodule
