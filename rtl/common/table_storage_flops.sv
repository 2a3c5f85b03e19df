// Body of table_storage in flip-flops: what is read is chosen by a register, the index.
module table_storage_flops #(
  /// Bits of an entry.
  parameter int Width = 32,
  /// Number of entries, at least 2.
  parameter int Depth = 16,
  /// Bits of an index; leave it at its default.
  parameter int IndexWidth = $clog2(Depth)
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
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

  logic [Width-1:0] entries_q [0:Depth-1];

  // This bus goes to every entry: it stands still while nothing is written.
  logic [Width-1:0] data;
  assign data = write_data_i & {Width{write_valid_i}};

  logic [IndexWidth-1:0] read_index_q;
  assign read_data_o = entries_q[read_index_q];

  always_ff @(posedge clk_i) begin
    if (write_valid_i) entries_q[write_index_i] <= data;
    read_index_q <= read_index_i;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Depth < 2) begin : gen_0 depth_is_not_at_least_2 u (); end
`else
  if (Depth < 2) $error("Depth is not at least 2");
`endif

endmodule
