// What a PAVER TB scheduler lives with: an SM array, and a memory that holds six groups of seven TBs.
// Requests are taken and answered when the memory likes, the oldest first. It is done when TBs were
// stolen too, and a request has waited.
module paver_driver #(
  parameter NumSm = 3
) (
  input  logic             clk,
  input  logic             rst_n,
  output logic             start,
  output logic             abort,
  output logic [NumSm-1:0] ready,
  output logic [NumSm-1:0] finished,
  input  logic [NumSm-1:0] valid,
  input  logic             busy,
  input  logic             req_valid,
  input  logic [63:0]      addr,
  output logic             req_ready,
  output logic             rsp_valid,
  output logic [255:0]     data,
  input  logic             steal_valid,
  output logic             done
);

  localparam Base = 64'h1000, Ids = 64'h8000, GroupBytes = 64'd14;

  logic        kernels_done;
  logic [63:0] waiting [$];
  logic [63:0] oldest, group;
  int          steals = 0, refused = 0;

  assign done = kernels_done && steals > 0 && refused > 0;

  tb_scheduler_driver #(
    .NumSm(NumSm),
    .Tbs(42)
  ) u_driver (.*, .done(kernels_done));

  initial begin
    req_ready = 0;
    rsp_valid = 0;
    data      = 0;
  end

  always @(posedge clk) begin
    if (rst_n && req_valid && req_ready) waiting.push_back(addr);
    if (rst_n && req_valid && !req_ready) refused++;
    if (steal_valid) steals++;
  end

  always @(negedge clk) begin
    req_ready = ($urandom % 3) != 0;
    rsp_valid = waiting.size() != 0 && ($urandom % 6) == 0;
    if (rsp_valid) begin
      oldest = waiting.pop_front();
      group  = (oldest - Base) >> 4;
      data   = {128'd0, Ids + (group + 1) * GroupBytes - 64'd2, Ids + group * GroupBytes};
      if (oldest >= Ids) begin
        for (int p = 0; p < 16; p++) data[p*16 +: 16] = 16'(((oldest - Ids) >> 1) + 64'(p));
      end
    end
  end

endmodule
