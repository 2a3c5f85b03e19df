// A stand-in for an SM: it takes TBs into two contexts and completes each after a time of its own.
module toy_sm (
  /// Clock, rising edge.
  input  logic        clk_i,
  /// Synchronous reset, active low: no TB runs.
  input  logic        rst_ni,
  /// A TB is offered.
  input  logic        tb_valid_i,
  /// Its id, under tb_valid_i.
  input  logic [15:0] tb_id_i,
  /// A TB is taken in this cycle if one is offered.
  output logic        tb_ready_o,
  /// A TB has completed in this cycle.
  output logic        tb_done_o,
  /// A TB was taken, which nobody has noted yet.
  output logic        taken_valid_o,
  /// Its id, under taken_valid_o.
  output logic [15:0] taken_id_o,
  /// What is shown is noted.
  input  logic        taken_ack_i
);

  // Cycles that are left of each context's TB; zero: none is there.
  logic [9:0]  left_q [2];
  logic        taken_q, done_q;
  logic [15:0] id_q;
  logic        take, slot, end_0, end_1;

  assign slot       = left_q[0] != '0;
  assign tb_ready_o = (left_q[0] == '0 || left_q[1] == '0) & ~taken_q;
  assign take       = tb_valid_i & tb_ready_o;
  // Two that end in one cycle are told one after the other.
  assign end_0      = left_q[0] == 10'd1;
  assign end_1      = left_q[1] == 10'd1 & ~end_0;

  assign tb_done_o     = done_q;
  assign taken_valid_o = taken_q;
  assign taken_id_o    = id_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q[0] <= '0;
      left_q[1] <= '0;
      taken_q   <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      done_q <= end_0 | end_1;
      if (left_q[0] != '0) left_q[0] <= left_q[0] - 10'd1;
      if (left_q[1] != '0 && !(end_0 && left_q[1] == 10'd1)) left_q[1] <= left_q[1] - 10'd1;
      if (take) left_q[slot] <= {1'b1, tb_id_i[2:0], 6'd0};
      if (take) taken_q <= 1'b1;
      else if (taken_ack_i) taken_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) id_q <= tb_id_i;
  end

endmodule
