// An id that moves is one of its own SM's sector, at the place asked for, however sectors arrive and
// SMs ask: the sector bank of three SMs, the third of which is followed with one word of its sector.
module sector_reads (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [2:0]   write_i,
  input logic [255:0] sector_i,
  input logic [2:0]   wanted_i,
  input logic [3:0]   place_i,
  input logic [3:0]   watched_place_i
);

  localparam [1:0] Watched = 2'd2;

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [3:0]  place_q;
  logic [15:0] word_q, id;
  logic        there_q, busy;
  logic [2:0]  move, asked_q;

  paver_wide_sector_bank #(
    .Sms(3),
    .Style(0)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .write_i,
    .sector_i,
    .wanted_i,
    .move_o(move),
    .place_i,
    .id_o(id),
    .busy_o(busy)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) place_q <= watched_place_i;
    if (!rst_ni) there_q <= 1'b0;
    else if (write_i[Watched]) there_q <= 1'b1;
    if (write_i[Watched]) word_q <= sector_i[place_q*16 +: 16];
    asked_q <= rst_ni ? wanted_i : '0;
  end

  always_comb begin
    assume ((write_i & (write_i - 3'd1)) == '0);
    if (rst_ni) begin
      // What is watched is what moves; who moves has asked, alone.
      assert (!(move[Watched] && there_q && place_i == place_q) || id == word_q);
      assert ((move & ~asked_q) == '0);
      assert ((move & (move - 3'd1)) == '0);
      assert (busy || move == '0);
    end
  end

endmodule
