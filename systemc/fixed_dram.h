// The least that a DRAM body can be, and an example of one that keeps time by itself: a fixed
// latency behind a bus of fixed bandwidth.
#ifndef FLAGSTONE_SYSTEMC_FIXED_DRAM_H_
#define FLAGSTONE_SYSTEMC_FIXED_DRAM_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <vector>

#include "systemc/dram_body.h"

namespace flagstone {

// The bus passes dram.bus_bytes a DRAM cycle, in the order of the requests; data is back
// dram.fixed_latency core cycles after its transfer. No request is ever held back.
class FixedDram final : public DramBody {
 public:
  SC_HAS_PROCESS(FixedDram);

  FixedDram(sc_core::sc_module_name name, const MachineConfig& machine, uint32_t clients);

  tlm::tlm_target_socket<>& socket(uint32_t client) override { return ports_[client]->socket; }
  void Begin() override {
    bus_free_ = 0;
    statistics_ = {};
  }
  DramStatistics statistics() const override { return statistics_; }

 private:
  class Port final : public DramTargetPort {
   public:
    Port(const char* name, FixedDram* dram) : DramTargetPort(name), dram_(dram) {}
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void Respond(tlm::tlm_generic_payload* payload) { Send(payload, tlm::BEGIN_RESP); }

   private:
    FixedDram* dram_;
  };
  struct Read {
    uint64_t done = 0;  // time
    Port* port = nullptr;
    tlm::tlm_generic_payload* payload = nullptr;
  };

  uint64_t Transfer(const tlm::tlm_generic_payload& payload);  // the time at which it ends
  void Respond();

  const uint64_t period_;   // of the DRAM clock
  const uint64_t latency_;  // time
  const uint32_t bus_bytes_;
  std::vector<std::unique_ptr<Port>> ports_;
  uint64_t bus_free_ = 0;
  std::deque<Read> reads_;  // in the order of `done`
  sc_core::sc_event respond_;
  DramStatistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_FIXED_DRAM_H_
