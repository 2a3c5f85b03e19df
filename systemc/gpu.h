// The GPU as a SystemC module hierarchy: gpu.tb_scheduler, gpu.sm<N>, gpu.noc, gpu.l2_<N>,
// gpu.dram<N>. Modules give names, typed ports and bindings; the behaviour is in plain C++ cores.
#ifndef FLAGSTONE_SYSTEMC_GPU_H_
#define FLAGSTONE_SYSTEMC_GPU_H_

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "gpu_model/memory/clock_ratio.h"
#include "gpu_model/memory/l2_slice.h"
#include "gpu_model/memory/network.h"
#include "gpu_model/sm/sm_core.h"
#include "gpu_model/sm/tb_dispatch.h"
#include "systemc/clock_domain.h"
#include "systemc/dram_body.h"
#include "systemc/dram_socket.h"
#include "systemc/plug.h"

namespace flagstone {

// A part whose behaviour belongs to its parent's core: it gives the part its name.
class PartModule : public sc_core::sc_module {
 public:
  explicit PartModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
};

class SmModule : public sc_core::sc_module {
 public:
  SmModule(sc_core::sc_module_name name, const SmSetup& setup, uint32_t id);
  void end_of_elaboration() override { core.Connect(requests->core); }

  SmCore core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_{&core};
  PartModule l1_{"l1"};
  std::unique_ptr<PartModule> prefetcher_;  // where there is one
  std::vector<std::unique_ptr<PartModule>> warp_schedulers_;
};

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

// Request and reply networks. SM-side port n belongs to SM n, the one after the last to the TB
// scheduler.
class NocModule : public sc_core::sc_module {
 public:
  NocModule(sc_core::sc_module_name name, uint32_t sm_ports, uint32_t slices,
            const InterconnectConfig& config);
  void end_of_elaboration() override;

  Network request;
  Network reply;
  std::vector<std::unique_ptr<PlugExport<PacketPort>>> sm_in, slice_in;
  std::vector<std::unique_ptr<PlugPort<PacketSink>>> sm_out, slice_out;

 private:
  std::vector<std::unique_ptr<Plug<PacketPort>>> plugs_;
};

class L2Module : public sc_core::sc_module {
 public:
  L2Module(sc_core::sc_module_name name, const L2Config& config, const AddressMap& map,
           uint32_t slice);
  void end_of_elaboration() override { core.Connect(replies->core, &dram); }

  L2Slice core;
  PlugPort<PacketPort> replies{"replies"};
  PlugExport<PacketSink> requests{"requests"};
  DramSocket dram{"dram"};

 private:
  Plug<PacketSink> request_plug_{&core};
};

class GpuModule : public sc_core::sc_module {
 public:
  GpuModule(sc_core::sc_module_name name, const SmSetup& sm_setup, const TbDispatchSetup& dispatch,
            const ClockDomain::Options& clocks, RunControl* control, uint64_t* core_cycle);
  void end_of_elaboration() override;

  // Puts every line of every buffer in the L2, in the order of the copies into device memory.
  void WarmL2(const DeviceMemory& memory);

  const ClockPeriods periods;
  std::vector<std::unique_ptr<SmModule>> sms;
  std::unique_ptr<TbSchedulerModule> tb_scheduler;
  std::unique_ptr<NocModule> noc;
  std::vector<std::unique_ptr<L2Module>> l2;
  std::vector<std::unique_ptr<DramBody>> dram;

  // All of them, with their names.
  const std::vector<std::pair<const Clocked*, const char*>>& cores() const { return cores_; }

 private:
  void Add(ClockDomain* domain, Clocked* core, const char* name);
  void Bind();

  const AddressMap* map_;
  ClockDomain core_clock_, interconnect_clock_, l2_clock_, dram_clock_;
  std::vector<std::pair<const Clocked*, const char*>> cores_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_GPU_H_
