#include "systemc/gpu.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace flagstone {
namespace {

std::string Numbered(const char* name, size_t number) { return fmt::format("{}{}", name, number); }

template <class Port>
std::vector<std::unique_ptr<Port>> MakePorts(const char* name, uint32_t count) {
  std::vector<std::unique_ptr<Port>> ports;
  for (uint32_t i = 0; i < count; ++i) {
    ports.push_back(std::make_unique<Port>(Numbered(name, i).c_str()));
  }
  return ports;
}

}  // namespace

SmModule::SmModule(sc_core::sc_module_name name, const SmSetup& setup, uint32_t id)
    : sc_core::sc_module(name), core(setup, id) {
  replies.bind(plug_);
  for (uint32_t i = 0; i < setup.machine->sm.schedulers; ++i) {
    warp_schedulers_.push_back(std::make_unique<PartModule>(Numbered("warp_scheduler", i).c_str()));
  }
  if (setup.make_prefetcher) prefetcher_ = std::make_unique<PartModule>("prefetcher");
}

NocModule::NocModule(sc_core::sc_module_name name, uint32_t sm_ports, uint32_t slices,
                     const InterconnectConfig& config)
    : sc_core::sc_module(name),
      request(sm_ports, slices, config),
      reply(slices, sm_ports, config),
      sm_in(MakePorts<PlugExport<PacketPort>>("sm_in", sm_ports)),
      slice_in(MakePorts<PlugExport<PacketPort>>("slice_in", slices)),
      sm_out(MakePorts<PlugPort<PacketSink>>("sm_out", sm_ports)),
      slice_out(MakePorts<PlugPort<PacketSink>>("slice_out", slices)) {
  // The last port on the SM side is the TB scheduler's.
  request.ShareSources(sm_ports - 1, config.sms_per_port);
  reply.ShareDestinations(sm_ports - 1, config.sms_per_port);
  const auto plug = [this](auto& ports, Network* network) {
    for (uint32_t i = 0; i < ports.size(); ++i) {
      plugs_.push_back(std::make_unique<Plug<PacketPort>>(network->port(i)));
      ports[i]->bind(*plugs_.back());
    }
  };
  plug(sm_in, &request);
  plug(slice_in, &reply);
}

void NocModule::end_of_elaboration() {
  for (uint32_t i = 0; i < slice_out.size(); ++i) request.ConnectSink(i, (*slice_out[i])->core);
  for (uint32_t i = 0; i < sm_out.size(); ++i) reply.ConnectSink(i, (*sm_out[i])->core);
}

L2Module::L2Module(sc_core::sc_module_name name, const L2Config& config, const AddressMap& map,
                   uint32_t slice)
    : sc_core::sc_module(name), core(config, map, slice) {
  requests.bind(request_plug_);
  dram.Connect(&core, &core);
}

GpuModule::GpuModule(sc_core::sc_module_name name, const SmSetup& sm_setup,
                     const TbDispatchSetup& dispatch, const ClockDomain::Options& clocks,
                     RunControl* control, uint64_t* core_cycle)
    : sc_core::sc_module(name),
      periods(sm_setup.machine->clock),
      map_(sm_setup.map),
      core_clock_("core_clock", periods.core, clocks, control),
      interconnect_clock_("interconnect_clock", periods.interconnect, clocks, control),
      l2_clock_("l2_clock", periods.l2, clocks, control),
      dram_clock_("dram_clock", periods.dram, clocks, control) {
  const MachineConfig& machine = *sm_setup.machine;
  core_clock_.SetWatched(core_cycle);
  for (uint32_t i = 0; i < machine.sm.count; ++i) {
    sms.push_back(std::make_unique<SmModule>(Numbered("sm", i).c_str(), sm_setup, i));
    Add(&core_clock_, &sms[i]->core, sms[i]->name());
  }
  core_clock_.ShareAmongWorkers();
  // After the SMs: it commits last, and sees what they show for the next cycle.
  tb_scheduler = std::make_unique<TbSchedulerModule>("tb_scheduler", dispatch);
  Add(&core_clock_, &tb_scheduler->core, tb_scheduler->name());
  noc = std::make_unique<NocModule>("noc", machine.sm.count + 1, machine.l2.slices,
                                    machine.interconnect);
  Add(&interconnect_clock_, &noc->request, noc->name());
  Add(&interconnect_clock_, &noc->reply, noc->name());
  for (uint32_t i = 0; i < machine.l2.slices; ++i) {
    l2.push_back(std::make_unique<L2Module>(Numbered("l2_", i).c_str(), machine.l2, *map_, i));
    Add(&l2_clock_, &l2[i]->core, l2[i]->name());
  }
  const uint32_t clients = machine.l2.slices / machine.dram.channels;
  for (uint32_t i = 0; i < machine.dram.channels; ++i) {
    dram.push_back(MakeDramBody(Numbered("dram", i).c_str(), machine, clients));
    if (dram[i]->core() != nullptr) Add(&dram_clock_, dram[i]->core(), dram[i]->name());
  }
  Bind();
}

void GpuModule::Add(ClockDomain* domain, Clocked* core, const char* name) {
  domain->Add(core);
  cores_.emplace_back(core, name);
}

void GpuModule::Bind() {
  for (size_t i = 0; i < sms.size(); ++i) {
    sms[i]->requests.bind(*noc->sm_in[i]);
    noc->sm_out[i]->bind(sms[i]->replies);
  }
  tb_scheduler->requests.bind(*noc->sm_in.back());
  noc->sm_out.back()->bind(tb_scheduler->replies);
  for (uint32_t i = 0; i < l2.size(); ++i) {
    noc->slice_out[i]->bind(l2[i]->requests);
    l2[i]->replies.bind(*noc->slice_in[i]);
    const auto clients = static_cast<uint32_t>(l2.size() / dram.size());
    l2[i]->dram.socket.bind(dram[map_->Channel(i)]->socket(i % clients));
  }
}

void GpuModule::end_of_elaboration() {
  std::vector<Clocked*> cores;
  for (const auto& sm : sms) cores.push_back(&sm->core);
  tb_scheduler->core.Connect(tb_scheduler->requests->core, std::move(cores));
}

void GpuModule::WarmL2(const DeviceMemory& memory) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.size == 0) continue;
    const LineNumber last = LineOf(region.address + region.size - 1);
    for (LineNumber line = LineOf(region.address); line <= last; ++line) {
      const AddressMap::SliceLine place = map_->Slice(line);
      l2[place.slice]->core.Warm(place.local);
    }
  }
}

}  // namespace flagstone
