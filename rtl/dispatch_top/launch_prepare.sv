// Looks at a launch while it waits: how many TBs it has, how an id is divided into x, y and z, how many
// TBs an SM may hold. One addition, subtraction or comparison a cycle, so that no wide multiplier or
// divider is needed. It refuses what cannot run.
//
// Products and shifts are done once a launch; tb_index_divider then only subtracts.
module launch_prepare #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a number of TBs, 17 or 32.
  parameter int CountWidth = 17,
  /// TBs that an SM has contexts for, 2 to 32.
  parameter int Contexts = 8,
  /// The launch has a queue in memory: 0 or 1.
  parameter int HasQueue = 1,
  /// The grid is shared out to the SMs: 0 or 1.
  parameter int Shares = 0,
  /// A TB's resources count: 0 or 1.
  parameter int Resources = 1,
  /// Warps of an SM.
  parameter int SmWarps = 48,
  /// Registers of an SM, in any unit.
  parameter int SmRegisters = 32768,
  /// Shared memory of an SM, in any unit.
  parameter int SmShared = 49152
) (
  /// Clock, rising edge.
  input  logic                  clk_i,
  /// Synchronous reset, active low.
  input  logic                  rst_ni,
  /// Begin with the description below, which stands until it is used.
  input  logic                  begin_i,
  /// What was found is not needed any more.
  input  logic                  end_i,

  /// TBs along x.
  input  logic [CountWidth-1:0] grid_x_i,
  /// TBs along y.
  input  logic [CountWidth-1:0] grid_y_i,
  /// TBs along z.
  input  logic [CountWidth-1:0] grid_z_i,
  /// Most TBs of an SM; 0: as many as fit.
  input  logic [7:0]            tb_limit_i,
  /// The lowest bits of the queue's address.
  input  logic [3:0]            queue_low_i,
  /// Group descriptors.
  input  logic [31:0]           queue_count_i,
  /// Warps of a TB.
  input  logic [7:0]            tb_warps_i,
  /// Registers of a TB.
  input  logic [19:0]           tb_registers_i,
  /// Shared memory of a TB.
  input  logic [19:0]           tb_shared_i,

  /// The launch may start: the values below stand.
  output logic                  ready_o,
  /// The launch cannot run, for the reason below.
  output logic                  fails_o,
  /// 1 no TBs, 2 too many, 3 no SM holds one, 4 a base that is not aligned, 5 no groups.
  output logic [3:0]            reason_o,
  /// TBs of the grid.
  output logic [CountWidth-1:0] tb_count_o,
  /// grid_x, shifted to the left as far as an id may need.
  output logic [CountWidth-1:0] x_divisor_o,
  /// By how much.
  output logic [4:0]            x_shift_o,
  /// grid_y, likewise.
  output logic [CountWidth-1:0] y_divisor_o,
  /// By how much.
  output logic [4:0]            y_shift_o,
  /// With Shares: floor(TBs / SMs).
  output logic [CountWidth-1:0] share_tbs_o,
  /// With Shares: TBs mod SMs.
  output logic [7:0]            extra_sms_o,
  /// A one for each TB that an SM may hold, the lowest first.
  output logic [Contexts-1:0]   contexts_o
);

  localparam logic [3:0] Idle = 0, Rows = 1, ShiftY = 2, Tbs = 3, ShiftX = 4, ShareUp = 5,
                         ShareDown = 6, Limit = 7, Ready = 8, Failed = 9;
  // A number of TBs is at most 2^16, or 2^32 - 1.
  localparam MostTbs = {1'b0, {(CountWidth == 32 ? 32 : 16){1'b1}}};
  localparam SumWidth = CountWidth + 2;

  logic [3:0]            state_q, reason_q;
  logic [4:0]            left_q;              // factor bits still to be looked at, less one
  logic [CountWidth-1:0] factor_q, product_q;
  logic [CountWidth-1:0] x_divisor_q, y_divisor_q;
  logic [4:0]            x_shift_q, y_shift_q;
  logic [Contexts-1:0]   contexts_q;
  logic [7:0]            limit_q;

  // Horner's rule: double, and add where the factor has a one. All products between are below the last.
  logic [CountWidth-1:0] other;
  logic [SumWidth-1:0]   sum;
  logic                  over, shifts_x, shifts_y, shared_out, fits;
  assign other = (state_q == Rows) ? grid_y_i : grid_x_i;
  assign sum   = {1'b0, product_q, 1'b0} +
                 (factor_q[CountWidth-1] ? SumWidth'(other) : {SumWidth{1'b0}});
  if (CountWidth == 32) begin : gen_over_32
    assign over = |sum[SumWidth-1:32];
  end else begin : gen_over_16
    assign over = sum > SumWidth'(MostTbs) + SumWidth'(1);
  end

  assign shifts_x = {x_divisor_q, 1'b0} < {1'b0, product_q};
  assign shifts_y = {y_divisor_q, 1'b0} < {1'b0, product_q};

  assign ready_o     = state_q == Ready;
  assign fails_o     = state_q == Failed;
  assign reason_o    = reason_q;
  assign tb_count_o  = product_q;
  assign x_divisor_o = x_divisor_q;
  assign x_shift_o   = x_shift_q;
  assign y_divisor_o = y_divisor_q;
  assign y_shift_o   = y_shift_q;
  assign contexts_o  = contexts_q;

  logic bad_base, no_groups;
  assign bad_base  = (HasQueue != 0) & (queue_low_i != '0);
  assign no_groups = (HasQueue != 0) & (queue_count_i == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      reason_q <= '0;
    end else begin
      case (state_q)
        Idle: if (begin_i) begin
          if (grid_x_i == '0 || grid_y_i == '0 || grid_z_i == '0) begin
            state_q  <= Failed;
            reason_q <= 4'd1;
          end else if (bad_base) begin
            state_q  <= Failed;
            reason_q <= 4'd4;
          end else if (no_groups) begin
            state_q  <= Failed;
            reason_q <= 4'd5;
          end else begin
            state_q <= Rows;
          end
        end
        Rows, Tbs: if (over) begin
          state_q  <= Failed;
          reason_q <= 4'd2;
        end else if (left_q == '0) begin
          state_q <= (state_q == Rows) ? ShiftY : ShiftX;
        end
        ShiftY: if (!shifts_y) state_q <= Tbs;
        ShiftX: if (!shifts_x) state_q <= (Shares != 0) ? ShareUp : Limit;
        ShareUp: if (shared_out) state_q <= ShareDown;
        ShareDown: if (shared_out) state_q <= Limit;
        Limit: if (!fits) begin
          if (contexts_q == '0) begin
            state_q  <= Failed;
            reason_q <= 4'd3;
          end else begin
            state_q <= Ready;
          end
        end
        default: if (end_i) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      Idle: begin
        left_q      <= 5'(CountWidth - 1);
        factor_q    <= grid_z_i;
        product_q   <= '0;
        x_divisor_q <= grid_x_i;
        x_shift_q   <= '0;
        y_divisor_q <= grid_y_i;
        y_shift_q   <= '0;
        contexts_q  <= '0;
        limit_q     <= tb_limit_i;
      end
      Rows, Tbs: begin
        left_q    <= left_q - 5'd1;
        factor_q  <= factor_q << 1;
        product_q <= sum[CountWidth-1:0];
      end
      ShiftY: if (shifts_y) begin
        y_divisor_q <= y_divisor_q << 1;
        y_shift_q   <= y_shift_q + 5'd1;
      end else begin
        left_q    <= 5'(CountWidth - 1);
        factor_q  <= product_q;
        product_q <= '0;
      end
      ShiftX: if (shifts_x) begin
        x_divisor_q <= x_divisor_q << 1;
        x_shift_q   <= x_shift_q + 5'd1;
      end
      Limit: if (fits) begin
        contexts_q <= {contexts_q[Contexts-2:0], 1'b1};
        limit_q    <= limit_q - 8'd1;
      end
      default: ;
    endcase
  end

  logic context_left, resources_left;
  assign context_left = ~contexts_q[Contexts-1] & ~((limit_q == '0) & (tb_limit_i != '0));
  assign fits = context_left & resources_left;

  if (Resources != 0) begin : gen_resources
    logic [20:0] warps_q, registers_q, shared_q, warps, registers, shared;
    assign warps          = warps_q - 21'(tb_warps_i);
    assign registers      = registers_q - 21'(tb_registers_i);
    assign shared         = shared_q - 21'(tb_shared_i);
    assign resources_left = ~(warps[20] | registers[20] | shared[20]);
    always_ff @(posedge clk_i) begin
      if (state_q == Idle) begin
        warps_q     <= 21'(SmWarps);
        registers_q <= 21'(SmRegisters);
        shared_q    <= 21'(SmShared);
      end else if (state_q == Limit) begin
        warps_q     <= warps;
        registers_q <= registers;
        shared_q    <= shared;
      end
    end
  end else begin : gen_no_resources
    assign resources_left = 1'b1;
    logic unused;
    assign unused = &{1'b0, tb_warps_i, tb_registers_i, tb_shared_i};
  end

  // Long division by the number of SMs.
  if (Shares != 0) begin : gen_shares
    logic [CountWidth-1:0] rest_q, share_q, divisor_q;
    logic [4:0]            shift_q;
    logic [CountWidth:0]   less;
    assign less       = {1'b0, rest_q} - {1'b0, divisor_q};
    assign shared_out = (state_q == ShareUp) ? {divisor_q, 1'b0} > {1'b0, rest_q}
                                             : shift_q == '0;
    always_ff @(posedge clk_i) begin
      if (state_q == ShiftX) begin
        rest_q    <= product_q;
        share_q   <= '0;
        divisor_q <= CountWidth'(NumSm);
        shift_q   <= '0;
      end else if (state_q == ShareUp && !shared_out) begin
        divisor_q <= divisor_q << 1;
        shift_q   <= shift_q + 5'd1;
      end else if (state_q == ShareDown) begin
        if (!less[CountWidth]) rest_q <= less[CountWidth-1:0];
        share_q   <= {share_q[CountWidth-2:0], ~less[CountWidth]};
        divisor_q <= divisor_q >> 1;
        shift_q   <= shift_q - 5'd1;
      end
    end
    assign share_tbs_o = share_q;
    assign extra_sms_o = rest_q[7:0];
  end else begin : gen_no_shares
    assign shared_out  = 1'b1;
    assign share_tbs_o = '0;
    assign extra_sms_o = '0;
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (CountWidth != 17 && CountWidth != 32) begin : gen_1 count_width_is_not_17_or_32 u (); end
  if (Contexts < 2 || Contexts > 32) begin : gen_2 contexts_is_not_2_to_32 u (); end
  if (HasQueue != 0 && HasQueue != 1) begin : gen_3 has_queue_is_not_0_or_1 u (); end
  if (Shares != 0 && Shares != 1) begin : gen_4 shares_is_not_0_or_1 u (); end
  if (Resources != 0 && Resources != 1) begin : gen_5 resources_is_not_0_or_1 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (CountWidth != 17 && CountWidth != 32) $error("CountWidth is not 17 or 32");
  if (Contexts < 2 || Contexts > 32) $error("Contexts is not 2 to 32");
  if (HasQueue != 0 && HasQueue != 1) $error("HasQueue is not 0 or 1");
  if (Shares != 0 && Shares != 1) $error("Shares is not 0 or 1");
  if (Resources != 0 && Resources != 1) $error("Resources is not 0 or 1");
`endif

endmodule
