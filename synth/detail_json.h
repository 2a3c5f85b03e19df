// What `synth --detail` adds to a block: its area by instance, and the stages of its worst path.
#ifndef FLAGSTONE_SYNTH_DETAIL_JSON_H_
#define FLAGSTONE_SYNTH_DETAIL_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "synth/cell_library.h"
#include "synth/synth.h"

namespace flagstone {

// A cell on a path, by the pin where the signal leaves it.
struct PathStage {
  std::string cell;  // "AND2_X1", or what stands in its place: "in"
  std::string pin;   // "u_offers.valid_q[12]/Q"
  double delay_ps = 0;
  double arrival_ps = 0;  // from the clock's edge
};

// The stages of the first path that OpenSTA reports in timing.rpt (synth/timing.h).
std::vector<PathStage> StagesOf(std::string_view report);

// Puts `instances[]` and `worst_path.stages[]` into a block of ToJson().
void PutDetail(const SynthResult& result, const CellLibrary& library,
               nlohmann::ordered_json* block);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_DETAIL_JSON_H_
