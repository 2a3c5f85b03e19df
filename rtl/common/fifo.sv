// First-in first-out queue in registers. The oldest entry stands at data_o while valid_o is high.
// The caller never pushes into a full queue; a pop of an empty one is ignored.
module fifo #(
  /// Bits of an entry.
  parameter int Width = 8,
  /// Number of entries, at least 1.
  parameter int Depth = 4
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low: empties the queue.
  input  logic             rst_ni,
  /// The entry of data_i is appended.
  input  logic             push_i,
  /// The entry to append, under push_i.
  input  logic [Width-1:0] data_i,
  /// The oldest entry is removed.
  input  logic             pop_i,
  /// The queue holds an entry.
  output logic             valid_o,
  /// The oldest entry, under valid_o.
  output logic [Width-1:0] data_o
);

  localparam PointerWidth = (Depth > 1) ? $clog2(Depth) : 1;
  localparam CountWidth = $clog2(Depth + 1);

  logic [Width-1:0]        entries_q [0:Depth-1];
  logic [PointerWidth-1:0] read_q, read_next, write_q, write_next;
  logic [CountWidth-1:0]   count_q;
  logic                    pop;

  assign valid_o    = count_q != '0;
  assign data_o     = entries_q[read_q];
  assign pop        = pop_i & valid_o;
  assign read_next  = (read_q == PointerWidth'(Depth - 1)) ? '0 : read_q + PointerWidth'(1);
  assign write_next = (write_q == PointerWidth'(Depth - 1)) ? '0 : write_q + PointerWidth'(1);

  always_ff @(posedge clk_i) begin
    if (push_i) entries_q[write_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (pop) read_q <= read_next;
      if (push_i) write_q <= write_next;
      if (push_i & ~pop) count_q <= count_q + CountWidth'(1);
      if (pop & ~push_i) count_q <= count_q - CountWidth'(1);
    end
  end

`ifdef FLAGSTONE_ASSERTIONS
  always_ff @(posedge clk_i) begin
    if (rst_ni) no_overflow: assert (!(push_i && count_q == CountWidth'(Depth)));
  end
`endif

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Depth < 1) begin : gen_0 depth_is_not_at_least_1 u (); end
`else
  if (Depth < 1) $error("Depth is not at least 1");
`endif

endmodule
