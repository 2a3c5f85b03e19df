// A TB scheduler as a block that a GPU's builder wires: registers on AXI4-Lite, an AXI4 master for its
// queue, and a valid/ready port per SM that carries block index, context and tag.
//
// Every output is a function of registers. quiescent_o says that no register can change without a
// valid at s_axil_aw, s_axil_w, s_axil_ar, m_axi_r or done.
//
// The page gpu_dispatch_top.md beside this file has the protocol, the registers and the latencies.
module gpu_dispatch_top #(
  /// The TB scheduler: 0 to 3: lrr, chunk, paver_wide, paver.
  parameter int Scheduler = 2,
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// TBs that an SM has contexts for, 2 to 32.
  parameter int Contexts = 8,
  /// Places for group descriptors in the scheduler, 3 to 128.
  parameter int Descriptors = 4,
  /// Reads in flight, 2 to 16.
  parameter int Reads = 4,
  /// A TB's warps, registers and shared memory count: 0 or 1.
  parameter int Resources = 1,
  /// Warps of an SM, 1 to 1023.
  parameter int SmWarps = 48,
  /// Registers of an SM, in any unit, 1 to 1048575.
  parameter int SmRegisters = 32768,
  /// Shared memory of an SM, in any unit, 1 to 1048575.
  parameter int SmShared = 49152,
  /// What words from memory stand in: 0 to 2: flip-flops, latches, a RAM macro.
  parameter int Style = 2,
  /// Bits of a context; leave it at its default.
  parameter int ContextWidth = $clog2(Contexts)
) (
  /// Clock, rising edge.
  input  logic                          clk_i,
  /// Synchronous reset, active low.
  input  logic                          rst_ni,

  /// AXI4-Lite, write address channel.
  input  logic                          s_axil_awvalid_i,
  /// Byte offset of the register that is written.
  input  logic [11:0]                   s_axil_awaddr_i,
  /// The write address is taken.
  output logic                          s_axil_awready_o,
  /// AXI4-Lite, write data channel.
  input  logic                          s_axil_wvalid_i,
  /// What is written.
  input  logic [31:0]                   s_axil_wdata_i,
  /// Which of its bytes: all, or the write is refused.
  input  logic [3:0]                    s_axil_wstrb_i,
  /// The data is taken.
  output logic                          s_axil_wready_o,
  /// AXI4-Lite, write response channel.
  output logic                          s_axil_bvalid_o,
  /// 0 OKAY, 2 SLVERR.
  output logic [1:0]                    s_axil_bresp_o,
  /// The response is taken.
  input  logic                          s_axil_bready_i,
  /// AXI4-Lite, read address channel.
  input  logic                          s_axil_arvalid_i,
  /// Byte offset of the register that is read.
  input  logic [11:0]                   s_axil_araddr_i,
  /// The read address is taken.
  output logic                          s_axil_arready_o,
  /// AXI4-Lite, read data channel.
  output logic                          s_axil_rvalid_o,
  /// What was read.
  output logic [31:0]                   s_axil_rdata_o,
  /// 0 OKAY, 2 SLVERR.
  output logic [1:0]                    s_axil_rresp_o,
  /// The answer is taken.
  input  logic                          s_axil_rready_i,
  /// A launch has ended, or something was refused, and register interrupts asks for it.
  output logic                          irq_o,

  /// AXI4, read address channel: bursts of type INCR, of beats of 8 bytes.
  output logic                          m_axi_arvalid_o,
  /// Byte address, a multiple of the burst's bytes.
  output logic [63:0]                   m_axi_araddr_o,
  /// Beats less one: 0, 1 or 3.
  output logic [7:0]                    m_axi_arlen_o,
  /// The read's id, below Reads; no two reads in flight have the same.
  output logic [3:0]                    m_axi_arid_o,
  /// The address is taken.
  input  logic                          m_axi_arready_i,
  /// AXI4, read data channel.
  input  logic                          m_axi_rvalid_i,
  /// Which read it is of.
  input  logic [3:0]                    m_axi_rid_i,
  /// A beat's bytes.
  input  logic [63:0]                   m_axi_rdata_i,
  /// 0 and 1 are good answers, 2 and 3 errors.
  input  logic [1:0]                    m_axi_rresp_i,
  /// The read's last beat. Beats are counted, so that it tells nothing.
  input  logic                          m_axi_rlast_i,
  /// The beat is taken: always, while a read is in flight.
  output logic                          m_axi_rready_o,

  /// The first instruction of the launch that runs, from its first TB on.
  output logic [63:0]                   launch_entry_o,
  /// The parameters of the launch that runs, from its first TB on.
  output logic [63:0]                   launch_parameters_o,

  /// Per SM: the TB below is for it. One SM at a time.
  output logic [NumSm-1:0]              tb_valid_o,
  /// Per SM: it takes the TB.
  input  logic [NumSm-1:0]              tb_ready_i,
  /// The TB's linear id.
  output logic [IdWidth-1:0]            tb_id_o,
  /// Its block index, x.
  output logic [IdWidth-1:0]            tb_x_o,
  /// Its block index, y.
  output logic [IdWidth-1:0]            tb_y_o,
  /// Its block index, z.
  output logic [IdWidth-1:0]            tb_z_o,
  /// The context of the SM that it runs in.
  output logic [ContextWidth-1:0]       tb_context_o,
  /// Its launch's tag: the number of the launch, modulo 16.
  output logic [3:0]                    tb_tag_o,

  /// Per SM: a TB has completed. It is always heard.
  input  logic [NumSm-1:0]              done_valid_i,
  /// Per SM: the TB's context.
  input  logic [NumSm*ContextWidth-1:0] done_context_i,
  /// Per SM: the TB's tag.
  input  logic [NumSm*4-1:0]            done_tag_i,

  /// No register can change without an event at the inputs (see above).
  output logic                          quiescent_o
);

  localparam CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32;
  localparam HasQueue = (Scheduler >= 2) ? 1 : 0;
  localparam Shares = (Scheduler == 1) ? 1 : 0;
  localparam logic [31:0] Identity = {16'h4654, 8'(Scheduler), 8'(NumSm - 1)};

  // Registers.
  logic                  slave_idle, write, partial, read, write_unknown, write_wide;
  logic                  write_locked, read_unknown, control_write, status_write;
  logic [31:0]           read_data, status, tbs_issued, steals, waits;
  logic [2:0]            interrupts;
  logic [CountWidth-1:0] grid_x, grid_y, grid_z;
  logic [7:0]            tb_limit, tb_warps;
  logic [31:0]           entry_lo, entry_hi, parameters_lo, parameters_hi;
  logic [31:0]           queue_base_lo, queue_base_hi, queue_count;
  logic [1:0]            steal_rule;
  logic [19:0]           tb_registers, tb_shared;
  // The launch that waits.
  logic                  prepare, ready, fails, prepared, locked;
  logic [3:0]            fails_reason;
  logic [CountWidth-1:0] tb_count, x_divisor, y_divisor, share_tbs;
  logic [4:0]            x_shift, y_shift;
  logic [7:0]            extra_sms;
  logic [Contexts-1:0]   allowed;
  // The one that runs.
  logic                  start, active, stopping, control_idle;
  logic [3:0]            tag;
  logic [CountWidth-1:0] tb_count_q;
  logic [Contexts-1:0]   allowed_q;
  logic [63:0]           entry_q, parameters_q;
  // TBs.
  logic                     busy, take, beyond, divider_ready, valid, gone, stray, none;
  logic [NumSm-1:0]         offered, sm_ready, room, sm, sm_q, done;
  logic [NumSm*IdWidth-1:0] offered_ids;
  logic [IdWidth-1:0]       id;
  logic [ContextWidth-1:0]  context_free, context_q;
  // Memory.
  logic         req_ready, req_valid, rsp_valid, reads_idle, read_failed, steal;
  logic [63:0]  req_addr;
  logic [5:0]   req_size;
  logic [255:0] rsp_data;

  axi_lite_slave u_slave (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_wvalid_i,
    .s_axil_wstrb_i,
    .s_axil_wready_o,
    .s_axil_bvalid_o,
    .s_axil_bresp_o,
    .s_axil_bready_i,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_rvalid_o,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .s_axil_rready_i,
    .write_o(write),
    .partial_o(partial),
    .write_error_i(write_unknown | write_wide | write_locked),
    .read_o(read),
    .read_data_i(read_data),
    .read_error_i(read_unknown),
    .idle_o(slave_idle)
  );

  logic       refused;
  logic [3:0] refused_reason;
  assign refused = partial | (write & (write_unknown | write_wide | write_locked)) | (read & read_unknown);
  assign refused_reason = (write & write_locked) ? 4'd8
                        : (write & write_wide) | partial ? 4'd10 : 4'd9;

  dispatch_register_file #(
    .CountWidth(CountWidth),
    .HasQueue(HasQueue),
    .Resources(Resources)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .write_offset_i(s_axil_awaddr_i),
    .write_data_i(s_axil_wdata_i),
    .write_i(write),
    .write_unknown_o(write_unknown),
    .write_wide_o(write_wide),
    .locked_i(locked),
    .write_locked_o(write_locked),
    .read_offset_i(s_axil_araddr_i),
    .read_unknown_o(read_unknown),
    .read_data_o(read_data),
    .control_write_o(control_write),
    .status_write_o(status_write),
    .identity_i(Identity),
    .status_i(status),
    .tbs_issued_i(tbs_issued),
    .steals_i(steals),
    .waits_i(waits),
    .interrupts_o(interrupts),
    .grid_x_o(grid_x),
    .grid_y_o(grid_y),
    .grid_z_o(grid_z),
    .tb_limit_o(tb_limit),
    .entry_lo_o(entry_lo),
    .entry_hi_o(entry_hi),
    .parameters_lo_o(parameters_lo),
    .parameters_hi_o(parameters_hi),
    .queue_base_lo_o(queue_base_lo),
    .queue_base_hi_o(queue_base_hi),
    .queue_count_o(queue_count),
    .steal_rule_o(steal_rule),
    .tb_warps_o(tb_warps),
    .tb_registers_o(tb_registers),
    .tb_shared_o(tb_shared)
  );

  launch_prepare #(
    .NumSm(NumSm),
    .CountWidth(CountWidth),
    .Contexts(Contexts),
    .HasQueue(HasQueue),
    .Shares(Shares),
    .Resources(Resources),
    .SmWarps(SmWarps),
    .SmRegisters(SmRegisters),
    .SmShared(SmShared)
  ) u_prepare (
    .clk_i,
    .rst_ni,
    .begin_i(prepare),
    .end_i(prepared),
    .grid_x_i(grid_x),
    .grid_y_i(grid_y),
    .grid_z_i(grid_z),
    .tb_limit_i(tb_limit),
    .queue_low_i(queue_base_lo[3:0]),
    .queue_count_i(queue_count),
    .tb_warps_i(tb_warps),
    .tb_registers_i(tb_registers),
    .tb_shared_i(tb_shared),
    .ready_o(ready),
    .fails_o(fails),
    .reason_o(fails_reason),
    .tb_count_o(tb_count),
    .x_divisor_o(x_divisor),
    .x_shift_o(x_shift),
    .y_divisor_o(y_divisor),
    .y_shift_o(y_shift),
    .share_tbs_o(share_tbs),
    .extra_sms_o(extra_sms),
    .contexts_o(allowed)
  );

  dispatch_control #(
    .CountWidth(CountWidth)
  ) u_control (
    .clk_i,
    .rst_ni,
    .control_write_i(control_write),
    .status_write_i(status_write),
    .write_data_i(s_axil_wdata_i),
    .interrupts_i(interrupts),
    .refused_i(refused),
    .refused_reason_i(refused_reason),
    .locked_o(locked),
    .status_o(status),
    .irq_o,
    .prepare_o(prepare),
    .ready_i(ready),
    .fails_i(fails),
    .fails_reason_i(fails_reason),
    .prepared_o(prepared),
    .start_o(start),
    .active_o(active),
    .tag_o(tag),
    .stopping_o(stopping),
    .busy_i(busy),
    .read_error_i(read_failed),
    .beyond_i(beyond),
    .stray_i(stray),
    .issue_i(gone),
    .steal_i(steal),
    .wait_i(valid & ~gone),
    .tbs_issued_o(tbs_issued),
    .steals_o(steals),
    .waits_o(waits),
    .idle_o(control_idle)
  );

  dispatch_scheduler #(
    .Scheduler(Scheduler),
    .NumSm(NumSm),
    .IdWidth(IdWidth),
    .Descriptors(Descriptors),
    .Style(Style)
  ) u_scheduler (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .tb_count_i(tb_count),
    .share_tbs_i(share_tbs),
    .extra_sms_i(extra_sms),
    .queue_base_i({queue_base_hi, queue_base_lo}),
    .queue_count_i(queue_count),
    .steal_rule_i(steal_rule),
    .abort_i(stopping),
    .tb_ready_i(sm_ready),
    .tb_done_i(done),
    .tb_valid_o(offered),
    .tb_id_o(offered_ids),
    .busy_o(busy),
    .mem_req_ready_i(req_ready),
    .mem_req_valid_o(req_valid),
    .mem_req_addr_o(req_addr),
    .mem_req_size_o(req_size),
    .mem_rsp_valid_i(rsp_valid),
    .mem_rsp_data_i(rsp_data),
    .steal_valid_o(steal)
  );

  tb_hand_over #(
    .NumSm(NumSm),
    .IdWidth(IdWidth)
  ) u_hand_over (
    .clk_i,
    .rst_ni,
    .stop_i(stopping),
    .tb_valid_i(offered),
    .tb_id_i(offered_ids),
    .room_i(room),
    .tb_count_i(tb_count_q),
    .tb_ready_o(sm_ready),
    .sm_o(sm),
    .id_o(id),
    .ready_i(divider_ready),
    .take_o(take),
    .beyond_o(beyond)
  );

  sm_contexts #(
    .NumSm(NumSm),
    .Contexts(Contexts)
  ) u_contexts (
    .clk_i,
    .rst_ni,
    .allowed_i(allowed_q),
    .tag_i(tag),
    .room_o(room),
    .sm_i(sm),
    .context_o(context_free),
    .take_i(take),
    .done_valid_i,
    .done_context_i,
    .done_tag_i,
    .done_o(done),
    .stray_o(stray),
    .none_o(none)
  );

  tb_index_divider #(
    .IdWidth(IdWidth)
  ) u_divider (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .grid_x_i(grid_x),
    .grid_y_i(grid_y),
    .x_divisor_i(x_divisor),
    .x_shift_i(x_shift),
    .y_divisor_i(y_divisor),
    .y_shift_i(y_shift),
    .take_i(take),
    .id_i(id),
    .ready_o(divider_ready),
    .valid_o(valid),
    .gone_i(gone),
    .id_o(tb_id_o),
    .x_o(tb_x_o),
    .y_o(tb_y_o),
    .z_o(tb_z_o)
  );

  if (HasQueue != 0) begin : gen_reads
    // PAVER's answers have 16 bytes, those by the sector 32.
    localparam Words = (Scheduler == 2) ? 4 : 2;
    logic [64*Words-1:0] answer;
    axi_read_master #(
      .Reads(Reads),
      .Words(Words),
      .Narrow((Scheduler == 2) ? 0 : 1),
      .Style(Style)
    ) u_reads (
      .clk_i,
      .rst_ni,
      .idle_o(reads_idle),
      .error_o(read_failed),
      .mem_req_valid_i(req_valid),
      .mem_req_ready_o(req_ready),
      .mem_req_addr_i(req_addr),
      .mem_req_size_i(req_size),
      .mem_rsp_valid_o(rsp_valid),
      .mem_rsp_data_o(answer),
      .m_axi_arvalid_o,
      .m_axi_araddr_o,
      .m_axi_arlen_o,
      .m_axi_arid_o,
      .m_axi_arready_i,
      .m_axi_rvalid_i,
      .m_axi_rid_i,
      .m_axi_rdata_i,
      .m_axi_rresp_i,
      .m_axi_rready_o
    );
    assign rsp_data = 256'(answer);
  end else begin : gen_no_reads
    assign reads_idle      = 1'b1;
    assign read_failed     = 1'b0;
    assign req_ready       = 1'b0;
    assign rsp_valid       = 1'b0;
    assign rsp_data        = '0;
    assign m_axi_arvalid_o = 1'b0;
    assign m_axi_araddr_o  = '0;
    assign m_axi_arlen_o   = '0;
    assign m_axi_arid_o    = '0;
    assign m_axi_rready_o  = 1'b0;
    logic unused_memory;
    assign unused_memory = &{1'b0, req_valid, req_addr, req_size, m_axi_arready_i, m_axi_rvalid_i,
                             m_axi_rid_i, m_axi_rdata_i, m_axi_rresp_i};
  end

  assign gone = |(tb_valid_o & tb_ready_i);

  assign tb_valid_o          = sm_q & {NumSm{valid}};
  assign tb_context_o        = context_q;
  assign tb_tag_o            = tag;
  assign launch_entry_o      = entry_q;
  assign launch_parameters_o = parameters_q;
  assign quiescent_o         = control_idle & slave_idle & none & reads_idle & ~read_failed & ~stray
                               & ~(|done);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) allowed_q <= '0;
    else if (start) allowed_q <= allowed;
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      tb_count_q   <= tb_count;
      entry_q      <= {entry_hi, entry_lo};
      parameters_q <= {parameters_hi, parameters_lo};
    end
    if (take) begin
      sm_q      <= sm;
      context_q <= context_free;
    end
  end

  logic unused;
  assign unused = &{1'b0, active, m_axi_rlast_i};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Scheduler < 0 || Scheduler > 3) begin : gen_0 scheduler_is_not_0_to_3 u (); end
  if (NumSm < 1 || NumSm > 256) begin : gen_1 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_2 id_width_is_not_16_or_32 u (); end
  if (Contexts < 2 || Contexts > 32) begin : gen_3 contexts_is_not_2_to_32 u (); end
  if (Descriptors < 3 || Descriptors > 128) begin : gen_4 descriptors_is_not_3_to_128 u (); end
  if (Reads < 2 || Reads > 16) begin : gen_5 reads_is_not_2_to_16 u (); end
  if (Resources != 0 && Resources != 1) begin : gen_6 resources_is_not_0_or_1 u (); end
  if (SmWarps < 1 || SmWarps > 1023) begin : gen_7 sm_warps_is_not_1_to_1023 u (); end
  if (SmRegisters < 1 || SmRegisters > 1048575) begin : gen_8 sm_registers_is_not_1_to_1048575 u (); end
  if (SmShared < 1 || SmShared > 1048575) begin : gen_9 sm_shared_is_not_1_to_1048575 u (); end
  if (Style < 0 || Style > 2) begin : gen_10 style_is_not_0_to_2 u (); end
`else
  if (Scheduler < 0 || Scheduler > 3) $error("Scheduler is not 0 to 3");
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (Contexts < 2 || Contexts > 32) $error("Contexts is not 2 to 32");
  if (Descriptors < 3 || Descriptors > 128) $error("Descriptors is not 3 to 128");
  if (Reads < 2 || Reads > 16) $error("Reads is not 2 to 16");
  if (Resources != 0 && Resources != 1) $error("Resources is not 0 or 1");
  if (SmWarps < 1 || SmWarps > 1023) $error("SmWarps is not 1 to 1023");
  if (SmRegisters < 1 || SmRegisters > 1048575) $error("SmRegisters is not 1 to 1048575");
  if (SmShared < 1 || SmShared > 1048575) $error("SmShared is not 1 to 1048575");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
