// The programmable warp scheduler: warps that begin, wait, issue and exit, and sizes that are written.
module programmable_warp_scheduler_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic [31:0] live = 0, waits = 0;
  logic [31:0] eligible, started, finished;
  logic [31:0] some;
  logic        grant_valid, issued_valid, group_valid;
  logic [4:0]  grant_warp, issued_warp;
  logic [5:0]  group_size;
  int          issues = 0;

  assign done = issues > 1000;

  programmable_warp_scheduler #(
    .NumWarps(32),
    .TbSlots(4)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .eligible_i(eligible),
    .started_i(started),
    .finished_i(finished),
    .issued_valid_i(issued_valid),
    .issued_warp_i(issued_warp),
    .group_valid_i(group_valid),
    .group_size_i(group_size),
    .grant_valid_o(grant_valid),
    .grant_warp_o(grant_warp)
  );

  initial begin
    eligible = 0; started = 0; finished = 0; issued_valid = 0; issued_warp = 0; group_valid = 0;
    group_size = 0;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      some         = 32'd1 << grant_warp;
      finished     = 0;
      issued_warp  = grant_warp;
      issued_valid = grant_valid && (some & live & ~waits) != 0 && ($urandom % 4) != 0;
      if (issued_valid) begin
        issues++;
        case ($urandom % 8)
          0: finished = some;
          1, 2, 3, 4: waits = waits | some;
          default: ;
        endcase
      end
      live        = live & ~finished;
      started     = ($urandom % 16) == 0 ? ($urandom & $urandom & ~live) : 0;
      live        = live | started;
      waits       = waits & live & ~($urandom & $urandom & $urandom & $urandom);
      eligible    = live & ~waits;
      group_valid = ($urandom % 32) == 0;
      group_size  = 6'($urandom % 33);
    end
  end

endmodule
