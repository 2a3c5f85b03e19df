// A standard-cell library: what Flagstone itself uses of a Liberty file. Timing is OpenSTA's and
// abc's business.
#ifndef FLAGSTONE_SYNTH_CELL_LIBRARY_H_
#define FLAGSTONE_SYNTH_CELL_LIBRARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flagstone {

enum class CellKind : uint8_t { kCombinational, kFlipFlop, kLatch, kClockGate, kOther };

struct CellPin {
  std::string name;
  bool input = false;
  double capacitance_ff = 0;
  std::string function;  // of an output; "" if it has none
  double energy_fj = 0;  // within the cell at each change of this pin, the mean of all tables
};

struct LibraryCell {
  std::string name;
  CellKind kind = CellKind::kOther;
  double area_um2 = 0;
  double leakage_nw = 0;
  std::vector<CellPin> pins;
  // Flip-flops: next state and clock; latches: data and the level at which they are open; clock
  // gates: enable and clock pin. Liberty expressions over pins.
  std::string data, clock;
  std::string state, state_inverse;  // internal names that the outputs' functions use
  bool plain = false;                // no reset, set, scan or other input
  // Flip-flops: the least clock-to-output delay and the mean set-up time of the tables.
  double clock_to_output_ns = 0, setup_ns = 0;

  const CellPin* Pin(std::string_view name) const;  // or null
};

struct CellLibrary {
  std::string name;
  std::string file;
  std::string text;  // the file's bytes
  double voltage = 0;
  double capacitance_unit_ff = 1;  // of the file
  std::map<std::string, LibraryCell> cells;

  const LibraryCell* Find(const std::string& name) const;  // or null
  // The smallest plain cell of a kind, or null. `clock`: what its clock expression must be a form
  // of: "" any, "+" a pin, "-" an inverted pin.
  const LibraryCell* Smallest(CellKind kind, std::string_view clock = "") const;
  // The smallest cell without inputs whose output is `value` ('0' or '1'), or null.
  const LibraryCell* Tie(char value) const;
  // The smallest cell of one input whose output is that input (inverted), or null.
  const LibraryCell* Follower(bool inverted) const;
};

// `name`: empty for the built-in library, "osu018", "osu035" or "osu050" for Debian's packages of
// these, else a path. Throws kBadInput when the file is missing, is no whole Liberty file, has no
// flip-flop, or has units that are not known; kInternal when a Debian package is not installed.
CellLibrary ReadCellLibrary(const std::string& name);
// From text, as if read from `file`.
CellLibrary MakeCellLibrary(std::string text, const std::string& file);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_CELL_LIBRARY_H_
