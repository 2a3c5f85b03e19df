// TB scheduler that gives each SM one contiguous part of the grid: with n TBs on S SMs, floor(n
// / S) ids in a row for each, and one more for each of the first n mod S. TBs go out one a cycle
// at most, SM after SM, each SM's in order. No division: both numbers come from outside.
//
// Every output is a function of registers. quiescent_o says that no register can change without an
// event at the inputs. Events are: start_i; a bit of tb_done_i; a bit of tb_ready_i where
// tb_valid_o or wants_context_o is set.
module chunk_tb_scheduler #(
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
  /// Word 0: floor(TBs / SMs). Word 1: TBs mod SMs. Sampled with start_i. The rest: not used.
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

  logic                     busy_q, start, finish, idle, adding, unused_take;
  logic [NumSm-1:0]         more, offer, set;
  logic [NumSm*IdWidth-1:0] ids;

  // After start_i a walk over the SMs finds where each part begins: one cycle finds an SM's share, the
  // next one sets its part.
  logic                  share, set_valid, walking, is_extra;
  logic [7:0]            extra_left_q;
  logic [CountWidth-1:0] rest_q, share_q;
  logic [IdWidth-1:0]    begin_q;

  assign start    = start_i & ~busy_q;
  assign finish   = busy_q & ~walking & ~(|more) & idle;
  assign is_extra = extra_left_q != '0;

  assign busy_o          = busy_q;
  assign quiescent_o     = ~finish & ~walking & ~adding;
  assign wants_context_o = more;

  // Without reset: start_i sets them.
  always_ff @(posedge clk_i) begin
    if (start) begin
      rest_q       <= settings_i[CountWidth-1:0];
      extra_left_q <= settings_i[39:32];
    end else if (share) begin
      extra_left_q <= extra_left_q - 8'(is_extra);
    end
    if (share) share_q <= rest_q + CountWidth'(is_extra);
    if (start) begin_q <= '0;
    else if (set_valid) begin_q <= begin_q + share_q[IdWidth-1:0];
  end

  sm_walk #(
    .NumSm(NumSm)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .share_o(share),
    .set_valid_o(set_valid),
    .set_o(set),
    .walking_o(walking)
  );

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [IdWidth-1:0]    id_q;
    logic [CountWidth-1:0] left_q;
    logic                  more_q;

    assign more[s]                   = more_q;
    assign ids[s*IdWidth +: IdWidth] = id_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) more_q <= 1'b0;
      else if (set[s]) more_q <= share_q != '0;
      else if (offer[s]) more_q <= left_q != CountWidth'(1);
    end

    always_ff @(posedge clk_i) begin
      if (set[s]) begin
        id_q   <= begin_q;
        left_q <= share_q;
      end else if (offer[s]) begin
        id_q   <= id_q + IdWidth'(1);
        left_q <= left_q - CountWidth'(1);
      end
    end
  end

  tb_offer_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .OwnIds(1)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .more_i(1'b1),
    .eligible_i(more),
    .id_i(ids),
    .pair_i(1'b0),
    .offer_o(offer),
    .take_o(unused_take),
    .tb_ready_i,
    .tb_done_i,
    .tb_valid_o,
    .tb_id_o,
    .idle_o(idle),
    .adding_o(adding)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start) busy_q <= 1'b1;
    else if (finish) busy_q <= 1'b0;
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
                    mem_rsp_data_i, settings_i, queue_count_i, unused_take};

endmodule
