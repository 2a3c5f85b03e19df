// The TB scheduler of gpu_dispatch_top, chosen by a parameter, behind the ports that all of them share.
module dispatch_scheduler #(
  /// Which: 0 to 3: lrr, chunk, paver_wide, paver.
  parameter int Scheduler = 2,
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Places for group descriptors, 3 to 128.
  parameter int Descriptors = 4,
  /// What sectors of ids stand in: 0 to 2: flip-flops, latches, a RAM macro.
  parameter int Style = 2,
  /// Bits of a number of TBs; leave it at its default.
  parameter int CountWidth = (IdWidth < 32) ? IdWidth + 1 : 32
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// A launch begins, with the seven values below.
  input  logic                     start_i,
  /// TBs of the grid.
  input  logic [CountWidth-1:0]    tb_count_i,
  /// floor(TBs / SMs).
  input  logic [CountWidth-1:0]    share_tbs_i,
  /// TBs mod SMs.
  input  logic [7:0]               extra_sms_i,
  /// Byte address of the first group descriptor.
  input  logic [63:0]              queue_base_i,
  /// Group descriptors.
  input  logic [31:0]              queue_count_i,
  /// Who steals TBs.
  input  logic [1:0]               steal_rule_i,
  /// The launch is given up.
  input  logic                     abort_i,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: a TB is offered.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: its id.
  output logic [NumSm*IdWidth-1:0] tb_id_o,
  /// A launch runs.
  output logic                     busy_o,

  /// The memory takes the request shown.
  input  logic                     mem_req_ready_i,
  /// A read is requested.
  output logic                     mem_req_valid_o,
  /// Byte address.
  output logic [63:0]              mem_req_addr_o,
  /// Bytes.
  output logic [5:0]               mem_req_size_o,
  /// The oldest request is answered.
  input  logic                     mem_rsp_valid_i,
  /// The bytes read, the addressed one lowest.
  input  logic [255:0]             mem_rsp_data_i,
  /// In the cycle before, TBs were stolen.
  output logic                     steal_valid_o
);

  logic             unused, unused_quiescent;
  logic [NumSm-1:0] unused_wants;

  if (Scheduler == 0) begin : gen_lrr
    lrr_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(IdWidth)
    ) u_scheduler (
      .clk_i,
      .rst_ni,
      .start_i,
      .tb_count_i,
      .abort_i,
      .tb_ready_i,
      .tb_done_i,
      .tb_valid_o,
      .tb_id_o,
      .busy_o,
      .quiescent_o(unused_quiescent),
      .wants_context_o(unused_wants)
    );
  end

  if (Scheduler == 1) begin : gen_chunk
    chunk_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(IdWidth)
    ) u_scheduler (
      .clk_i,
      .rst_ni,
      .start_i,
      .share_tbs_i,
      .extra_sms_i,
      .abort_i,
      .tb_ready_i,
      .tb_done_i,
      .tb_valid_o,
      .tb_id_o,
      .busy_o,
      .quiescent_o(unused_quiescent),
      .wants_context_o(unused_wants)
    );
  end

  if (Scheduler == 2) begin : gen_paver_wide
    logic [15:0] unused_count;
    logic [7:0]  unused_donor, unused_thief;
    paver_wide_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(IdWidth),
      .AddrWidth(64),
      .Descriptors(Descriptors),
      .Style(Style)
    ) u_scheduler (
      .clk_i,
      .rst_ni,
      .start_i,
      .queue_base_i,
      .queue_count_i,
      .steal_rule_i,
      .abort_i,
      .tb_ready_i,
      .tb_done_i,
      .tb_valid_o,
      .tb_id_o,
      .busy_o,
      .quiescent_o(unused_quiescent),
      .wants_context_o(unused_wants),
      .mem_req_ready_i,
      .mem_req_valid_o,
      .mem_req_addr_o,
      .mem_req_size_o,
      .mem_rsp_valid_i,
      .mem_rsp_data_i,
      .steal_valid_o,
      .steal_count_o(unused_count),
      .steal_donor_o(unused_donor),
      .steal_thief_o(unused_thief)
    );
    logic unused_steal;
    assign unused_steal = &{1'b0, unused_count, unused_donor, unused_thief};
  end

  if (Scheduler == 3) begin : gen_paver
    logic [15:0] unused_count;
    logic [7:0]  unused_donor, unused_thief;
    logic [4:0]  size;
    paver_tb_scheduler #(
      .NumSm(NumSm),
      .IdWidth(IdWidth),
      .AddrWidth(64),
      .Descriptors(Descriptors)
    ) u_scheduler (
      .clk_i,
      .rst_ni,
      .start_i,
      .queue_base_i,
      .queue_count_i,
      .steal_rule_i,
      .abort_i,
      .tb_ready_i,
      .tb_done_i,
      .tb_valid_o,
      .tb_id_o,
      .busy_o,
      .quiescent_o(unused_quiescent),
      .wants_context_o(unused_wants),
      .mem_req_ready_i,
      .mem_req_valid_o,
      .mem_req_addr_o,
      .mem_req_size_o(size),
      .mem_rsp_valid_i,
      .mem_rsp_data_i(mem_rsp_data_i[127:0]),
      .steal_valid_o,
      .steal_count_o(unused_count),
      .steal_donor_o(unused_donor),
      .steal_thief_o(unused_thief)
    );
    assign mem_req_size_o = {1'b0, size};
    logic unused_steal;
    assign unused_steal = &{1'b0, unused_count, unused_donor, unused_thief};
  end

  if (Scheduler <= 1) begin : gen_no_memory
    assign mem_req_valid_o = 1'b0;
    assign mem_req_addr_o  = '0;
    assign mem_req_size_o  = '0;
    assign steal_valid_o   = 1'b0;
  end

  // What one of them has and another has not.
  assign unused = &{1'b0, tb_count_i, share_tbs_i, extra_sms_i, queue_base_i, queue_count_i,
                    steal_rule_i, mem_req_ready_i, mem_rsp_valid_i, mem_rsp_data_i,
                    unused_quiescent, unused_wants};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Scheduler < 0 || Scheduler > 3) begin : gen_0 scheduler_is_not_0_to_3 u (); end
  if (NumSm < 1 || NumSm > 256) begin : gen_1 num_sm_is_not_1_to_256 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_2 id_width_is_not_16_or_32 u (); end
  if (Descriptors < 3 || Descriptors > 128) begin : gen_3 descriptors_is_not_3_to_128 u (); end
  if (Style < 0 || Style > 2) begin : gen_4 style_is_not_0_to_2 u (); end
`else
  if (Scheduler < 0 || Scheduler > 3) $error("Scheduler is not 0 to 3");
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (Descriptors < 3 || Descriptors > 128) $error("Descriptors is not 3 to 128");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
