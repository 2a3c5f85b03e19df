#include "systemc/chip_parts.h"

#include <fmt/core.h>

#include <string>
#include <utility>

namespace flagstone {
namespace {

template <class Port>
std::vector<std::unique_ptr<Port>> MakePorts(const char* name, uint32_t count) {
  std::vector<std::unique_ptr<Port>> ports;
  for (uint32_t i = 0; i < count; ++i) {
    ports.push_back(std::make_unique<Port>(fmt::format("{}{}", name, i).c_str()));
  }
  return ports;
}

}  // namespace

void SmModule::Begin(const SmSetup& setup, uint32_t in_chip) {
  core.emplace(setup, in_chip);
  core->Connect(requests->core);
  plug_.core = &*core;
}

NocModule::NocModule(sc_core::sc_module_name name, const Router& router)
    : sc_core::sc_module(name),
      asker_in(MakePorts<PlugExport<PacketPort>>("asker_in", router.askers())),
      slice_in(MakePorts<PlugExport<PacketPort>>("slice_in", router.slices())),
      asker_out(MakePorts<PlugPort<PacketSink>>("asker_out", router.askers())),
      slice_out(MakePorts<PlugPort<PacketSink>>("slice_out", router.slices())),
      router_(&router) {
  for (auto* ports : {&asker_in, &slice_in}) {
    for (auto& port : *ports) {
      plugs_.push_back(std::make_unique<Plug<PacketPort>>());
      port->bind(*plugs_.back());
    }
  }
}

void NocModule::Begin(const InterconnectConfig& config) {
  request.emplace(*router_, Direction::kRequest, config);
  reply.emplace(*router_, Direction::kReply, config);
  for (uint32_t i = 0; i < asker_in.size(); ++i) plugs_[i]->core = request->port(i);
  for (uint32_t i = 0; i < slice_in.size(); ++i) {
    plugs_[asker_in.size() + i]->core = reply->port(i);
  }
}

void NocModule::ConnectSinks() {
  for (uint32_t i = 0; i < slice_out.size(); ++i) request->ConnectSink(i, (*slice_out[i])->core);
  for (uint32_t i = 0; i < asker_out.size(); ++i) reply->ConnectSink(i, (*asker_out[i])->core);
}

void L2Module::Begin(std::unique_ptr<L2Slice> slice) {
  core = std::move(slice);
  core->Connect(replies->core, &dram);
  dram.Connect(core.get(), core.get());
  request_plug_.core = core.get();
}

}  // namespace flagstone
