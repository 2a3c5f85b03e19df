// TB scheduler that maps TBs to SMs as a register says: round-robin, or whole rows or columns of
// the grid to an SM (Liu, Liu and Wang, compiler-assisted CTA mapping, Algorithm 3 in its corrected
// form). The sizes that this takes are found at the start, by a sequential division.
module cta_map_tb_scheduler #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// TBs that may be offered in a cycle, each by a port to SMs of its own (tb_scheduler_shell).
  parameter int IssuePorts = 1,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel with the settings below, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Number of TBs, at most 2^IdWidth.
  input  logic [CountWidth-1:0]    tb_count_i,
  /// How TBs map to SMs: 0 round-robin, 1 rows of the grid to an SM (x), 2 columns (y).
  input  logic [1:0]               direction_i,
  /// TBs in a row of the grid, under a direction of 1 or 2.
  input  logic [CountWidth-1:0]    columns_i,
  /// Rows of the grid: tb_count_i / columns_i, under a direction of 1 or 2.
  input  logic [CountWidth-1:0]    rows_i,
  /// Give the kernel up, for a cycle or more; ignored unless busy_o. From the second cycle after it
  /// no TB is offered; busy_o falls once its walk and the TBs that run have ended.
  input  logic                     abort_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,

  /// A kernel runs: from the cycle after start_i until all TBs have completed.
  output logic                     busy_o,
  /// No register can change without an event at the inputs (tb_scheduler_shell).
  output logic                     quiescent_o,
  /// Per SM: a free context is an event although no TB is offered.
  output logic [NumSm-1:0]         wants_context_o
);

  // Bits of a number of issue ports.
  localparam RoomWidth = $clog2(IssuePorts + 1);

  logic                     start, mapped, walking;
  logic [RoomWidth-1:0]     offers, take;
  logic [IdWidth-1:0]       id;
  logic [NumSm-1:0]         eligible, offer, unused_issue;
  logic [NumSm*IdWidth-1:0] ids;

  tb_scheduler_shell #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .IssuePorts(IssuePorts),
    .OwnIds(1)
  ) u_shell (
    .clk_i,
    .rst_ni,
    .start_i,
    .abort_i,
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o,
    .tb_id_o,
    .busy_o,
    .quiescent_o,
    .wants_context_o,
    .start_o(start),
    .room_i(offers),
    .eligible_i(eligible),
    .id_i(id),
    .own_i(mapped),
    .own_ids_i(ids),
    .pair_i(1'b0),
    .walking_i(walking),
    .offer_o(offer),
    .take_o(take),
    .issue_o(unused_issue)
  );

  cta_map_order #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .IssuePorts(IssuePorts)
  ) u_order (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .tb_count_i,
    .direction_i,
    .columns_i,
    .rows_i,
    .take_i(take),
    .offer_i(offer),
    .id_o(id),
    .mapped_o(mapped),
    .ids_o(ids),
    .room_o(offers),
    .eligible_o(eligible),
    .walking_o(walking)
  );

  logic unused;
  assign unused = &{1'b0, unused_issue};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
