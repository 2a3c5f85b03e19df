// The instruction cache of an SM at a coarse clock.
#ifndef FLAGSTONE_ANALYZER_REPLAY_CODE_CACHE_H_
#define FLAGSTONE_ANALYZER_REPLAY_CODE_CACHE_H_

#include <algorithm>
#include <vector>

#include "analyzer/replay/code_between.h"
#include "analyzer/replay/memory_levels.h"
#include "gpu_model/memory/tag_array.h"

namespace flagstone::replay {

class CodeCache {
 public:
  explicit CodeCache(const ReadOnlyCacheConfig& config)
      : tags_(config.size_kib * 1024, config.ways), there_(size_t{tags_.sets()} * config.ways, 0) {}

  // When a warp that is at the gap's code at `now` has all of it: lines come one after the other,
  // once for all warps that come while another one goes through the same code.
  double Fetch(uint32_t sm, const CodeBetween& code, uint16_t index, double now,
               MemoryLevels* levels) {
    const Gap& gap = code.gaps()[index];
    if (passes_.size() <= index) passes_.resize(code.gaps().size());
    Pass& pass = passes_[index];
    if (now >= pass.begin && now <= pass.end) return pass.end;
    pass.begin = now;
    for (uint32_t i = gap.first_line; i < gap.end_line; ++i) {
      const LineNumber line = kFirst + code.lines()[i];
      uint32_t way = tags_.Find(line);
      if (way != TagArray::kNone) {
        tags_.Touch(way);
      } else {
        way = tags_.Victim(line);
        tags_.Assign(way, line);
        there_[way] = levels->Load(sm, line, kAllSectors, now);
      }
      now = std::max(now, there_[way]);
    }
    pass.end = now;
    return now;
  }

 private:
  struct Pass {
    double begin = 0, end = -1;
  };
  static constexpr LineNumber kFirst = 0xf000'0000;  // far from all buffers

  TagArray tags_;
  std::vector<double> there_;
  std::vector<Pass> passes_;  // the last one of each gap
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_CODE_CACHE_H_
