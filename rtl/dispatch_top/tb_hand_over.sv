// One TB after the other from a scheduler's offers, SM after SM: its offer is picked, then its id is
// read, then it is taken from the scheduler. A TB that is in none of these steps costs nothing.
module tb_hand_over #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,
  /// Nothing is picked or taken any more; what was picked is dropped.
  input  logic                     stop_i,

  /// Per SM: the scheduler offers a TB.
  input  logic [NumSm-1:0]         tb_valid_i,
  /// Per SM: its id.
  input  logic [NumSm*IdWidth-1:0] tb_id_i,
  /// Per SM: it has room for a TB.
  input  logic [NumSm-1:0]         room_i,
  /// TBs of the launch: ids are below.
  input  logic [CountWidth-1:0]    tb_count_i,
  /// Per SM: what the scheduler is told of room. Of the SMs that are offered a TB, only the one whose
  /// TB is taken is ready.
  output logic [NumSm-1:0]         tb_ready_o,

  /// The SM whose TB is about to be taken, one-hot, or zero.
  output logic [NumSm-1:0]         sm_o,
  /// Its id.
  output logic [IdWidth-1:0]       id_o,
  /// There is place for a TB.
  input  logic                     ready_i,
  /// The TB of sm_o is taken, in this cycle.
  output logic                     take_o,
  /// Its id is not below the number of TBs: it is never taken.
  output logic                     beyond_o
);

  logic [NumSm-1:0]   pick_q, sm_q, request, pick;
  logic [IdWidth-1:0] id_q, picked_id;
  logic               beyond_q, moves, picks;

  // A step is made when the one before it is free.
  assign take_o   = (|sm_q) & ready_i & ~beyond_q & ~stop_i;
  assign moves    = take_o | ~(|sm_q);
  assign picks    = moves | ~(|pick_q);
  assign request  = tb_valid_i & room_i & ~pick_q & ~sm_q;
  assign sm_o     = sm_q;
  assign id_o     = id_q;
  assign beyond_o = beyond_q & (|sm_q);
  assign tb_ready_o = (room_i & ~tb_valid_i & ~{NumSm{stop_i}}) | (sm_q & {NumSm{take_o}});

  logic unused_valid;
  round_robin_arbiter #(
    .Count(NumSm)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .request_i(request),
    .take_i(picks),
    .valid_o(unused_valid),
    .grant_o(pick)
  );

  always_comb begin
    picked_id = '0;
    for (int s = 0; s < NumSm; s++)
      picked_id |= tb_id_i[s*IdWidth +: IdWidth] & {IdWidth{pick_q[s]}};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_q <= '0;
      sm_q   <= '0;
    end else if (stop_i) begin
      pick_q <= '0;
      sm_q   <= '0;
    end else begin
      if (picks) pick_q <= pick;
      if (moves) sm_q <= pick_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves) begin
      id_q     <= picked_id;
      beyond_q <= CountWidth'(picked_id) >= tb_count_i;
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_valid};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
