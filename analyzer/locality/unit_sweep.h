// Ranges of data units with labels -> for each set of labels, how many units carry just that set.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_
#define FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace flagstone {

// Sweeps the ends of all ranges in order. The cost is that of sorting the ends, and of one look at
// the labels per stretch between two ends; it does not grow with the ranges' lengths.
class UnitSweep {
 public:
  struct LabelSet {
    std::vector<uint32_t> labels;  // ascending, at least one
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
  std::vector<LabelSet> sets_;
  std::unordered_multimap<uint64_t, uint32_t> set_of_;  // by hash of the labels
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_UNIT_SWEEP_H_
