// The bit-serial division in the stealer is the exact floor of sum / NumSm, at the real widths:
// 16-bit sums, any value. Set NumSm with chparam.
module steal_average #(
  parameter NumSm = 15,
  parameter SumWidth = 16,
  parameter SmWidth = $clog2(NumSm)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             clear_i,
  input logic             enable_i,
  input logic [NumSm-1:0] candidate_i,
  input logic [63:0]      read_tail_i,
  input logic [15:0]      read_next_i,
  input logic             read_issue_i
);

  localparam Wide = SumWidth + SmWidth + 1;  // room for the products
  localparam [3:0] Scan = 4'd1, Judge = 4'd2, Divide = 4'd3, Count = 4'd4;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [NumSm-1:0]    read, load, cut;
  logic [63:0]         load_next, load_tail, cut_tail;
  logic                armed, idle, steal_valid;
  logic [15:0]         count, max;
  logic [SmWidth-1:0]  donor, thief, remainder;
  logic [SumWidth-1:0] sum;
  logic [3:0]          state;
  logic [7:0]          step;

  paver_task_stealer #(
    .NumSm(NumSm),
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

  // The sum with which the division begins.
  logic [SumWidth-1:0] total_q;
  always_ff @(posedge clk_i) begin
    if (state == Judge) total_q <= sum;
  end

  // `step` bits of the quotient are done, the rest of the sum stands above them.
  logic [Wide-1:0] quotient, rest, todo;
  assign quotient = Wide'(sum) & ((Wide'(1) << step) - Wide'(1));
  assign rest     = Wide'(sum) >> step;
  assign todo     = Wide'(SumWidth) - Wide'(step);

  always_comb begin
    if (rst_ni) begin
      if (state == Scan) assert (step == 8'd0 ? 1'b1 : remainder == '0);
      if (state == Judge) assert (remainder == '0);
      if (state == Divide) begin
        assert (step < 8'(SumWidth) && 8'(remainder) < 8'(NumSm));
        assert (rest == (Wide'(total_q) & ((Wide'(1) << todo) - Wide'(1))));
        assert ((Wide'(total_q) >> todo) == quotient * Wide'(NumSm) + Wide'(remainder));
        assert (quotient <= Wide'(total_q));
      end
      // The claim: average * NumSm <= sum < (average + 1) * NumSm.
      if (state == Count) begin
        assert (Wide'(sum) * Wide'(NumSm) <= Wide'(total_q));
        assert (Wide'(total_q) - Wide'(sum) * Wide'(NumSm) < Wide'(NumSm));
      end
    end
  end

endmodule
