// No job of CAPS's prefetch generator starves, for all time: of 2 slots and 4 DIST entries. Where no
// case comes that gives new jobs, a job that waits is at hand after as many takes as there were jobs,
// or it is dropped. A case may put a job in front of it, but each is one of the SM's loads.
module jobs_go_on (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [1:0] end_i,
  input logic [3:0] case_a_entry_i,
  input logic       case_a_slot_i,
  input logic [3:0] case_b_entry_i,
  input logic       case_b_slot_i,
  input logic [3:0] throttled_i,
  input logic       take_i,
  input logic [7:0] token_i  // the job that is followed, one-hot
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [7:0] waiting, token_q;
  logic [3:0] entry, takes_q, count;
  logic       slot, some, comes;
  caps_prefetch_jobs #(
    .CtaSlots(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .end_i,
    .case_a_entry_i,
    .case_a_slot_i,
    .case_a_below_i(1'b0),
    .pace_entry_i(4'd0),
    .pace_slot_i(1'b0),
    .pace_distance_i(7'd0),
    .case_b_entry_i,
    .case_b_slot_i,
    .throttled_i,
    .take_i,
    .waiting_o(some),
    .entry_o(entry),
    .slot_o(slot),
    .formal_waiting_o(waiting)
  );
  always_comb begin
    count = 4'd0;
    for (int j = 0; j < 8; j++) count = count + 4'(waiting[j]);
  end
  assign comes = case_a_entry_i != 4'd0 || case_b_entry_i != 4'd0;

  always_comb begin
    if (!rst_ni) begin
      assume (token_i != 8'd0 && (token_i & (token_i - 8'd1)) == 8'd0);
    end else begin
      assert (some == (waiting != 8'd0));
      // Each take brings it nearer: what waits and what was taken are never more than all.
      assert ((waiting & token_q) == 8'd0 || takes_q + count <= 4'd8);
      assert ((waiting & token_q) == 8'd0 || takes_q < 4'd8);
    end
  end

  // Takes since the last case, while the token's job waits.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) token_q <= token_i;
    if (!rst_ni || comes || (waiting & token_q) == 8'd0) takes_q <= 4'd0;
    else if (take_i) takes_q <= takes_q + 4'd1;
  end

endmodule
