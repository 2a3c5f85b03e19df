// Body of table_storage in latches: 2.7 um2 a bit in 45 nm where a flip-flop takes 4.5.
//
// A write is kept in a register for a cycle. In that cycle's second half, with the clock low, the
// latches of its entry are open: a read that met the write sees them change. Every gate is a function
// of registers that change while the clock is high, so that it has no glitch. They hold the index
// decoded in two parts: half a cycle is little.
module table_storage_latches #(
  /// Bits of an entry.
  parameter int Width = 32,
  /// Number of entries, at least 2.
  parameter int Depth = 16,
  /// Bits of an index; leave it at its default.
  parameter int IndexWidth = $clog2(Depth)
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low: a write under way is dropped, entries are kept.
  input  logic                  rst_ni,
  /// The entry of write_index_i becomes write_data_i at the next edge.
  input  logic                  write_valid_i,
  /// Entry to write, below Depth, under write_valid_i.
  input  logic [IndexWidth-1:0] write_index_i,
  /// The entry's new value, under write_valid_i.
  input  logic [Width-1:0]      write_data_i,
  /// Entry to read, below Depth.
  input  logic [IndexWidth-1:0] read_index_i,
  /// One cycle later: the entry of read_index_i, undefined if it was written in that cycle.
  output logic [Width-1:0]      read_data_o
);

  localparam LowWidth = (IndexWidth + 1) / 2;
  localparam Lows = 2**LowWidth;
  localparam Highs = (Depth + Lows - 1) / Lows;

  logic [Lows-1:0]       low_q;   // one-hot under a write, else zero
  logic [Highs-1:0]      high_q;  // one-hot under a write
  logic [IndexWidth-1:0] read_index_q;
  logic [Width-1:0]      data_q;

  for (genvar i = 0; i < Lows; i++) begin : gen_low
    always_ff @(posedge clk_i) begin
      low_q[i] <= rst_ni && write_valid_i && write_index_i[LowWidth-1:0] == LowWidth'(i);
    end
  end
  for (genvar i = 0; i < Highs; i++) begin : gen_high
    always_ff @(posedge clk_i) begin
      if (write_valid_i) high_q[i] <= (write_index_i >> LowWidth) == IndexWidth'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    read_index_q <= read_index_i;
    if (write_valid_i) data_q <= write_data_i;
  end

  // An entry is zero here unless it is read: AND-OR takes half of a multiplexer tree's area.
  wire [Width-1:0] read_entry [0:Depth-1];

  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    logic [Width-1:0] entry;
    logic             gate;
    assign gate = ~clk_i & low_q[e%Lows] & high_q[e/Lows];
    always_latch begin
      if (gate) entry = data_q;
    end
    assign read_entry[e] = entry & {Width{read_index_q == IndexWidth'(e)}};
  end

  logic [Width-1:0] stored;
  always_comb begin
    stored = '0;
    for (int e = 0; e < Depth; e++) stored |= read_entry[e];
  end
  assign read_data_o = stored;

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Depth < 2) begin : gen_0 depth_is_not_at_least_2 u (); end
`else
  if (Depth < 2) $error("Depth is not at least 2");
`endif

endmodule
