// Picks one of several requesters in turn: the first one after the one picked before, else the
// lowest. The pick is combinational; a register keeps whose turn comes first, as one bit for each
// requester, so that nothing has to be decoded before the pick or encoded after it.
//
// In groups of eight: each group finds its own candidate while the group is chosen. A requester
// waits for few gates however many there are.
module round_robin_arbiter #(
  /// Number of requesters.
  parameter int Count = 4
) (
  /// Clock, rising edge.
  input  logic             clk_i,
  /// Synchronous reset, active low.
  input  logic             rst_ni,
  /// Requester 0 comes first again.
  input  logic             clear_i,
  /// Per requester: it asks.
  input  logic [Count-1:0] request_i,
  /// The pick of this cycle is used: from the next cycle on, the requesters after it come first.
  input  logic             take_i,
  /// A requester asks.
  output logic             valid_o,
  /// The requester that is picked, one-hot; zero if nobody asks.
  output logic [Count-1:0] grant_o
);

  localparam Size = 8;
  localparam Groups = (Count + Size - 1) / Size;

  logic [Count-1:0]  first_q, after;  // those after the last pick, and after this one
  logic [Groups-1:0] asks, asks_first;
  logic              any_first;

  assign any_first = |asks_first;
  assign valid_o   = |asks;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam First = g * Size;
    localparam Members = (Count - First < Size) ? Count - First : Size;

    // This group is picked; it comes after the one that is picked.
    logic lower_asks, lower_asks_first, chosen, later;
    if (g == 0) begin : gen_lowest
      assign lower_asks       = 1'b0;
      assign lower_asks_first = 1'b0;
    end else begin : gen_upper
      assign lower_asks       = |asks[g-1:0];
      assign lower_asks_first = |asks_first[g-1:0];
    end
    assign later  = any_first ? lower_asks_first : lower_asks;
    assign chosen = any_first ? asks_first[g] & ~lower_asks_first : asks[g] & ~lower_asks;

    // The group's members. If anybody's turn comes first, the group picked has such a member.
    logic [Members-1:0] request, first, candidates;
    assign request       = request_i[First +: Members];
    assign first         = request & first_q[First +: Members];
    assign asks[g]       = |request;
    assign asks_first[g] = |first;
    assign candidates    = asks_first[g] ? first : request;
    assign grant_o[First] = chosen & candidates[0];
    assign after[First]   = later;
    for (genvar m = 1; m < Members; m++) begin : gen_member
      assign grant_o[First + m] = chosen & candidates[m] & ~(|candidates[m-1:0]);
      assign after[First + m]   = later | (chosen & (|candidates[m-1:0]));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) first_q <= '0;
    else if (take_i && valid_o) first_q <= after;
  end

endmodule
