// Beyond CAPS: the order of warps that lets most instructions issue. Each is tried in turn, and the
// best one stays in charge for a while. Which one is best changes from kernel to kernel, and is worth
// more than prefetches. All figures here are assumptions.
//
// A round is 38 epochs. For two epochs each order is in charge, the one that was best first; what
// issues in the second of them counts, the first being under the influence of the order before. The
// best one stays for the rest. One that was in charge before has to be beaten by a sixteenth.
//
// Measured is what issues now, and a greedy order has the more of it the less is left for the end.
// So it has to issue twice as much where the last warps of a launch run: before a warp begins in a
// slot in which one has exited, and after a slot has stayed empty from one epoch's end to the next
// without a warp that began. There another one has to be better by an eighth. A greedy order in charge
// gives way where this begins; with the first warp that begins in such a slot a new round begins.
module caps_order_duel #(
  /// Warp slots, 2 to 64.
  parameter int NumWarps = 48,
  /// Bits of a count, which saturates: an epoch has fewer cycles than it can tell.
  parameter int CountWidth = 12
) (
  /// Clock, rising edge.
  input  logic                clk_i,
  /// Synchronous reset, active low: the first order is in charge.
  input  logic                rst_ni,

  /// Per warp: the warp begins.
  input  logic [NumWarps-1:0] started_i,
  /// Per warp: the warp has exited; this counts before started_i.
  input  logic [NumWarps-1:0] finished_i,
  /// A warp has issued.
  input  logic                issued_i,
  /// An epoch ends.
  input  logic                epoch_i,

  /// One-hot: the order in charge; bit 2 is the greedy one.
  output logic [2:0]          order_o,
  /// Another order will be in charge in the next cycle.
  output logic                changes_o
`ifdef FORMAL
  `include "caps/formal/caps_order_duel_ports.svh"
`endif
);

  localparam [5:0] LastTry  = 6'd5;
  localparam [5:0] LastStep = 6'd37;

  // Who runs, and which slots have been left and not taken again.
  logic [NumWarps-1:0] running_q, running, left_q, left;
  logic                some_run, refills_q, refills, waits_q;
  assign running  = (running_q & ~finished_i) | started_i;
  assign some_run = |running;
  assign left     = (left_q | finished_i) & ~started_i;
  assign refills  = some_run & ((|(started_i & (left_q | finished_i)))
                                | (refills_q & ~(epoch_i & waits_q & ~(|started_i))));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= '0;
      left_q    <= '0;
      refills_q <= 1'b0;
      waits_q   <= 1'b0;
    end else begin
      running_q <= running;
      left_q    <= left & {NumWarps{some_run}};
      refills_q <= refills;
      if (epoch_i) waits_q <= some_run & (|left);
      else if (|started_i) waits_q <= 1'b0;
    end
  end

  // The round: what has issued, what the best order has, and which one that is.
  logic [5:0]            step_q;
  logic [CountWidth-1:0] count_q, count;
  logic [CountWidth:0]   best_q, a_16th_more, an_8th_more;
  logic [2:0]            order_q, order, next, chosen, kept_q, kept;
  logic                  tries, counted, first, more, twice, better, ends, stops;
  assign count     = (epoch_i & ~counted) ? '0 : count_q;
  assign tries     = step_q <= LastTry;
  assign counted   = tries & step_q[0];
  assign first     = step_q == 6'd1;
  assign more      = {1'b0, count_q} > best_q;
  assign twice     = {2'b0, count_q} > {best_q, 1'b0};
  assign better    = first | (more & (twice | ~order_q[2] | refills));
  // Both sums, since it is known late which of them counts; nothing is added but to the first count.
  assign a_16th_more = {1'b0, count_q} + ({5'd0, count_q[CountWidth-1:4]} & {(CountWidth+1){first}});
  assign an_8th_more = {1'b0, count_q} + ({4'd0, count_q[CountWidth-1:3]} & {(CountWidth+1){first}});
  assign ends      = step_q == LastTry;
  assign kept      = better ? order_q : kept_q;
  assign next      = {order_q[1:0], order_q[2]};
  assign chosen    = !(epoch_i & counted) ? order_q : ends ? kept : next;
  assign stops     = refills_q & ~refills & chosen[2];
  assign order     = stops ? 3'd1 : chosen;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q  <= '0;
      order_q <= 3'd1;
    end else begin
      if (stops || (refills && !refills_q)) step_q <= '0;
      else if (epoch_i) step_q <= (step_q == LastStep) ? '0 : step_q + 6'd1;
      order_q <= order;
    end
  end
  always_ff @(posedge clk_i) begin
    count_q <= count + CountWidth'(issued_i && !(&count));
    if (epoch_i & counted & better) begin
      best_q <= refills ? a_16th_more : an_8th_more;
      kept_q <= order_q;
    end
  end

  assign order_o   = order_q;
  assign changes_o = order != order_q;

`ifdef FORMAL
  `include "caps/formal/caps_order_duel_wires.svh"
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumWarps < 2 || NumWarps > 64) begin : gen_0 num_warps_is_not_2_to_64 u (); end
`else
  if (NumWarps < 2 || NumWarps > 64) $error("NumWarps is not 2 to 64");
`endif

endmodule
