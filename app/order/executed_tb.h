// The deterministic accesses that one TB executes, and how those of another TB differ from them.
// Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_EXECUTED_TB_H_
#define FLAGSTONE_APP_ORDER_EXECUTED_TB_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/address/slice_evaluator.h"

namespace flagstone::order {

class ExecutedTb {
 public:
  // That lanes of a warp run at once. What is alike in many of them is kept once.
  struct Access {
    uint32_t pc = 0, warp = 0, lanes = 0;
    uint32_t pattern = 0;   // of the lanes' addresses, from that of the first one
    uint64_t address = 0;   // of the first lane
    uint64_t turn = 0;      // of all lanes, as in SliceEvaluator::Executed, ...
    size_t turns = kAlike;  // ... or where those of each lane are
  };
  using Shifts = std::map<uint32_t, int64_t>;  // bytes, by pc

  // Nothing where the evaluator finds an address that it cannot tell.
  static std::optional<ExecutedTb> Evaluate(uint64_t tb, uint32_t warps, SliceEvaluator* evaluator);

  // How far each access of another TB's first `warps` warps is from this one's; nothing where it is
  // not one distance, or another access.
  std::optional<Shifts> ShiftsTo(uint64_t tb, uint32_t warps, SliceEvaluator* evaluator) const;

  const std::vector<Access>& accesses() const { return accesses_; }
  // How often each thread executes an access, by pc, then thread.
  const std::map<uint32_t, std::vector<uint32_t>>& times() const { return times_; }
  uint32_t MostTimes() const;
  // Calls visit(thread, address, turn) for each lane.
  template <class Visit>
  void ForLanes(const Access& access, Visit visit) const {
    const Offsets& offsets = patterns_[access.pattern];
    for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      visit(access.warp * kSliceLanes + lane, access.address + offsets[lane],
            access.turns == kAlike ? access.turn : turns_[access.turns][lane]);
    }
  }

 private:
  using Offsets = std::array<uint64_t, kSliceLanes>;
  static constexpr size_t kAlike = ~size_t{0};

  void Add(const SliceEvaluator::Together& executed, uint32_t warp, uint32_t warps,
           const SliceEvaluator& evaluator);
  uint32_t PatternOf(const SliceEvaluator::Together& executed);
  bool IsAlike(const SliceEvaluator::Together& here, const Access& there, Shifts* shifts) const;
  static bool HasOffsets(const SliceEvaluator::Together& executed, const Offsets& offsets);

  std::vector<Access> accesses_;  // warp by warp
  std::vector<size_t> end_;       // of `accesses_`, by warp
  std::vector<Offsets> patterns_, turns_;
  std::map<uint32_t, std::vector<uint32_t>> times_;
  std::map<uint32_t, std::vector<uint32_t>> patterns_of_;  // by pc
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_EXECUTED_TB_H_
