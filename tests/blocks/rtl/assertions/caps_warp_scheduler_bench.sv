// CAPS's warp scheduler: warps that begin, wait, issue and exit.
module caps_warp_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic [31:0] live = 0, stalled = 0, barrier = 0, busy = 0;
  logic [31:0] eligible, started, finished;
  logic [31:0] some;
  logic        grant_valid, issued_valid, wake_valid;
  logic [4:0]  grant_warp, issued_warp, wake_warp;
  int          issues = 0;

  assign done = issues > 1000;

  caps_warp_scheduler #(
    .NumWarps(32)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .eligible_i(eligible),
    .stalled_i(stalled),
    .barrier_i(barrier),
    .leading_i(live & 32'h11111111),
    .started_i(started),
    .finished_i(finished),
    .issued_valid_i(issued_valid),
    .issued_warp_i(issued_warp),
    .wake_valid_i(wake_valid),
    .wake_warp_i(wake_warp),
    .epoch_i(1'b0),
    .grant_valid_o(grant_valid),
    .grant_warp_o(grant_warp)
  );

  initial begin
    eligible = 0; started = 0; finished = 0; issued_valid = 0; issued_warp = 0; wake_valid = 0;
    wake_warp = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      some         = 32'd1 << grant_warp;
      finished     = 0;
      issued_warp  = grant_warp;
      issued_valid = grant_valid && (some & live & ~(stalled | barrier | busy)) != 0
                     && ($urandom % 16) != 0;
      if (issued_valid) begin
        issues++;
        case ($urandom % 8)
          0: finished = some;
          1: barrier = barrier | some;
          2, 3, 4: stalled = stalled | some;
          5: busy = busy | some;
          default: ;
        endcase
      end
      live       = live & ~finished;
      started    = ($urandom % 16) == 0 ? ($urandom & $urandom & ~live) : 0;
      live       = live | started;
      stalled    = stalled & live & ~($urandom & $urandom & $urandom & $urandom);
      barrier    = barrier & live & ~($urandom & $urandom & $urandom & $urandom);
      busy       = busy & live & ~($urandom & $urandom);
      eligible   = live & ~(stalled | barrier | busy);
      wake_valid = ($urandom % 6) == 0;
      wake_warp  = 5'($urandom);
    end
  end

endmodule
