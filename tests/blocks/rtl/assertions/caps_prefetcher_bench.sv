// CAPS's prefetcher: loads with strides between warps, an L1 that answers when it likes.
module caps_prefetcher_bench (
  input  logic clk,
  input  logic rst_n,
  output logic done
);

  logic         kernel_end, load_valid, probe_valid, probe_done, present, valid, ready;
  logic [3:0]   cta_end;
  logic [1:0]   slot;
  logic [7:0]   warp;
  logic [31:0]  pc;
  logic [5:0]   count;
  logic [127:0] addresses;
  logic [3:0]   wait_for = 0;
  int           taken = 0, refused = 0, ended = 0;

  assign done = taken > 500 && refused > 100 && ended > 20;

  caps_prefetcher #(
    .CtaSlots(4),
    .NumWarps(32)
  ) u_dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .kernel_end_i(kernel_end),
    .cta_end_i(cta_end),
    .live_warps_i({32'hff000000, 32'h00ff0000, 32'h0000ff00, 32'h000000ff}),
    .load_valid_i(load_valid),
    .load_pc_i(pc),
    .load_slot_i(slot),
    .load_warp_i(warp),
    .load_indirect_i(1'b0),
    .load_count_i(count),
    .load_addr_i(addresses),
    .probe_valid_o(probe_valid),
    .probe_done_i(probe_done),
    .probe_present_i(present),
    .prefetch_valid_o(valid),
    .prefetch_ready_i(ready)
  );

  initial begin
    kernel_end = 0; cta_end = 0; load_valid = 0; slot = 0; warp = 0; pc = 0; count = 1;
    addresses = 0; probe_done = 0; present = 0; ready = 0;
  end

  always @(posedge clk) begin
    if (rst_n && valid) begin
      if (ready) taken++;
      else refused++;
      if (cta_end != 0) ended++;
    end
  end

  always @(negedge clk) begin
    if (rst_n) begin
      if (wait_for != 0) wait_for--;
      load_valid = wait_for == 0 && ($urandom % 20) == 0;
      if (load_valid) begin
        slot      = 2'($urandom);
        warp      = {3'd0, slot, 3'($urandom)};
        pc        = 32'h100 + 32'(($urandom % 3) * 8);
        count     = 6'(1 + $urandom % 2);
        addresses = {64'd0, 32'h9000_0000 + {17'd0, pc[6:0], warp[7:0]} * 32'd512,
                     32'h1000_0000 + {17'd0, pc[6:0], warp[7:0]} * 32'd512};
        wait_for  = 4'(count);
      end
      probe_done = probe_valid && ($urandom % 3) == 0;
      present    = ($urandom % 8) == 0;
      ready      = ($urandom % 3) == 0;
      cta_end    = ($urandom % 60) == 0 ? 4'(1 << ($urandom % 4)) : 4'd0;
      kernel_end = ($urandom % 2000) == 0;
    end
  end

endmodule
