// The GPU as a SystemC module hierarchy: gpu.tb_scheduler, gpu.sm<N>, gpu.noc, gpu.l2_<N> and
// gpu.dram<N>; of several nodes gpu.fabric, gpu.tb_root and each of these below its node:
// gpu.node3.sm<N>, with gpu.node3.l2_policy.
#ifndef FLAGSTONE_SYSTEMC_GPU_H_
#define FLAGSTONE_SYSTEMC_GPU_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "gpu_model/dispatch/tb_root_unit.h"
#include "gpu_model/memory/clock_ratio.h"
#include "gpu_model/memory/fabric.h"
#include "gpu_model/memory/tag_array.h"
#include "systemc/clock_domain.h"
#include "systemc/node.h"

namespace flagstone {

// The links between the nodes.
class FabricModule : public sc_core::sc_module {
 public:
  explicit FabricModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {}

  std::optional<Fabric> core;
};

// Starts the nodes' TB schedulers.
class TbRootModule : public sc_core::sc_module {
 public:
  explicit TbRootModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {}

  std::optional<TbRootUnit> core;
};

// Modules and bindings are those of a machine, and stay; each launch makes the cores anew.
class GpuModule : public sc_core::sc_module {
 public:
  GpuModule(sc_core::sc_module_name name, const MachineConfig& machine);

  // After elaboration: a launch begins at the present time. A setup for each node; where there are
  // several, `root` as well, else null. All must outlive the launch.
  void Begin(const std::deque<NodeSetup>& setups, const TbRootSetup* root,
             const ClockDomain::Options& clocks, RunControl* control, uint64_t* core_cycle);
  // The launch has been counted: no core is left.
  void End();
  // Time since it began.
  uint64_t Elapsed() const { return core_clock_.Elapsed(); }

  // Of one node: puts every line of every buffer in the L2, in the order of the copies into device
  // memory.
  void WarmL2(const DeviceMemory& memory);
  // What another launch has left, by L2Tags and ReadOnlyTags; empty: the caches begin with nothing.
  void TakeL2(const std::vector<TagArray>& tags);
  void TakeReadOnly(const std::vector<std::vector<TagArray>>& tags);
  std::vector<TagArray> L2Tags() const;                     // of all slices
  std::vector<std::vector<TagArray>> ReadOnlyTags() const;  // of all SMs
  void ClassifyL2Misses();                                  // of all slices, from now on
  // Begins to write all dirty lines back (L2Slice::Flush).
  void FlushL2();

  const ClockPeriods periods;

 private:
  const uint32_t gpus_;
  const MachineConfig of_node_;
  const AddressMap map_;
  ClockDomain core_clock_, interconnect_clock_, l2_clock_, dram_clock_;
  std::unique_ptr<Node> only_node_;
  std::vector<std::unique_ptr<NodeModule>> node_modules_;  // of several

 public:
  std::vector<Node*> nodes;
  std::unique_ptr<FabricModule> fabric;   // null: there is one node
  std::unique_ptr<TbRootModule> tb_root;  // likewise

  const AddressMap& map() const { return map_; }  // of a node's memory
  // Those of all nodes, node after node.
  const std::vector<SmModule*>& sms() const { return sms_; }
  const std::vector<L2Module*>& l2() const { return l2_; }
  const std::vector<DramBody*>& dram() const { return dram_; }

  uint32_t gpus() const { return gpus_; }
  TbStatistics Tbs() const;  // of all TB schedulers
  bool HandsOutTbs() const;  // a TB scheduler is busy

  // All of them, with their names.
  const std::vector<std::pair<const Clocked*, const char*>>& cores() const { return cores_; }

 private:
  void MakeNodes(const MachineConfig& machine);
  void ConnectNodes();
  void AddCores();
  void Add(ClockDomain* domain, Clocked* core, const char* name);

  std::vector<SmModule*> sms_;
  std::vector<L2Module*> l2_;
  std::vector<DramBody*> dram_;
  std::vector<std::pair<const Clocked*, const char*>> cores_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_GPU_H_
