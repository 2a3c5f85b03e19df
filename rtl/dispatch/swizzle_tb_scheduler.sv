// TB scheduler that walks the grid in bands of rows, down the rows of a band first: the tile
// order that matrix libraries compute in their kernels by hand, done in hardware. TBs go out
// loose round-robin, one a cycle at most, SM after SM. Ids count along the rows of the grid, as
// in CUDA.
//
// Every output is a function of registers. quiescent_o says that no register can change without an
// event at the inputs. Events are: start_i; a bit of tb_done_i; a bit of tb_ready_i where
// tb_valid_o or wants_context_o is set.
module swizzle_tb_scheduler #(
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
  /// Word 0: TBs in a row of the grid, at least 1. Word 1: rows in a band, below 2^(IdWidth+1); 0 and
  /// 1 both mean the order of the ids. Sampled with start_i. The rest: not used.
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
  localparam RoomWidth = IdWidth + 2;

  logic                  busy_q, more_q, start, finish, take, idle, adding, down, across;
  logic [CountWidth-1:0] left_q;             // TBs not yet offered
  logic [CountWidth-1:0] width_q, band_q;    // the settings
  logic [IdWidth-1:0]    id_q, top_q;        // the next TB, and the top of its column
  logic [CountWidth-1:0] rows_q, columns_q;  // from it to the end of the band
  // Ids behind the TB in the row below the next one, negative if the grid has none there: of the
  // next TB, and of the top of its column. It moves as the ids do, the other way.
  logic [RoomWidth-1:0]  room_q, top_room_q, first_room;
  logic [NumSm-1:0]      unused_offer;

  assign start  = start_i & ~busy_q;
  assign finish = busy_q & ~more_q & idle;

  assign busy_o      = busy_q;
  assign quiescent_o = ~finish & ~adding;

  assign wants_context_o = {NumSm{more_q}};

  // The next row of the band, if the grid has it; else the next column, else the next band.
  assign down   = rows_q[CountWidth-1:1] != '0 && !room_q[RoomWidth-1];
  assign across = columns_q != CountWidth'(1);

  assign first_room = RoomWidth'(queue_count_i[CountWidth-1:0]) -
                      RoomWidth'(settings_i[CountWidth-1:0]) - RoomWidth'(1);

  tb_offer_bank #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .more_i(more_q),
    .eligible_i({NumSm{1'b1}}),
    .id_i(id_q),
    .pair_i(1'b0),
    .offer_o(unused_offer),
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
      busy_q <= 1'b0;
      more_q <= 1'b0;
    end else if (start) begin
      busy_q <= 1'b1;
      more_q <= queue_count_i[CountWidth-1:0] != '0;
    end else begin
      if (finish) busy_q <= 1'b0;
      if (take) more_q <= left_q != CountWidth'(1);
    end
  end

  // Without reset: they count under more_q.
  always_ff @(posedge clk_i) begin
    if (start) begin
      width_q <= settings_i[CountWidth-1:0];
      band_q  <= settings_i[32 +: CountWidth];
    end
    if (start) begin
      left_q     <= queue_count_i[CountWidth-1:0];
      id_q       <= '0;
      top_q      <= '0;
      rows_q     <= settings_i[32 +: CountWidth];
      columns_q  <= settings_i[CountWidth-1:0];
      room_q     <= first_room;
      top_room_q <= first_room;
    end else if (take) begin
      left_q <= left_q - CountWidth'(1);
      if (down) begin
        rows_q <= rows_q - CountWidth'(1);
        id_q   <= id_q + width_q[IdWidth-1:0];
        room_q <= room_q - RoomWidth'(width_q);
      end else begin
        rows_q <= band_q;
        if (across) begin
          columns_q  <= columns_q - CountWidth'(1);
          id_q       <= top_q + IdWidth'(1);
          top_q      <= top_q + IdWidth'(1);
          room_q     <= top_room_q - RoomWidth'(1);
          top_room_q <= top_room_q - RoomWidth'(1);
        end else begin
          columns_q  <= width_q;
          id_q       <= id_q + IdWidth'(1);
          top_q      <= id_q + IdWidth'(1);
          room_q     <= room_q - RoomWidth'(1);
          top_room_q <= room_q - RoomWidth'(1);
        end
      end
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
                    mem_rsp_data_i, settings_i, queue_count_i, unused_offer};

endmodule
