// TBs in the order of their ids for any SM, or each SM's ranges of a sequence over the grid: the
// register mapped_i says which, for a whole kernel.
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
  /// Begin with the settings below, when no TBs are left.
  input  logic                     start_i,
  /// Number of TBs, for the order of the ids.
  input  logic [CountWidth-1:0]    tb_count_i,
  /// TBs are mapped as the settings below say (tb_range_bank); else any SM gets the next id.
  input  logic                     mapped_i,
  /// TBs in an SM's first range; the ranges begin at TB 0.
  input  logic [CountWidth-1:0]    first_i,
  /// Distance of the ids at which the first ranges of SM s and s + 1 begin.
  input  logic [IdWidth-1:0]       first_step_i,
  /// TB at which the rest begins, at the top of a column where there are jumps.
  input  logic [IdWidth-1:0]       rest_id_i,
  /// TBs that each SM gets of the rest, less the extra one.
  input  logic [CountWidth-1:0]    rest_i,
  /// SMs, from SM 0 on, that get one TB more of the rest.
  input  logic [7:0]               extra_sms_i,
  /// Distance of the ids of neighbours in the sequence.
  input  logic [IdWidth-1:0]       step_i,
  /// TBs from one jump of the sequence to the next, more than rest_i; 0 for none.
  input  logic [CountWidth-1:0]    length_i,
  /// Distance of the ids at a jump.
  input  logic [IdWidth-1:0]       jump_i,
  /// Product of rest_i and step_i.
  input  logic [IdWidth-1:0]       rest_step_i,
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

  logic                 mapped_q, unused_last;
  logic [RoomWidth-1:0] sequence_room;
  logic [NumSm-1:0]     range_more;

  assign mapped_o   = mapped_q;
  assign room_o     = mapped_q ? RoomWidth'(IssuePorts) : sequence_room;
  assign eligible_o = range_more | {NumSm{~mapped_q}};

  tb_range_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_ranges (
    .clk_i,
    .rst_ni,
    .start_i(start_i & mapped_i),
    .first_i,
    .first_step_i,
    .rest_id_i,
    .rest_i,
    .rest_step_i,
    .extra_i(extra_sms_i),
    .step_i,
    .length_i,
    .jump_i,
    .more_o(range_more),
    .take_i(offer_i & {NumSm{mapped_q}}),
    .ids_o,
    .walking_o
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
    else if (start_i) mapped_q <= mapped_i;
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
