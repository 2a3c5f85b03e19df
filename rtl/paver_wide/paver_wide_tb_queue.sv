// One SM's part of PAVER's wide TB scheduler: the group of TBs that it works through.
//
// As paver_tb_queue, with the ids of a 32 B sector at once. `next` addresses the id that moves to
// nextTB next, `tail` the group's last id. Control bits: G a group is held, V nextTB is valid, F
// the sector of `next` is in flight, B it is in the sector bank. With the move of its last id the
// group is over, so that the next one comes while nextTB still waits for a context.
//
// The sector is a copy: which of its ids are this SM's say `next` and `tail` alone. A steal moves
// `tail`, and the stolen ids are gone from the buffer in the same cycle.
module paver_wide_tb_queue #(
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Bits in which positions in a group are compared: a group holds at most 2^CountWidth ids.
  parameter int CountWidth = 16,
  /// Bits of an id's place in its sector; leave it at its default.
  parameter int PlaceWidth = (IdWidth > 16) ? 3 : 4
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// The kernel is given up: the group and its ids go, and the fetch unless the memory has been
  /// asked.
  input  logic                  stop_i,

  /// A new group comes, from the dispatcher or from a steal; only while none is held.
  input  logic                  load_i,
  /// Address of the new group's first id, under load_i.
  input  logic [AddrWidth-1:0]  load_next_i,
  /// Address of the new group's last id, under load_i.
  input  logic [AddrWidth-1:0]  load_tail_i,
  /// The end of the group is given away: the group now ends at cut_tail_i.
  input  logic                  cut_i,
  /// Address of the last id that stays, under cut_i.
  input  logic [AddrWidth-1:0]  cut_tail_i,
  /// Under cut_i: all that waits is given away.
  input  logic                  cut_all_i,

  /// The fetch of the sector of `next` is wanted.
  output logic                  fetch_wanted_o,
  /// The wanted fetch is accepted in this cycle.
  input  logic                  fetch_grant_i,
  /// The address of the sector whose fetch was accepted is wanted at fetch_addr_o.
  input  logic                  fetch_read_i,
  /// Address of the sector to fetch under fetch_read_i, else zero.
  output logic [AddrWidth-1:0]  fetch_addr_o,
  /// The fetched sector arrives in the sector bank.
  input  logic                  fetch_rsp_i,

  /// The id of `next` is wanted, and in the sector bank.
  output logic                  move_wanted_o,
  /// The wanted id moves to nextTB in this cycle.
  input  logic                  move_i,
  /// Place of `next` in its sector under move_i, else zero.
  output logic [PlaceWidth-1:0] place_o,
  /// The id of `next`, under move_i.
  input  logic [IdWidth-1:0]    id_i,

  /// The SM has a free TB context.
  input  logic                  tb_ready_i,
  /// The TB of tb_id_o is offered to the SM (V).
  output logic                  tb_valid_o,
  /// The id in nextTB, under tb_valid_o.
  output logic [IdWidth-1:0]    tb_id_o,

  /// A group is held (G).
  output logic                  held_o,
  /// What a thief may take will be more without an issue.
  output logic                  rising_o,

  /// The task stealer reads this queue in this cycle.
  input  logic                  read_i,
  /// The register `tail` under read_i while a group is held, else zero.
  output logic [AddrWidth-1:0]  read_tail_o,
  /// Position of `next`, in ids modulo 2^CountWidth, under read_i while a group is held, else zero.
  output logic [CountWidth-1:0] read_next_o,
  /// The id of `next` may be taken too, under read_i.
  output logic                  read_whole_o,
  /// What a thief may take changes in this cycle, under read_i.
  output logic                  read_changes_o
`ifdef FORMAL
  `include "paver_wide/formal/paver_wide_tb_queue_ports.svh"
