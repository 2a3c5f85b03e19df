#include "app/flow/studies/warp_distance.h"

#include <iterator>

namespace flagstone {

void WarpDistance::Add(const LoadEvent& load) {
  WarpLoad& own = loads_[{load.pc, load.warp}];
  if (own.executions == 0 || own.tb != load.tb) {
    // What was predicted for the TB before is void.
    if (own.executions != 0) own.predictions.clear();
    own.tb = load.tb;
    own.executions = 0;
  }
  ++own.executions;
  Score(load, &own);
  int64_t stride = 0;
  if (!Learn(load, &stride)) return;
  for (uint32_t d = 1; d <= figures_.size(); ++d) {
    WarpLoad& target = loads_[{load.pc, load.warp + d}];
    if (target.executions >= own.executions) continue;
    std::vector<Prediction>& predictions = target.predictions[own.executions];
    predictions.resize(figures_.size());
    predictions[d - 1] = {load.address + static_cast<uint64_t>(stride * int64_t{d}), load.cycle,
                          load.tb, true};
  }
}

void WarpDistance::Score(const LoadEvent& load, WarpLoad* target) {
  const auto found = target->predictions.find(target->executions);
  if (found == target->predictions.end()) return;
  for (size_t i = 0; i < figures_.size(); ++i) {
    const Prediction& prediction = found->second[i];
    if (!prediction.valid) continue;
    const bool correct = prediction.address / kLineBytes == load.address / kLineBytes;
    const bool same_tb = prediction.tb == load.tb;
    WarpDistanceFigures& figures = figures_[i];
    ++figures.targets;
    figures.correct += correct ? 1 : 0;
    figures.same_tb += same_tb ? 1 : 0;
    figures.same_tb_correct += correct && same_tb ? 1 : 0;
    figures.cycles += load.cycle - prediction.cycle;
  }
  target->predictions.erase(target->predictions.begin(), std::next(found));
}

// True when the load has a stride that was seen twice in a row.
bool WarpDistance::Learn(const LoadEvent& load, int64_t* stride) {
  const auto [it, first] = strides_.try_emplace(load.pc);
  Stride& entry = it->second;
  const int64_t warps = int64_t{load.warp} - int64_t{entry.warp};
  const auto bytes = static_cast<int64_t>(load.address - entry.address);
  entry.warp = load.warp;
  entry.address = load.address;
  if (first || warps == 0) return false;
  const bool regular = bytes % warps == 0;
  const bool again = regular && entry.has_stride && bytes / warps == entry.stride;
  entry.has_stride = regular;
  if (regular) entry.stride = bytes / warps;
  *stride = entry.stride;
  return again;
}

}  // namespace flagstone
