// The warp scheduler that keeps groups together: warps that begin, wait, load, issue and exit.
module group_warp_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic [31:0] live = 0, waits = 0;
  logic [31:0] eligible, started, finished;
  logic [31:0] some;
  logic        grant_valid, issued_valid, issued_load;
  logic [4:0]  grant_warp;
  logic [3:0]  started_group;
  int          issues = 0;

  assign done = issues > 1000;

  group_warp_scheduler #(
    .NumWarps(32),
    .Patience(8)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .eligible_i(eligible),
    .started_i(started),
    .started_group_i(started_group),
    .finished_i(finished),
    .issued_valid_i(issued_valid),
    .issued_load_i(issued_load),
    .grant_valid_o(grant_valid),
    .grant_warp_o(grant_warp)
  );

  initial begin
    eligible = 0; started = 0; finished = 0; issued_valid = 0; issued_load = 0; started_group = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      some         = 32'd1 << grant_warp;
      finished     = 0;
      issued_valid = grant_valid && (some & live & ~waits) != 0 && ($urandom % 4) == 0;
      issued_load  = issued_valid && ($urandom % 2) != 0;
      if (issued_valid) begin
        issues++;
        case ($urandom % 8)
          0: finished = some;
          1, 2, 3, 4: waits = waits | some;
          default: ;
        endcase
      end
      live          = live & ~finished;
      started       = ($urandom % 16) == 0 ? ($urandom & $urandom & ~live) : 0;
      started_group = started_group + 4'($urandom % 2);
      live          = live | started;
      waits         = waits & live;
      if (($urandom % 8) == 0) waits = waits & ~($urandom & $urandom);
      eligible      = live & ~waits;
    end
  end

endmodule
