// The sectors of ids of a few neighbouring SMs, in one memory with a write and a read port, and who
// gets an id of its sector: one SM a cycle, round-robin. It is picked, by which its sector is read, and
// in the next cycle its id is there. An SM whose sector arrives wants no id in that cycle.
module paver_wide_sector_bank #(
  /// SMs that share the memory, at least 1.
  parameter int Sms = 4,
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// What the sectors stand in: 0 to 2: flip-flops, latches, a RAM macro.
  parameter int Style = 2,
  /// Bits of an id's place in its sector; leave it at its default.
  parameter int PlaceWidth = (IdWidth > 16) ? 3 : 4
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// A kernel starts, or is given up: no SM is picked, and round-robin begins at the first.
  input  logic                  clear_i,

  /// One-hot or zero: the SM whose sector arrives.
  input  logic [Sms-1:0]        write_i,
  /// The sector that arrives, 32 bytes, under write_i.
  input  logic [255:0]          sector_i,

  /// Per SM: an id of its sector is wanted.
  input  logic [Sms-1:0]        wanted_i,
  /// One-hot or zero: the SM whose id stands at id_o.
  output logic [Sms-1:0]        move_o,
  /// The place in its sector of the id that the SM of move_o wants.
  input  logic [PlaceWidth-1:0] place_i,
  /// The id, under move_o.
  output logic [IdWidth-1:0]    id_o,
  /// An SM is picked, or its id is read.
  output logic                  busy_o
);

  localparam Depth = (Sms > 1) ? Sms : 2;
  localparam IndexWidth = $clog2(Depth);

  logic [Sms-1:0]        pick, move_q, asking;
  logic                  asked;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [255:0]          sector;

  assign asking = wanted_i & ~move_q;
  assign move_o = move_q;
  assign busy_o = asked | (|move_q);

  round_robin_arbiter #(
    .Count(Sms)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .clear_i,
    .request_i(asking),
    .take_i(1'b1),
    .valid_o(asked),
    .grant_o(pick)
  );

  always_comb begin
    write_index = '0;
    read_index  = '0;
    for (int s = 0; s < Sms; s++) begin
      if (write_i[s]) write_index |= IndexWidth'(s);
      if (pick[s]) read_index |= IndexWidth'(s);
    end
  end

  table_storage #(
    .Width(256),
    .Depth(Depth),
    .Style(Style)
  ) u_sectors (
    .clk_i,
    .rst_ni,
    .write_valid_i(|write_i),
    .write_index_i(write_index),
    .write_data_i(sector_i),
    .read_index_i(read_index),
    .read_data_o(sector)
  );
  assign id_o = sector[place_i*IdWidth +: IdWidth];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) move_q <= '0;
    else move_q <= pick;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Sms < 1) begin : gen_0 sms_is_not_at_least_1 u (); end
  if (IdWidth != 16 && IdWidth != 32) begin : gen_1 id_width_is_not_16_or_32 u (); end
  if (Style < 0 || Style > 2) begin : gen_2 style_is_not_0_to_2 u (); end
`else
  if (Sms < 1) $error("Sms is not at least 1");
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
