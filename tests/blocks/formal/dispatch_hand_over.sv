// A TB is taken from the scheduler exactly when it goes on: no TB is lost and none is doubled, for all
// time. A scheduler that offers TBs to three SMs in any way, and keeps each offer until it is taken.
// An offer that is picked goes on as soon as there is place, and no SM waits for ever.
module dispatch_hand_over #(
  // Whether the claim is that no id is beyond the grid: a state to be reached.
  parameter int Cover = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        stop_i,
  input logic [2:0]  offer_i,
  input logic [1:0]  id_i,
  input logic [2:0]  room_i,
  input logic        ready_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [2:0]  valid_q, issue, ready, sm, room_q, had_room_q;
  logic [47:0] ids;
  logic [1:0]  id_q [0:2];
  logic [15:0] id, issued;
  logic        take, beyond, stopped_q;
  logic [3:0]  still_q;

  tb_hand_over #(
    .NumSm(3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .stop_i,
    .tb_valid_i(valid_q),
    .tb_id_i(ids),
    .room_i,
    .tb_count_i(17'd3),
    .tb_ready_o(ready),
    .sm_o(sm),
    .id_o(id),
    .ready_i,
    .take_o(take),
    .beyond_o(beyond)
  );
  assign issue  = valid_q & ready;
  assign issued = (issue[0] ? ids[15:0] : '0) | (issue[1] ? ids[31:16] : '0)
                  | (issue[2] ? ids[47:32] : '0);

  for (genvar s = 0; s < 3; s++) begin : gen_sm
    assign ids[16*s +: 16] = {14'd0, id_q[s]};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q[s] <= 1'b0;
      else if (valid_q[s]) valid_q[s] <= ~issue[s];
      else valid_q[s] <= offer_i[s];
      if (!valid_q[s]) id_q[s] <= id_i;
    end
  end

  // Room is only taken by a TB that is taken.
  logic all_room;
  assign all_room = (valid_q & ~room_i) == '0;
  always_ff @(posedge clk_i) begin
    room_q    <= rst_ni ? room_i & ~(sm & {3{take}}) : '0;
    stopped_q <= rst_ni & (stopped_q | stop_i);
    if (!rst_ni || take || valid_q == '0 || !ready_i || !all_room) still_q <= '0;
    else still_q <= still_q + 4'd1;
  end

  always_comb begin
    assume (!rst_ni || (room_q & ~room_i) == '0);
    if (rst_ni && Cover == 1) assert (!beyond);
    if (rst_ni && Cover == 0) begin
      assert ((issue == '0) == !take);
      assert (!take || (issue == sm && (sm & (sm - 3'd1)) == '0));
      assert (!take || (id == issued && id < 16'd3 && !stop_i));
      assert (take || (ready & valid_q) == '0);
      // And on it goes, unless an id is beyond the grid, which ends the launch.
      assert (stopped_q || stop_i || beyond || still_q < 4'd3);
    end
  end

endmodule
