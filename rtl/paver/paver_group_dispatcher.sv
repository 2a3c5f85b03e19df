// Walks the global queue in memory and hands its TB groups out to SMs that hold none.
//
// A descriptor is 16 bytes, little-endian: address of the group's first id, address of its last id
// (inclusive). Descriptors are fetched ahead into a small FIFO, so that an SM whose group ends gets
// the next one at once, and the hand-out at the start of a kernel is not one memory latency an SM.
// One group is handed out a cycle, round-robin. A descriptor with last < first is an empty group:
// it is dropped. The newest descriptor stands in a register of its own in front of the FIFO, where
// its addresses are compared, so that the memory's answer goes to registers alone.
module paver_group_dispatcher #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a byte address, 19 to 64.
  parameter int AddrWidth = 64,
  /// Descriptors fetched ahead: waiting here or in flight.
  parameter int Descriptors = 4
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: no descriptors.
  input  logic                 rst_ni,
  /// The kernel is given up: nothing is fetched or handed out, and what waits or comes is dropped.
  input  logic                 stop_i,
  /// Begin with the queue of queue_base_i and queue_count_i; only when exhausted.
  input  logic                 start_i,
  /// Byte address of the first descriptor, a multiple of 16; under start_i.
  input  logic [AddrWidth-1:0] queue_base_i,
  /// Number of descriptors, under start_i.
  input  logic [31:0]          queue_count_i,

  /// A descriptor fetch is wanted.
  output logic                 fetch_wanted_o,
  /// Address of the descriptor to fetch.
  output logic [AddrWidth-1:0] fetch_addr_o,
  /// The wanted fetch is accepted in this cycle.
  input  logic                 fetch_grant_i,
  /// A descriptor arrives.
  input  logic                 fetch_rsp_i,
  /// The descriptor's two addresses, the first id's in the low half; under fetch_rsp_i.
  input  logic [127:0]         fetch_data_i,

  /// Per SM: a group is held.
  input  logic [NumSm-1:0]     held_i,
  /// One-hot or zero: the SM that gets the group of load_next_o and load_tail_o in this cycle.
  output logic [NumSm-1:0]     load_o,
  /// Address of the group's first id, under load_o.
  output logic [AddrWidth-1:0] load_next_o,
  /// Address of the group's last id, under load_o.
  output logic [AddrWidth-1:0] load_tail_o,

  /// A group is handed out in this cycle, or a descriptor dropped.
  output logic                 moves_o,
  /// All groups are handed out, and no descriptor is waiting or in flight.
  output logic                 exhausted_o
);

  localparam CreditWidth = $clog2(Descriptors + 1);

  logic [AddrWidth-1:0]   addr_q;      // of the next descriptor to fetch
  logic [31:0]            left_q;      // descriptors not yet asked for
  logic [CreditWidth-1:0] reserved_q;  // places for descriptors, in use or asked for

  // The newest descriptor, and those before it.
  logic                   new_q, new_empty, new_goes, new_dropped;
  logic [2*AddrWidth-1:0] newest_q, oldest;
  logic                   waiting, offered, pick, pop, goes;
  logic [NumSm-1:0]       grant;

  assign new_empty   = newest_q[AddrWidth +: AddrWidth] < newest_q[0 +: AddrWidth];
  assign new_goes    = new_q & ~new_empty & ~waiting & (pick | stop_i);
  assign new_dropped = new_q & new_empty;
  assign offered     = (waiting | (new_q & ~new_empty)) & ~stop_i;
  assign pop         = waiting & (pick | stop_i);
  assign load_o      = grant & {NumSm{offered}};
  assign {load_tail_o, load_next_o} = waiting ? oldest : newest_q;
  assign goes        = pop | new_goes;
  assign moves_o     = goes | new_dropped;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) new_q <= 1'b0;
    else new_q <= fetch_rsp_i | (new_q & ~new_goes & ~new_dropped);
  end
  always_ff @(posedge clk_i) begin
    if (fetch_rsp_i) newest_q <= {fetch_data_i[64 +: AddrWidth], fetch_data_i[0 +: AddrWidth]};
  end

  assign fetch_wanted_o = ~stop_i && left_q != '0 && reserved_q != CreditWidth'(Descriptors);
  assign fetch_addr_o   = addr_q;
  assign exhausted_o    = left_q == '0 && reserved_q == '0;

  if (Descriptors > 1) begin : gen_fifo
    fifo #(
      .Width(2 * AddrWidth),
      .Depth(Descriptors - 1)
    ) u_descriptors (
      .clk_i,
      .rst_ni,
      .push_i(fetch_rsp_i & new_q & ~new_goes & ~new_dropped),
      .data_i(newest_q),
      .pop_i(pop),
      .valid_o(waiting),
      .data_o(oldest)
    );
  end else begin : gen_no_fifo
    assign waiting = 1'b0;
    assign oldest  = '0;
  end

  round_robin_arbiter #(
    .Count(NumSm)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .clear_i(start_i),
    .request_i(~held_i),
    .take_i(offered),
    .valid_o(pick),
    .grant_o(grant)
  );

  // A place is free again when its group is handed out or dropped; both can happen in one cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q     <= '0;
      reserved_q <= '0;
    end else if (start_i) begin
      left_q     <= queue_count_i;
    end else begin
      if (stop_i) left_q <= '0;
      else if (fetch_grant_i) left_q <= left_q - 32'd1;
      reserved_q <= reserved_q + CreditWidth'(fetch_grant_i) - CreditWidth'(goes)
                    - CreditWidth'(new_dropped);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) addr_q <= queue_base_i;
    else if (fetch_grant_i) addr_q <= addr_q + AddrWidth'(16);
  end

  if (AddrWidth < 64) begin : gen_narrow
    logic unused;
    assign unused = &{1'b0, fetch_data_i[63:AddrWidth], fetch_data_i[127:64+AddrWidth]};
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (AddrWidth < 6 || AddrWidth > 64) begin : gen_1 addr_width_is_not_6_to_64 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (AddrWidth < 6 || AddrWidth > 64) $error("AddrWidth is not 6 to 64");
`endif

endmodule
