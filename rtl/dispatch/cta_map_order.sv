// TBs in the order of their ids for any SM, or each SM's ranges of a sequence over the grid: the
// register direction_i says which, for a whole kernel. The ranges' sizes are found first
// (cta_map_sizes).
module cta_map_order #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id, 16 or 32.
  parameter int IdWidth = 16,
  /// Issue ports: SMs that may have a TB in a cycle.
  parameter int IssuePorts = 1,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32,
  /// Bits of a number of issue ports; leave it at its default.
  parameter int RoomWidth = $clog2(IssuePorts + 1)
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                     rst_ni,
  /// Begin anew with the settings below, whatever is left.
  input  logic                     start_i,
  /// Number of TBs.
  input  logic [CountWidth-1:0]    tb_count_i,
  /// How TBs are mapped: 0 any SM gets the next id, 1 rows to an SM (x), 2 columns (y).
  input  logic [1:0]               direction_i,
  /// TBs in a row of the grid, under a direction of 1 or 2.
  input  logic [CountWidth-1:0]    columns_i,
  /// Rows of the grid, under a direction of 1 or 2.
  input  logic [CountWidth-1:0]    rows_i,
  /// TBs that are taken, in the order of the ids if the kernel is not mapped; room_o at most.
  input  logic [RoomWidth-1:0]     take_i,
  /// Per SM: a TB is taken for it, that of ids_o if the kernel is mapped.
  input  logic [NumSm-1:0]         offer_i,
  /// The next TB's id, in the order of the ids.
  output logic [IdWidth-1:0]       id_o,
  /// The kernel is mapped.
  output logic                     mapped_o,
  /// Per SM: its next TB's id, under eligible_o, if the kernel is mapped.
  output logic [NumSm*IdWidth-1:0] ids_o,
  /// SMs in eligible_o that can have a TB in this cycle.
  output logic [RoomWidth-1:0]     room_o,
  /// Per SM: it can have a TB, if there is room.
  output logic [NumSm-1:0]         eligible_o,
  /// A walk over the SMs goes on: eligible_o may rise without an input.
  output logic                     walking_o
);

  logic                  mapped, mapped_q, sizing, sized, range_walking, unused_last;
  logic [CountWidth-1:0] first, rest, length;
  logic [IdWidth-1:0]    first_step, rest_id, step, jump, rest_step;
  logic [7:0]            extra_sms;
  logic [RoomWidth-1:0]  sequence_room;
  logic [NumSm-1:0]      range_more;

  assign mapped     = direction_i != 2'd0;
  assign walking_o  = sizing | range_walking;
  assign mapped_o   = mapped_q;
  assign room_o     = mapped_q ? RoomWidth'(IssuePorts) : sequence_room;
  assign eligible_o = range_more | {NumSm{~mapped_q}};

  cta_map_sizes #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_sizes (
    .clk_i,
    .rst_ni,
    .start_i(start_i & mapped),
    .along_y_i(direction_i[1]),
    .tb_count_i(tb_count_i[IdWidth-1:0]),
    .columns_i,
    .rows_i,
    .busy_o(sizing),
    .done_o(sized),
    .first_o(first),
    .first_step_o(first_step),
    .rest_id_o(rest_id),
    .rest_o(rest),
    .extra_sms_o(extra_sms),
    .step_o(step),
    .length_o(length),
    .jump_o(jump),
    .rest_step_o(rest_step)
  );

  tb_range_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_ranges (
    .clk_i,
    .rst_ni,
    .clear_i(start_i),
    .start_i(sized),
    .first_i(first),
    .first_step_i(first_step),
    .rest_id_i(rest_id),
    .rest_i(rest),
    .rest_step_i(rest_step),
    .extra_i(extra_sms),
    .step_i(step),
    .length_i(length),
    .jump_i(jump),
    .more_o(range_more),
    .take_i(offer_i & {NumSm{mapped_q}}),
    .ids_o,
    .walking_o(range_walking)
  );

  tb_sequence #(
    .IdWidth(IdWidth),
    .IssuePorts(IssuePorts)
  ) u_sequence (
    .clk_i,
    .rst_ni,
    .start_i,
    .count_i(tb_count_i),
    .take_i,
    .pair_i(1'b0),
    .id_o,
    .room_o(sequence_room),
    .last_o(unused_last)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mapped_q <= 1'b0;
    else if (start_i) mapped_q <= mapped;
  end

  logic unused;
  assign unused = &{1'b0, unused_last};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
