// Stimuli and responses of one hardware block as CSV: a row per cycle, a column per port.
//
// The header has the ports' names without `_i`, lanes as `name[3]`; a port of several lanes may
// also be one column, lane 0 lowest. Missing columns are 0. Values are decimal or 0x...; `#` begins
// a comment; empty lines do not count.
#ifndef FLAGSTONE_SYSTEMC_COSIM_STIMULUS_H_
#define FLAGSTONE_SYSTEMC_COSIM_STIMULUS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/cosim/any_block.h"

namespace flagstone {

struct Stimulus {
  struct Column {
    uint32_t port = 0;
    uint32_t lane = 0;
  };
  std::vector<Column> columns;
  std::vector<FieldValue> values;  // row after row, one for each column
  size_t rows = 0;
};

// `file` is named in errors. Throws kBadInput with file:line:column for an unknown or doubled
// column, what is no number, a value too wide, or a row of another length than the header.
Stimulus ParseStimulus(std::string_view text, std::string_view file,
                       const std::vector<AnyPort>& inputs);

// Sets all inputs: those of row `row`, or zeros from the last row on.
void ApplyRow(const Stimulus& stimulus, size_t row, AnyBlock* block);

// "busy,tb_id[0],tb_id[1]": each lane is a column.
std::string HeaderLine(const std::vector<AnyPort>& ports);
// The values of the inputs, or of the outputs after Settle; `-` for an output that means nothing,
// because its valid is low.
std::string InputLine(const AnyBlock& block);
std::string OutputLine(const AnyBlock& block);

// Drives `block`, which is out of reset, with all rows and then `drain` cycles of zeros. The result
// is the response's CSV: in row t the outputs of cycle t, before the edge that takes input row t.
std::string Respond(const Stimulus& stimulus, uint64_t drain, AnyBlock* block);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_STIMULUS_H_
