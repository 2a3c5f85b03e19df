// Ranges of data units with labels -> for each set of labels, how many units carry just that set.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_
#define FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash_index.h"

namespace flagstone {

// Sweeps the ends of all ranges in order. The cost is that of sorting the ends, and of one look at
// the labels per stretch between two ends; it does not grow with the ranges' lengths.
class UnitSweep {
 public:
  struct LabelSet {
    std::span<const uint32_t> labels;  // ascending, at least one; valid as long as the sweep
    uint64_t units = 0;
  };

  // Ranges of one label must not touch or overlap. begin < end.
  void Add(uint64_t begin, uint64_t end, uint32_t label);
  // Each set once, in the order of its first unit.
  std::vector<LabelSet> Run();

 private:
  struct End {
    uint64_t at = 0;
    uint32_t label = 0;
  };
  static void SortByPosition(std::vector<End>& ends);
  void Toggle(uint32_t label);
  void Count(uint64_t units);

  std::vector<End> ends_;  // of ranges: the label comes or goes
  std::vector<uint32_t> active_;
  uint64_t active_hash_ = 0;
  struct Set {
    size_t begin = 0;  // in labels_
    size_t size = 0;
    uint64_t units = 0;
  };
  std::vector<Set> sets_;
  std::vector<uint32_t> labels_;  // of all sets
  HashIndex set_of_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_
