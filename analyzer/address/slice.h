// Backward slices: the instructions that decide a value, or whether and where an access happens.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_H_

#include <cstdint>
#include <vector>

#include "analyzer/address/ssa.h"

namespace flagstone {

struct Slice {
  std::vector<bool> contains;   // by pc; branches included
  std::vector<uint32_t> reads;  // pcs in the slice whose result no launch fixes: loads from memory
                                // but .const, and from parameters at varying places,
                                // atomics, clocks, SM numbers, and instructions that are not
                                // executed; ascending
  std::vector<uint32_t> constants;  // pcs of the loads from .const memory; ascending
};

class Slicer {
 public:
  Slicer(const ptx::Kernel& kernel, const ptx::ControlFlow& flow, const LoopForest& forest,
         const Ssa& ssa);

  // Of the address of a load or store: data, and the branches that choose among definitions.
  Slice OfAddress(uint32_t pc) const;
  // Of the address and of whether and how often the access happens.
  Slice OfAccess(uint32_t pc) const;

 private:
  struct Work;
  void Run(Work& work) const;
  void AddAddress(Work& work, uint32_t pc) const;
  void AddValue(Work& work, ValueId value) const;
  void AddController(Work& work, ptx::BlockId block) const;
  void AddControllersOf(Work& work, ptx::BlockId block) const;
  Slice Finish(const Work& work) const;

  const ptx::Kernel* kernel_;
  const ptx::ControlFlow* flow_;
  const LoopForest* forest_;
  const Ssa* ssa_;
  std::vector<std::vector<ptx::BlockId>> controllers_;  // blocks whose branch decides on a block
};

// All that is known of a kernel's structure, worked out once.
struct KernelStructure {
  explicit KernelStructure(const ptx::Kernel& kernel)
      : flow(kernel), forest(flow), ssa(kernel, flow, forest), slicer(kernel, flow, forest, ssa) {}
  KernelStructure(const KernelStructure&) = delete;
  KernelStructure& operator=(const KernelStructure&) = delete;

  const ptx::ControlFlow flow;
  const LoopForest forest;
  const Ssa ssa;
  const Slicer slicer;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_H_
