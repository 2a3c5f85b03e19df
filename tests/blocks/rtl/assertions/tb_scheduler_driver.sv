// What an SM array does: contexts for four TBs each, TBs that run for a while, kernel after kernel, of which
// a few are given up.
module tb_scheduler_driver #(
  parameter NumSm = 2,
  parameter Tbs = 42
) (
  input  logic             clk,
  input  logic             rst_n,
  output logic             start,
  output logic             abort,
  output logic [NumSm-1:0] ready,
  output logic [NumSm-1:0] finished,
  input  logic [NumSm-1:0] valid,
  input  logic             busy,
  output logic             done
);

  int running [0:NumSm-1];
  int kernels = 0, issued = 0, aborted = 0;
  bit given_up = 0;

  assign done = kernels * Tbs > 900 && aborted > 9;

  initial begin
    start = 0; abort = 0; ready = 0; finished = 0;
    for (int s = 0; s < NumSm; s++) running[s] = 0;
  end

  always @(negedge clk) begin
    // What the rising edge before has taken.
    for (int s = 0; s < NumSm; s++) begin
      if (rst_n && finished[s]) running[s]--;
    end
    if (rst_n) begin
      start = !busy && ($urandom % 4) == 0;
      abort = busy && ($urandom % 100) == 0;
      given_up = given_up || abort;
      if (start) begin
        if (kernels > 0 && issued != Tbs && !given_up) begin
          $display("a kernel of %0d TBs issued %0d", Tbs, issued);
          $fatal;
        end
        kernels++;
        aborted += 32'(given_up);
        given_up = 0;
        issued = 0;
      end
      for (int s = 0; s < NumSm; s++) begin
        ready[s]    = running[s] < 4 && ($urandom % 3) != 0;
        finished[s] = running[s] > 0 && ($urandom % 12) == 0;
      end
    end
  end

  always @(posedge clk) begin
    for (int s = 0; s < NumSm; s++) begin
      if (rst_n && valid[s] && ready[s]) begin
        running[s]++;
        issued++;
      end
    end
  end

endmodule
