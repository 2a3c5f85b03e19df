// The whole PAVER scheduler hands out each TB of a kernel exactly once, however long the memory
// takes, whichever contexts are free when and however TBs complete: none is lost, doubled or
// invented. The kernel has Count TBs in two groups, [0, Split) and [Split, Count), of
// which either may be empty, and runs on two SMs.
//
// With Wide it is the wide scheduler, whose ids come by the sector: the first id stands at place
// First of its sector, so that the groups may share one and the second may lie in two.
//
// With Abort the kernel may be given up, and another one like it follows: from the second cycle after
// that on no TB is issued and no request is new, and the kernel ends when all is answered and completed.
//
// The memory takes a request and answers the oldest one in any cycles it likes. With Meets it does
// both at once, and contexts are always free: some TB is then issued within Bound cycles of the one
// before, in the kernel after one that was given up as well. Steals take longer than this can look:
// tb_ownership and tb_meets are about them.
module paver_conservation #(
  parameter Count = 3,
  parameter Split = 1,
  parameter Wide = 0,
  parameter First = 0,
  parameter Steal = 0,  // with Wide: the rule
  parameter Meets = 0,
  parameter Abort = 0,
  parameter Cover = 0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       start_i,
  input logic       abort_i,
  input logic [1:0] tb_ready_i,
  input logic [1:0] tb_done_i,
  input logic       mem_req_ready_i,
  input logic       mem_rsp_valid_i
);

  localparam NumSm = 2;
  localparam AddrWidth = 19;
  localparam Ids = 64 + 2 * First;  // address of the first id
  localparam SizeWidth = (Wide != 0) ? 6 : 5;
  localparam DataWidth = (Wide != 0) ? 256 : 128;
  localparam IdsRead = (Wide != 0) ? 32 : 2;  // bytes
  localparam Places = 8;      // requests under way, NumSm + 4 at most
  localparam [7:0] Bound = 8'd13;

  // The first cycle is a reset, and the only one.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  // With Cover the claims rest: what fails then is a state that is reached.
  logic claims, begun_q;
  assign claims = rst_ni && Cover == 0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begun_q <= 1'b0;
    else if (start_i) begun_q <= 1'b1;
  end

  logic [1:0]           valid, wants;
  logic [31:0]          id;
  logic                 busy, quiescent, req_valid, steal_valid;
  logic [AddrWidth-1:0] req_addr;
  logic [SizeWidth-1:0] req_size;
  logic [DataWidth-1:0] rsp_data;
  logic [15:0]          steal_count;
  logic [7:0]           donor, thief;

  // What both schedulers have.
