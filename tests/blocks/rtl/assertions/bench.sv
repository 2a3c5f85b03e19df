// Bench for the rules that are bound to the blocks' ports: each block is driven at random, as its
// page allows, until enough has happened. Inputs change at the falling edge. Which: a bit for each of
// the TB schedulers (0 to 7), the prefetcher (8), the warp scheduler (9), the root (10) and the L2 policy (11).
module bench #(parameter Which = 4095);

  logic        clk = 0, rst_n = 0;
  logic [11:0] done;

  always #5 clk = ~clk;

  `define COMMA ,
  `define BENCH(place, top, settings) \
    if (((Which >> place) & 1) != 0) begin : gen_``top \
      logic [2:0]  ready, finished, valid; \
      logic [47:0] id; \
      logic        start, busy; \
      tb_scheduler_driver u_driver (.*, .done(done[place])); \
      top #(.NumSm(3), .IdWidth(16)) u_dut ( \
        .clk_i(clk), .rst_ni(rst_n), .start_i(start), .tb_ready_i(ready), .tb_done_i(finished), \
        .tb_valid_o(valid), .tb_id_o(id), .busy_o(busy), settings); \
    end else begin : gen_no_``top \
      assign done[place] = 1'b1; \
    end
  `BENCH(0, lrr_tb_scheduler, .tb_count_i(17'd42))
  `BENCH(1, bcs_tb_scheduler, .tb_count_i(17'd42) `COMMA .max_tbs_i(8'd4))
  `BENCH(2, cache_fit_tb_scheduler, .tb_count_i(17'd42) `COMMA .max_tbs_i(8'd2))
  `BENCH(3, swizzle_tb_scheduler, .tb_count_i(17'd42) `COMMA .row_tbs_i(17'd7) `COMMA .band_rows_i(17'd2))
  `BENCH(4, chunk_tb_scheduler, .share_tbs_i(17'd14) `COMMA .extra_sms_i(8'd0))
  `BENCH(5, cta_map_tb_scheduler, .tb_count_i(17'd42))
  // Seven columns of six TBs, two columns a run.
  `BENCH(6, numa_tb_scheduler, .tb_count_i(17'd42) `COMMA .first_i(16'd0) `COMMA .run_tbs_i(17'd12) `COMMA
         .step_i(16'd7) `COMMA .line_tbs_i(17'd6) `COMMA .line_jump_i(16'hffde) `COMMA .run_jump_i(16'hffde))

  if (Which[7]) begin : gen_paver
    paver_bench u_bench (.*, .done(done[7]));
  end else begin : gen_no_paver
    assign done[7] = 1'b1;
  end
  if (Which[8]) begin : gen_prefetcher
    prefetcher_bench u_bench (.*, .done(done[8]));
  end else begin : gen_no_prefetcher
    assign done[8] = 1'b1;
  end
  if (Which[9]) begin : gen_warps
    warp_scheduler_bench u_bench (.*, .done(done[9]));
  end else begin : gen_no_warps
    assign done[9] = 1'b1;
  end
  if (Which[10]) begin : gen_root
    root_bench u_bench (.*, .done(done[10]));
  end else begin : gen_no_root
    assign done[10] = 1'b1;
  end
  if (Which[11]) begin : gen_l2_policy
    l2_policy_bench u_bench (.*, .done(done[11]));
  end else begin : gen_no_l2_policy
    assign done[11] = 1'b1;
  end

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1;
    repeat (100000) begin
      @(negedge clk);
      if (&done) begin
        $display("PASSED");
        $finish;
      end
    end
    $display("not enough has happened: %b", done);
    $fatal;
  end

endmodule

// What an SM array does: contexts for four TBs each, TBs that run for a while, kernel after kernel.
module tb_scheduler_driver (
  input  logic        clk,
  input  logic        rst_n,
  output logic        start,
  output logic [2:0]  ready,
  output logic [2:0]  finished,
  input  logic [2:0]  valid,
  input  logic [47:0] id,
  input  logic        busy,
  output logic        done
);

  int running [0:2];
  int kernels = 0, issued = 0;

  assign done = kernels > 20;

  initial begin
    start = 0; ready = 0; finished = 0;
    for (int s = 0; s < 3; s++) running[s] = 0;
  end

  always @(negedge clk) begin
    // What the rising edge before has taken.
    for (int s = 0; s < 3; s++) begin
      if (rst_n && finished[s]) running[s]--;
    end
    if (rst_n) begin
      start = !busy && ($urandom % 4) == 0;
      if (start) begin
        if (kernels > 0 && issued != 42) begin
          $display("a kernel of 42 TBs issued %0d", issued);
          $fatal;
        end
        kernels++;
        issued = 0;
      end
      for (int s = 0; s < 3; s++) begin
        ready[s]    = running[s] < 4 && ($urandom % 3) != 0;
        finished[s] = running[s] > 0 && ($urandom % 12) == 0;
      end
    end
  end

  always @(posedge clk) begin
    for (int s = 0; s < 3; s++) begin
      if (rst_n && valid[s] && ready[s]) begin
        running[s]++;
        issued++;
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, id};

endmodule

// PAVER's TB scheduler, and the memory that it reads: six groups of seven TBs.
module paver_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic [2:0]   ready, finished, valid;
  logic [47:0]  id;
  logic         start, busy, kernels_done, req_ready, req_valid, rsp_valid, steal_valid;
  logic [63:0]  addr;
  logic [127:0] data;
  int           steals = 0, refused = 0;

  assign done = kernels_done && steals > 0 && refused > 0;

  tb_scheduler_driver u_driver (.*, .done(kernels_done));

  paver_tb_scheduler #(
    .NumSm(3),
    .IdWidth(16)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .queue_base_i(64'h1000),
    .queue_count_i(32'd6),
    .steal_enable_i(1'b1),
    .tb_ready_i(ready),
    .tb_done_i(finished),
    .tb_valid_o(valid),
    .tb_id_o(id),
    .busy_o(busy),
    .mem_req_ready_i(req_ready),
    .mem_req_valid_o(req_valid),
    .mem_req_addr_o(addr),
    .mem_rsp_valid_i(rsp_valid),
    .mem_rsp_data_i(data),
    .steal_valid_o(steal_valid)
  );

  // Addresses of the requests that wait, the oldest first.
  logic [63:0] waiting [$];
  logic [63:0] oldest, group;

  always @(posedge clk) begin
    if (rst_n && req_valid && req_ready) waiting.push_back(addr);
    if (rst_n && req_valid && !req_ready) refused++;
    if (steal_valid) steals++;
  end

  initial begin
    req_ready = 0;
    rsp_valid = 0;
    data      = 0;
  end

  always @(negedge clk) begin
    req_ready = ($urandom % 3) != 0;
    rsp_valid = waiting.size() != 0 && ($urandom % 6) == 0;
    if (rsp_valid) begin
      oldest = waiting.pop_front();
      group  = (oldest - 64'h1000) >> 4;
      data   = (oldest >= 64'h8000) ? 128'((oldest - 64'h8000) >> 1)
                                    : {64'h800c + group * 14, 64'h8000 + group * 14};
    end
  end

endmodule

// CAPS's prefetcher: loads with strides between warps, an L1 that answers when it likes.
module prefetcher_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic         kernel_end, load_valid, probe_valid, probe_done, present, valid, ready;
  logic [3:0]   cta_end;
  logic [1:0]   slot;
  logic [7:0]   warp;
  logic [31:0]  pc;
  logic [5:0]   count;
  logic [127:0] addresses;
  logic [3:0]   wait_for = 0;
  int           taken = 0, refused = 0, ended = 0;

  assign done = taken > 500 && refused > 100 && ended > 20;

  caps_prefetcher #(
    .CtaSlots(4),
    .NumWarps(32)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .kernel_end_i(kernel_end),
    .cta_end_i(cta_end),
    .live_warps_i({32'hff000000, 32'h00ff0000, 32'h0000ff00, 32'h000000ff}),
    .load_valid_i(load_valid),
    .load_pc_i(pc),
    .load_slot_i(slot),
    .load_warp_i(warp),
    .load_indirect_i(1'b0),
    .load_count_i(count),
    .load_addr_i(addresses),
    .probe_valid_o(probe_valid),
    .probe_done_i(probe_done),
    .probe_present_i(present),
    .prefetch_valid_o(valid),
    .prefetch_ready_i(ready)
  );

  initial begin
    kernel_end = 0; cta_end = 0; load_valid = 0; slot = 0; warp = 0; pc = 0; count = 1;
    addresses = 0; probe_done = 0; present = 0; ready = 0;
  end

  always @(posedge clk) begin
    if (rst_n && valid) begin
      if (ready) taken++;
      else refused++;
      if (cta_end != 0) ended++;
    end
  end

  always @(negedge clk) begin
    if (rst_n) begin
      if (wait_for != 0) wait_for--;
      load_valid = wait_for == 0 && ($urandom % 20) == 0;
      if (load_valid) begin
        slot      = 2'($urandom);
        warp      = {3'd0, slot, 3'($urandom)};
        pc        = 32'h100 + 32'(($urandom % 3) * 8);
        count     = 6'(1 + $urandom % 2);
        addresses = {64'd0, 32'h9000_0000 + {17'd0, pc[6:0], warp[7:0]} * 32'd512,
                     32'h1000_0000 + {17'd0, pc[6:0], warp[7:0]} * 32'd512};
        wait_for  = 4'(count);
      end
      probe_done = probe_valid && ($urandom % 3) == 0;
      present    = ($urandom % 8) == 0;
      ready      = ($urandom % 3) == 0;
      cta_end    = ($urandom % 60) == 0 ? 4'(1 << ($urandom % 4)) : 4'd0;
      kernel_end = ($urandom % 2000) == 0;
    end
  end

endmodule

// CAPS's warp scheduler: warps that begin, wait, issue and exit.
module warp_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic [31:0] live = 0, stalled = 0, barrier = 0, busy = 0;
  logic [31:0] eligible, started, finished;
  logic [31:0] some;
  logic        grant_valid, issued_valid, wake_valid;
  logic [4:0]  grant_warp, issued_warp, wake_warp;
  int          issues = 0;

  assign done = issues > 1000;

  caps_warp_scheduler #(
    .NumWarps(32)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .eligible_i(eligible),
    .stalled_i(stalled),
    .barrier_i(barrier),
    .leading_i(live & 32'h11111111),
    .started_i(started),
    .finished_i(finished),
    .issued_valid_i(issued_valid),
    .issued_warp_i(issued_warp),
    .wake_valid_i(wake_valid),
    .wake_warp_i(wake_warp),
    .grant_valid_o(grant_valid),
    .grant_warp_o(grant_warp)
  );

  initial begin
    eligible = 0; started = 0; finished = 0; issued_valid = 0; issued_warp = 0; wake_valid = 0;
    wake_warp = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      some         = 32'd1 << grant_warp;
      finished     = 0;
      issued_warp  = grant_warp;
      issued_valid = grant_valid && (some & live & ~(stalled | barrier | busy)) != 0
                     && ($urandom % 16) != 0;
      if (issued_valid) begin
        issues++;
        case ($urandom % 8)
          0: finished = some;
          1: barrier = barrier | some;
          2, 3, 4: stalled = stalled | some;
          5: busy = busy | some;
          default: ;
        endcase
      end
      live       = live & ~finished;
      started    = ($urandom % 16) == 0 ? ($urandom & $urandom & ~live) : 0;
      live       = live | started;
      stalled    = stalled & live & ~($urandom & $urandom & $urandom & $urandom);
      barrier    = barrier & live & ~($urandom & $urandom & $urandom & $urandom);
      busy       = busy & live & ~($urandom & $urandom);
      eligible   = live & ~(stalled | barrier | busy);
      wake_valid = ($urandom % 6) == 0;
      wake_warp  = 5'($urandom);
    end
  end

endmodule

// The root of two GPUs of three chiplets, whose TB schedulers hear of their starts and end when they
// like.
module root_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic       start, busy;
  logic [5:0] asked, node_busy, node_start;
  int         kernels = 0;

  assign done = kernels > 50;

  numa_tb_root #(
    .Gpus(2),
    .Chiplets(3)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .start_i(start),
    .gpu_step_i(16'd21),
    .chiplet_step_i(16'd7),
    .run_tbs_i(17'd7),
    .step_i(16'd1),
    .line_tbs_i(17'd0),
    .line_jump_i(16'd0),
    .run_jump_i(16'd0),
    .gpu_rank_i(5'd3),
    .chiplet_rank_i(5'd1),
    .last_gpu_i(5'd2),
    .full_tbs_i(17'd7),
    .full_extra_i(5'd0),
    .full_short_i(5'd5),
    .full_lack_i(17'd0),
    .last_tbs_i(17'd0),
    .last_extra_i(5'd0),
    .last_short_i(5'd0),
    .last_lack_i(17'd0),
    .node_busy_i(node_busy),
    .node_start_o(node_start),
    .busy_o(busy)
  );

  initial begin
    start = 0; asked = 0; node_busy = 0;
  end

  always @(posedge clk) if (rst_n) asked <= (asked | node_start) & ~node_busy;

  always @(negedge clk) begin
    if (rst_n) begin
      start = !busy && ($urandom % 4) == 0;
      if (start) kernels++;
      for (int n = 0; n < 6; n++) begin
        node_busy[n] = node_busy[n] ? ($urandom % 8) != 0 : asked[n] && ($urandom % 5) == 0;
      end
    end
  end

endmodule

// An L2 policy of four lanes: requests of all kinds, which come to their home.
module l2_policy_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic       told, once;
  logic [3:0] valid, from_fabric;
  logic [7:0] kind, home;
  int         requests = 0;

  assign done = requests > 2000;

  l2_remote_policy #(
    .NumLanes(4),
    .NodeWidth(2)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .cfg_valid_i(told),
    .cfg_node_i(2'd2),
    .cfg_once_i(once),
    .cfg_remote_caching_i(1'b1),
    .req_valid_i(valid),
    .req_from_fabric_i(from_fabric),
    .req_kind_i(kind),
    .req_home_i(home)
  );

  initial begin
    told = 0; once = 0; valid = 0; from_fabric = 0; kind = 0; home = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      told        = requests == 0 || ($urandom % 50) == 0;
      once        = $urandom % 2 == 0;
      valid       = told ? 4'd0 : 4'($urandom);
      from_fabric = 4'($urandom);
      kind        = 8'($urandom);
      for (int i = 0; i < 4; i++) home[i*2 +: 2] = from_fabric[i] ? 2'd2 : 2'($urandom);
      requests += told ? 1 : $countones(valid);
    end
  end

endmodule
