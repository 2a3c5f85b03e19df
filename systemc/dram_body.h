// What stands behind the TLM-2.0 sockets of one DRAM channel. docs/extend.md shows how to plug
// another memory model in.
#ifndef FLAGSTONE_SYSTEMC_DRAM_BODY_H_
#define FLAGSTONE_SYSTEMC_DRAM_BODY_H_

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "base/clocked.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

class DramBody : public sc_core::sc_module {
 public:
  explicit DramBody(sc_core::sc_module_name name) : sc_core::sc_module(name) {}

  // One for each L2 slice of the channel. What it may expect of the initiator: dram_socket.h.
  virtual tlm::tlm_target_socket<>& socket(uint32_t client) = 0;
  // A launch begins at the present time: it finds all rows closed, and counts begin anew. What an
  // earlier one has asked for has been answered.
  virtual void Begin() = 0;
  // To be ticked by the DRAM clock; null for a body that keeps time by itself.
  virtual Clocked* core() { return nullptr; }
  virtual DramStatistics statistics() const = 0;
};

// The machine's `dram.model`.
std::unique_ptr<DramBody> MakeDramBody(sc_core::sc_module_name name, const MachineConfig& machine,
                                       uint32_t clients);

// A target port that only knows the non-blocking path.
class DramTargetPort : public tlm::tlm_fw_transport_if<> {
 public:
  explicit DramTargetPort(const char* name) : socket(name) { socket.bind(*this); }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  tlm::tlm_target_socket<> socket;

 protected:
  // Sends END_REQ or BEGIN_RESP.
  void Send(tlm::tlm_generic_payload* payload, tlm::tlm_phase phase) {
    if (phase == tlm::BEGIN_RESP) payload->set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time delay;
    socket->nb_transport_bw(*payload, phase, delay);
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_DRAM_BODY_H_
