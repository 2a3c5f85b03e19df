// The stolen count is Algorithm 2's, with 3 SMs and 4-bit counts.
//
// The counts that the scan reads are arbitrary; what it read of each SM is kept beside it. The claim
// is that at COMMIT donor and count are what Algorithm 2 computes from them, that the count is
// within 1 .. max, and that the addresses cut the donor's range in two at that count.
module steal_count #(
  parameter SumWidth = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic       enable_i,
  input logic [2:0] candidate_i,
  input logic [7:0] read_tail_i,
  input logic [3:0] read_next_i,
  input logic       read_issue_i
);

  localparam NumSm = 3;
  localparam [2:0] Idle = 3'd0, Scan = 3'd1, Divide = 3'd2, Count = 3'd3, Commit = 3'd4;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [2:0]          read, load, cut, state;
  logic [7:0]          load_next, load_tail, cut_tail, step;
  logic                armed, idle, steal_valid;
  logic [3:0]          count, max;
  logic [1:0]          donor, thief, remainder;
  logic [SumWidth-1:0] sum;

  paver_task_stealer #(
    .NumSm(NumSm),
    .IdBytes(2),
    .AddrWidth(8),
    .CountWidth(4),
    .SumWidth(SumWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .enable_i,
    .candidate_i,
    .read_o(read),
    .read_tail_i,
    .read_next_i,
    .read_issue_i,
    .load_o(load),
    .load_next_o(load_next),
    .load_tail_o(load_tail),
    .cut_o(cut),
    .cut_tail_o(cut_tail),
    .armed_o(armed),
    .idle_o(idle),
    .steal_valid_o(steal_valid),
    .steal_count_o(count),
    .steal_donor_o(donor),
    .steal_thief_o(thief),
    .formal_state_o(state),
    .formal_step_o(step),
    .formal_max_o(max),
    .formal_sum_o(sum),
    .formal_remainder_o(remainder)
  );

  // What the scan read: waiting TBs of SM 0, 1 and 2; zero for those not read yet.
  logic [3:0] waiting, seen0_q, seen1_q, seen2_q;
  assign waiting = read_tail_i[4:1] - read_next_i;
  always_ff @(posedge clk_i) begin
    if (state == Idle || state == Commit) begin
      seen0_q <= '0;
      seen1_q <= '0;
      seen2_q <= '0;
    end else if (state == Scan) begin
      if (read == 3'b001) seen0_q <= waiting;
      if (read == 3'b010) seen1_q <= waiting;
      if (read == 3'b100) seen2_q <= waiting;
    end
  end

  // Algorithm 2 on what was read.
  logic [5:0] total, average;
  logic [3:0] most, expected;
  logic [1:0] first_most;
  assign total      = 6'(seen0_q) + 6'(seen1_q) + 6'(seen2_q);
  assign average    = total / 6'd3;
  assign most       = (seen0_q >= seen1_q && seen0_q >= seen2_q) ? seen0_q
                      : (seen1_q >= seen2_q) ? seen1_q : seen2_q;
  assign first_most = (seen0_q == most) ? 2'd0 : (seen1_q == most) ? 2'd1 : 2'd2;
  assign expected   = 4'(6'(most) - average);

  logic under_way;
  assign under_way = state >= Scan && state <= Commit;

  // What the donor can give after its issue of this cycle.
  logic [3:0] left, moved;
  assign left  = (read_issue_i && waiting != '0) ? waiting - 4'd1 : waiting;
  assign moved = (expected < left) ? expected : left;

  // The division's bits: `step` of the quotient are done, the rest of the sum stands above them.
  logic [5:0] quotient, rest, todo;
  assign quotient = 6'(sum) & ((6'd1 << step) - 6'd1);
  assign rest     = 6'(sum) >> step;
  assign todo     = 6'(SumWidth) - step[5:0];

  always_comb begin
    // The sum fits its register: with 16-bit ids the counts are of different ids.
    assume (7'(total) < (7'd1 << SumWidth));
    // The thief holds no group, so nothing waits there (tb_ownership proves that it stays so).
    assume (state != Scan || (read & (3'b001 << thief)) == '0 || waiting == '0);
    if (rst_ni) begin
      assert (idle || thief < 2'd3);
      assert (!under_way || thief != 2'd0 || seen0_q == '0);
      assert (!under_way || thief != 2'd1 || seen1_q == '0);
      assert (!under_way || thief != 2'd2 || seen2_q == '0);
      assert (state <= 3'd5);
      if (state == Scan) begin
        assert (step < 8'd3 && max == most && 6'(sum) == total);
        assert (step > 8'd0 || seen0_q == '0);
        assert (step > 8'd1 || seen1_q == '0);
        assert (seen2_q == '0);
        assert (remainder == '0 || step == 8'd0);
        assert (max == '0 || donor == first_most);
      end
      if (state == Divide) begin
        assert (step < 8'(SumWidth) && remainder < 2'd3);
        assert (rest == (total & ((6'd1 << todo) - 6'd1)));
        assert ((total >> todo) == quotient * 6'd3 + 6'(remainder));
      end
      if (state == Divide || state == Count || state == Commit) begin
        assert (max == most && max != '0 && donor == first_most);
      end
      if (state == Count) assert (6'(sum) == average);
      if (state == Count || state == Commit) assert (read == (3'b001 << first_most));
      if (state == Commit) begin
        // The claim.
        assert (count == expected && count >= 4'd1 && count <= most);
        assert (cut == ((moved == '0) ? 3'b000 : (3'b001 << first_most)));
        assert (load == ((moved == '0) ? 3'b000 : (3'b001 << thief)));
        assert (cut_tail == read_tail_i - {3'd0, moved, 1'b0});
        assert (moved == '0 || load_next == cut_tail + 8'd2);
        assert (load_tail == read_tail_i);
      end else begin
        assert (cut == '0 && load == '0);
      end
    end
  end

endmodule
