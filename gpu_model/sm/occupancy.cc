#include "gpu_model/sm/occupancy.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

constexpr uint32_t kMost =
    255;  // registers of a thread that instructions of sm_35 to sm_120 can name

// What a compiler is bound to by .maxntid and .reqntid: so few registers that a TB of that size
// fits. Of the threads launched, not of those declared: a smaller TB may have what it would have
// without.
uint32_t MostForADeclaredTb(const SmConfig& sm, const KernelLaunch& launch) {
  const ptx::Kernel& kernel = *launch.kernel;
  if (kernel.max_threads[0] == 0 && kernel.required_threads[0] == 0) return kMost;
  const uint64_t granularity = sm.register_granularity;
  const uint64_t per_warp = sm.registers / launch.WarpsPerTb() / granularity * granularity;
  return static_cast<uint32_t>(std::clamp<uint64_t>(per_warp / 32, 1, kMost));
}

struct Resource {
  std::string_view name;
  uint64_t have;    // of one SM
  uint64_t needed;  // by one TB
};

}  // namespace

Occupancy ComputeOccupancy(const MachineConfig& machine, const KernelLaunch& launch) {
  const SmConfig& sm = machine.sm;
  Occupancy occupancy;
  occupancy.registers_estimated = !launch.registers.has_value();
  // More are spilled.
  const uint32_t most = launch.kernel->max_registers != 0 ? launch.kernel->max_registers
                                                          : MostForADeclaredTb(sm, launch);
  occupancy.registers_per_thread = occupancy.registers_estimated
                                       ? std::min(EstimateRegisters(*launch.kernel), most)
                                       : *launch.registers;

  const uint64_t warps = launch.WarpsPerTb();
  const uint64_t granularity = sm.register_granularity;
  const uint64_t per_warp =
      (uint64_t{occupancy.registers_per_thread} * 32 + granularity - 1) / granularity * granularity;
  const Resource resources[] = {
      {"threads", sm.max_threads, launch.ThreadsPerTb()},
      {"registers", sm.registers, per_warp * warps},
      {"shared memory", uint64_t{sm.shared_kib} * 1024, launch.SharedBytes()},
      {"warps", sm.max_warps, warps},
      {"TB slots", sm.max_tbs, 1},
  };
  uint64_t fit = ~uint64_t{0};
  for (const Resource& resource : resources) {
    if (resource.needed > resource.have) {
      ThrowBadInput("kernel '{}': one TB needs {} {}{}, but an SM of machine '{}' has {}",
                    launch.kernel->name, resource.needed,
                    resource.name == "shared memory" ? "bytes of " : "", resource.name,
                    machine.name, resource.have);
    }
    const uint64_t tbs = resource.needed == 0 ? ~uint64_t{0} : resource.have / resource.needed;
    if (tbs < fit) {
      fit = tbs;
      occupancy.limit = resource.name;
    }
  }
  occupancy.tbs_per_sm = static_cast<uint32_t>(fit);
  return occupancy;
}

}  // namespace flagstone