`endif
);

  localparam IdBytes = IdWidth / 8;
  localparam IdShift = $clog2(IdBytes);
  localparam SectorShift = IdShift + PlaceWidth;

  localparam LowWidth = AddrWidth / 2;

  logic [AddrWidth-1:0] next_q, tail_q, after_next;
  logic                 carry_q;
  logic [IdWidth-1:0]   tb_id_q;
  logic                 held_q, valid_q, fetching_q, buffered_q;
  logic                 issue, last, crosses, whole, taken, ends;

  assign issue   = valid_q & tb_ready_i;
  // The difference of two positions in a group fits in CountWidth bits, so these bits decide.
  assign last    = next_q[IdShift +: CountWidth] == tail_q[IdShift +: CountWidth];
  assign crosses = &next_q[IdShift +: PlaceWidth];
  // With nextTB full and the sector here, nothing but nextTB has to stay.
  assign whole   = valid_q & buffered_q;
  assign taken   = cut_i & cut_all_i;
  assign ends    = (move_i & (last | taken)) | (whole & taken);

  assign fetch_wanted_o = held_q & ~buffered_q & ~fetching_q;
  assign fetch_addr_o   = {next_q[AddrWidth-1:SectorShift] & {(AddrWidth-SectorShift){fetch_read_i}},
                           {SectorShift{1'b0}}};
  assign move_wanted_o  = buffered_q & ~valid_q;
  assign place_o        = next_q[IdShift +: PlaceWidth] & {PlaceWidth{move_i}};
  assign tb_valid_o     = valid_q;
  assign tb_id_o        = tb_id_q;
  assign held_o         = held_q;
  assign rising_o       = held_q & valid_q & ~buffered_q;
  assign read_tail_o    = tail_q & {AddrWidth{read_i & held_q}};
  assign read_next_o    = next_q[IdShift +: CountWidth] & {CountWidth{read_i & held_q}};
  assign read_whole_o   = whole & read_i;
  assign read_changes_o = (issue | fetch_rsp_i | (move_i & crosses)) & read_i;
`ifdef FORMAL
  `include "paver_wide/formal/paver_wide_tb_queue_wires.svh"
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      held_q     <= 1'b0;
      valid_q    <= 1'b0;
      buffered_q <= 1'b0;
    end else begin
      if (load_i) held_q <= 1'b1;
      else if (ends) held_q <= 1'b0;
      if (move_i) valid_q <= 1'b1;
      else if (issue) valid_q <= 1'b0;
      if (fetch_rsp_i) buffered_q <= 1'b1;
      else if (ends | (move_i & crosses)) buffered_q <= 1'b0;
    end
    if (!rst_ni) fetching_q <= 1'b0;
    else if (fetch_grant_i) fetching_q <= 1'b1;
    else if (fetch_rsp_i || (stop_i && fetch_read_i)) fetching_q <= 1'b0;
  end

  // The step to the next id carries from the lower half of `next` to the upper one. An id moves at
  // most every second cycle, so that a register knows the carry before the move.
  assign after_next[LowWidth-1:0] = next_q[LowWidth-1:0] + LowWidth'(IdBytes);
  assign after_next[AddrWidth-1:LowWidth] = next_q[AddrWidth-1:LowWidth]
                                            + (AddrWidth-LowWidth)'(carry_q);
  always_ff @(posedge clk_i) carry_q <= &next_q[LowWidth-1:IdShift];

  // The data registers need no reset: G and V say when they count. After the last id `next` moves
  // on as well, which nobody sees. G chooses, since load_i comes late: it only enables.
  always_ff @(posedge clk_i) begin
    if (load_i | move_i) next_q <= held_q ? after_next : load_next_i;
    if (load_i | cut_i) tail_q <= held_q ? cut_tail_i : load_tail_i;
    if (move_i) tb_id_q <= id_i;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth != 16 && IdWidth != 32) begin : gen_0 id_width_is_not_16_or_32 u (); end
  if (AddrWidth < 6 || AddrWidth > 64) begin : gen_1 addr_width_is_not_6_to_64 u (); end
`else
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (AddrWidth < 6 || AddrWidth > 64) $error("AddrWidth is not 6 to 64");
`endif

endmodule
