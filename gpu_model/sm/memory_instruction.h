// A memory instruction on its way from the issue stage through a load/store unit.
#ifndef FLAGSTONE_GPU_MODEL_SM_MEMORY_INSTRUCTION_H_
#define FLAGSTONE_GPU_MODEL_SM_MEMORY_INSTRUCTION_H_

#include <cstdint>

#include "gpu_model/sm/coalescer.h"

namespace flagstone {

struct MemoryInstruction {
  enum class Kind : uint8_t { kShared, kLoad, kStore, kAtomic };
  Kind kind = Kind::kLoad;
  uint8_t warp = 0;
  uint8_t tb_slot = 0;
  bool local = false;    // local memory: in the L1 also where that is off for global memory
  bool watched = false;  // a global load that the load watchers see
  bool returns = true;   // someone waits for its end: loads and atomics, and shared ones likewise
  uint32_t pc = 0;
  uint32_t bank_cycles = 1;    // kShared
  CoalescedRequests requests;  // the others
  AtomicConflicts conflicts;   // kAtomic
  uint64_t issued = 0;         // set by LoadStoreUnit::Issued()
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_MEMORY_INSTRUCTION_H_
