// The stolen count is Algorithm 2's, with 3 SMs and 4-bit counts.
//
// The counts that the scan reads are arbitrary; what it read of each SM is kept beside it. The claim
// is that at COMMIT donor and count are what Algorithm 2 computes from them, that the count is at
// least 1 and at most what the donor had when it was read last, and that the addresses cut the
// donor's range in two at that count.
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
  localparam [3:0] Idle = 4'd0, Scan = 4'd1, Judge = 4'd2, Divide = 4'd3, Count = 4'd4,
                   Read = 4'd5, Subtract = 4'd6, Clamp = 4'd7, Cut = 4'd8, Commit = 4'd9;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [2:0]          read, load, cut;
  logic [3:0]          state;
  logic [7:0]          load_next, load_tail, cut_tail, step, tail;
  logic                armed, idle, steal_valid, all, borrow, found, issued;
  logic [3:0]          count, max, next, difference;
  logic [1:0]          donor, thief, remainder, candidates;
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
    .more_to_come_i(1'b0),
    .load_o(load),
    .load_next_o(load_next),
    .load_tail_o(load_tail),
    .cut_o(cut),
    .cut_tail_o(cut_tail),
    .cut_all_o(all),
    .armed_o(armed),
    .idle_o(idle),
    .steal_valid_o(steal_valid),
    .steal_count_o(count),
    .steal_donor_o(donor),
    .steal_thief_o(thief),
    .formal_state_o(state),
    .formal_tail_o(tail),
    .formal_next_o(next),
    .formal_difference_o(difference),
    .formal_borrow_o(borrow),
    .formal_found_o(found),
    .formal_candidates_o(candidates),
    .formal_issued_o(issued),
    .formal_step_o(step),
    .formal_max_o(max),
    .formal_sum_o(sum),
    .formal_remainder_o(remainder)
  );

  // What was read one and two cycles ago, and of SM 0, 1 and 2; zero for those not evaluated yet.
  logic [3:0] waiting, read_1_q, read_2_q, seen0_q, seen1_q, seen2_q;
  logic       again_q;  // the donor is read again, since it issued
  logic [7:0] shown_q;  // the tail, a cycle ago
  assign waiting = read_tail_i[4:1] - read_next_i;
  always_ff @(posedge clk_i) begin
    if (state == Scan || state == Read) read_1_q <= waiting;
    read_2_q <= read_1_q;
    if (state == Idle || state == Cut && max == '0) begin
      seen0_q <= '0;
      seen1_q <= '0;
      seen2_q <= '0;
    end else if (state == Scan) begin
      if (step == 8'd2) seen0_q <= read_2_q;
      if (step == 8'd3) seen1_q <= read_2_q;
      if (step == 8'd4) seen2_q <= read_2_q;
    end
    shown_q <= read_tail_i;
    if (state == Count) again_q <= 1'b0;
    else if (state == Commit) again_q <= 1'b1;
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

  // The division's bits: `step` of the quotient are done, the rest of the sum stands above them.
  logic [5:0] quotient, rest, todo;
  assign quotient = 6'(sum) & ((6'd1 << step) - 6'd1);
  assign rest     = 6'(sum) >> step;
  assign todo     = 6'(SumWidth) - step[5:0];

  logic [3:0] position;
  logic       judged, chosen;
  assign position = tail[4:1];
  assign judged   = state >= Divide && state <= Commit;
  assign chosen   = state >= Count && state <= Commit;

  always_comb begin
    // The sum fits its register: with 16-bit ids the counts are of different ids.
    assume (7'(total) < (7'd1 << SumWidth));
    // From its reading to the commit, the donor's tail stands.
    assume (state <= Read || state > Commit || read_tail_i == shown_q);
    // A candidate holds no group, so nothing waits there.
    assume ((read & candidate_i) == '0 || waiting == '0);
    if (rst_ni) begin
      assert (state <= 4'd10);
      // A thief is an SM where nothing waits.
      assert (!judged || found);
      if ((state == Scan || state == Judge || judged) && found) begin
        assert (thief < 2'd3);
        assert (thief != 2'd0 || seen0_q == '0);
        assert (thief != 2'd1 || seen1_q == '0);
        assert (thief != 2'd2 || seen2_q == '0);
      end
      if (state == Scan) begin
        // The stages hold what was read.
        assert (step < 8'd1 || position - next == read_1_q);
        assert (step < 8'd2 || difference == read_2_q);
        assert (step < 8'd1 || !candidates[0] || step > 8'd3 || read_1_q == '0);
        assert (step < 8'd2 || !candidates[1] || step > 8'd4 || read_2_q == '0);
        assert (step < 8'd5 && max == most && 6'(sum) == total);
        assert (step > 8'd2 || (seen0_q == '0 && !found));
        assert (step > 8'd3 || seen1_q == '0 && (!found || thief < 2'd1));
        assert (step > 8'd4 || seen2_q == '0 && (!found || thief < 2'd2));
        assert (remainder == '0 || step == 8'd0);
      end
      if (state == Scan || state == Judge) begin
        assert (max == '0 || donor == first_most);
      end
      if (state == Judge) assert (max == most && 6'(sum) == total && remainder == '0);
      if (state == Divide) begin
        assert (step < 8'(SumWidth) && remainder < 2'd3);
        assert (rest == (total & ((6'd1 << todo) - 6'd1)));
        assert ((total >> todo) == quotient * 6'd3 + 6'(remainder));
      end
      if (judged) assert (donor == first_most && most != '0);
      if (state == Divide || state == Count) assert (max == most);
      if (state == Count) assert (6'(sum) == average);
      if (chosen) assert (read == (3'b001 << first_most));
      if (chosen && state != Count) begin
        assert (max <= expected);
        assert (state > Clamp || again_q || max == expected);
        assert (state < Clamp && !again_q || max != '0 || state == Cut || state == Clamp);
      end
      if (state == Subtract) assert (position - next == read_1_q);
      if (state == Clamp) assert (position - next == read_1_q && difference == read_1_q);
      if (state == Cut || state == Commit) begin
        assert (max <= read_1_q && all == (max == read_1_q));
        assert (again_q || max == ((expected < read_1_q) ? expected : read_1_q));
      end
      if (state == Commit) begin
        assert (max != '0 && difference == position - max && borrow == (position < max));
      end
      if (state == Commit && !issued) begin
        // The claim.
        assert (count == max && count >= 4'd1 && count <= most);
        assert (cut == (3'b001 << first_most));
        assert (load == (3'b001 << thief));
        assert (cut_tail == tail - {3'd0, count, 1'b0});
        assert (load_next == cut_tail + 8'd2);
        assert (load_tail == tail);
      end else begin
        assert (cut == '0 && load == '0);
      end
    end
  end

endmodule
