// The scheduler's reads are answered in the order of its requests, each with its own words, for all
// time: of three reads in flight, whose beats come in any order and mixed. A memory tells each word by
// where it was asked for.
module dispatch_reads (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        request_i,
  input logic [2:0]  address_i,   // in blocks of 32 bytes
  input logic        sector_i,
  input logic        address_ready_i,
  input logic        beat_i,
  input logic [1:0]  beat_read_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q == rst_ni);

  logic         idle, error, ready, answer, valid, r_ready, beat, taken;
  logic [255:0] data;
  logic [63:0]  address;
  logic [7:0]   length;
  logic [3:0]   id;

  // The memory: per id, what was asked for and how many beats went.
  logic [2:0] busy_q, whole_q;
  logic [2:0] block_q [0:2];
  logic [1:0] last_q [0:2], went_q [0:2];
  logic [1:0] at;
  assign at   = beat_read_i;
  assign beat = beat_i & busy_q[at];

  axi_read_master #(
    .Reads(3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .idle_o(idle),
    .error_o(error),
    .mem_req_valid_i(request_i),
    .mem_req_ready_o(ready),
    .mem_req_addr_i({56'd0, address_i, 5'd0}),
    .mem_req_size_i(sector_i ? 6'd32 : 6'd16),
    .mem_rsp_valid_o(answer),
    .mem_rsp_data_o(data),
    .m_axi_arvalid_o(valid),
    .m_axi_araddr_o(address),
    .m_axi_arlen_o(length),
    .m_axi_arid_o(id),
    .m_axi_arready_i(address_ready_i),
    .m_axi_rvalid_i(beat),
    .m_axi_rid_i({2'd0, at}),
    .m_axi_rdata_i({59'd0, went_q[at], block_q[at]}),
    .m_axi_rresp_i(2'd0),
    .m_axi_rready_o(r_ready)
  );
  // A request stands until it is taken.
  logic       asks_q;
  logic [3:0] ask_q;
  assign taken = request_i & ready;
  always_ff @(posedge clk_i) begin
    asks_q <= rst_ni & request_i & ~ready;
    ask_q  <= {sector_i, address_i};
  end

  for (genvar r = 0; r < 3; r++) begin : gen_read
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[r] <= 1'b0;
      else if (valid & address_ready_i & (id == 4'(r))) busy_q[r] <= 1'b1;
      else if (beat & (at == 2'(r)) & (went_q[r] == last_q[r])) busy_q[r] <= 1'b0;
      if (valid & address_ready_i & (id == 4'(r))) begin
        block_q[r] <= address[7:5];
        last_q[r]  <= length[1:0];
        went_q[r]  <= 2'd0;
      end else if (beat & (at == 2'(r))) begin
        went_q[r] <= went_q[r] + 2'd1;
      end
    end
  end

  // The scheduler's: requests that wait, the oldest lowest.
  logic [2:0] waits_q;            // how many, as ones
  logic [3:0] asked_q [0:2];      // sector, block
  logic [2:0] waits;
  logic       shown_q;
  assign waits = answer ? waits_q >> 1 : waits_q;
  always_ff @(posedge clk_i) begin
    shown_q <= rst_ni & valid & ~address_ready_i;
    if (!rst_ni) waits_q <= '0;
    else waits_q <= taken ? {waits[1:0], 1'b1} : waits;
    for (int r = 0; r < 3; r++) begin
      if (taken && waits == (3'd1 << r) - 3'd1) asked_q[r] <= {sector_i, address_i};
      else if (answer && r < 2) asked_q[r] <= asked_q[r+1];
    end
  end

  always_comb begin
    assume (!beat_i || beat_read_i != 2'd3);
    assume (!asks_q || (request_i && ask_q == {sector_i, address_i}));
    if (rst_ni) begin
      assert (!beat || r_ready);
      assert (!valid || (!busy_q[id[1:0]] && id < 4'd3));
      // A burst is aligned to its bytes.
      assert (!valid || (length == 8'd1 ? address[3:0] == '0 : length == 8'd3 && address[4:0] == '0));
      assert (!shown_q || valid);
      assert (idle == (waits_q == '0));
      assert (!answer || waits_q != '0);
      assert (!answer || (data[4:0] == {2'd0, asked_q[0][2:0]}
                          && data[68:64] == {2'd1, asked_q[0][2:0]}));
      assert (!(answer && asked_q[0][3]) || (data[132:128] == {2'd2, asked_q[0][2:0]}
                                             && data[196:192] == {2'd3, asked_q[0][2:0]}));
      assert (!error);
    end
  end

endmodule
