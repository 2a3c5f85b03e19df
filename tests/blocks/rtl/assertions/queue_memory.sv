// The memory that a PAVER TB scheduler reads: six groups of seven TBs. Requests are taken and answered
// when it likes, the oldest first.
module queue_memory (
  input  logic         clk,
  input  logic         rst_n,
  input  logic         req_valid,
  input  logic [63:0]  req_addr,
  output logic         req_ready,
  output logic         rsp_valid,
  output logic [255:0] rsp_data,
  output logic         refused  // a request has waited
);

  localparam Base = 64'h1000, Ids = 64'h8000, GroupBytes = 64'd14;

  logic [63:0] waiting [$];
  logic [63:0] oldest, group;

  initial begin
    req_ready = 0;
    rsp_valid = 0;
    rsp_data  = 0;
    refused   = 0;
  end

  always @(posedge clk) begin
    if (rst_n && req_valid && req_ready) waiting.push_back(req_addr);
    if (rst_n && req_valid && !req_ready) refused = 1;
  end

  always @(negedge clk) begin
    req_ready = ($urandom % 3) != 0;
    rsp_valid = waiting.size() != 0 && ($urandom % 6) == 0;
    if (rsp_valid) begin
      oldest = waiting.pop_front();
      group  = (oldest - Base) >> 4;
      rsp_data = {128'd0, Ids + (group + 1) * GroupBytes - 64'd2, Ids + group * GroupBytes};
      if (oldest >= Ids) begin
        for (int p = 0; p < 16; p++) rsp_data[p*16 +: 16] = 16'(((oldest - Ids) >> 1) + 64'(p));
      end
    end
  end

endmodule
