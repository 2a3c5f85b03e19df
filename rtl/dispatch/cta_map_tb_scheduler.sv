// TB scheduler with a control register that selects how TBs map to SMs (Liu, Liu and Wang):
// round-robin, in id order; or whole rows (x) or whole columns (y) of the grid to an SM while
// they divide evenly, and the rest spread evenly: Algorithm 3 in its corrected form. TBs go out
// one a cycle at most, SM after SM, each SM's in order.
//
// With S SMs and W TBs in a row (y: column), H rows (columns): a = H / S, c = W * (H - a * S), q
// = c / S, r = c mod S, all integer and computed by whoever starts the kernel; see settings_i.
//
// Every output is a function of registers. quiescent_o says that no register can change without an
// event at the inputs. Events are: start_i; a bit of tb_done_i; a bit of tb_ready_i where
// tb_valid_o or wants_context_o is set.
module cta_map_tb_scheduler #(
  /// Number of SMs, 1 to 128.
  parameter NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter IdWidth = 16,
  /// Bits of a byte address, at most 64.
  parameter AddrWidth = 64
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// Begin a kernel of queue_count_i TBs, for one cycle; ignored while busy_o.
  input  logic                     start_i,
  /// Not used: there is no queue in memory.
  input  logic [AddrWidth-1:0]     queue_base_i,
  /// Number of TBs, at most 2^IdWidth.
  input  logic [31:0]              queue_count_i,
  /// Not used: nothing waits at an SM.
  input  logic                     steal_enable_i,
  /// Sampled with start_i; 32-bit words. 0: the control register, 0 round-robin, 1 mapped; then,
  /// unless round-robin: 1: a * W. 2: x: a * W, y: a. 3: x: a * S * W, y: a * S. 4: q. 5: r. 6:
  /// x: 1, y: TBs in a row of the grid. 7: x: 0, y: W. 8: x: 0, y: 1 - (W - 1) * word 6. 9: q *
  /// word 6. Negative values and products are modulo 2^32.
  input  logic [319:0]             settings_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,

  /// From the cycle after start_i until all TBs have completed.
  output logic                     busy_o,
  /// No register can change without an event at the inputs (see above).
  output logic                     quiescent_o,
  /// Per SM: a free context is an event although no TB is offered.
  output logic [NumSm-1:0]         wants_context_o,

  /// Not used.
  input  logic                     mem_req_ready_i,
  /// Always low.
  output logic                     mem_req_valid_o,
  /// Always zero.
  output logic [AddrWidth-1:0]     mem_req_addr_o,
  /// Always zero.
  output logic [4:0]               mem_req_size_o,
  /// Not used.
  input  logic                     mem_rsp_valid_i,
  /// Not used.
  input  logic [127:0]             mem_rsp_data_i,

  /// Always low.
  output logic                     steal_valid_o,
  /// Always zero.
  output logic [15:0]              steal_count_o,
  /// Always zero.
  output logic [7:0]               steal_donor_o,
  /// Always zero.
  output logic [7:0]               steal_thief_o
);

  localparam CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32;

  logic                     busy_q, mapped_q, start, finish, idle, adding, walking, take;
  logic                     more, unused_last;
  logic [IdWidth-1:0]       next_id;
  logic [NumSm-1:0]         range_more, eligible, offer;
  logic [NumSm*IdWidth-1:0] range_ids;

  assign start    = start_i & ~busy_q;
  assign eligible = range_more | {NumSm{~mapped_q}};
  assign finish   = busy_q & ~walking & ~(mapped_q ? |range_more : more) & idle;

  assign busy_o          = busy_q;
  assign quiescent_o     = ~finish & ~walking & ~adding;
  assign wants_context_o = mapped_q ? range_more : {NumSm{more}};

  tb_range_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_ranges (
    .clk_i,
    .rst_ni,
    .start_i(start & settings_i[0]),
    .first_i(settings_i[32 +: CountWidth]),
    .first_step_i(settings_i[64 +: IdWidth]),
    .rest_id_i(settings_i[96 +: IdWidth]),
    .rest_i(settings_i[128 +: CountWidth]),
    .rest_step_i(settings_i[288 +: IdWidth]),
    .extra_i(settings_i[167:160]),
    .step_i(settings_i[192 +: IdWidth]),
    .length_i(settings_i[224 +: CountWidth]),
    .jump_i(settings_i[256 +: IdWidth]),
    .more_o(range_more),
    .take_i(offer & {NumSm{mapped_q}}),
    .ids_o(range_ids),
    .walking_o(walking)
  );

  tb_sequence #(
    .IdWidth(IdWidth)
  ) u_sequence (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .count_i(queue_count_i[CountWidth-1:0]),
    .take_i(take),
    .pair_i(1'b0),
    .id_o(next_id),
    .more_o(more),
    .last_o(unused_last)
  );

  tb_offer_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .OwnIds(1)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .more_i(mapped_q | more),
    .eligible_i(eligible),
    .id_i(mapped_q ? range_ids : {NumSm{next_id}}),
    .pair_i(1'b0),
    .offer_o(offer),
    .take_o(take),
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o,
    .tb_id_o,
    .idle_o(idle),
    .adding_o(adding)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      mapped_q <= 1'b0;
    end else if (start) begin
      busy_q   <= 1'b1;
      mapped_q <= settings_i[0];
    end else if (finish) begin
      busy_q   <= 1'b0;
    end
  end

  assign mem_req_valid_o = 1'b0;
  assign mem_req_addr_o  = '0;
  assign mem_req_size_o  = '0;
  assign steal_valid_o   = 1'b0;
  assign steal_count_o   = '0;
  assign steal_donor_o   = '0;
  assign steal_thief_o   = '0;

  logic unused;
  assign unused = &{1'b0, queue_base_i, steal_enable_i, mem_req_ready_i, mem_rsp_valid_i,
                    mem_rsp_data_i, settings_i, queue_count_i, unused_last};

endmodule
