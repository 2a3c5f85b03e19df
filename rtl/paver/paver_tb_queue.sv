// One SM's part of PAVER's TB scheduler: the group of TBs that it works through.
//
// The ids of a group lie one after the other in memory. `next` addresses the id that is, or is
// being fetched into, nextTB; `tail` addresses the group's last id. Control bits: G a group is
// held, V nextTB is valid, F the fetch of nextTB is in flight. A held group with neither V nor F
// asks for its fetch.
//
// Registers as in the PAVER paper, section 5.1: 64 + 64 + 16 bits.
module paver_tb_queue #(
  /// Bits of a TB id: 16 or 32.
  parameter int IdWidth = 16,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Bits in which positions in a group are compared: a group holds at most 2^CountWidth ids.
  parameter int CountWidth = 16
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// The kernel is given up: the group goes, and the fetch unless the memory has been asked.
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
  /// Under cut_i: only nextTB stays. Where nextTB is issued in this cycle, the group ends.
  input  logic                  cut_all_i,

  /// The fetch of nextTB is wanted.
  output logic                  fetch_wanted_o,
  /// The wanted fetch is accepted in this cycle.
  input  logic                  fetch_grant_i,
  /// The address of the id whose fetch was accepted is wanted at fetch_addr_o.
  input  logic                  fetch_read_i,
  /// Address of the id to fetch under fetch_read_i, else zero.
  output logic [AddrWidth-1:0]  fetch_addr_o,
  /// The fetched id arrives.
  input  logic                  fetch_rsp_i,
  /// The fetched id, under fetch_rsp_i.
  input  logic [IdWidth-1:0]    fetch_id_i,

  /// The SM has a free TB context.
  input  logic                  tb_ready_i,
  /// The TB of tb_id_o is offered to the SM (V).
  output logic                  tb_valid_o,
  /// The id in nextTB, under tb_valid_o.
  output logic [IdWidth-1:0]    tb_id_o,

  /// A group is held (G).
  output logic                  held_o,

  /// The task stealer reads this queue in this cycle.
  input  logic                  read_i,
  /// The register `tail` under read_i while a group is held, else zero.
  output logic [AddrWidth-1:0]  read_tail_o,
  /// Position of `next`, in ids modulo 2^CountWidth, under read_i while a group is held, else zero.
  output logic [CountWidth-1:0] read_next_o,
  /// A TB is issued in this cycle, under read_i.
  output logic                  read_issue_o
`ifdef FORMAL
  `include "paver/formal/paver_tb_queue_ports.svh"
`endif
);

  localparam IdBytes = IdWidth / 8;
  localparam IdShift = $clog2(IdBytes);

  logic [AddrWidth-1:0] next_q, tail_q;
  logic [IdWidth-1:0]   tb_id_q;
  logic                 held_q, valid_q, fetching_q;
  logic                 issue, last;

  assign issue = valid_q & tb_ready_i;
  // The difference of two positions in a group fits in CountWidth bits, so these bits decide.
  assign last  = next_q[IdShift +: CountWidth] == tail_q[IdShift +: CountWidth];

  assign fetch_wanted_o = held_q & ~valid_q & ~fetching_q;
  assign fetch_addr_o   = next_q & {AddrWidth{fetch_read_i}};
  assign tb_valid_o     = valid_q;
  assign tb_id_o        = tb_id_q;
  assign held_o         = held_q;
  assign read_tail_o    = tail_q & {AddrWidth{read_i & held_q}};
  assign read_next_o    = next_q[IdShift +: CountWidth] & {CountWidth{read_i & held_q}};
  assign read_issue_o   = issue & read_i;
`ifdef FORMAL
  `include "paver/formal/paver_tb_queue_wires.svh"
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      held_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (load_i) held_q <= 1'b1;
      else if (issue & (last | (cut_i & cut_all_i))) held_q <= 1'b0;
      if (fetch_rsp_i) valid_q <= 1'b1;
      else if (issue) valid_q <= 1'b0;
    end
    if (!rst_ni) fetching_q <= 1'b0;
    else if (fetch_grant_i) fetching_q <= 1'b1;
    else if (fetch_rsp_i || (stop_i && fetch_read_i)) fetching_q <= 1'b0;
  end

  // The data registers need no reset: G and V say when they count. After the last id `next` moves
  // on as well, which nobody sees. load_i comes late and sets G alone: without a group they take what comes.
  always_ff @(posedge clk_i) begin
    if (~held_q | issue) next_q <= held_q ? next_q + AddrWidth'(IdBytes) : load_next_i;
    if (~held_q | cut_i) tail_q <= held_q ? cut_tail_i : load_tail_i;
    if (fetch_rsp_i) tb_id_q <= fetch_id_i;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (IdWidth != 16 && IdWidth != 32) begin : gen_0 id_width_is_not_16_or_32 u (); end
  if (AddrWidth < 6 || AddrWidth > 64) begin : gen_1 addr_width_is_not_6_to_64 u (); end
`else
  if (IdWidth != 16 && IdWidth != 32) $error("IdWidth is not 16 or 32");
  if (AddrWidth < 6 || AddrWidth > 64) $error("AddrWidth is not 6 to 64");
`endif

endmodule
