// Which contexts of each SM are in use: who has room for a TB, which context it gets, and which
// completions are of TBs that run.
module sm_contexts #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// TBs that an SM has contexts for, 2 to 32.
  parameter int Contexts = 8,
  /// Bits of a context; leave it at its default.
  parameter int ContextWidth = $clog2(Contexts)
) (
  /// Clock, rising edge.
  input  logic                          clk_i,
  /// Synchronous reset, active low.
  input  logic                          rst_ni,

  /// The contexts that the launch may use.
  input  logic [Contexts-1:0]           allowed_i,
  /// The launch's tag.
  input  logic [3:0]                    tag_i,
  /// Per SM: a context is free.
  output logic [NumSm-1:0]              room_o,

  /// The SM that a TB is for, one-hot, or zero. It has room.
  input  logic [NumSm-1:0]              sm_i,
  /// The context for it, under sm_i.
  output logic [ContextWidth-1:0]       context_o,
  /// The context is taken.
  input  logic                          take_i,

  /// Per SM: a TB has completed.
  input  logic [NumSm-1:0]              done_valid_i,
  /// Per SM: its context.
  input  logic [NumSm*ContextWidth-1:0] done_context_i,
  /// Per SM: its launch's tag.
  input  logic [NumSm*4-1:0]            done_tag_i,
  /// Per SM: a TB that ran has completed, in the cycle before.
  output logic [NumSm-1:0]              done_o,
  /// In the cycle before, what completed was no TB that ran.
  output logic                          stray_o,
  /// No context is in use.
  output logic                          none_o
);

  logic [NumSm*Contexts-1:0] mine;  // per SM: the free contexts, under sm_i
  logic [Contexts-1:0]       picked, first;
  logic [NumSm-1:0]          done_q, hits, used;
  logic                      stray_q;

  assign done_o  = done_q;
  assign stray_o = stray_q;
  assign none_o  = ~(|used);

  for (genvar s = 0; s < NumSm; s++) begin : gen_sm
    logic [Contexts-1:0]     used_q, ends, free;
    logic                    own;
    logic [ContextWidth-1:0] done_context;
    assign done_context = done_context_i[s*ContextWidth +: ContextWidth];
    assign own     = done_valid_i[s] & (done_tag_i[s*4 +: 4] == tag_i);
    assign ends    = own ? Contexts'(1) << done_context : '0;
    assign hits[s] = |(ends & used_q);
    assign free    = allowed_i & ~used_q;
    assign used[s] = |used_q;
    // A context is free from the cycle after the one in which the scheduler hears of its TB's end.
    assign room_o[s] = (|free) & ~done_q[s];
    assign mine[s*Contexts +: Contexts] = free & {Contexts{sm_i[s]}};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) used_q <= '0;
      else used_q <= (used_q & ~ends) | (first & {Contexts{sm_i[s] & take_i}});
    end
  end

  always_comb begin
    picked = '0;
    for (int s = 0; s < NumSm; s++) picked |= mine[s*Contexts +: Contexts];
  end
  assign first  = picked & (~picked + Contexts'(1));
  for (genvar b = 0; b < ContextWidth; b++) begin : gen_index
    logic [Contexts-1:0] has_bit;  // constant: the contexts whose number has bit b
    for (genvar i = 0; i < Contexts; i++) begin : gen_has_bit
      assign has_bit[i] = ((i >> b) & 1) != 0;
    end
    assign context_o[b] = |(first & has_bit);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q  <= '0;
      stray_q <= 1'b0;
    end else begin
      done_q  <= hits;
      stray_q <= |(done_valid_i & ~hits);
    end
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (Contexts < 2 || Contexts > 32) begin : gen_1 contexts_is_not_2_to_32 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (Contexts < 2 || Contexts > 32) $error("Contexts is not 2 to 32");
`endif

endmodule
