#include "systemc/gpu.h"

namespace flagstone {

GpuModule::GpuModule(sc_core::sc_module_name name, const SmSetup& sm_setup,
                     const TbDispatchSetup& dispatch, const AddressMap& map,
                     const ClockDomain::Options& clocks, RunControl* control, uint64_t* core_cycle)
    : sc_core::sc_module(name),
      periods(sm_setup.machine->clock),
      core_clock_("core_clock", periods.core, clocks, control),
      interconnect_clock_("interconnect_clock", periods.interconnect, clocks, control),
      l2_clock_("l2_clock", periods.l2, clocks, control),
      dram_clock_("dram_clock", periods.dram, clocks, control),
      chip(sm_setup, map),
      tb_scheduler("tb_scheduler", dispatch) {
  chip.BindTbScheduler(&tb_scheduler.requests, &tb_scheduler.replies);
  core_clock_.SetWatched(core_cycle);
  for (const auto& sm : chip.sms) Add(&core_clock_, &sm->core, sm->name());
  core_clock_.ShareAmongWorkers();
  // After the SMs: it commits last, and sees what they show for the next cycle.
  Add(&core_clock_, &tb_scheduler.core, tb_scheduler.name());
  Add(&interconnect_clock_, &chip.noc->request, chip.noc->name());
  Add(&interconnect_clock_, &chip.noc->reply, chip.noc->name());
  for (const auto& slice : chip.l2) Add(&l2_clock_, &slice->core, slice->name());
  for (const auto& channel : chip.dram) {
    if (channel->core() != nullptr) Add(&dram_clock_, channel->core(), channel->name());
  }
}

void GpuModule::Add(ClockDomain* domain, Clocked* core, const char* name) {
  domain->Add(core);
  cores_.emplace_back(core, name);
}

void GpuModule::end_of_elaboration() {
  std::vector<Clocked*> sms;
  for (const auto& sm : chip.sms) sms.push_back(&sm->core);
  tb_scheduler.core.Connect(tb_scheduler.requests->core, std::move(sms));
}

void GpuModule::WarmL2(const DeviceMemory& memory) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.size == 0) continue;
    const LineNumber last = LineOf(region.address + region.size - 1);
    for (LineNumber line = LineOf(region.address); line <= last; ++line) chip.Warm(line);
  }
}

}  // namespace flagstone
