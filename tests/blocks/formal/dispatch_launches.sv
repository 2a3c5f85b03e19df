// Each launch that is accepted ends once, as done or as failed, for all time: launches, stops and
// errors in any order. While one waits, no other one is accepted; none begins while one runs; an error
// ends the launch in the cycle in which nothing is left of it.
module dispatch_launches (
  input logic clk_i,
  input logic rst_ni,
  input logic launch_i,
  input logic stop_i,
  input logic ready_i,
  input logic fails_i,
  input logic busy_ends_i,
  input logic read_error_i,
  input logic beyond_i,
  input logic stray_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic        locked, prepare, prepared, start, active, stopping, irq, idle, busy_q;
  logic [31:0] status, issued, steals, waits;
  logic [3:0]  tag, open_q;
  logic        accepted, done, failed, error_q, told_q, was_stopping_q, was_failed_q;

  dispatch_control u_dut (
    .clk_i,
    .rst_ni,
    .control_write_i(launch_i | stop_i),
    .status_write_i(1'b1),                       // flags stand for a cycle
    .write_data_i({21'd0, 3'b111, 6'd0, stop_i, launch_i}),
    .interrupts_i(3'b011),
    .refused_i(1'b0),
    .refused_reason_i(4'd0),
    .locked_o(locked),
    .status_o(status),
    .irq_o(irq),
    .prepare_o(prepare),
    .ready_i,
    .fails_i,
    .fails_reason_i(4'd1),
    .prepared_o(prepared),
    .start_o(start),
    .active_o(active),
    .tag_o(tag),
    .stopping_o(stopping),
    .busy_i(busy_q),
    .read_error_i,
    .beyond_i,
    .stray_i,
    .issue_i(1'b0),
    .steal_i(1'b0),
    .wait_i(1'b0),
    .tbs_issued_o(issued),
    .steals_o(steals),
    .waits_o(waits),
    .idle_o(idle)
  );
  assign accepted = launch_i;
  assign done     = status[8];
  assign failed   = status[9];

  // The scheduler: it runs from the cycle after a start until it ends, given up or not.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start | (busy_q & ~busy_ends_i);
  end

  // Launches accepted and not ended. One that runs ends with its scheduler; one that waits where it
  // fails. A flag tells of it in the next cycle.
  logic       ran, failed_now;
  logic [1:0] ends_now;
  assign ran        = active & ~busy_q;
  assign failed_now = locked & fails_i;
  assign ends_now   = 2'(ran) + 2'(failed_now);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= open_q + 4'(accepted) - 4'(ends_now);
    told_q  <= rst_ni & (ends_now != 2'd0);
    was_stopping_q <= rst_ni & active & stopping;
    was_failed_q   <= rst_ni & failed_now;
    error_q <= rst_ni & active & busy_q & ~stopping & (read_error_i | beyond_i);
  end

  always_comb begin
    assume (!(launch_i && locked));
    assume (!(ready_i && fails_i));
    if (rst_ni) begin
      assert (open_q == 4'(locked) + 4'(active));
      assert (idle == (open_q == '0));
      assert (!start || (locked && !busy_q));
      assert (!(locked && ready_i && !active) || start);   // no gap
      assert (!(active && !stopping && !busy_q && locked && ready_i) || start);
      assert (!error_q || stopping);
      assert (!failed || was_stopping_q || was_failed_q);
      assert (!(done && failed) || was_failed_q);
      assert ((done || failed) == told_q);
      assert (irq == told_q);
      assert (active || !busy_q);
    end
  end

endmodule
