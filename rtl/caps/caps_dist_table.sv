// CAPS's DIST table (section V.B, Table I): for each of four loads the stride between consecutive
// warps of a CTA and how often a prediction with it was wrong. All CTAs of an SM share it.
//
// A new stride fills an invalid entry, else the one whose stride is oldest.
module caps_dist_table #(
  /// Bits of a PC.
  parameter PcWidth = 32,
  /// Bits of an address and of a stride.
  parameter AddrWidth = 32,
  /// Bits of a misprediction counter.
  parameter CountWidth = 8,
  /// A counter above this stops prefetches of its PC.
  parameter Threshold = 128
) (
  /// Clock, rising edge.
  input  logic                 clk_i,
  /// Synchronous reset, active low: all entries invalid.
  input  logic                 rst_ni,
  /// A kernel ends: all entries become invalid.
  input  logic                 clear_i,

  /// The PC of an arriving load.
  input  logic [PcWidth-1:0]   look_pc_i,
  /// The valid entry that holds look_pc_i, one-hot, or zero.
  output logic [3:0]           look_hit_o,

  /// An entry gets train_pc_i, which no entry may hold, with train_stride_i and a counter of 0.
  input  logic                 train_i,
  /// The PC to enter, under train_i.
  input  logic [PcWidth-1:0]   train_pc_i,
  /// The stride to enter, in bytes, under train_i.
  input  logic [AddrWidth-1:0] train_stride_i,
  /// The entry that a training in this cycle writes, one-hot.
  output logic [3:0]           train_entry_o,
  /// The predictions with the stride of mispredict_entry_i were wrong for one more load.
  input  logic                 mispredict_i,
  /// One-hot or zero: the entry whose counter is ready to go up.
  input  logic [3:0]           mispredict_entry_i,

  /// Per entry: the counter is above the threshold.
  output logic [3:0]           throttled_o,

  /// One-hot or zero: the entry of stride_o.
  input  logic [3:0]           stride_entry_i,
  /// The stride of stride_entry_i's entry, else zero.
  output logic [AddrWidth-1:0] stride_o,
  /// One-hot or zero: the entry of job_pc_o.
  input  logic [3:0]           job_entry_i,
  /// The PC of job_entry_i's entry, else zero.
  output logic [PcWidth-1:0]   job_pc_o,
  /// One-hot or zero: the entry of prefetch_pc_o.
  input  logic [3:0]           prefetch_entry_i,
  /// The PC of prefetch_entry_i's entry, else zero.
  output logic [PcWidth-1:0]   prefetch_pc_o
`ifdef FORMAL
  `include "caps/formal/caps_dist_table_ports.svh"
`endif
);

  logic [3:0]           valid_q, oldest, write;
  logic [5:0]           order_q, order;  // as of lru_of_4
  // Entry e = bits [e*width +: width].
  logic [4*PcWidth-1:0]    pc_q;
  logic [4*AddrWidth-1:0]  stride_q;
  logic [4*CountWidth-1:0] count_q;

  // The lowest invalid entry, else the oldest.
  assign train_entry_o = (&valid_q) ? oldest : ~valid_q & (valid_q + 4'd1);
  assign write         = train_entry_o & {4{train_i}};

  lru_of_4 u_lru (
    .order_i(order_q),
    .touch_i(write),
    .order_o(order),
    .oldest_o(oldest)
  );
  always_ff @(posedge clk_i) order_q <= order;

  // One counter goes up at a time, and saturates.
  logic [CountWidth-1:0] counting, counted;
  always_comb begin
    counting = '0;
    for (int e = 0; e < 4; e++)
      counting |= count_q[e*CountWidth +: CountWidth] & {CountWidth{mispredict_entry_i[e]}};
  end
  assign counted = counting + CountWidth'(!(&counting));

  for (genvar e = 0; e < 4; e++) begin : gen_entry
    logic [CountWidth-1:0] count;
    assign count          = count_q[e*CountWidth +: CountWidth];
    assign look_hit_o[e]  = valid_q[e] & (pc_q[e*PcWidth +: PcWidth] == look_pc_i);
    assign throttled_o[e] = valid_q[e] && count > CountWidth'(Threshold);

    always_ff @(posedge clk_i) begin
      if (write[e]) begin
        pc_q[e*PcWidth +: PcWidth]         <= train_pc_i;
        stride_q[e*AddrWidth +: AddrWidth] <= train_stride_i;
      end
      if (write[e]) count_q[e*CountWidth +: CountWidth] <= '0;
      else if (mispredict_i && mispredict_entry_i[e])
        count_q[e*CountWidth +: CountWidth] <= counted;
    end
  end
`ifdef FORMAL
  `include "caps/formal/caps_dist_table_wires.svh"
`endif

  always_comb begin
    stride_o      = '0;
    job_pc_o      = '0;
    prefetch_pc_o = '0;
    for (int e = 0; e < 4; e++) begin
      stride_o      |= stride_q[e*AddrWidth +: AddrWidth] & {AddrWidth{stride_entry_i[e]}};
      job_pc_o      |= pc_q[e*PcWidth +: PcWidth] & {PcWidth{job_entry_i[e]}};
      prefetch_pc_o |= pc_q[e*PcWidth +: PcWidth] & {PcWidth{prefetch_entry_i[e]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) valid_q <= '0;
    else valid_q <= valid_q | write;
  end

endmodule
