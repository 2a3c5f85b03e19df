#include "systemc/gpu.h"

#include <fmt/core.h>

#include <algorithm>

namespace flagstone {

GpuModule::GpuModule(sc_core::sc_module_name name, const MachineConfig& machine)
    : sc_core::sc_module(name),
      periods(machine.clock),
      gpus_(machine.numa.gpus),
      of_node_(machine.OfNode()),
      map_(of_node_),
      core_clock_("core_clock", periods.core),
      interconnect_clock_("interconnect_clock", periods.interconnect),
      l2_clock_("l2_clock", periods.l2),
      dram_clock_("dram_clock", periods.dram) {
  MakeNodes(machine);
}

void GpuModule::MakeNodes(const MachineConfig& machine) {
  if (machine.numa.Nodes() == 1) {
    only_node_ = std::make_unique<Node>(of_node_, map_);
    nodes.push_back(only_node_.get());
  } else {
    for (uint32_t n = 0; n < machine.numa.Nodes(); ++n) {
      const std::string node = fmt::format("node{}", n);
      node_modules_.push_back(std::make_unique<NodeModule>(node.c_str(), of_node_, map_));
      nodes.push_back(&node_modules_.back()->node);
    }
    fabric = std::make_unique<FabricModule>("fabric");
    tb_root = std::make_unique<TbRootModule>("tb_root");
  }
  for (const Node* node : nodes) {
    for (const auto& sm : node->chip.sms) sms_.push_back(sm.get());
    for (const auto& slice : node->chip.l2) l2_.push_back(slice.get());
    for (const auto& channel : node->chip.dram) dram_.push_back(channel.get());
  }
}

void GpuModule::Begin(const std::deque<NodeSetup>& setups, const TbRootSetup* root,
                      const ClockDomain::Options& clocks, RunControl* control,
                      uint64_t* core_cycle) {
  for (size_t n = 0; n < nodes.size(); ++n) nodes[n]->Begin(setups[n]);
  if (fabric != nullptr) {
    const MachineConfig& machine = *setups.front().sm.machine;
    fabric->core.emplace(machine.numa, machine.l2.slices);
    tb_root->core.emplace(*root);
    ConnectNodes();
  }
  for (ClockDomain* clock : {&core_clock_, &interconnect_clock_, &l2_clock_, &dram_clock_}) {
    clock->Begin(clocks, control);
  }
  core_clock_.SetWatched(core_cycle);
  AddCores();
}

void GpuModule::ConnectNodes() {
  std::vector<TbDispatch*> dispatches;
  for (Node* node : nodes) dispatches.push_back(&*node->tb_scheduler.core);
  tb_root->core->Connect(std::move(dispatches));
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const std::vector<NumaL2Slice*>& slices = nodes[n]->chip.numa_l2;
    for (uint32_t i = 0; i < slices.size(); ++i) {
      slices[i]->ConnectFabric(fabric->core->port(n, i));
      fabric->core->ConnectSink(n, i, slices[i]);
    }
  }
}

void GpuModule::AddCores() {
  cores_.clear();
  for (SmModule* sm : sms_) Add(&core_clock_, &*sm->core, sm->name());
  core_clock_.ShareAmongWorkers();
  for (Node* node : nodes) {
    // After the SMs: it commits last, and sees what they show for the next cycle.
    Add(&core_clock_, &*node->tb_scheduler.core, node->tb_scheduler.name());
    NocModule& noc = *node->chip.noc;
    Add(&interconnect_clock_, &*noc.request, noc.name());
    Add(&interconnect_clock_, &*noc.reply, noc.name());
  }
  if (fabric != nullptr) {
    Add(&core_clock_, &*tb_root->core, tb_root->name());
    Add(&interconnect_clock_, &*fabric->core, fabric->name());
    for (Node* node : nodes) Add(&l2_clock_, &*node->l2_policy->core, node->l2_policy->name());
  }
  for (L2Module* slice : l2_) Add(&l2_clock_, slice->core.get(), slice->name());
  for (DramBody* channel : dram_) {
    if (channel->core() != nullptr) Add(&dram_clock_, channel->core(), channel->name());
  }
}

void GpuModule::Add(ClockDomain* domain, Clocked* core, const char* name) {
  domain->Add(core);
  cores_.emplace_back(core, name);
}

void GpuModule::End() {
  cores_.clear();
  for (Node* node : nodes) node->End();
  if (fabric == nullptr) return;
  fabric->core.reset();
  tb_root->core.reset();
}

void GpuModule::WarmL2(const DeviceMemory& memory) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.size == 0) continue;
    const LineNumber last = LineOf(region.address + region.size - 1);
    for (LineNumber line = LineOf(region.address); line <= last; ++line) {
      nodes.front()->chip.Warm(line);
    }
  }
}

void GpuModule::TakeL2(const std::vector<TagArray>& tags) {
  for (size_t i = 0; i < tags.size(); ++i) l2_[i]->core->Keep(tags[i]);
}

void GpuModule::TakeReadOnly(const std::vector<std::vector<TagArray>>& tags) {
  for (size_t i = 0; i < tags.size(); ++i) sms_[i]->core->Keep(tags[i]);
}

std::vector<TagArray> GpuModule::L2Tags() const {
  std::vector<TagArray> tags;
  for (const L2Module* slice : l2_) tags.push_back(slice->core->tags());
  return tags;
}

std::vector<std::vector<TagArray>> GpuModule::ReadOnlyTags() const {
  std::vector<std::vector<TagArray>> tags;
  for (const SmModule* sm : sms_) tags.push_back(sm->core->ReadOnly());
  return tags;
}

void GpuModule::ClassifyL2Misses() {
  for (L2Module* slice : l2_) slice->core->ClassifyMisses();
}

void GpuModule::FlushL2() {
  for (L2Module* slice : l2_) slice->core->Flush();
}

TbStatistics GpuModule::Tbs() const {
  TbStatistics sum;
  for (const Node* node : nodes) {
    const TbStatistics& tbs = node->tb_scheduler.core->statistics();
    sum.count += tbs.count;
    sum.issued += tbs.issued;
    sum.stolen += tbs.stolen;
    sum.wait_cycles += tbs.wait_cycles;
  }
  return sum;
}

bool GpuModule::HandsOutTbs() const {
  if (tb_root != nullptr) return tb_root->core->busy();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node* node) { return node->tb_scheduler.core->busy(); });
}

}  // namespace flagstone
