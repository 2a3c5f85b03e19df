// The memory port that all SMs' TB queues and the group dispatcher share.
//
// One request is accepted a cycle. An SM's passes two steps: one SM is picked, round-robin, and its
// address is read in the next cycle, or later if a descriptor goes first or the memory stalls.
// Answers come in the order of the requests; a FIFO of requester numbers says whose each one is. An
// SM has at most one request under way, the dispatcher at most Descriptors.
module paver_fetch_port #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bytes of an SM's request: 2 or 4 of a TB id, or 32 of a sector of ids: 2, 4 or 32.
  parameter int IdBytes = 2,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Descriptor requests that may be under way at once.
  parameter int Descriptors = 4,
  /// Bits of a request's size; leave it at its default.
  parameter int SizeWidth = (IdBytes > 16) ? 6 : 5
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low.
  input  logic                 rst_ni,
  /// A kernel starts: round-robin begins at SM 0.
  input  logic                 clear_i,
  /// The kernel is given up: no fetch is accepted, and an SM that is picked is forgotten.
  input  logic                 stop_i,

  /// Per SM: the fetch of a TB id is wanted.
  input  logic [NumSm-1:0]     id_wanted_i,
  /// One-hot or zero: the SM whose fetch is accepted in this cycle.
  output logic [NumSm-1:0]     id_grant_o,
  /// One-hot or zero: the SM whose address is to stand at id_addr_i in this cycle.
  output logic [NumSm-1:0]     id_read_o,
  /// Address of the id of the SM in id_read_o.
  input  logic [AddrWidth-1:0] id_addr_i,
  /// One-hot or zero: the SM that the answer in this cycle is for.
  output logic [NumSm-1:0]     id_rsp_o,

  /// A descriptor fetch is wanted.
  input  logic                 desc_wanted_i,
  /// The descriptor fetch is accepted.
  output logic                 desc_grant_o,
  /// Address of the descriptor.
  input  logic [AddrWidth-1:0] desc_addr_i,
  /// The answer in this cycle is a descriptor.
  output logic                 desc_rsp_o,

  /// The memory takes the request shown.
  input  logic                 mem_req_ready_i,
  /// A request is shown; it stays until taken.
  output logic                 mem_req_valid_o,
  /// Byte address of the request, a multiple of its size.
  output logic [AddrWidth-1:0] mem_req_addr_o,
  /// Bytes of the request: IdBytes or 16.
  output logic [SizeWidth-1:0] mem_req_size_o,
  /// The oldest unanswered request is answered; ignored when there is none.
  input  logic                 mem_rsp_valid_i,

  /// A wanted fetch can be accepted without waiting for the memory.
  output logic                 pending_o,
  /// A request is not answered.
  output logic                 waiting_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;
  localparam OwnerWidth = $clog2(NumSm + 1);

  // First step: the SM picked. Second step: the request shown.
  logic                 picked_q, valid_q, descriptor_q;
  logic [NumSm-1:0]     pick, read_q;
  logic [AddrWidth-1:0] addr_q;
  logic [SmWidth-1:0]   sm;
  logic                 id_wanted, open, show_id, turns;

  assign open         = ~valid_q | mem_req_ready_i;
  assign desc_grant_o = open & desc_wanted_i;
  assign show_id      = open & ~desc_wanted_i & picked_q & ~stop_i;
  assign turns        = (~picked_q | show_id) & ~stop_i;
  assign id_grant_o   = pick & {NumSm{turns}};
  assign id_read_o    = read_q;
  assign pending_o    = (~valid_q & (desc_wanted_i | picked_q)) | (~picked_q & id_wanted);

  round_robin_arbiter #(
    .Count(NumSm)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .clear_i,
    .request_i(id_wanted_i),
    .take_i(turns),
    .valid_o(id_wanted),
    .grant_o(pick)
  );

  for (genvar b = 0; b < SmWidth; b++) begin : gen_index
    logic [NumSm-1:0] has_bit;  // constant: the SMs whose number has bit b
    for (genvar s = 0; s < NumSm; s++) begin : gen_has_bit
      assign has_bit[s] = ((s >> b) & 1) != 0;
    end
    assign sm[b] = |(read_q & has_bit);
  end

  // Owner NumSm is the dispatcher.
  logic                  waiting, answered;
  logic [OwnerWidth-1:0] owner, new_owner;
  assign new_owner  = desc_wanted_i ? OwnerWidth'(NumSm) : OwnerWidth'(sm);
  assign answered   = mem_rsp_valid_i & waiting;
  assign desc_rsp_o = answered && owner == OwnerWidth'(NumSm);
  always_comb begin
    for (int s = 0; s < NumSm; s++) id_rsp_o[s] = answered && owner == OwnerWidth'(s);
  end

  fifo #(
    .Width(OwnerWidth),
    .Depth(NumSm + Descriptors)
  ) u_order (
    .clk_i,
    .rst_ni,
    .push_i(desc_grant_o | show_id),
    .data_i(new_owner),
    .pop_i(mem_rsp_valid_i),
    .valid_o(waiting),
    .data_o(owner)
  );

  assign waiting_o       = waiting;
  assign mem_req_valid_o = valid_q;
  assign mem_req_addr_o  = addr_q;
  assign mem_req_size_o  = descriptor_q ? SizeWidth'(16) : SizeWidth'(IdBytes);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      picked_q <= 1'b0;
      read_q   <= '0;
    end else if (turns) begin
      picked_q <= id_wanted;
      read_q   <= pick;
    end
    if (!rst_ni) valid_q <= 1'b0;
    else if (open) valid_q <= desc_wanted_i | (picked_q & ~stop_i);
  end

  always_ff @(posedge clk_i) begin
    if (desc_grant_o | show_id) begin
      descriptor_q <= desc_wanted_i;
      addr_q       <= desc_wanted_i ? desc_addr_i : id_addr_i;
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IdBytes != 2 && IdBytes != 4 && IdBytes != 32) begin : gen_1 id_bytes_is_not_2_4_or_32 u (); end
  if (AddrWidth < 6 || AddrWidth > 64) begin : gen_2 addr_width_is_not_6_to_64 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IdBytes != 2 && IdBytes != 4 && IdBytes != 32) $error("IdBytes is not 2, 4 or 32");
  if (AddrWidth < 6 || AddrWidth > 64) $error("AddrWidth is not 6 to 64");
`endif

endmodule
