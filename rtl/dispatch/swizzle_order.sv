// The grid's TBs in bands of rows: in a band column after column, each from its top row to its
// bottom row. The last band has the rows that are left.
module swizzle_order #(
  /// Bits of a TB id, 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: no TBs.
  input  logic                  rst_ni,
  /// Begin with TB 0 and the three settings below.
  input  logic                  start_i,
  /// Number of TBs, a multiple of row_tbs_i.
  input  logic [CountWidth-1:0] tb_count_i,
  /// TBs in a row of the grid, at least 1.
  input  logic [CountWidth-1:0] row_tbs_i,
  /// Rows in a band; 0 and 1 both mean the order of the ids.
  input  logic [CountWidth-1:0] band_rows_i,
  /// The next TB is taken; only under more_o.
  input  logic                  take_i,
  /// The next TB's id, under more_o.
  output logic [IdWidth-1:0]    id_o,
  /// TBs are left.
  output logic                  more_o
);

  localparam RoomWidth = IdWidth + 2;

  logic                  more_q, down, across;
  logic [CountWidth-1:0] left_q;             // TBs not yet taken
  logic [CountWidth-1:0] width_q, band_q;    // the settings
  logic [IdWidth-1:0]    id_q, top_q;        // the next TB, and the top of its column
  logic [CountWidth-1:0] rows_q, columns_q;  // from the next TB to the end of the band
  // Ids behind the TB in the row below the next one, negative if the grid has none there: of the
  // next TB, and of the top of its column. This room moves as the ids do, the other way.
  logic [RoomWidth-1:0]  room_q, top_room_q, first_room;

  assign id_o   = id_q;
  assign more_o = more_q;

  // The next row of the band, if the grid has it; else the next column, else the next band.
  assign down   = rows_q[CountWidth-1:1] != '0 && !room_q[RoomWidth-1];
  assign across = columns_q != CountWidth'(1);

  assign first_room = RoomWidth'(tb_count_i) - RoomWidth'(row_tbs_i) - RoomWidth'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (start_i) more_q <= tb_count_i != '0;
    else if (take_i) more_q <= left_q != CountWidth'(1);
  end

  // Without reset: these registers count under more_q.
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      width_q <= row_tbs_i;
      band_q  <= band_rows_i;
    end
    if (start_i) begin
      left_q     <= tb_count_i;
      id_q       <= '0;
      top_q      <= '0;
      rows_q     <= band_rows_i;
      columns_q  <= row_tbs_i;
      room_q     <= first_room;
      top_room_q <= first_room;
    end else if (take_i) begin
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

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth != 16 && IdWidth != 32) begin : gen_0 id_width_is_not_16_or_32 u (); end
`else
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
`endif

endmodule
