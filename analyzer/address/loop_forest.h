// Natural loops of a kernel and how they nest.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_LOOP_FOREST_H_
#define FLAGSTONE_ANALYZER_ADDRESS_LOOP_FOREST_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/control_flow.h"

namespace flagstone {

inline constexpr uint32_t kNoLoop = ~uint32_t{0};

struct NaturalLoop {
  ptx::BlockId header = 0;
  uint32_t parent = kNoLoop;
  std::vector<ptx::BlockId> latches;  // ascending; blocks with an edge back to the header
  std::vector<bool> contains;         // by block
};

class LoopForest {
 public:
  explicit LoopForest(const ptx::ControlFlow& flow);

  const std::vector<NaturalLoop>& loops() const {
    return loops_;
  }  // an outer loop before its inner
  uint32_t InnermostOf(ptx::BlockId block) const { return innermost_[block]; }
  uint32_t HeaderOf(ptx::BlockId block) const { return header_of_[block]; }  // kNoLoop if no header
  bool Contains(uint32_t loop, ptx::BlockId block) const { return loops_[loop].contains[block]; }
  // Blocks that the entry reaches, each after its predecessors but for edges back.
  const std::vector<ptx::BlockId>& order() const { return order_; }
  bool Reachable(ptx::BlockId block) const { return reachable_[block]; }

 private:
  std::vector<NaturalLoop> loops_;
  std::vector<uint32_t> innermost_;
  std::vector<uint32_t> header_of_;
  std::vector<ptx::BlockId> order_;
  std::vector<bool> reachable_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_LOOP_FOREST_H_
