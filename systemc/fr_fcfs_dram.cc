#include "systemc/fr_fcfs_dram.h"

#include <fmt/core.h>

#include "gpu_model/memory/clock_ratio.h"
#include "systemc/dram_socket.h"

namespace flagstone {

FrFcfsDram::FrFcfsDram(sc_core::sc_module_name name, const MachineConfig& machine, uint32_t clients)
    : DramBody(name),
      map_(machine),
      config_(machine.dram),
      fixed_latency_(
          ConvertCycles(machine.dram.fixed_latency, machine.clock.core, machine.clock.dram)) {
  for (uint32_t i = 0; i < clients; ++i) {
    ports_.push_back(
        std::make_unique<Port>(fmt::format("port{}", i).c_str(), this, static_cast<uint16_t>(i)));
  }
}

void FrFcfsDram::Begin() {
  channel_.emplace(config_, static_cast<uint32_t>(ports_.size()), fixed_latency_);
  for (uint32_t i = 0; i < ports_.size(); ++i) channel_->ConnectClient(i, ports_[i].get());
}

uint16_t FrFcfsDram::TakeSlot(tlm::tlm_generic_payload* payload) {
  if (free_slots_.empty()) {
    free_slots_.reserve(reads_.size() + 1);
    free_slots_.push_back(static_cast<uint16_t>(reads_.size()));
    reads_.push_back(nullptr);
  }
  const uint16_t slot = free_slots_.back();
  free_slots_.pop_back();
  reads_[slot] = payload;
  return slot;
}

tlm::tlm_sync_enum FrFcfsDram::Port::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  DramExtension* extension = nullptr;
  payload.get_extension(extension);
  const bool write = payload.is_write();
  const auto place = dram_->map_.Place(static_cast<LineNumber>(payload.get_address() / kLineBytes));
  const uint16_t slot = write ? uint16_t{0} : dram_->TakeSlot(&payload);
  dram_->channel_->Request({place.bank, place.row, client_, slot, extension->sectors, write});
  dram_->Wake();
  if (!dram_->channel_->CanRequest(client_)) {
    held_ = &payload;
    ++dram_->holding_;
    return tlm::TLM_ACCEPTED;
  }
  if (write) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void FrFcfsDram::Port::DramReply(uint16_t slot, SectorMask) {
  tlm::tlm_generic_payload* payload = dram_->reads_[slot];
  dram_->free_slots_.push_back(slot);
  Send(payload, tlm::BEGIN_RESP);
}

void FrFcfsDram::Port::AcceptHeld() {
  if (held_ == nullptr || !dram_->channel_->CanRequest(client_)) return;
  tlm::tlm_generic_payload* payload = held_;
  held_ = nullptr;
  --dram_->holding_;
  Send(payload, payload->is_write() ? tlm::BEGIN_RESP : tlm::END_REQ);
}

void FrFcfsDram::Sample(uint64_t now) {
  channel_->Sample(now);
  if (holding_ == 0) return;
  for (const auto& port : ports_) port->AcceptHeld();
}

}  // namespace flagstone
