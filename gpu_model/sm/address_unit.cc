#include "gpu_model/sm/address_unit.h"

#include <algorithm>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/sm/address_spaces.h"
#include "gpu_model/sm/coalescer.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

AddressUnit::AddressUnit(const Program& program, uint32_t sm)
    : sm_(sm), local_bytes_(program.launch().LocalBytes()) {}

const LaneAddresses* AddressUnit::Take(const InstructionInfo& info, const StepResult& step,
                                       MemoryInstruction* memory) {
  using Kind = MemoryInstruction::Kind;
  memory->watched = false;
  if (step.space == MemorySpace::kShared) {
    memory->kind = Kind::kShared;
    memory->returns = true;
    memory->bank_cycles = BankCycles(*step.addresses, step.in_space, info.bytes, info.is_atomic);
    return nullptr;
  }
  memory->kind = info.is_atomic ? Kind::kAtomic : info.is_store ? Kind::kStore : Kind::kLoad;
  memory->returns = info.is_load || info.is_atomic;
  memory->local = step.space == MemorySpace::kLocal;
  const LaneAddresses& addresses = Place(info, step, memory->warp);
  Coalesce(addresses, step.in_space, &memory->requests);
  if (info.is_atomic) {
    CountConflicts(addresses, step.in_space, memory->requests, &memory->conflicts);
  }
  return step.space == MemorySpace::kGlobal ? &addresses : nullptr;
}

// In the address space of L2 and DRAM.
const LaneAddresses& AddressUnit::Place(const InstructionInfo& info, const StepResult& step,
                                        uint32_t warp) {
  if (step.space == MemorySpace::kLocal) {
    const uint64_t bytes = std::max<uint64_t>(info.bytes, 1);
    const uint64_t base =
        kLocalBase + (uint64_t{sm_} * kMaxWarps + warp) * local_bytes_ * kWarpSize;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      placed_[lane] = base + (*step.addresses)[lane] * kWarpSize + lane * bytes;
    }
    return placed_;
  }
  if (info.space == MemorySpace::kParam) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      placed_[lane] = kParameterBase + (*step.addresses)[lane];
    }
    return placed_;
  }
  return *step.addresses;
}

}  // namespace flagstone
