// What `flagstone synth` prints: the costs, and area against clock.
#ifndef FLAGSTONE_APP_CLI_SYNTH_TABLES_H_
#define FLAGSTONE_APP_CLI_SYNTH_TABLES_H_

#include <string>
#include <string_view>
#include <vector>

#include "synth/synth.h"

namespace flagstone {

// "NumSm=28 Style=1": the parameters in which a row differs from others of its block.
std::string ParameterText(const SynthBlock& block);

// "1,358": not negative, rounded to a whole number.
std::string WholeText(double value);

// Area, and clock, leakage and energy, each in a table of its own: together too wide for a page.
std::string SynthText(const std::vector<SynthResult>& results);

// The same blocks, each once for each clock up to 1.4 GHz, CAPS's (its Table III).
std::vector<SynthBlock> AtEachPoint(const std::vector<SynthBlock>& blocks);
// A row for each block of AtEachPoint: area and the clock reached, for each clock.
std::string PointsText(const std::vector<SynthResult>& results);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_SYNTH_TABLES_H_
