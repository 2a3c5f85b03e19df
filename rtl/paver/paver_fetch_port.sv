// The memory port that all SMs' TB queues and the group dispatcher share.
//
// One request is accepted a cycle: descriptors first, then the SMs round-robin. Answers come in the
// order of the requests; a FIFO of requester numbers says whose each one is. An SM has at most one
// request under way, the dispatcher at most Descriptors.
module paver_fetch_port #(
  /// Number of SMs.
  parameter NumSm = 15,
  /// Bytes of a TB id: 2 or 4.
  parameter IdBytes = 2,
  /// Bits of a byte address.
  parameter AddrWidth = 64,
  /// Descriptor requests that may be under way at once.
  parameter Descriptors = 4
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low.
  input  logic                 rst_ni,
  /// A kernel starts: round-robin begins at SM 0.
  input  logic                 clear_i,

  /// Per SM: the fetch of a TB id is wanted.
  input  logic [NumSm-1:0]     id_wanted_i,
  /// One-hot: this SM's fetch is accepted.
  output logic [NumSm-1:0]     id_grant_o,
  /// Address of the id of the SM granted.
  input  logic [AddrWidth-1:0] id_addr_i,
  /// One-hot: the answer in mem_rsp_data_i is this SM's.
  output logic [NumSm-1:0]     id_rsp_o,

  /// A descriptor fetch is wanted.
  input  logic                 desc_wanted_i,
  /// The descriptor fetch is accepted.
  output logic                 desc_grant_o,
  /// Address of the descriptor.
  input  logic [AddrWidth-1:0] desc_addr_i,
  /// The answer in mem_rsp_data_i is a descriptor.
  output logic                 desc_rsp_o,

  /// The memory takes the request shown.
  input  logic                 mem_req_ready_i,
  /// A request is shown; it stays until taken.
  output logic                 mem_req_valid_o,
  /// Its byte address, a multiple of its size.
  output logic [AddrWidth-1:0] mem_req_addr_o,
  /// Its size in bytes: IdBytes or 16.
  output logic [4:0]           mem_req_size_o,
  /// The oldest unanswered request is answered. Ignored when there is none.
  input  logic                 mem_rsp_valid_i,

  /// A wanted fetch can be accepted without waiting for the memory.
  output logic                 pending_o
);

  localparam SmWidth = (NumSm > 1) ? $clog2(NumSm) : 1;
  localparam OwnerWidth = $clog2(NumSm + 1);

  logic                 valid_q, descriptor_q;
  logic [AddrWidth-1:0] addr_q;
  logic [SmWidth-1:0]   first_q, after, sm;
  logic [NumSm-1:0]     pick;
  logic                 id_wanted, open, accept_id;

  assign open         = ~valid_q | mem_req_ready_i;
  assign desc_grant_o = open & desc_wanted_i;
  assign accept_id    = open & ~desc_wanted_i & id_wanted;
  assign id_grant_o   = pick & {NumSm{accept_id}};
  assign pending_o    = ~valid_q & (desc_wanted_i | id_wanted);

  round_robin_pick #(
    .Count(NumSm)
  ) u_pick (
    .request_i(id_wanted_i),
    .first_i(first_q),
    .valid_o(id_wanted),
    .grant_o(pick),
    .index_o(sm),
    .after_o(after)
  );

  // Owner NumSm is the dispatcher.
  logic                  waiting, answered;
  logic [OwnerWidth-1:0] owner, new_owner;
  assign new_owner  = desc_wanted_i ? OwnerWidth'(NumSm) : OwnerWidth'(sm);
  assign answered   = mem_rsp_valid_i & waiting;
  assign desc_rsp_o = answered && owner == OwnerWidth'(NumSm);
  always_comb begin
    id_rsp_o = '0;
    if (answered && owner < OwnerWidth'(NumSm)) id_rsp_o[owner[SmWidth-1:0]] = 1'b1;
  end

  fifo #(
    .Width(OwnerWidth),
    .Depth(NumSm + Descriptors)
  ) u_order (
    .clk_i,
    .rst_ni,
    .push_i(desc_grant_o | accept_id),
    .data_i(new_owner),
    .pop_i(mem_rsp_valid_i),
    .valid_o(waiting),
    .data_o(owner)
  );

  assign mem_req_valid_o = valid_q;
  assign mem_req_addr_o  = addr_q;
  assign mem_req_size_o  = descriptor_q ? 5'd16 : 5'(IdBytes);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      first_q <= '0;
    end else begin
      if (open) valid_q <= desc_wanted_i | id_wanted;
      if (clear_i) first_q <= '0;
      else if (accept_id) first_q <= after;
    end
  end

  always_ff @(posedge clk_i) begin
    if (desc_grant_o | accept_id) begin
      descriptor_q <= desc_wanted_i;
      addr_q       <= desc_wanted_i ? desc_addr_i : id_addr_i;
    end
  end

endmodule
