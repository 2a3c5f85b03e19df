// CAPS's DIST table: no PC stands in it twice, counters saturate, what is throttled is above the
// threshold and says so, valid entries are in an order of writing in which the one written last is
// the newest.
module caps_dist (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic [3:0] look_pc_i,
  input logic [3:0] train_pc_i,
  input logic       train_i,
  input logic [3:0] train_stride_i,
  input logic       mispredict_i,
  input logic [3:0] mispredict_entry_i
);

  localparam Threshold = 4;
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [3:0]  look_hit, held, entry, throttled, valid;
  logic [3:0]  stride, job_pc, prefetch_pc;
  logic [15:0] pc, older;
  logic [5:0]  order;
  logic [11:0] count, count_q;
  logic [3:0]  wrong_q, written_q, newest_q;

  caps_dist_table #(
    .PcWidth(4),
    .AddrWidth(4),
    .CountWidth(3),
    .Threshold(Threshold)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .look_pc_i,
    .look_hit_o(look_hit),
    .train_i,
    .train_pc_i,
    .train_stride_i,
    .train_entry_o(entry),
    .mispredict_i,
    .mispredict_entry_i,
    .throttled_o(throttled),
    .stride_entry_i(4'd1),
    .stride_o(stride),
    .job_entry_i(4'd2),
    .job_pc_o(job_pc),
    .prefetch_entry_i(4'd4),
    .prefetch_pc_o(prefetch_pc),
    .formal_valid_o(valid),
    .formal_pc_o(pc),
    .formal_count_o(count),
    .formal_order_o(order)
  );

  always_ff @(posedge clk_i) begin
    count_q   <= count;
    wrong_q   <= mispredict_entry_i & {4{mispredict_i}};
    written_q <= entry & {4{train_i}};
    newest_q  <= entry & {4{train_i & rst_ni}};
  end

  for (genvar e = 0; e < 4; e++) begin : gen_entry
    logic [3:0] others;
    assign held[e] = valid[e] && pc[e*4 +: 4] == train_pc_i;
    assign others = older[e*4 +: 4];
    always_comb begin
      if (rst_ni && started_q) begin
        // Counters go up by one for a wrong prediction, stay at their end, and start at 0.
        assert (count[e*3 +: 3] == (written_q[e] ? 3'd0
                                    : (wrong_q[e] && !(&count_q[e*3 +: 3])) ? count_q[e*3 +: 3] + 3'd1
                                    : count_q[e*3 +: 3]));
        assert (throttled[e] == (valid[e] && count[e*3 +: 3] > 3'd4));
      end
    end
    for (genvar f = 0; f < 4; f++) begin : gen_pair
      assign older[e*4+f] = (e < f) ? order[e*(7-e)/2+f-e-1]
                            : (e > f) ? ~order[f*(7-f)/2+e-f-1] : 1'b1;
      always_comb begin
        if (rst_ni && started_q && e != f) begin
          assert (!(valid[e] && valid[f]) || pc[e*4 +: 4] != pc[f*4 +: 4]);
          // The order is transitive.
          assert (!(valid[e] && valid[f] && older[e*4+f])
                  || (older[f*4 +: 4] & ~others & valid) == 4'd0);
          assert (!newest_q[f] || older[e*4+f]);
        end
      end
    end
  end

  always_comb begin
    if (rst_ni && started_q) begin
      // One entry is filled: an invalid one, while there is one.
      assert (entry != 4'd0 && (entry & (entry - 4'd1)) == 4'd0);
      assert ((&valid) || (entry & valid) == 4'd0);
      assert ((look_hit & (look_hit - 4'd1)) == 4'd0);
      assert ((look_hit & ~valid) == 4'd0);
    end
    // Only what is not there yet is entered.
    assume (!train_i || held == 4'd0);
    assume ((mispredict_entry_i & (mispredict_entry_i - 4'd1)) == 4'd0);
  end

endmodule
