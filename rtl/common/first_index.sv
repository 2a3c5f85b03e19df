// The lowest of several requesters, as a number. Groups of eight look among themselves while the
// first group that has any is found. Combinational.
module first_index #(
  /// Number of requesters, at least 2.
  parameter Count = 48,
  /// Bits of a number; leave it at its default.
  parameter IndexWidth = $clog2(Count)
) (
  /// Who asks.
  input  logic [Count-1:0]      request_i,
  /// Somebody asks.
  output logic                  valid_o,
  /// The lowest that asks; zero if nobody does.
  output logic [IndexWidth-1:0] index_o
);

  localparam Groups = (Count + 7) / 8;

  logic [8*Groups-1:0] request;
  logic [Groups-1:0]   some, first;
  logic [3*Groups-1:0] lowest;  // of each group
  assign request = {{(8*Groups-Count){1'b0}}, request_i};
  assign first   = some & (~some + Groups'(1));
  assign valid_o = |some;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [7:0] own, low;
    assign own     = request[g*8 +: 8];
    assign low     = own & (~own + 8'd1);
    assign some[g] = |own;
    assign lowest[g*3 +: 3] = {|low[7:4], |(low & 8'hcc), |(low & 8'haa)};
  end

  logic [IndexWidth+2:0] index;
  always_comb begin
    index = '0;
    for (int g = 0; g < (Count + 7) / 8; g++) begin
      index |= ((IndexWidth+3)'(lowest[g*3 +: 3]) | ((IndexWidth+3)'(g) << 3))
               & {(IndexWidth+3){first[g]}};
    end
  end
  assign index_o = index[IndexWidth-1:0];

  logic unused;
  assign unused = &{1'b0, index[IndexWidth+2:IndexWidth]};

endmodule
