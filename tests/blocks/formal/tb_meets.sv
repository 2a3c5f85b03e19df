// No deadlock: a TB that waits and a free context meet, with 3 SMs. The queues and the stealer
// together, as in tb_ownership; groups, free contexts and the memory's times are arbitrary.
//
// One SM, an arbitrary one, is watched. While all groups are handed out, the SM has a free context,
// the other SMs have none, a TB waits somewhere and the memory takes and answers the SM's requests at
// once, it is offered a TB within Bound cycles, whatever was under way before.
//
// With N SMs and D bits of division a steal takes N + D + 9 cycles to its commit and 4 more to the
// offer; a scan that passed the SM before its context was free may have to end first.
module tb_meets #(
  parameter Cover = 0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic         last_group_i,   // from here on no group is handed out
  input logic [2:0]   load_i,
  input logic [7:0]   load_next_i,
  input logic [7:0]   load_tail_i,
  input logic [2:0]   grant_i,
  input logic [2:0]   rsp_i,
  input logic [2:0]   tb_ready_i,
  input logic [1:0]   watched_i
);

  localparam NumSm = 3;
  localparam AddrWidth = 8;
  localparam CountWidth = 4;
  localparam [6:0] Bound = 7'd2 * (7'(NumSm) + 7'(CountWidth) + 7'd9) + 7'd4;

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic [2:0]                 wanted, valid, held, fetching;
  logic [NumSm*AddrWidth-1:0] next, tail;
  logic [NumSm*16-1:0]        tb_id;
  logic [AddrWidth-1:0]       fetch_addr;
  logic                       armed, idle, steal_valid, exhausted_q;
  logic [CountWidth-1:0]      steal_count;
  logic [1:0]                 donor, thief, watched_q;

  paver_queue_bank #(
    .NumSm(NumSm),
    .IdWidth(16),
    .AddrWidth(AddrWidth),
    .CountWidth(CountWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .stop_i(1'b0),
    .clear_i,
    .steal_enable_i(exhausted_q),
    .steal_allowed_i(3'b111),
    .load_i,
    .load_next_i,
    .load_tail_i,
    .fetch_wanted_o(wanted),
    .fetch_grant_i(grant_i),
    .fetch_read_i(grant_i),
    .fetch_addr_o(fetch_addr),
    .fetch_rsp_i(rsp_i),
    .fetch_id_i(16'd0),
    .tb_ready_i,
    .tb_valid_o(valid),
    .tb_id_o(tb_id),
    .held_o(held),
    .steal_armed_o(armed),
    .steal_idle_o(idle),
    .steal_valid_o(steal_valid),
    .steal_count_o(steal_count),
    .steal_donor_o(donor),
    .steal_thief_o(thief),
    .formal_next_o(next),
    .formal_tail_o(tail),
    .formal_fetching_o(fetching)
  );

  // Per SM: a TB waits behind nextTB.
  logic [2:0] waits;
  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    assign waits[s] = held[s] && next[s*AddrWidth +: AddrWidth] != tail[s*AddrWidth +: AddrWidth];
    always_comb begin
      assume (!load_i[s] || !held[s]);
      assume (!grant_i[s] || wanted[s]);
      assume (!rsp_i[s] || fetching[s]);
    end
  end
  always_comb begin
    assume ((load_i & (load_i - 3'd1)) == '0);
    assume ((grant_i & (grant_i - 3'd1)) == '0);
    assume ((rsp_i & (rsp_i - 3'd1)) == '0);
    assume (load_i == '0 || !exhausted_q);
    assume (load_i == '0 || (load_next_i <= load_tail_i && load_tail_i - load_next_i < 8'd32));
    assume (load_i == '0 || (!load_next_i[0] && !load_tail_i[0]));
    assume (!clear_i || held == '0);
    assume (watched_q < 2'd3);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= watched_i;
    if (!rst_ni || clear_i) exhausted_q <= 1'b0;
    else if (last_group_i) exhausted_q <= 1'b1;
  end

  logic [2:0] watched;
  logic       open, answered;
  logic [6:0] cycles_q;
  assign watched  = 3'd1 << watched_q;
  assign answered = (watched & wanted & ~grant_i) == '0 && (watched & fetching & ~rsp_i) == '0;
  assign open     = exhausted_q && !clear_i && tb_ready_i == watched && (valid & watched) == '0
                    && ((held & watched) != '0 || waits != '0) && answered;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !open) cycles_q <= '0;
    else if (!(&cycles_q)) cycles_q <= cycles_q + 7'd1;
  end
  // The claim.
  always_comb if (rst_ni) assert (Cover != 0 || cycles_q <= Bound);

  // Interesting states: the donor issued its last TB in the commit's cycle; it fetches meanwhile.
  always_comb begin
    if (rst_ni && Cover == 1) assert (!(steal_valid && !held[donor]));
    if (rst_ni && Cover == 2) assert (!(steal_valid && fetching[donor]));
  end

endmodule
