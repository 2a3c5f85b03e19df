// Reads for a scheduler over AXI4: requests of 16 or 32 bytes (2 or 4 too with Narrow) become bursts of
// 8-byte beats, several in flight, each with an id of its own. Answers may come in any order of ids and
// interleaved; the scheduler gets them in the order of its requests.
//
// A request is aligned to its size, or made so: no burst crosses 4 KiB, and none needs to be split.
module axi_read_master #(
  /// Reads in flight, 2 to 16.
  parameter int Reads = 4,
  /// Words of 8 bytes in an answer: 2 or 4.
  parameter int Words = 4,
  /// Requests may be of 2 and 4 bytes: 0 or 1.
  parameter int Narrow = 0,
  /// What answers stand in: 0 to 2: flip-flops, latches, a RAM macro.
  parameter int Style = 0
) (
  /// Clock, rising edge.
  input  logic                clk_i,
  /// Synchronous reset, active low.
  input  logic                rst_ni,
  /// No read is in flight.
  output logic                idle_o,
  /// In the cycle before, a beat came with an error.
  output logic                error_o,

  /// The scheduler requests a read.
  input  logic                mem_req_valid_i,
  /// The request is taken, in a cycle with m_axi_arready_i.
  output logic                mem_req_ready_o,
  /// Byte address.
  input  logic [63:0]         mem_req_addr_i,
  /// Bytes.
  input  logic [5:0]          mem_req_size_i,
  /// The oldest request is answered.
  output logic                mem_rsp_valid_o,
  /// The bytes read, the addressed one lowest.
  output logic [64*Words-1:0] mem_rsp_data_o,

  /// AXI4, read address channel: bursts of type INCR, of beats of 8 bytes.
  output logic                m_axi_arvalid_o,
  /// Byte address, a multiple of the burst's bytes.
  output logic [63:0]         m_axi_araddr_o,
  /// Beats less one.
  output logic [7:0]          m_axi_arlen_o,
  /// The read's id, below Reads.
  output logic [3:0]          m_axi_arid_o,
  /// The address is taken.
  input  logic                m_axi_arready_i,
  /// Read data channel.
  input  logic                m_axi_rvalid_i,
  /// Which read it is of.
  input  logic [3:0]          m_axi_rid_i,
  /// A beat's bytes.
  input  logic [63:0]         m_axi_rdata_i,
  /// 0 and 1 are good answers, 2 and 3 errors.
  input  logic [1:0]          m_axi_rresp_i,
  /// Beats are taken while a read is in flight.
  output logic                m_axi_rready_o
);

  localparam IndexWidth = $clog2(Reads);

  logic                  error_q, fresh_q, open, busy, beat, taken, given;
  logic [1:0]            length;
  logic [IndexWidth-1:0] first_q, first, next_q, at;
  // Per read: it is in flight, it is there as a whole, its last beat, its next one.
  logic [Reads-1:0]      busy_q, whole_q, first_bit, next_bit, at_bit, ends;
  logic [2*Reads-1:0]    last_q, beat_q;
  logic [1:0]            beat_index, last_index;

  function automatic [IndexWidth-1:0] after;
    input [IndexWidth-1:0] read;
    after = (read == IndexWidth'(Reads - 1)) ? '0 : read + IndexWidth'(1);
  endfunction

  assign busy            = |busy_q;
  assign idle_o          = ~busy;
  assign error_o         = error_q;
  // The scheduler's request stands until it is taken, as an address has to.
  assign open            = ~busy_q[next_q];
  assign mem_req_ready_o = m_axi_arready_i & open;
  assign taken           = m_axi_arvalid_o & m_axi_arready_i;
  assign length          = mem_req_size_i[5] ? 2'd3 : mem_req_size_i[4] ? 2'd1 : 2'd0;
  assign next_bit        = Reads'(1) << next_q;
  assign first_bit       = Reads'(1) << first_q;

  // A beat of a read that nobody waits for is no beat.
  assign at         = m_axi_rid_i[IndexWidth-1:0];
  assign at_bit     = (m_axi_rvalid_i & ({1'b0, m_axi_rid_i} < 5'(Reads))) ? Reads'(1) << at : '0;
  assign beat       = |(at_bit & busy_q & ~whole_q);
  assign beat_index = beat_q[2*at +: 2];
  assign last_index = last_q[2*at +: 2];
  assign ends       = (beat & (beat_index == last_index)) ? at_bit : '0;

  // Storage is read a cycle ahead. Where that was at the edge that wrote the last beat, it is read again.
  assign given           = busy_q[first_q] & whole_q[first_q] & ~fresh_q;
  assign first           = given ? after(first_q) : first_q;
  assign mem_rsp_valid_o = given;

  // Without the low bits that a burst of so many bytes has not.
  assign m_axi_arvalid_o = mem_req_valid_i & open;
  assign m_axi_araddr_o  = {mem_req_addr_i[63:5], mem_req_addr_i[4] & ~length[1],
                            mem_req_addr_i[3] & ~length[0], 3'd0};
  assign m_axi_arlen_o   = {6'd0, length};
  assign m_axi_arid_o    = 4'(next_q);
  assign m_axi_rready_o  = busy;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_q <= 1'b0;
      fresh_q <= 1'b0;
      busy_q  <= '0;
      whole_q <= '0;
      first_q <= '0;
      next_q  <= '0;
    end else begin
      error_q <= beat & m_axi_rresp_i[1];
      busy_q  <= (busy_q & ~(first_bit & {Reads{given}})) | (next_bit & {Reads{taken}});
      whole_q <= (whole_q & ~(first_bit & {Reads{given}})) | ends;
      fresh_q <= |(ends & (Reads'(1) << first));
      first_q <= first;
      if (taken) next_q <= after(next_q);
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    always_ff @(posedge clk_i) begin
      if (taken & next_bit[r]) begin
        last_q[2*r +: 2] <= length;
        beat_q[2*r +: 2] <= 2'd0;
      end else if (beat & at_bit[r]) begin
        beat_q[2*r +: 2] <= beat_q[2*r +: 2] + 2'd1;
      end
    end
  end

  logic [64*Words-1:0] answer;
  for (genvar w = 0; w < Words; w++) begin : gen_word
    table_storage #(
      .Width(64),
      .Depth(Reads),
      .Style(Style)
    ) u_word (
      .clk_i,
      .rst_ni,
      .write_valid_i(beat & (beat_index == 2'(w))),
      .write_index_i(at),
      .write_data_i(m_axi_rdata_i),
      .read_index_i(first),
      .read_data_o(answer[64*w +: 64])
    );
  end

  if (Narrow != 0) begin : gen_narrow
    // Where the first byte stands in its word, in steps of two.
    logic [2*Reads-1:0] place_q;
    logic [1:0]         place;
    logic [63:0]        shifted;
    for (genvar r = 0; r < Reads; r++) begin : gen_place
      always_ff @(posedge clk_i) begin
        if (taken & next_bit[r]) place_q[2*r +: 2] <= (length == 2'd0) ? mem_req_addr_i[2:1] : 2'd0;
      end
    end
    assign place   = place_q[2*first_q +: 2];
    assign shifted = answer[63:0] >> {place, 4'd0};
    assign mem_rsp_data_o = {answer[64*Words-1:64], shifted};
  end else begin : gen_whole
    assign mem_rsp_data_o = answer;
  end

  logic unused;
  assign unused = &{1'b0, mem_req_addr_i[2:0], mem_req_size_i[3:0], m_axi_rresp_i[0], m_axi_rid_i};

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Reads < 2 || Reads > 16) begin : gen_0 reads_is_not_2_to_16 u (); end
  if (Words != 2 && Words != 4) begin : gen_1 words_is_not_2_or_4 u (); end
  if (Narrow != 0 && Narrow != 1) begin : gen_2 narrow_is_not_0_or_1 u (); end
  if (Style < 0 || Style > 2) begin : gen_3 style_is_not_0_to_2 u (); end
`else
  if (Reads < 2 || Reads > 16) $error("Reads is not 2 to 16");
  if (Words != 2 && Words != 4) $error("Words is not 2 or 4");
  if (Narrow != 0 && Narrow != 1) $error("Narrow is not 0 or 1");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
