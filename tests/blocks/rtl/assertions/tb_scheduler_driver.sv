// What an SM array does: contexts for four TBs each, TBs that run for a while, kernel after kernel.
module tb_scheduler_driver #(
  parameter NumSm = 2,
  parameter Tbs = 42
) (
  input  logic             clk,
  input  logic             rst_n,
  output logic             start,
  output logic [NumSm-1:0] ready,
  output logic [NumSm-1:0] finished,
  input  logic [NumSm-1:0] valid,
  input  logic             busy,
  output logic             done
);

  int running [0:NumSm-1];
  int kernels = 0, issued = 0;

  assign done = kernels * Tbs > 900;

  initial begin
    start = 0; ready = 0; finished = 0;
    for (int s = 0; s < NumSm; s++) running[s] = 0;
  end

  always @(negedge clk) begin
    // What the rising edge before has taken.
    for (int s = 0; s < NumSm; s++) begin
      if (rst_n && finished[s]) running[s]--;
    end
    if (rst_n) begin
      start = !busy && ($urandom % 4) == 0;
      if (start) begin
        if (kernels > 0 && issued != Tbs) begin
          $display("a kernel of %0d TBs issued %0d", Tbs, issued);
          $fatal;
        end
        kernels++;
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
