// tb_sequence gives out the ids of a kernel in order and says how many there are, however they are
// taken: beside it stands a plain count of what is left. Ids have few bits, so that a run from reset
// reaches the end of long kernels, in which lots are brought near.
module tb_sequence_counts #(
  parameter IssuePorts = 2
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       start_i,
  input logic [6:0] count_i,
  input logic [$clog2(IssuePorts + 1)-1:0] take_i,
  input logic       pair_i
);

  localparam IdWidth = 6;
  localparam RoomWidth = $clog2(IssuePorts + 1);

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [IdWidth-1:0]   id, next_q;
  logic [RoomWidth-1:0] room;
  logic                 last;
  logic [6:0]           left_q, offers, taken;

  tb_sequence #(
    .IdWidth(IdWidth),
    .IssuePorts(IssuePorts)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .count_i,
    .take_i,
    .pair_i,
    .id_o(id),
    .room_o(room),
    .last_o(last)
  );

  assign offers = pair_i ? left_q >> 1 : left_q;
  assign taken  = pair_i ? 7'(take_i) << 1 : 7'(take_i);

  always_comb begin
    assume (count_i <= 7'd64);
    assume (take_i <= room);
    if (rst_ni) begin
      assert (room == ((offers < 7'(IssuePorts)) ? RoomWidth'(offers) : RoomWidth'(IssuePorts)));
      assert (last == (left_q == 7'd1));
      assert (left_q == 7'd0 || id == next_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      next_q <= '0;
    end else if (start_i) begin
      left_q <= count_i;
      next_q <= '0;
    end else begin
      left_q <= left_q - taken;
      next_q <= next_q + taken[IdWidth-1:0];
    end
  end

endmodule
