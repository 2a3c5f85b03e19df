// PAVER's TB scheduler at work on an iCE40 HX8K: four toy SMs and the memory with the queue are on
// the chip, and a serial line tells each TB and each steal. A kernel follows the one before after a
// pause. On the HX8K breakout board: 12 MHz, 1,000,000 baud.
module fpga_demo (
  /// Clock, rising edge; registers begin with zero when the chip is configured.
  input  logic       clk_i,
  /// The serial line.
  output logic       tx_o,
  /// Per SM: it took a TB a moment ago.
  output logic [3:0] led_o
);

  // verilator lint_off PINCONNECTEMPTY
  localparam int NumSm = 4;
  localparam int AddrWidth = 32;
  localparam int PauseWidth = 22;

  logic [3:0]            reset_q = '0;
  logic [PauseWidth-1:0] pause_q;
  logic                  rst_n, start, started_q, told_q, busy;

  assign rst_n = &reset_q;
  assign start = rst_n & ~started_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) reset_q <= reset_q + 4'd1;
  end

  logic [NumSm-1:0]      tb_valid, tb_ready, tb_done, taken_valid, taken_ack;
  logic [NumSm*16-1:0]   tb_id, taken_id;
  logic                  req_valid, rsp_valid, steal_valid;
  logic [AddrWidth-1:0]  req_addr;
  logic [127:0]          rsp_data;
  logic [15:0]           steal_count;
  logic [7:0]            steal_donor, steal_thief;

  paver_tb_scheduler #(
    .NumSm(NumSm),
    .IdWidth(16),
    .AddrWidth(AddrWidth),
    .Descriptors(4)
  ) u_scheduler (
    .clk_i,
    .rst_ni(rst_n),
    .start_i(start),
    .queue_base_i(32'd0),
    .queue_count_i(32'd4),
    .steal_rule_i(2'd1),
    .abort_i(1'b0),
    .tb_ready_i(tb_ready),
    .tb_done_i(tb_done),
    .tb_valid_o(tb_valid),
    .tb_id_o(tb_id),
    .busy_o(busy),
    .quiescent_o(),
    .wants_context_o(),
    .mem_req_ready_i(1'b1),
    .mem_req_valid_o(req_valid),
    .mem_req_addr_o(req_addr),
    .mem_req_size_o(),
    .mem_rsp_valid_i(rsp_valid),
    .mem_rsp_data_i(rsp_data),
    .steal_valid_o(steal_valid),
    .steal_count_o(steal_count),
    .steal_donor_o(steal_donor),
    .steal_thief_o(steal_thief)
  );

  queue_memory u_memory (
    .clk_i,
    .rst_ni(rst_n),
    .req_valid_i(req_valid),
    .req_addr_i(req_addr),
    .rsp_valid_o(rsp_valid),
    .rsp_data_o(rsp_data)
  );

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    toy_sm u_sm (
      .clk_i,
      .rst_ni(rst_n),
      .tb_valid_i(tb_valid[s]),
      .tb_id_i(tb_id[16*s +: 16]),
      .tb_ready_o(tb_ready[s]),
      .tb_done_o(tb_done[s]),
      .taken_valid_o(taken_valid[s]),
      .taken_id_o(taken_id[16*s +: 16]),
      .taken_ack_i(taken_ack[s])
    );
  end

  // A steal waits in a register: the next one is at least a scan later. Steals go first, then the
  // TBs of the lowest SM; the end comes when all else is told. A kernel's events all have room.
  logic        armed_q;  // busy_o counts: it is high from the cycle after the start
  logic        stolen_q, push, done, event_valid, event_ready;
  logic [7:0]  count_q;
  logic [1:0]  donor_q, thief_q;
  logic [13:0] entry, shown;

  assign done = started_q & ~busy & ~start & ~told_q & ~stolen_q & ~steal_valid
                & ~(|taken_valid) & armed_q;
  assign push = stolen_q | (|taken_valid) | done;

  always_comb begin
    entry     = {2'd2, 12'd0};
    taken_ack = '0;
    for (int s = NumSm - 1; s >= 0; s--) begin
      if (taken_valid[s]) begin
        entry        = {2'd0, taken_id[16*s +: 8], 2'(s), 2'd0};
        taken_ack    = '0;
        taken_ack[s] = 1'b1;
      end
    end
    if (stolen_q) begin
      entry     = {2'd1, count_q, donor_q, thief_q};
      taken_ack = '0;
    end
  end

  fifo #(
    .Width(14),
    .Depth(64)
  ) u_events (
    .clk_i,
    .rst_ni(rst_n),
    .push_i(push),
    .data_i(entry),
    .pop_i(event_ready),
    .valid_o(event_valid),
    .data_o(shown)
  );

  event_printer u_printer (
    .clk_i,
    .rst_ni(rst_n),
    .valid_i(event_valid),
    .kind_i(shown[13:12]),
    .value_i(shown[11:4]),
    .sm_i(shown[3:2]),
    .to_i(shown[1:0]),
    .ready_o(event_ready),
    .tx_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      started_q <= 1'b0;
      armed_q   <= 1'b0;
      told_q    <= 1'b0;
      stolen_q  <= 1'b0;
      pause_q   <= '0;
    end else begin
      stolen_q <= steal_valid;
      armed_q  <= started_q;
      if (start) started_q <= 1'b1;
      if (done) told_q <= 1'b1;
      // A new kernel when the last one was told and the pause is over.
      if (told_q) pause_q <= pause_q + PauseWidth'(1);
      if (&pause_q) begin
        started_q <= 1'b0;
        told_q    <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (steal_valid) begin
      count_q <= steal_count[7:0];
      donor_q <= steal_donor[1:0];
      thief_q <= steal_thief[1:0];
    end
  end

  for (genvar s = 0; s < NumSm; s++) begin : gen_led
    logic [18:0] glow_q;
    assign led_o[s] = |glow_q;
    always_ff @(posedge clk_i) begin
      if (!rst_n) glow_q <= '0;
      else if (taken_ack[s]) glow_q <= '1;
      else if (|glow_q) glow_q <= glow_q - 19'd1;
    end
  end

  logic unused;
  assign unused = &{1'b0, steal_count[15:8], steal_donor[7:2], steal_thief[7:2]};

endmodule
