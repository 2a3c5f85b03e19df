#include "gpu_model/simt/register_rows.h"

#include <algorithm>
#include <bit>
#include <span>

#include "kernels/ptx/liveness.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;

struct Interval {
  uint32_t first = ~uint32_t{0};  // above `last`: of a register that nobody uses
  uint32_t last = 0;

  void Include(uint32_t pc) {
    first = std::min(first, pc);
    last = std::max(last, pc);
  }
};

bool WritesLater(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::kAtom || instruction.opcode == Opcode::kBar;
}

void IncludeAll(std::span<const uint64_t> live, uint32_t pc, std::vector<Interval>* intervals) {
  for (size_t word = 0; word < live.size(); ++word) {
    for (uint64_t left = live[word]; left != 0; left &= left - 1) {
      (*intervals)[word * 64 + static_cast<size_t>(std::countr_zero(left))].Include(pc);
    }
  }
}

std::vector<Interval> Intervals(const ptx::Kernel& kernel, const ptx::ControlFlow& flow) {
  const auto count = static_cast<uint32_t>(kernel.instructions.size());
  std::vector<Interval> intervals(kernel.registers.size());
  for (uint32_t pc = 0; pc < count; ++pc) {
    const ptx::Instruction& instruction = kernel.instructions[pc];
    const bool always = WritesLater(instruction);
    const auto include = [&](ptx::RegisterId reg) { intervals[reg].Include(pc); };
    ptx::ForEachRead(instruction, include);
    ptx::ForEachWritten(instruction, include);
    ptx::ForEachWritten(instruction, [&](ptx::RegisterId reg) {
      if (always) intervals[reg] = {0, count};
    });
  }
  const ptx::Liveness liveness(kernel, flow);
  std::vector<uint64_t> end;
  for (ptx::BlockId block = 0; block < flow.blocks().size(); ++block) {
    IncludeAll(liveness.AtStart(block), flow.blocks()[block].begin, &intervals);
    liveness.AtEnd(block, &end);
    IncludeAll(end, flow.blocks()[block].end - 1, &intervals);
  }
  return intervals;
}

// The rows of one width. The lowest free row is taken: those in use stay few.
class Rows {
 public:
  uint32_t Take(const Interval& interval) {
    const auto free = std::find_if(until_.begin(), until_.end(),
                                   [&](uint32_t until) { return until < interval.first; });
    const auto row = static_cast<uint32_t>(free - until_.begin());
    if (free == until_.end()) {
      until_.push_back(interval.last);
    } else {
      *free = interval.last;
    }
    return row;
  }
  uint32_t count() const { return static_cast<uint32_t>(until_.size()); }

 private:
  std::vector<uint32_t> until_;  // of each row: where it is needed last
};

}  // namespace

RegisterRows ShareRows(const ptx::Kernel& kernel, const ptx::ControlFlow& flow) {
  const std::vector<Interval> intervals = Intervals(kernel, flow);
  std::vector<ptx::RegisterId> order;
  for (ptx::RegisterId reg = 0; reg < intervals.size(); ++reg) {
    const bool predicate = kernel.registers[reg].type == ptx::Type::kPred;
    if (!predicate && intervals[reg].first <= intervals[reg].last) order.push_back(reg);
  }
  std::stable_sort(order.begin(), order.end(), [&](ptx::RegisterId a, ptx::RegisterId b) {
    return intervals[a].first < intervals[b].first;
  });
  RegisterRows rows;
  rows.row.assign(intervals.size(), 0);
  Rows narrow, wide;
  for (const ptx::RegisterId reg : order) {
    const bool is_wide = ptx::SizeInBytes(kernel.registers[reg].type) == 8;
    rows.row[reg] = (is_wide ? wide : narrow).Take(intervals[reg]);
  }
  rows.narrow = narrow.count();
  rows.wide = wide.count();
  return rows;
}

}  // namespace flagstone::simt
