// One launch that runs and one behind it: when each begins and ends, and what status and counters say.
//
// A launch begins in the first cycle in which the scheduler is idle. One that meets an error or is
// stopped is given up: once the scheduler has drained what is under way, the next launch may begin.
module dispatch_control #(
  /// Bits of a number of TBs, 17 or 32.
  parameter int CountWidth = 17
) (
  /// Clock, rising edge.
  input  logic        clk_i,
  /// Synchronous reset, active low.
  input  logic        rst_ni,

  /// Register control is written.
  input  logic        control_write_i,
  /// Register status is written.
  input  logic        status_write_i,
  /// The value that is written to either.
  input  logic [31:0] write_data_i,
  /// Which of the status bits 8 to 10 raise an interrupt.
  input  logic [2:0]  interrupts_i,
  /// A write or read is refused, for the reason below, in this cycle.
  input  logic        refused_i,
  /// 8 a launch waits, 9 no such register, 10 a value that does not fit.
  input  logic [3:0]  refused_reason_i,
  /// A launch would be refused: one waits.
  output logic        locked_o,
  /// What register status says.
  output logic [31:0] status_o,
  /// A status bit that may raise it is set.
  output logic        irq_o,

  /// launch_prepare begins.
  output logic        prepare_o,
  /// The launch that waits may begin.
  input  logic        ready_i,
  /// The launch that waits cannot run.
  input  logic        fails_i,
  /// Why it cannot run.
  input  logic [3:0]  fails_reason_i,
  /// launch_prepare ends.
  output logic        prepared_o,

  /// The launch begins, in this cycle.
  output logic        start_o,
  /// A launch runs.
  output logic        active_o,
  /// Its tag.
  output logic [3:0]  tag_o,
  /// The launch that runs gives out no more TBs.
  output logic        stopping_o,

  /// The scheduler has a kernel.
  input  logic        busy_i,
  /// A read has failed.
  input  logic        read_error_i,
  /// A TB's id is beyond the grid.
  input  logic        beyond_i,
  /// A completion was of no TB that runs.
  input  logic        stray_i,

  /// A TB is given out.
  input  logic        issue_i,
  /// TBs were stolen.
  input  logic        steal_i,
  /// A TB stands at an SM's port and is not taken.
  input  logic        wait_i,
  /// What register tbs_issued says.
  output logic [31:0] tbs_issued_o,
  /// What register steals says.
  output logic [31:0] steals_o,
  /// What register waits says.
  output logic [31:0] waits_o,
  /// Nothing is under way.
  output logic        idle_o
);

  logic        queued_q, active_q, stopping_q, done_q, failed_q, refused_q;
  logic [3:0]  reason_q, stop_reason_q, tag_q, ended_tag_q, next_tag_q;
  logic [31:0] steals_q, waits_q;
  logic [CountWidth-1:0] issued_q;
  logic        launch, stop, finish, stops, drains, fails, start;

  assign launch = control_write_i & write_data_i[0];
  assign stop   = control_write_i & write_data_i[1];

  assign finish = active_q & ~stopping_q & ~busy_i;
  assign stops  = active_q & ~stopping_q & busy_i & (read_error_i | beyond_i | stop);
  assign drains = stopping_q & ~busy_i;
  assign fails  = queued_q & fails_i;
  assign start  = queued_q & ready_i & (~active_q | finish);

  assign locked_o   = queued_q;
  assign prepare_o  = queued_q;
  assign prepared_o = start | fails;
  assign start_o    = start;
  assign active_o   = active_q;
  assign tag_o      = tag_q;
  assign stopping_o = stopping_q;
  assign idle_o     = ~queued_q & ~active_q;

  assign irq_o    = |({refused_q, failed_q, done_q} & interrupts_i);
  assign status_o = {next_tag_q, ended_tag_q, tag_q, reason_q, 5'd0, refused_q, failed_q, done_q,
                     6'd0, queued_q, active_q};

  assign tbs_issued_o = 32'(issued_q);
  assign steals_o     = steals_q;
  assign waits_o      = waits_q;

  logic [2:0] cleared;
  assign cleared = write_data_i[10:8] & {3{status_write_i}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      queued_q      <= 1'b0;
      active_q      <= 1'b0;
      stopping_q    <= 1'b0;
      done_q        <= 1'b0;
      failed_q      <= 1'b0;
      refused_q     <= 1'b0;
      reason_q      <= '0;
      stop_reason_q <= '0;
      tag_q         <= '0;
      ended_tag_q   <= '0;
      next_tag_q    <= '0;
    end else begin
      queued_q   <= launch | (queued_q & ~prepared_o);
      active_q   <= start | (active_q & ~finish & ~drains);
      stopping_q <= stops | (stopping_q & ~drains);
      done_q     <= finish | (done_q & ~cleared[0]);
      failed_q   <= drains | fails | (failed_q & ~cleared[1]);
      refused_q  <= refused_i | stray_i | (refused_q & ~cleared[2]);
      if (drains) reason_q <= stop_reason_q;
      else if (fails) reason_q <= fails_reason_i;
      else if (stray_i) reason_q <= 4'd11;
      else if (refused_i) reason_q <= refused_reason_i;
      if (stops) stop_reason_q <= read_error_i ? 4'd6 : beyond_i ? 4'd7 : 4'd12;
      if (start) tag_q <= next_tag_q;
      if (finish | drains) ended_tag_q <= tag_q;
      else if (fails) ended_tag_q <= next_tag_q;
      if (prepared_o) next_tag_q <= next_tag_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) begin
      issued_q <= '0;
      steals_q <= '0;
      waits_q  <= '0;
    end else begin
      if (issue_i) issued_q <= issued_q + CountWidth'(1);
      if (steal_i) steals_q <= steals_q + 32'd1;
      if (wait_i) waits_q <= waits_q + 32'd1;
    end
  end

  logic unused;
  assign unused = &{1'b0, write_data_i[31:11], write_data_i[7:2]};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CountWidth != 17 && CountWidth != 32) begin : gen_0 count_width_is_not_17_or_32 u (); end
`else
  if (CountWidth != 17 && CountWidth != 32) $error("CountWidth is not 17 or 32");
`endif

endmodule
