// The storage of a table: one write port, one read port, both of which sample at the clock's rise, no
// reset. What it is made of is a choice for each instance, and changes its cost, never what it does.
//
// What a read gives whose entry is written at the same edge means nothing: block RAMs and the RAMs of
// compilers give the old word, the new one, or neither. Who needs one of them chooses it outside.
module table_storage #(
  /// Bits of an entry.
  parameter int Width = 32,
  /// Number of entries, at least 2.
  parameter int Depth = 16,
  /// What the entries are made of: 0 to 2: flip-flops, latches, a RAM macro.
  parameter int Style = 0,
  /// Bits of an index; leave it at its default.
  parameter int IndexWidth = $clog2(Depth)
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low; entries are kept.
  input  logic                  rst_ni,
  /// The entry of write_index_i becomes write_data_i at the next edge.
  input  logic                  write_valid_i,
  /// Entry to write, below Depth, under write_valid_i.
  input  logic [IndexWidth-1:0] write_index_i,
  /// The entry's new value, under write_valid_i.
  input  logic [Width-1:0]      write_data_i,
  /// Entry to read, below Depth.
  input  logic [IndexWidth-1:0] read_index_i,
  /// One cycle later: the entry of read_index_i. Undefined if the entry was never written, or is
  /// written at the edge that samples read_index_i.
  output logic [Width-1:0]      read_data_o
);

  if (Style == 1) begin : gen_latches
    table_storage_latches #(
      .Width(Width),
      .Depth(Depth)
    ) u_body (
      .clk_i,
      .rst_ni,
      .write_valid_i,
      .write_index_i,
      .write_data_i,
      .read_index_i,
      .read_data_o
    );
  end else begin : gen_edge
    logic unused;
    assign unused = &{1'b0, rst_ni};
    if (Style == 2) begin : gen_ram
      table_storage_ram #(
        .Width(Width),
        .Depth(Depth)
      ) u_body (
        .clk_i,
        .write_valid_i,
        .write_index_i,
        .write_data_i,
        .read_index_i,
        .read_data_o
      );
    end else begin : gen_flops
      table_storage_flops #(
        .Width(Width),
        .Depth(Depth)
      ) u_body (
        .clk_i,
        .write_valid_i,
        .write_index_i,
        .write_data_i,
        .read_index_i,
        .read_data_o
      );
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Depth < 2) begin : gen_0 depth_is_not_at_least_2 u (); end
  if (Style < 0 || Style > 2) begin : gen_1 style_is_not_0_to_2 u (); end
`else
  if (Depth < 2) $error("Depth is not at least 2");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
