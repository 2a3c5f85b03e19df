// Picks one of several requesters: the first at or after a given index, else the lowest one.
// Combinational; the caller keeps the index and sets it to `after_o` when it uses the pick.
module round_robin_pick #(
  /// Number of requesters.
  parameter int Count = 4,
  /// Bits of an index; leave it at its default.
  parameter int IndexWidth = (Count > 1) ? $clog2(Count) : 1
) (
  /// Per requester: it asks.
  input  logic [Count-1:0]      request_i,
  /// The requester with the highest priority, below Count.
  input  logic [IndexWidth-1:0] first_i,
  /// A requester asks.
  output logic                  valid_o,
  /// The requester that is picked, one-hot; zero if nobody asks.
  output logic [Count-1:0]      grant_o,
  /// Index of the requester that is picked; zero if nobody asks.
  output logic [IndexWidth-1:0] index_o,
  /// Index after that of the requester that is picked, with wrap-around.
  output logic [IndexWidth-1:0] after_o
);

  logic [Count-1:0] not_before;
  logic [Count-1:0] above;
  logic [Count-1:0] pool;

  assign not_before = {Count{1'b1}} << first_i;
  assign above      = request_i & not_before;
  assign pool       = (|above) ? above : request_i;
  assign grant_o    = pool & (~pool + Count'(1));  // lowest bit set
  assign valid_o    = |request_i;

  for (genvar b = 0; b < IndexWidth; b++) begin : gen_index
    logic [Count-1:0] has_bit;  // constant: the requesters whose index has bit b
    for (genvar i = 0; i < Count; i++) begin : gen_has_bit
      assign has_bit[i] = ((i >> b) & 1) != 0;
    end
    assign index_o[b] = |(grant_o & has_bit);
  end

  assign after_o = (index_o == IndexWidth'(Count - 1)) ? '0 : index_o + IndexWidth'(1);

endmodule
