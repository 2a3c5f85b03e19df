// CAPS's DIST table (section V.B, Table I): for each of four loads the stride between consecutive
// warps of a CTA and how often a prediction with it was wrong. All CTAs of an SM share it.
//
// A new stride fills an invalid entry, else the one whose stride is oldest.
module caps_dist_table #(
  /// Bits of a PC.
  parameter int PcWidth = 32,
  /// Bits of an address and of a stride.
  parameter int AddrWidth = 32,
  /// Bits of a misprediction counter.
  parameter int CountWidth = 8,
  /// A counter above this stops prefetches of its PC.
  parameter int Threshold = 128,
  /// Storage of strides: 0 to 2: flip-flops, latches, a RAM.
  parameter int Style = 0,
  /// Right predictions bring a counter down, and a new one begins above the threshold (1), or
  /// counters go up alone, by one (0, as published).
  parameter int Confidence = 0
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
  /// A prediction with the stride of mispredict_entry_i was right; for Confidence.
  input  logic                 predict_i,

  /// Per entry: the counter is above the threshold.
  output logic [3:0]           throttled_o,

  /// One-hot or zero: the entry of stride_o in the next cycle; no entry that train_i fills.
  input  logic [3:0]           stride_entry_i,
  /// One cycle later: the stride of stride_entry_i's entry, undefined for zero.
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

  // How far a counter goes, where right predictions count (assumptions): one of them lets a new
  // stride prefetch, and four make up for a wrong one.
  localparam RightStep = 8;
  localparam WrongStep = 32;
  localparam MaxCount  = 2**CountWidth - 1;
  localparam Start     = (Confidence == 0) ? 0
                         : (Threshold + RightStep > MaxCount) ? MaxCount : Threshold + RightStep;

  // Without Confidence one counter goes up at a time, and saturates.
  logic [CountWidth-1:0] counting, counted;
  always_comb begin
    counting = '0;
    for (int e = 0; e < 4; e++)
      counting |= count_q[e*CountWidth +: CountWidth] & {CountWidth{mispredict_entry_i[e]}};
  end
  assign counted = counting + CountWidth'(!(&counting));

  if (Confidence != 0) begin : gen_unused_counted
    logic unused_counted;
    assign unused_counted = &{1'b0, counted};
  end else begin : gen_unused_predict
    logic unused_predict;
    assign unused_predict = predict_i;
  end

  for (genvar e = 0; e < 4; e++) begin : gen_entry
    logic [CountWidth-1:0] count;
    assign count          = count_q[e*CountWidth +: CountWidth];
    assign look_hit_o[e]  = valid_q[e] & (pc_q[e*PcWidth +: PcWidth] == look_pc_i);
    assign throttled_o[e] = valid_q[e] && count > CountWidth'(Threshold);

    always_ff @(posedge clk_i) begin
      if (write[e]) pc_q[e*PcWidth +: PcWidth] <= train_pc_i;
    end

    if (Confidence == 0) begin : gen_up
      always_ff @(posedge clk_i) begin
        if (write[e]) count_q[e*CountWidth +: CountWidth] <= '0;
        else if (mispredict_i && mispredict_entry_i[e])
          count_q[e*CountWidth +: CountWidth] <= counted;
      end
    end else begin : gen_both_ways
      logic [CountWidth:0] up, down;  // with a carry, a borrow
      assign up   = {1'b0, count} + {1'b0, CountWidth'(WrongStep)};
      assign down = {1'b0, count} - {1'b0, CountWidth'(RightStep)};
      always_ff @(posedge clk_i) begin
        if (write[e]) count_q[e*CountWidth +: CountWidth] <= CountWidth'(Start);
        else if (mispredict_i && mispredict_entry_i[e])
          count_q[e*CountWidth +: CountWidth] <= up[CountWidth-1:0] | {CountWidth{up[CountWidth]}};
        else if (predict_i && mispredict_entry_i[e])
          count_q[e*CountWidth +: CountWidth] <= down[CountWidth-1:0]
                                                 & {CountWidth{~down[CountWidth]}};
      end
    end
  end

  table_storage #(
    .Width(AddrWidth),
    .Depth(4),
    .Style(Style)
  ) u_strides (
    .clk_i,
    .rst_ni,
    .write_valid_i(train_i),
    .write_index_i({write[3] | write[2], write[3] | write[1]}),
    .write_data_i(train_stride_i),
    .read_index_i({stride_entry_i[3] | stride_entry_i[2], stride_entry_i[3] | stride_entry_i[1]}),
    .read_data_o(stride_o)
  );
  logic unused_entry;  // entry 0 is read where no other is wanted
  assign unused_entry = stride_entry_i[0];
`ifdef FORMAL
  `include "caps/formal/caps_dist_table_wires.svh"
`endif

  always_comb begin
    job_pc_o      = '0;
    prefetch_pc_o = '0;
    for (int e = 0; e < 4; e++) begin
      job_pc_o      |= pc_q[e*PcWidth +: PcWidth] & {PcWidth{job_entry_i[e]}};
      prefetch_pc_o |= pc_q[e*PcWidth +: PcWidth] & {PcWidth{prefetch_entry_i[e]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) valid_q <= '0;
    else valid_q <= valid_q | write;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Confidence != 0 && Confidence != 1) begin : gen_0 confidence_is_not_0_or_1 u (); end
  if (Style < 0 || Style > 2) begin : gen_1 style_is_not_0_to_2 u (); end
`else
  if (Confidence != 0 && Confidence != 1) $error("Confidence is not 0 or 1");
  if (Style < 0 || Style > 2) $error("Style is not 0 to 2");
`endif

endmodule
