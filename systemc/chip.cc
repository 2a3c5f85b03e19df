#include "systemc/chip.h"

#include <fmt/core.h>

#include <string>

namespace flagstone {
namespace {

std::string Numbered(const char* name, size_t number) { return fmt::format("{}{}", name, number); }

}  // namespace

Chip::Chip(const MachineConfig& machine, const AddressMap& map)
    : map_(&map), router_(map, machine.sm.count) {
  for (uint32_t i = 0; i < machine.sm.count; ++i) {
    sms.push_back(std::make_unique<SmModule>(Numbered("sm", i).c_str()));
  }
  noc = std::make_unique<NocModule>("noc", router_);
  for (uint32_t i = 0; i < machine.l2.slices; ++i) {
    l2.push_back(std::make_unique<L2Module>(Numbered("l2_", i).c_str()));
  }
  const uint32_t clients = machine.l2.slices / machine.dram.channels;
  for (uint32_t i = 0; i < machine.dram.channels; ++i) {
    dram.push_back(MakeDramBody(Numbered("dram", i).c_str(), machine, clients));
  }
  Bind();
}

void Chip::Begin(const SmSetup& setup) {
  noc->Begin(setup.machine->interconnect);
  for (uint32_t i = 0; i < sms.size(); ++i) sms[i]->Begin(setup, i);
  for (uint32_t i = 0; i < l2.size(); ++i) l2[i]->Begin(MakeSlice(setup, i));
  for (const auto& channel : dram) channel->Begin();
}

void Chip::End() {
  for (const auto& sm : sms) sm->core.reset();
  for (const auto& slice : l2) slice->core.reset();
  numa_l2.clear();
  noc->request.reset();
  noc->reply.reset();
}

std::unique_ptr<L2Slice> Chip::MakeSlice(const SmSetup& setup, uint32_t index) {
  const MachineConfig& machine = *setup.machine;
  if (machine.numa.Nodes() == 1) return std::make_unique<L2Slice>(machine.l2, *map_, index);
  auto slice = std::make_unique<NumaL2Slice>(machine.l2, machine.numa, *map_, index, setup.node);
  numa_l2.push_back(slice.get());
  return slice;
}

void Chip::Bind() {
  for (uint32_t i = 0; i < sms.size(); ++i) {
    const uint32_t port = router_.Sm(i);
    sms[i]->requests.bind(*noc->asker_in[port]);
    noc->asker_out[port]->bind(sms[i]->replies);
  }
  const auto clients = static_cast<uint32_t>(l2.size() / dram.size());
  for (uint32_t i = 0; i < l2.size(); ++i) {
    const uint32_t port = router_.Slice(i);
    noc->slice_out[port]->bind(l2[i]->requests);
    l2[i]->replies.bind(*noc->slice_in[port]);
    l2[i]->dram.socket.bind(dram[map_->Channel(i)]->socket(i % clients));
  }
}

void Chip::BindTbScheduler(PlugPort<PacketPort>* requests, PlugExport<PacketSink>* replies) {
  const uint32_t port = router_.TbScheduler();
  requests->bind(*noc->asker_in[port]);
  noc->asker_out[port]->bind(*replies);
}

void Chip::Warm(LineNumber line) {
  const AddressMap::SliceLine place = map_->Slice(line);
  l2[place.slice]->core->Warm(place.local);
}

}  // namespace flagstone
