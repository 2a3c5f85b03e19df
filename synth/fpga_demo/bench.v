// Reads the serial line of fpga_demo, and ends with the kernel's last line.
`timescale 1ns / 1ps
module bench;
  localparam integer BitNs = 12 * 84;
  reg         clk = 0;
  wire        tx;
  reg  [7:0]  character;
  reg  [23:0] line = 0;
  integer     i;

  fpga_demo u_demo (.clk_i(clk), .tx_o(tx));

  always #42 clk = ~clk;

  always @(negedge tx) begin : receive
    #(BitNs + BitNs / 2);
    for (i = 0; i < 8; i = i + 1) begin
      character[i] = tx;
      #(BitNs);
    end
    if (tx !== 1'b1) $display("\nno stop bit");
    $write("%c", character);
    if (character == "\n" && line == "end") $finish;
    line = {line[15:0], character};
  end

  initial begin
    #(84 * 200000) $display("\nno end");
    $finish;
  end
endmodule
