// Writes events as lines of text on a serial line: 8 bits, no parity, one stop bit.
//   "tb 1f on 2", "steal 07 from 0 to 3", "end"
module event_printer #(
  /// Cycles of a bit.
  parameter int CyclesPerBit = 12
) (
  /// Clock, rising edge.
  input  logic       clk_i,
  /// Synchronous reset, active low: nothing is being written.
  input  logic       rst_ni,
  /// An event waits; it and the four below stay until taken.
  input  logic       valid_i,
  /// What it is: 0 a TB, 1 a steal, 2 the end.
  input  logic [1:0] kind_i,
  /// The TB's id, or the TBs stolen.
  input  logic [7:0] value_i,
  /// The TB's SM, or the one that gives.
  input  logic [1:0] sm_i,
  /// The SM that takes.
  input  logic [1:0] to_i,
  /// The line is written: the event is taken.
  output logic       ready_o,
  /// The serial line, high when idle.
  output logic       tx_o
);

  localparam int CountWidth = $clog2(CyclesPerBit);

  logic [CountWidth-1:0] count_q;
  logic [9:0]            bits_q;    // with start and stop bit, the next one lowest
  logic [3:0]            left_q;    // bits still to send
  logic [4:0]            column_q;
  logic [7:0]            character;
  logic                  last, idle;

  function automatic logic [7:0] digit(input logic [3:0] value);
    digit = value < 4'd10 ? 8'h30 + 8'(value) : 8'h57 + 8'(value);
  endfunction

  always_comb begin
    last      = 1'b0;
    character = " ";
    case (kind_i)
      2'd0: case (column_q)  // "tb 1f on 2"
        5'd0: character = "t";
        5'd1: character = "b";
        5'd3: character = digit(value_i[7:4]);
        5'd4: character = digit(value_i[3:0]);
        5'd6: character = "o";
        5'd7: character = "n";
        5'd9: character = digit({2'd0, sm_i});
        5'd10: begin
          character = "\n";
          last      = 1'b1;
        end
        default: ;
      endcase
      2'd1: case (column_q)  // "steal 07 from 0 to 3"
        5'd0: character = "s";
        5'd1: character = "t";
        5'd2: character = "e";
        5'd3: character = "a";
        5'd4: character = "l";
        5'd6: character = digit(value_i[7:4]);
        5'd7: character = digit(value_i[3:0]);
        5'd9: character = "f";
        5'd10: character = "r";
        5'd11: character = "o";
        5'd12: character = "m";
        5'd14: character = digit({2'd0, sm_i});
        5'd16: character = "t";
        5'd17: character = "o";
        5'd19: character = digit({2'd0, to_i});
        5'd20: begin
          character = "\n";
          last      = 1'b1;
        end
        default: ;
      endcase
      default: case (column_q)  // "end"
        5'd0: character = "e";
        5'd1: character = "n";
        5'd2: character = "d";
        default: begin
          character = "\n";
          last      = 1'b1;
        end
      endcase
    endcase
  end

  assign idle    = left_q == '0;
  assign ready_o = idle & valid_i & last;
  assign tx_o    = bits_q[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q  <= '0;
      bits_q   <= '1;
      left_q   <= '0;
      column_q <= '0;
    end else if (idle) begin
      if (valid_i) begin
        bits_q   <= {1'b1, character, 1'b0};
        left_q   <= 4'd10;
        column_q <= last ? '0 : column_q + 5'd1;
      end
      count_q <= '0;
    end else if (count_q == CountWidth'(CyclesPerBit - 1)) begin
      count_q <= '0;
      bits_q  <= {1'b1, bits_q[9:1]};
      left_q  <= left_q - 4'd1;
    end else begin
      count_q <= count_q + CountWidth'(1);
    end
  end

endmodule
