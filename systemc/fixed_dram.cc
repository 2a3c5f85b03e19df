#include "systemc/fixed_dram.h"

#include <fmt/core.h>

#include <algorithm>

#include "gpu_model/memory/clock_ratio.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {
namespace {

uint64_t Now() { return sc_core::sc_time_stamp().value(); }

}  // namespace

FixedDram::FixedDram(sc_core::sc_module_name name, const MachineConfig& machine, uint32_t clients)
    : DramBody(name),
      period_(ClockPeriods(machine.clock).dram),
      latency_(ClockPeriods(machine.clock).core * machine.dram.fixed_latency),
      bus_bytes_(machine.dram.bus_bytes),
      respond_("respond") {
  for (uint32_t i = 0; i < clients; ++i) {
    ports_.push_back(std::make_unique<Port>(fmt::format("port{}", i).c_str(), this));
  }
  SC_METHOD(Respond);
  sensitive << respond_;
  dont_initialize();
}

tlm::tlm_sync_enum FixedDram::Port::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  const uint64_t end = dram_->Transfer(payload);
  if (payload.is_write()) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  const uint64_t done = end + dram_->latency_;
  dram_->reads_.push_back({done, this, &payload});
  if (dram_->reads_.size() == 1) {
    dram_->respond_.notify(sc_core::sc_time::from_value(done - Now()));
  }
  dram_->statistics_.latency.Add((done - Now()) / dram_->period_);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

uint64_t FixedDram::Transfer(const tlm::tlm_generic_payload& payload) {
  const uint32_t cycles = (payload.get_data_length() + bus_bytes_ - 1) / bus_bytes_;
  bus_free_ = std::max(bus_free_, Now()) + cycles * period_;
  statistics_.bus_cycles += cycles;
  ++statistics_.requests;
  const uint32_t sectors = payload.get_data_length() / kSectorBytes;
  (payload.is_write() ? statistics_.writes : statistics_.reads) += sectors;
  return bus_free_;
}

void FixedDram::Respond() {
  while (!reads_.empty() && reads_.front().done <= Now()) {
    const Read read = reads_.front();
    reads_.pop_front();
    read.port->Respond(read.payload);
  }
  if (!reads_.empty()) {
    respond_.notify(sc_core::sc_time::from_value(reads_.front().done - Now()));
  }
}

}  // namespace flagstone