`define COMMON_PORTS \
      .abort_i, \
      .tb_ready_i, \
      .tb_done_i, \
      .tb_valid_o(valid), \
      .tb_id_o(id), \
      .busy_o(busy), \
      .quiescent_o(quiescent), \
      .wants_context_o(wants), \
      .mem_req_ready_i, \
      .mem_req_valid_o(req_valid), \
      .mem_req_addr_o(req_addr), \
      .mem_req_size_o(req_size), \
      .mem_rsp_valid_i, \
      .mem_rsp_data_i(rsp_data), \
      .steal_valid_o(steal_valid), \
      .steal_count_o(steal_count), \
      .steal_donor_o(donor), \
      .steal_thief_o(thief)
  if (Wide != 0) begin : gen_wide
    paver_wide_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(16),
      .AddrWidth(AddrWidth),
      .Descriptors(4),
      .Style(0)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .queue_base_i(AddrWidth'(0)),
      .queue_count_i(32'd2),
      .steal_rule_i(2'(Steal)),
      `COMMON_PORTS
    );
  end else begin : gen_narrow
    paver_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(16),
      .AddrWidth(AddrWidth),
      .Descriptors(4)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .queue_base_i(AddrWidth'(0)),
      .queue_count_i(32'd2),
      .steal_rule_i(2'(Steal)),
      `COMMON_PORTS
    );
  end

  // The memory: the places that unanswered requests read, oldest first. A place is a descriptor, 0
  // or 1, or an id, 4 to 7, or, with Wide, a sector, 4 or 5.
  logic [2:0] places_q [0:Places-1];
  logic [3:0] used_q;
  logic       take, answer;
  logic [2:0] place, now;
  assign take   = req_valid & mem_req_ready_i;
  assign answer = mem_rsp_valid_i;
  assign place  = (req_size == SizeWidth'(16)) ? {2'd0, req_addr[4]} :
                  (Wide != 0) ? {2'b10, req_addr[5]} : {1'b1, req_addr[2:1]};
  assign now    = places_q[0];
  // Word 0 of a descriptor is the address of its first id, word 1 that of its last.
  logic [AddrWidth-1:0] first, last;
  assign first = AddrWidth'(Ids) + (now[0] ? AddrWidth'(2 * Split) : AddrWidth'(0));
  assign last  = AddrWidth'(Ids) + AddrWidth'(2 * (now[0] ? Count : Split) - 2);
  logic [DataWidth-1:0] ids;
  if (Wide != 0) begin : gen_sector
    for (genvar p = 0; p < 16; p++) begin : gen_place
      assign ids[16*p +: 16] = 16'(p - First) + (now[0] ? 16'd16 : 16'd0);
    end
  end else begin : gen_id
    assign ids = {126'd0, now[1:0]};
  end
  assign rsp_data = now[2] ? ids : DataWidth'({64'(last), 64'(first)});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
    end else begin
      used_q <= used_q + 4'(take) - 4'(answer);
      for (int p = 0; p < Places; p++) begin
        if (answer && p + 1 < Places) places_q[p] <= places_q[(p + 1) % Places];
        if (take && used_q == 4'(p) + 4'(answer)) places_q[p] <= place;
      end
    end
  end
  always_comb begin
    // An answer comes in the cycle of the taking at the earliest; here one later.
    assume (!mem_rsp_valid_i || used_q != 4'd0);
    if (claims) begin
      assert (!take || used_q < 4'd6);
      // Only what is in the image is read.
      assert (!take || (req_size == SizeWidth'(16)
                        ? req_addr < AddrWidth'(32) && req_addr[3:0] == 4'd0
                        : req_size == SizeWidth'(IdsRead) && req_addr >= AddrWidth'(64)
                          && (req_addr & AddrWidth'(IdsRead - 1)) == '0
                          && req_addr < AddrWidth'(Ids + 2 * Count)));
    end
  end

  // What is given up.
  logic       aborted_q, was_aborted_q, again_q, asked_q;
  logic [3:0] drained_q;  // cycles in which nothing is under way
  always_ff @(posedge clk_i) begin
    aborted_q     <= rst_ni & busy & (abort_i | aborted_q);
    was_aborted_q <= rst_ni & busy & aborted_q;
    again_q       <= rst_ni & (again_q | (start_i & begun_q));
    asked_q       <= rst_ni & req_valid & ~mem_req_ready_i;
    if (!rst_ni || !was_aborted_q || req_valid || used_q != '0 || running_q[0] != '0 || running_q[1] != '0)
      drained_q <= '0;
    else drained_q <= drained_q + 4'd1;
  end
  always_comb begin
    assume (!abort_i || Abort != 0);
    if (claims) begin
      assert (!(was_aborted_q && busy) || (valid == '0 && (asked_q || !req_valid)));
      assert (drained_q != 4'd10);
    end
  end

  // TBs.
  logic [1:0]         issue;
  logic [2*Count-1:0] is;        // per SM and TB: issued there now
  logic [Count-1:0]   issued_q;  // per TB: issued
  logic [2:0] running_q [0:NumSm-1];
  logic               was_busy_q;
  assign issue = valid & tb_ready_i;
  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    for (genvar t = 0; t < Count; t++) begin : gen_tb
      assign is[s*Count+t] = issue[s] && id[s*16 +: 16] == 16'(t);
    end
    always_comb begin
      // Not invented.
      if (claims) assert (!valid[s] || (begun_q && id[s*16 +: 16] < 16'(Count)));
      assume (!tb_done_i[s] || running_q[s] != 3'd0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q[s] <= '0;
      else running_q[s] <= running_q[s] + 3'(issue[s]) - 3'(tb_done_i[s]);
    end
  end
  always_ff @(posedge clk_i) begin
    was_busy_q <= rst_ni & busy;
    if (!rst_ni || start_i) begin
      issued_q <= '0;
    end else begin
      issued_q <= issued_q | is[0 +: Count] | is[Count +: Count];
    end
  end

  // Cycles since the last progress of a kernel, with all around it as quick as can be.
  logic [7:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i || issue != '0) waits_q <= '0;
    else if (begun_q) waits_q <= waits_q + 8'd1;
  end

  always_comb begin
    // The scheduler runs one kernel; under Abort a second one follows.
    assume (!start_i || (rst_ni && !busy && (!begun_q || (Abort != 0 && !again_q))));
    if (Meets != 0) begin
      assume (mem_req_ready_i && mem_rsp_valid_i == (used_q != 4'd0));
      assume (tb_ready_i == 2'b11);
    end
    if (claims) begin
      // Not doubled: neither in two cycles nor on two SMs.
      assert ((issued_q & (is[0 +: Count] | is[Count +: Count])) == '0);
      assert ((is[0 +: Count] & is[Count +: Count]) == '0);
      // Not lost: the kernel ends when all are issued and have completed.
      assert (!(was_busy_q && !busy) || (&issued_q) || aborted_q);
      assert (busy || (used_q == '0 && !req_valid));
      assert (!(was_busy_q && !busy) || (running_q[0] == '0 && running_q[1] == '0));
      // They meet.
      if (Meets != 0) assert ((&issued_q) || waits_q <= Bound || aborted_q || !busy);
    end
  end

  // Interesting states: a kernel ends; an empty group was passed over; one that was given up has been
  // followed by another, which has issued all.
  always_comb begin
    if (rst_ni && Cover == 1) assert (!(was_busy_q && !busy));
    if (rst_ni && Cover == 3) assert (!(again_q && (&issued_q)));
    if (rst_ni && Cover == 2) assert (!(busy && Split == 0 && valid != '0));
  end

endmodule
