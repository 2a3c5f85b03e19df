// The offers of a TB scheduler: a register per SM, the turn of the SMs, and the count of the TBs that
// run. Neighbouring SMs share an issue port, which offers one TB (or one pair) a cycle at most, SM
// after SM; the last port may have fewer SMs. An order elsewhere says which TB is next and which SMs may have it.
module tb_offer_bank #(
  /// Number of SMs, 1 to 256.
  parameter int NumSm = 15,
  /// Bits of a TB id.
  parameter int IdWidth = 16,
  /// Issue ports, 1 to NumSm, each with an SM.
  parameter int IssuePorts = 1,
  /// The order may have a TB for each SM (1), or one sequence for all (0).
  parameter int OwnIds = 0,
  /// Bits of own_ids_i; leave it at its default.
  parameter int OwnWidth = (OwnIds != 0) ? NumSm * IdWidth : 1,
  /// Bits of a number of issue ports; leave it at its default.
  parameter int RoomWidth = $clog2(IssuePorts + 1)
) (
  /// Clock, rising edge.
  input  logic                     clk_i,
  /// Synchronous reset, active low.
  input  logic                     rst_ni,

  /// A kernel begins: each port's round-robin starts at its first SM. No TB may be there in this
  /// cycle.
  input  logic                     clear_i,
  /// The kernel is given up: no TB is offered from the next cycle on.
  input  logic                     stop_i,
  /// Offers that there are TBs for, at most IssuePorts. They count after the choice of SMs, which
  /// they would delay.
  input  logic [RoomWidth-1:0]     room_i,
  /// Per SM: the SM may be offered a TB, if it has a free context and no offer.
  input  logic [NumSm-1:0]         eligible_i,
  /// The TB that the first port with an offer gets; the ports after it get the TBs after it.
  input  logic [IdWidth-1:0]       id_i,
  /// The TBs are those of own_ids_i instead; with OwnIds only.
  input  logic                     own_i,
  /// Per SM: its next TB, under own_i.
  input  logic [OwnWidth-1:0]      own_ids_i,
  /// An offer is of two TBs, an even one and the next, which is offered when the first is issued.
  input  logic                     pair_i,
  /// The SMs that are offered a TB from the next cycle on, one at each port at most.
  output logic [NumSm-1:0]         offer_o,
  /// How many SMs that are.
  output logic [RoomWidth-1:0]     take_o,

  /// Per SM: a TB context is free.
  input  logic [NumSm-1:0]         tb_ready_i,
  /// Per SM: one TB has completed in this cycle.
  input  logic [NumSm-1:0]         tb_done_i,
  /// Per SM: the TB of tb_id_o is offered; it is issued in a cycle with tb_ready_i.
  output logic [NumSm-1:0]         tb_valid_o,
  /// Per SM: a TB id, IdWidth bits each, under tb_valid_o.
  output logic [NumSm*IdWidth-1:0] tb_id_o,
  /// No TB is offered, and none runs.
  output logic                     idle_o,
  /// The count of the TBs that run is about to change.
  output logic                     adding_o
);

  localparam PortSms = (NumSm + IssuePorts - 1) / IssuePorts;
  // A port's TB is at most this many bits' distance from id_i: what is added stays short.
  localparam LowWidth = RoomWidth + 1;

  logic [NumSm-1:0]            valid_q, second_q, issue, request, pick;
  logic [NumSm*IdWidth-1:0]    tb_id_q;
  logic [IssuePorts-1:0]       asks;   // per port: one of its SMs could have a TB
  logic [RoomWidth-1:0]        asked;  // how many ports those are
  logic [IdWidth-LowWidth-1:0] id_high, id_high_next;
  logic                        none_running;

  assign issue      = valid_q & tb_ready_i;
  assign request    = eligible_i & tb_ready_i & ~valid_q;
  assign tb_valid_o = valid_q;
  assign tb_id_o    = tb_id_q;
  assign idle_o     = none_running & ~(|valid_q);
  assign asked      = RoomWidth'($countones(asks));
  assign take_o     = (asked < room_i) ? asked : room_i;

  assign id_high      = id_i[IdWidth-1:LowWidth];
  assign id_high_next = id_high + (IdWidth-LowWidth)'(1);

  for (genvar p = 0; p < IssuePorts; p++) begin : gen_port
    localparam First = p * PortSms;
    localparam Members = (NumSm - First < PortSms) ? NumSm - First : PortSms;
    logic                 taken;
    logic [RoomWidth-1:0] rank;  // ports before this one that ask
    logic [LowWidth:0]    id_low;
    logic [IdWidth-1:0]   id;

    assign taken  = rank < room_i;
    assign id_low = {1'b0, id_i[LowWidth-1:0]} +
                    (pair_i ? {1'b0, rank, 1'b0} : {2'b00, rank});
    assign id     = {id_low[LowWidth] ? id_high_next : id_high, id_low[LowWidth-1:0]};
    assign offer_o[First +: Members] = pick[First +: Members] & {Members{taken}};

    if (p == 0) begin : gen_first
      assign rank = '0;
    end else begin : gen_later
      assign rank = RoomWidth'($countones(asks[p-1:0]));
    end

    round_robin_arbiter #(
      .Count(Members)
    ) u_turn (
      .clk_i,
      .rst_ni,
      .clear_i,
      .request_i(request[First +: Members]),
      .take_i(taken),
      .valid_o(asks[p]),
      .grant_o(pick[First +: Members])
    );

    for (genvar s = First; s < First + Members; s++) begin : gen_sm
      logic [IdWidth-1:0] offered;
      if (OwnIds != 0) begin : gen_own
        assign offered = own_i ? own_ids_i[s*IdWidth +: IdWidth] : id;
      end else begin : gen_shared
        assign offered = id;
      end

      always_ff @(posedge clk_i) begin
        if (offer_o[s]) tb_id_q[s*IdWidth +: IdWidth] <= offered;
        else if (issue[s] & second_q[s]) tb_id_q[s*IdWidth] <= 1'b1;
      end
    end
  end

  outstanding_tbs #(
    .NumSm(NumSm)
  ) u_running (
    .clk_i,
    .rst_ni,
    .issue_i(issue),
    .done_i(tb_done_i),
    .none_o(none_running),
    .adding_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      valid_q  <= '0;
      second_q <= '0;
    end else begin
      valid_q  <= (valid_q & ~issue) | (issue & second_q) | offer_o;
      second_q <= (second_q & ~issue) | (offer_o & {NumSm{pair_i}});
    end
  end

  if (OwnIds == 0) begin : gen_no_own_ids
    logic unused;
    assign unused = &{1'b0, own_i, own_ids_i};
  end

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (NumSm < 1 || NumSm > 256) begin : gen_0 num_sm_is_not_1_to_256 u (); end
  if (IssuePorts < 1 || IssuePorts > NumSm) begin : gen_1 issue_ports_is_not_1_to_num_sm u (); end
  if (OwnIds != 0 && OwnIds != 1) begin : gen_2 own_ids_is_not_0_or_1 u (); end
`else
  if (NumSm < 1 || NumSm > 256) $error("NumSm is not 1 to 256");
  if (IssuePorts < 1 || IssuePorts > NumSm) $error("IssuePorts is not 1 to NumSm");
  if (OwnIds != 0 && OwnIds != 1) $error("OwnIds is not 0 or 1");
`endif

endmodule
