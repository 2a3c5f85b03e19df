// Clock, reset and end of a bench for the rules that are bound to a block's ports. BENCH is the module
// that drives the block at random, as its page allows, until enough has happened. Inputs change at the
// falling edge.
module bench;

  logic clk = 0, rst_n = 0;
  logic done;

  always #5 clk = ~clk;

  `BENCH u_bench (
    .clk,
    .rst_n,
    .done
  );

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1;
    repeat (100000) begin
      @(negedge clk);
      if (done) begin
        $display("PASSED");
        $finish;
      end
    end
    $display("not enough has happened");
    $fatal;
  end

endmodule
