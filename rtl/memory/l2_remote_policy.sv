// What the L2 slices of a node do with requests, where other nodes have L2s of their own: who asks for
// whose line, and by LADM's RTWICE or RONCE what becomes of it. A lane is a way into a slice.
module l2_remote_policy #(
  /// Number of lanes, 1 to 128.
  parameter int NumLanes = 8,
  /// Bits of a node's number, 1 to 5.
  parameter int NodeWidth = 4
) (
  /// Clock, rising edge.
  input  logic                          clk_i,
  /// Synchronous reset, active low.
  input  logic                          rst_ni,

  /// Take the three settings below; requests count from the next cycle on.
  input  logic                          cfg_valid_i,
  /// Number of the node that the slices belong to.
  input  logic [NodeWidth-1:0]          cfg_node_i,
  /// RONCE: what other nodes read does not stay here for them. Else RTWICE.
  input  logic                          cfg_once_i,
  /// Lines that are at home in other nodes are kept here at all.
  input  logic                          cfg_remote_caching_i,

  /// Per lane: a request comes in.
  input  logic [NumLanes-1:0]           req_valid_i,
  /// Per lane: the request comes from another node, under req_valid_i.
  input  logic [NumLanes-1:0]           req_from_fabric_i,
  /// Per lane: 0 read, 1 uncached read, 2 write, 3 atomic, under req_valid_i.
  input  logic [NumLanes*2-1:0]         req_kind_i,
  /// Per lane: the node at which the request's line is at home, under req_valid_i.
  input  logic [NumLanes*NodeWidth-1:0] req_home_i,

  /// Per lane: the decision about the request of the cycle before.
  output logic [NumLanes-1:0]           dec_valid_o,
  /// Per lane: 0 LL, an SM of the node and a line at home here; 1 LR, a line at home elsewhere; 2 RL,
  /// another node and a line at home here. Under dec_valid_o, as all below.
  output logic [NumLanes*2-1:0]         dec_class_o,
  /// Per lane: look the line up.
  output logic [NumLanes-1:0]           dec_probe_o,
  /// Per lane: the line is kept: a miss takes a way, a hit becomes the most recently used line.
  output logic [NumLanes-1:0]           dec_keep_o,
  /// Per lane: the request goes to the line's home; a read only where it misses.
  output logic [NumLanes-1:0]           dec_forward_o,
  /// Per lane: the data is also written into a hit, which stays clean.
  output logic [NumLanes-1:0]           dec_update_o,
  /// Per lane: a hit is dropped.
  output logic [NumLanes-1:0]           dec_invalidate_o,
  /// Per lane: another node asks for a line that is not at home here, which no router may do.
  output logic [NumLanes-1:0]           dec_fault_o,
  /// No register changes without cfg_valid_i or req_valid_i.
  output logic                          quiescent_o
);

  logic [NodeWidth-1:0] node_q;
  logic                 once_q, caching_q;
  logic [NumLanes-1:0]  here, is_write, is_atomic, is_read, from_fabric, remote, home_kept;

  for (genvar i = 0; i < NumLanes; i++) begin : gen_lane
    assign here[i]      = req_home_i[i*NodeWidth +: NodeWidth] == node_q;
    assign is_write[i]  = req_kind_i[i*2 +: 2] == 2'd2;
    assign is_atomic[i] = req_kind_i[i*2 +: 2] == 2'd3;
    assign is_read[i]   = ~req_kind_i[i*2+1];

    always_ff @(posedge clk_i) begin
      if (req_valid_i[i]) dec_class_o[i*2 +: 2] <= {from_fabric[i], remote[i]};
    end
  end

  assign from_fabric = req_from_fabric_i;
  assign remote      = ~from_fabric & ~here;  // LR
  // Of the lines that are at home here, all but those that others read under RONCE.
  assign home_kept = ~remote & ~({NumLanes{once_q}} & from_fabric & is_read);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) dec_valid_o <= '0;
    else dec_valid_o <= req_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (cfg_valid_i) begin
      node_q    <= cfg_node_i;
      once_q    <= cfg_once_i;
      caching_q <= cfg_remote_caching_i;
    end
  end

  // Without reset: these registers count under dec_valid_o.
  for (genvar i = 0; i < NumLanes; i++) begin : gen_decision
    always_ff @(posedge clk_i) begin
      if (req_valid_i[i]) begin
        dec_probe_o[i]      <= ~remote[i] | caching_q;
        dec_keep_o[i]       <= home_kept[i] | (remote[i] & caching_q & is_read[i]);
        dec_forward_o[i]    <= remote[i];
        dec_update_o[i]     <= remote[i] & caching_q & is_write[i];
        dec_invalidate_o[i] <= remote[i] & caching_q & is_atomic[i];
        dec_fault_o[i]      <= from_fabric[i] & ~here[i];
      end
    end
  end

  assign quiescent_o = ~(|dec_valid_o);

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumLanes < 1 || NumLanes > 128) begin : gen_0 num_lanes_is_not_1_to_128 u (); end
  if (NodeWidth < 1 || NodeWidth > 5) begin : gen_1 node_width_is_not_1_to_5 u (); end
`else
  if (NumLanes < 1 || NumLanes > 128) $error("NumLanes is not 1 to 128");
  if (NodeWidth < 1 || NodeWidth > 5) $error("NodeWidth is not 1 to 5");
`endif

endmodule
