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

SmModule::SmModule(sc_core::sc_module_name name, const SmSetup& setup, uint32_t in_chip)
    : sc_core::sc_module(name), core(setup, in_chip) {
  replies.bind(plug_);
}

NocModule::NocModule(sc_core::sc_module_name name, const Router& router,
                     const InterconnectConfig& config)
    : sc_core::sc_module(name),
      request(router, Direction::kRequest, config),
      reply(router, Direction::kReply, config),
      asker_in(MakePorts<PlugExport<PacketPort>>("asker_in", router.askers())),
      slice_in(MakePorts<PlugExport<PacketPort>>("slice_in", router.slices())),
      asker_out(MakePorts<PlugPort<PacketSink>>("asker_out", router.askers())),
      slice_out(MakePorts<PlugPort<PacketSink>>("slice_out", router.slices())) {
  const auto plug = [this](auto& ports, Network* network) {
    for (uint32_t i = 0; i < ports.size(); ++i) {
      plugs_.push_back(std::make_unique<Plug<PacketPort>>(network->port(i)));
      ports[i]->bind(*plugs_.back());
    }
  };
  plug(asker_in, &request);
  plug(slice_in, &reply);
}

void NocModule::end_of_elaboration() {
  for (uint32_t i = 0; i < slice_out.size(); ++i) request.ConnectSink(i, (*slice_out[i])->core);
  for (uint32_t i = 0; i < asker_out.size(); ++i) reply.ConnectSink(i, (*asker_out[i])->core);
}

L2Module::L2Module(sc_core::sc_module_name name, std::unique_ptr<L2Slice> slice)
    : sc_core::sc_module(name), slice_(std::move(slice)), core(*slice_) {
  requests.bind(request_plug_);
  dram.Connect(&core, &core);
}

}  // namespace flagstone
