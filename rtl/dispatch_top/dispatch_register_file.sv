// The registers of gpu_dispatch_top: which there are, what they hold, what they answer.
// Written by rtl/make_registers from rtl/dispatch_top/registers.toml.
module dispatch_register_file #(
  /// Bits of a number of TBs, 17 or 32.
  parameter int CountWidth = 17,
  /// There are the registers of a scheduler with a queue in memory: 0 or 1.
  parameter int HasQueue = 1,
  /// There are those of a TB's resources: 0 or 1.
  parameter int Resources = 1
) (
  /// Clock, rising edge.
  input  logic        clk_i,
  /// Synchronous reset, active low.
  input  logic        rst_ni,

  /// The offset that is written.
  input  logic [11:0] write_offset_i,
  /// What is written.
  input  logic [31:0] write_data_i,
  /// It is written in this cycle, unless one of the three below is against it.
  input  logic        write_i,
  /// No register stands there that can be written.
  output logic        write_unknown_o,
  /// The value has bits that the register has not.
  output logic        write_wide_o,
  /// A launch waits: its description stands as it is, and no other one is launched.
  input  logic        locked_i,
  /// A write is refused because a launch waits.
  output logic        write_locked_o,

  /// The offset that is read.
  input  logic [11:0] read_offset_i,
  /// No register stands there that can be read.
  output logic        read_unknown_o,
  /// Its value, or zero.
  output logic [31:0] read_data_o,
  /// Register control is written, with write_data_i.
  output logic              control_write_o,
  /// Register status is written, with write_data_i.
  output logic              status_write_o,
  /// What register identity says.
  input  logic [31:0]       identity_i,
  /// What register status says.
  input  logic [31:0]       status_i,
  /// What register tbs_issued says.
  input  logic [31:0]       tbs_issued_i,
  /// What register steals says.
  input  logic [31:0]       steals_i,
  /// What register waits says.
  input  logic [31:0]       waits_i,
  /// What register interrupts holds.
  output logic [2:0]        interrupts_o,
  /// What register grid_x holds.
  output logic [CountWidth-1:0] grid_x_o,
  /// What register grid_y holds.
  output logic [CountWidth-1:0] grid_y_o,
  /// What register grid_z holds.
  output logic [CountWidth-1:0] grid_z_o,
  /// What register tb_limit holds.
  output logic [7:0]        tb_limit_o,
  /// What register entry_lo holds.
  output logic [31:0]       entry_lo_o,
  /// What register entry_hi holds.
  output logic [31:0]       entry_hi_o,
  /// What register parameters_lo holds.
  output logic [31:0]       parameters_lo_o,
  /// What register parameters_hi holds.
  output logic [31:0]       parameters_hi_o,
  /// What register queue_base_lo holds.
  output logic [31:0]       queue_base_lo_o,
  /// What register queue_base_hi holds.
  output logic [31:0]       queue_base_hi_o,
  /// What register queue_count holds.
  output logic [31:0]       queue_count_o,
  /// What register steal_rule holds.
  output logic [1:0]        steal_rule_o,
  /// What register tb_warps holds.
  output logic [7:0]        tb_warps_o,
  /// What register tb_registers holds.
  output logic [19:0]       tb_registers_o,
  /// What register tb_shared holds.
  output logic [19:0]       tb_shared_o
);

  // Of the registers, the one that is written, and the one that is read; or none.
  logic [21:0] written, here;
  logic [9:0] write_index, read_index;
  logic       write_even, read_even;
  assign write_index = write_offset_i[11:2];
  assign read_index  = read_offset_i[11:2];
  assign write_even  = write_offset_i[1:0] == 2'd0;
  assign read_even   = read_offset_i[1:0] == 2'd0;

  assign written[0] = 1'b0;  // identity
  assign here[0] = read_even & (read_index == 10'd0);
  assign written[1] = write_even & (write_index == 10'd1);  // control
  assign here[1] = 1'b0;
  assign written[2] = write_even & (write_index == 10'd2);  // status
  assign here[2] = read_even & (read_index == 10'd2);
  assign written[3] = write_even & (write_index == 10'd3);  // interrupts
  assign here[3] = read_even & (read_index == 10'd3);
  assign written[4] = write_even & (write_index == 10'd4);  // grid_x
  assign here[4] = read_even & (read_index == 10'd4);
  assign written[5] = write_even & (write_index == 10'd5);  // grid_y
  assign here[5] = read_even & (read_index == 10'd5);
  assign written[6] = write_even & (write_index == 10'd6);  // grid_z
  assign here[6] = read_even & (read_index == 10'd6);
  assign written[7] = write_even & (write_index == 10'd7);  // tb_limit
  assign here[7] = read_even & (read_index == 10'd7);
  assign written[8] = write_even & (write_index == 10'd8);  // entry_lo
  assign here[8] = read_even & (read_index == 10'd8);
  assign written[9] = write_even & (write_index == 10'd9);  // entry_hi
  assign here[9] = read_even & (read_index == 10'd9);
  assign written[10] = write_even & (write_index == 10'd10);  // parameters_lo
  assign here[10] = read_even & (read_index == 10'd10);
  assign written[11] = write_even & (write_index == 10'd11);  // parameters_hi
  assign here[11] = read_even & (read_index == 10'd11);
  assign written[12] = write_even & (write_index == 10'd12) & (HasQueue != 0);  // queue_base_lo
  assign here[12] = read_even & (read_index == 10'd12) & (HasQueue != 0);
  assign written[13] = write_even & (write_index == 10'd13) & (HasQueue != 0);  // queue_base_hi
  assign here[13] = read_even & (read_index == 10'd13) & (HasQueue != 0);
  assign written[14] = write_even & (write_index == 10'd14) & (HasQueue != 0);  // queue_count
  assign here[14] = read_even & (read_index == 10'd14) & (HasQueue != 0);
  assign written[15] = write_even & (write_index == 10'd15) & (HasQueue != 0);  // steal_rule
  assign here[15] = read_even & (read_index == 10'd15) & (HasQueue != 0);
  assign written[16] = write_even & (write_index == 10'd16) & (Resources != 0);  // tb_warps
  assign here[16] = read_even & (read_index == 10'd16) & (Resources != 0);
  assign written[17] = write_even & (write_index == 10'd17) & (Resources != 0);  // tb_registers
  assign here[17] = read_even & (read_index == 10'd17) & (Resources != 0);
  assign written[18] = write_even & (write_index == 10'd18) & (Resources != 0);  // tb_shared
  assign here[18] = read_even & (read_index == 10'd18) & (Resources != 0);
  assign written[19] = 1'b0;  // tbs_issued
  assign here[19] = read_even & (read_index == 10'd19);
  assign written[20] = 1'b0;  // steals
  assign here[20] = read_even & (read_index == 10'd20) & (HasQueue != 0);
  assign written[21] = 1'b0;  // waits
  assign here[21] = read_even & (read_index == 10'd21);
  assign write_unknown_o = ~(|written);
  assign read_unknown_o  = ~(|here);
  assign write_locked_o  = locked_i & (written[4]
    | written[5]
    | written[6]
    | written[7]
    | written[8]
    | written[9]
    | written[10]
    | written[11]
    | written[12]
    | written[13]
    | written[14]
    | written[15]
    | written[16]
    | written[17]
    | written[18]
    | (written[1] & write_data_i[0]));
  assign write_wide_o    = (written[1] & |(write_data_i >> 2))
    | (written[2] & |(write_data_i >> 11))
    | (written[3] & |(write_data_i >> 3))
    | (written[4] & |(write_data_i >> CountWidth))
    | (written[5] & |(write_data_i >> CountWidth))
    | (written[6] & |(write_data_i >> CountWidth))
    | (written[7] & |(write_data_i >> 8))
    | (written[15] & |(write_data_i >> 2))
    | (written[16] & |(write_data_i >> 8))
    | (written[17] & |(write_data_i >> 20))
    | (written[18] & |(write_data_i >> 20));

  logic write;
  assign write = write_i & ~write_wide_o & ~write_locked_o;
  assign control_write_o = write & written[1];
  assign status_write_o = write & written[2];

  if (1) begin : gen_interrupts
    logic [2:0] value_q;
    assign interrupts_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[3]) value_q <= write_data_i[2:0];
    end
  end
  if (1) begin : gen_grid_x
    logic [CountWidth-1:0] value_q;
    assign grid_x_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[4]) value_q <= write_data_i[CountWidth-1:0];
    end
  end
  if (1) begin : gen_grid_y
    logic [CountWidth-1:0] value_q;
    assign grid_y_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[5]) value_q <= write_data_i[CountWidth-1:0];
    end
  end
  if (1) begin : gen_grid_z
    logic [CountWidth-1:0] value_q;
    assign grid_z_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[6]) value_q <= write_data_i[CountWidth-1:0];
    end
  end
  if (1) begin : gen_tb_limit
    logic [7:0] value_q;
    assign tb_limit_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[7]) value_q <= write_data_i[7:0];
    end
  end
  if (1) begin : gen_entry_lo
    logic [31:0] value_q;
    assign entry_lo_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[8]) value_q <= write_data_i;
    end
  end
  if (1) begin : gen_entry_hi
    logic [31:0] value_q;
    assign entry_hi_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[9]) value_q <= write_data_i;
    end
  end
  if (1) begin : gen_parameters_lo
    logic [31:0] value_q;
    assign parameters_lo_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[10]) value_q <= write_data_i;
    end
  end
  if (1) begin : gen_parameters_hi
    logic [31:0] value_q;
    assign parameters_hi_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[11]) value_q <= write_data_i;
    end
  end
  if (HasQueue != 0) begin : gen_queue_base_lo
    logic [31:0] value_q;
    assign queue_base_lo_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[12]) value_q <= write_data_i;
    end
  end else begin : gen_no_queue_base_lo
    assign queue_base_lo_o = '0;
  end
  if (HasQueue != 0) begin : gen_queue_base_hi
    logic [31:0] value_q;
    assign queue_base_hi_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[13]) value_q <= write_data_i;
    end
  end else begin : gen_no_queue_base_hi
    assign queue_base_hi_o = '0;
  end
  if (HasQueue != 0) begin : gen_queue_count
    logic [31:0] value_q;
    assign queue_count_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[14]) value_q <= write_data_i;
    end
  end else begin : gen_no_queue_count
    assign queue_count_o = '0;
  end
  if (HasQueue != 0) begin : gen_steal_rule
    logic [1:0] value_q;
    assign steal_rule_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[15]) value_q <= write_data_i[1:0];
    end
  end else begin : gen_no_steal_rule
    assign steal_rule_o = '0;
  end
  if (Resources != 0) begin : gen_tb_warps
    logic [7:0] value_q;
    assign tb_warps_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[16]) value_q <= write_data_i[7:0];
    end
  end else begin : gen_no_tb_warps
    assign tb_warps_o = '0;
  end
  if (Resources != 0) begin : gen_tb_registers
    logic [19:0] value_q;
    assign tb_registers_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[17]) value_q <= write_data_i[19:0];
    end
  end else begin : gen_no_tb_registers
    assign tb_registers_o = '0;
  end
  if (Resources != 0) begin : gen_tb_shared
    logic [19:0] value_q;
    assign tb_shared_o = value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= '0;
      else if (write & written[18]) value_q <= write_data_i[19:0];
    end
  end else begin : gen_no_tb_shared
    assign tb_shared_o = '0;
  end

  assign read_data_o =
    (identity_i & {32{here[0]}}) |
    (status_i & {32{here[2]}}) |
    (32'(interrupts_o) & {32{here[3]}}) |
    (32'(grid_x_o) & {32{here[4]}}) |
    (32'(grid_y_o) & {32{here[5]}}) |
    (32'(grid_z_o) & {32{here[6]}}) |
    (32'(tb_limit_o) & {32{here[7]}}) |
    (entry_lo_o & {32{here[8]}}) |
    (entry_hi_o & {32{here[9]}}) |
    (parameters_lo_o & {32{here[10]}}) |
    (parameters_hi_o & {32{here[11]}}) |
    (queue_base_lo_o & {32{here[12]}}) |
    (queue_base_hi_o & {32{here[13]}}) |
    (queue_count_o & {32{here[14]}}) |
    (32'(steal_rule_o) & {32{here[15]}}) |
    (32'(tb_warps_o) & {32{here[16]}}) |
    (32'(tb_registers_o) & {32{here[17]}}) |
    (32'(tb_shared_o) & {32{here[18]}}) |
    (tbs_issued_i & {32{here[19]}}) |
    (steals_i & {32{here[20]}}) |
    (waits_i & {32{here[21]}});

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (CountWidth != 17 && CountWidth != 32) begin : gen_0 count_width_is_not_17_or_32 u (); end
  if (HasQueue != 0 && HasQueue != 1) begin : gen_1 has_queue_is_not_0_or_1 u (); end
  if (Resources != 0 && Resources != 1) begin : gen_2 resources_is_not_0_or_1 u (); end
`else
  if (CountWidth != 17 && CountWidth != 32) $error("CountWidth is not 17 or 32");
  if (HasQueue != 0 && HasQueue != 1) $error("HasQueue is not 0 or 1");
  if (Resources != 0 && Resources != 1) $error("Resources is not 0 or 1");
`endif

endmodule
