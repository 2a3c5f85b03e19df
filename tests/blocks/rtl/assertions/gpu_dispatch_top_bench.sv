// gpu_dispatch_top around PAVER by the sector: a driver that launches a small queue again and again and
// reads and writes elsewhere, a memory that answers late and mixed, three SMs.
module gpu_dispatch_top_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  localparam NumSm = 3;

  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [11:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic        m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [63:0] m_araddr, m_rdata;
  logic [7:0]  m_arlen;
  logic [3:0]  m_arid, m_rid;
  logic [NumSm-1:0]   tb_valid, tb_ready, done_valid;
  logic [1:0]         tb_context;
  logic [2*NumSm-1:0] done_context;
  logic [4*NumSm-1:0] done_tag;
  logic [3:0]         tb_tag;
  int                 tbs = 0, step = 0;

  assign done = tbs > 1000;

  gpu_dispatch_top #(
    .Scheduler(2),
    .NumSm(NumSm),
    .Contexts(4),
    .Style(0)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .s_axil_awvalid_i(awvalid),
    .s_axil_awaddr_i(awaddr),
    .s_axil_awready_o(awready),
    .s_axil_wvalid_i(wvalid),
    .s_axil_wdata_i(wdata),
    .s_axil_wstrb_i(4'hf),
    .s_axil_wready_o(wready),
    .s_axil_bvalid_o(bvalid),
    .s_axil_bready_i(bready),
    .s_axil_arvalid_i(arvalid),
    .s_axil_araddr_i(araddr),
    .s_axil_arready_o(arready),
    .s_axil_rvalid_o(rvalid),
    .s_axil_rdata_o(rdata),
    .s_axil_rready_i(rready),
    .m_axi_arvalid_o(m_arvalid),
    .m_axi_araddr_o(m_araddr),
    .m_axi_arlen_o(m_arlen),
    .m_axi_arid_o(m_arid),
    .m_axi_arready_i(m_arready),
    .m_axi_rvalid_i(m_rvalid),
    .m_axi_rid_i(m_rid),
    .m_axi_rdata_i(m_rdata),
    .m_axi_rresp_i(2'b00),
    .m_axi_rlast_i(m_rlast),
    .m_axi_rready_o(m_rready),
    .tb_valid_o(tb_valid),
    .tb_ready_i(tb_ready),
    .tb_context_o(tb_context),
    .tb_tag_o(tb_tag),
    .done_valid_i(done_valid),
    .done_context_i(done_context),
    .done_tag_i(done_tag)
  );

  // Two groups of 16 ids, 0 to 31, at 0x1000.
  function automatic logic [63:0] word(input logic [63:0] address);
    if (address < 64'h1020) begin
      case (address[4:3])
        2'd0: return 64'h1020;
        2'd1: return 64'h103e;
        2'd2: return 64'h1040;
        default: return 64'h105e;
      endcase
    end
    return {16'(address[5:1] - 5'd13), 16'(address[5:1] - 5'd14), 16'(address[5:1] - 5'd15),
            16'(address[5:1] - 5'd16)} & {4{16'h001f}};
  endfunction

  // What the driver writes, one after the other: the description, then the launch.
  function automatic logic [43:0] plan(input int n);
    case (n)
      0: return {12'h010, 32'd8};
      1: return {12'h014, 32'd2};
      2: return {12'h018, 32'd2};
      3: return {12'h030, 32'h1000};
      4: return {12'h038, 32'd2};
      5: return {12'h03c, 32'd1};
      6: return {12'h040, 32'd4};
      7: return {12'h004, 32'd1};
      default: return {12'h008, 32'h700};
    endcase
  endfunction

  logic [15:0] flies = 0;
  logic [63:0] address_of [0:15];
  logic [7:0]  left_of [0:15];
  logic [3:0]  runs [0:NumSm-1];

  initial begin
    {awvalid, wvalid, arvalid, bready, rready, m_arready, m_rvalid} = 0;
    {tb_ready, done_valid, done_context, done_tag} = 0;
    for (int s = 0; s < NumSm; s++) runs[s] = 0;
  end

  // What was taken at the last rising edge, as it was sampled there.
  logic took_write, took_read, took_request, took_beat;
  logic [NumSm-1:0] took_tb;
  always @(posedge clk) begin
    took_write   <= awvalid && awready;
    took_read    <= arvalid && arready;
    took_request <= m_arvalid && m_arready;
    took_beat    <= m_rvalid && m_rready;
    took_tb      <= tb_valid & tb_ready;
    if (rst_n && m_arvalid && m_arready) begin
      flies[m_arid]      <= 1;
      address_of[m_arid] <= m_araddr;
      left_of[m_arid]    <= m_arlen;
    end
    if (rst_n && m_rvalid && m_rready) begin
      flies[m_rid]      <= !m_rlast;
      address_of[m_rid] <= address_of[m_rid] + 8;
      left_of[m_rid]    <= left_of[m_rid] - 1;
    end
    for (int s = 0; s < NumSm; s++) begin
      if (rst_n && tb_valid[s] && tb_ready[s]) begin
        runs[s][tb_context] <= 1;
        tbs                 <= tbs + 1;
      end
      if (rst_n && done_valid[s]) runs[s][done_context[2*s +: 2]] <= 0;
    end
  end

  always @(negedge clk) begin
    if (rst_n) begin
      // Writes and reads; a description is written while one may wait, and refused.
      if (took_write) begin
        awvalid = 0;
        wvalid  = 0;
        step    = (step + 1) % 9;
      end
      if (!awvalid && !bvalid && ($urandom % 4) == 0) begin
        awvalid          = 1;
        {awaddr, wdata} = plan(step);
      end
      if (awvalid && !wvalid) wvalid = ($urandom % 2) != 0;
      if (took_read) arvalid = 0;
      if (!arvalid && ($urandom % 8) == 0) begin
        arvalid = 1;
        araddr  = 12'(4 * ($urandom % 24));
      end
      bready = ($urandom % 2) != 0;
      rready = ($urandom % 2) != 0;
      // The memory.
      m_arready = ($urandom % 2) != 0;
      if (took_beat) m_rvalid = 0;
      if (!m_rvalid) begin
        m_rid = 4'($urandom % 4);
        if (flies[m_rid] && ($urandom % 2) != 0) begin
          m_rvalid = 1;
          m_rdata  = word(address_of[m_rid]);
          m_rlast  = left_of[m_rid] == 0;
        end
      end
      // SMs.
      for (int s = 0; s < NumSm; s++) begin
        tb_ready[s]            = ($urandom % 2) != 0;
        done_context[2*s +: 2] = 2'($urandom);
        done_tag[4*s +: 4]     = tb_tag;
        done_valid[s]          = runs[s][done_context[2*s +: 2]] && ($urandom % 16) == 0;
      end
    end
  end

endmodule
