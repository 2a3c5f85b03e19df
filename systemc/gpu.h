// The GPU as a SystemC module hierarchy: gpu.tb_scheduler, and of its one chip gpu.sm<N>, gpu.noc,
// gpu.l2_<N>, gpu.dram<N>.
#ifndef FLAGSTONE_SYSTEMC_GPU_H_
#define FLAGSTONE_SYSTEMC_GPU_H_

#include <cstdint>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "gpu_model/memory/clock_ratio.h"
#include "gpu_model/sm/tb_dispatch.h"
#include "systemc/chip.h"
#include "systemc/clock_domain.h"
#include "systemc/plug.h"

namespace flagstone {

class TbSchedulerModule : public sc_core::sc_module {
 public:
  TbSchedulerModule(sc_core::sc_module_name name, const TbDispatchSetup& setup)
      : sc_core::sc_module(name), core(setup) {
    replies.bind(plug_);
  }

  TbDispatch core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_{&core};
};

class GpuModule : public sc_core::sc_module {
 public:
  GpuModule(sc_core::sc_module_name name, const SmSetup& sm_setup, const TbDispatchSetup& dispatch,
            const AddressMap& map, const ClockDomain::Options& clocks, RunControl* control,
            uint64_t* core_cycle);
  void end_of_elaboration() override;

  // Puts every line of every buffer in the L2, in the order of the copies into device memory.
  void WarmL2(const DeviceMemory& memory);

  const ClockPeriods periods;

 private:
  ClockDomain core_clock_, interconnect_clock_, l2_clock_, dram_clock_;

 public:
  Chip chip;
  TbSchedulerModule tb_scheduler;

  // All of them, with their names.
  const std::vector<std::pair<const Clocked*, const char*>>& cores() const { return cores_; }

 private:
  void Add(ClockDomain* domain, Clocked* core, const char* name);

  std::vector<std::pair<const Clocked*, const char*>> cores_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_GPU_H_
