// The lowest of several requesters, as a number. Groups of eight look among themselves while the
// first group that has any is found. Combinational.
module first_index #(
  /// Number of requesters, at least 2.
  parameter int Count = 48,
  /// Bits of a number; leave it at its default.
  parameter int IndexWidth = $clog2(Count)
) (
  /// A search is wanted; else nobody is found, which spares simulators the search.
  input  logic                  look_i,
  /// Per requester: it asks.
  input  logic [Count-1:0]      request_i,
  /// A requester is found.
  output logic                  valid_o,
  /// The lowest requester that asks; zero if nobody does.
  output logic [IndexWidth-1:0] index_o
);

  localparam Groups = (Count + 7) / 8;
  localparam Bits   = 8 * Groups;

  // Whether any of the eight of a group asks, at the first of them.
  function automatic [Bits-1:0] any_of_8;
    input [Bits-1:0] bits;
    reg   [Bits-1:0] pairs, fours;
    begin
      pairs    = bits | (bits >> 1);
      fours    = pairs | (pairs >> 2);
      any_of_8 = fours | (fours >> 4);
    end
  endfunction

  // All groups at once: `upto` tells, at each bit, of the requesters of its group up to there.
  logic [Bits-1:0]   upto, low, here;
  logic [Groups-1:0] some, first;
  always_comb begin
    upto    = '0;
    low     = '0;
    here    = '0;
    some    = '0;
    first   = '0;
    index_o = '0;
    if (look_i) begin
      upto = Bits'(request_i);
      upto |= (upto << 1) & {Groups{8'hfe}};
      upto |= (upto << 2) & {Groups{8'hfc}};
      upto |= (upto << 4) & {Groups{8'hf0}};
      low  = Bits'(request_i) & ~((upto << 1) & {Groups{8'hfe}});
      for (int g = 0; g < (Count + 7) / 8; g++) some[g] = upto[g*8+7];
      first = some & (~some + Groups'(1));
      for (int g = 0; g < (Count + 7) / 8; g++) begin
        here[g*8] = first[g];
        index_o |= IndexWidth'(g << 3) & {IndexWidth{first[g]}};
      end
      index_o |= IndexWidth'({|(any_of_8(low & {Groups{8'hf0}}) & here),
                              |(any_of_8(low & {Groups{8'hcc}}) & here),
                              |(any_of_8(low & {Groups{8'haa}}) & here)});
    end
  end
  assign valid_o = |some;

`ifdef __ICARUS__  // It has no $error here, but misses a module that says what is wrong.
  if (Count < 2) begin : gen_0 count_is_not_at_least_2 u (); end
`else
  if (Count < 2) $error("Count is not at least 2");
`endif

endmodule
