// An AXI4-Lite slave in front of registers: takes a write when address and data are both there, a read
// when its answer before has been taken. Responses come in the order of the requests, one at a time.
// Offsets and data pass it by: they stand until they are taken.
module axi_lite_slave (
  /// Clock, rising edge.
  input  logic        clk_i,
  /// Synchronous reset, active low.
  input  logic        rst_ni,

  /// AXI4-Lite, write address channel.
  input  logic        s_axil_awvalid_i,
  /// High for one cycle, with s_axil_wready_o.
  output logic        s_axil_awready_o,
  /// Write data channel.
  input  logic        s_axil_wvalid_i,
  /// Which of its bytes: a register is written as a whole.
  input  logic [3:0]  s_axil_wstrb_i,
  /// High for one cycle.
  output logic        s_axil_wready_o,
  /// Write response channel.
  output logic        s_axil_bvalid_o,
  /// 0 OKAY, 2 SLVERR.
  output logic [1:0]  s_axil_bresp_o,
  /// The response is taken.
  input  logic        s_axil_bready_i,
  /// Read address channel.
  input  logic        s_axil_arvalid_i,
  /// High for one cycle.
  output logic        s_axil_arready_o,
  /// Read data channel.
  output logic        s_axil_rvalid_o,
  /// What was read.
  output logic [31:0] s_axil_rdata_o,
  /// 0 OKAY, 2 SLVERR.
  output logic [1:0]  s_axil_rresp_o,
  /// The answer is taken.
  input  logic        s_axil_rready_i,

  /// A write takes place in this cycle, of all bytes.
  output logic        write_o,
  /// A write takes place that has not all bytes: nothing is to be written.
  output logic        partial_o,
  /// The write is refused, in this cycle.
  input  logic        write_error_i,
  /// A read takes place in this cycle.
  output logic        read_o,
  /// Its value.
  input  logic [31:0] read_data_i,
  /// The read is refused, in this cycle.
  input  logic        read_error_i,
  /// No transfer is under way.
  output logic        idle_o
);

  logic        write_ready_q, write_answer_q, write_error_q;
  logic        read_ready_q, read_answer_q, read_error_q;
  logic [31:0] read_data_q;
  logic        writes;

  assign writes    = write_ready_q & s_axil_awvalid_i & s_axil_wvalid_i;
  assign write_o   = writes & (&s_axil_wstrb_i);
  assign partial_o = writes & ~(&s_axil_wstrb_i);
  assign read_o    = read_ready_q & s_axil_arvalid_i;
  assign idle_o    = ~(write_ready_q | write_answer_q | read_ready_q | read_answer_q);

  assign s_axil_awready_o = write_ready_q;
  assign s_axil_wready_o  = write_ready_q;
  assign s_axil_bvalid_o  = write_answer_q;
  assign s_axil_bresp_o   = {write_error_q, 1'b0};
  assign s_axil_arready_o = read_ready_q;
  assign s_axil_rvalid_o  = read_answer_q;
  assign s_axil_rdata_o   = read_data_q;
  assign s_axil_rresp_o   = {read_error_q, 1'b0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_ready_q  <= 1'b0;
      write_answer_q <= 1'b0;
      read_ready_q   <= 1'b0;
      read_answer_q  <= 1'b0;
    end else begin
      write_ready_q  <= s_axil_awvalid_i & s_axil_wvalid_i & ~write_ready_q & ~write_answer_q;
      write_answer_q <= writes | (write_answer_q & ~s_axil_bready_i);
      read_ready_q   <= s_axil_arvalid_i & ~read_ready_q & ~read_answer_q;
      read_answer_q  <= read_o | (read_answer_q & ~s_axil_rready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (writes) write_error_q <= write_error_i | partial_o;
    if (read_o) begin
      read_error_q <= read_error_i;
      read_data_q  <= read_data_i;
    end
  end

endmodule
