// An L2 slice's side of the TLM-2.0 socket to its DRAM channel.
#ifndef FLAGSTONE_SYSTEMC_DRAM_SOCKET_H_
#define FLAGSTONE_SYSTEMC_DRAM_SOCKET_H_

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/clocked.h"
#include "gpu_model/memory/dram_port.h"

namespace flagstone {

// What a payload cannot say. A target may ignore it: address and length cover the sectors.
struct DramExtension final : public tlm::tlm_extension<DramExtension> {
  uint16_t tag = 0;  // of the slice
  SectorMask sectors = 0;
  tlm::tlm_extension_base* clone() const override { return new DramExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const DramExtension&>(other);
  }
};

// Payloads that are used again and again: none is allocated once the most that were in flight are
// there.
class DramPayloadPool final : public tlm::tlm_mm_interface {
 public:
  tlm::tlm_generic_payload* Get();
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }
  size_t in_flight() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

// An initiator of the base protocol, non-blocking. Addresses count the channel's own bytes; a
// request is one run of 32 B sectors of a 128 B line, timing only (its data pointer is scratch).
// Between BEGIN_REQ and END_REQ the slice holds back. Responses may come in any order, and from a
// clock domain's commit or from a process of the target's own: these wait for the update phase, so
// that the slice sees them at its next edge in either case. Delays must be zero: a target waits
// itself.
class DramSocket final : public sc_core::sc_module,
                         public DramPort,
                         public tlm::tlm_bw_transport_if<> {
 public:
  explicit DramSocket(sc_core::sc_module_name name);

  // `client` is told of reads; `owner`'s edge is not skipped after any response.
  void Connect(DramClient* client, Clocked* owner) {
    client_ = client;
    owner_ = owner;
  }

  bool CanRequest() const override { return requesting_ == nullptr; }
  void Request(const DramRequest& request) override;

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  bool Drained() const override { return pool_.in_flight() == 0; }

  tlm::tlm_initiator_socket<> socket{"socket"};

 private:
  class UpdatePhase final : public sc_core::sc_prim_channel {
   public:
    explicit UpdatePhase(DramSocket* owner) : sc_core::sc_prim_channel("update"), owner_(owner) {}
    void Request() { request_update(); }

   protected:
    void update() override { owner_->TakeDeferred(); }

   private:
    DramSocket* owner_;
  };

  void Complete(tlm::tlm_generic_payload* payload);
  void TakeDeferred();

  DramPayloadPool pool_;
  DramClient* client_ = nullptr;
  Clocked* owner_ = nullptr;
  tlm::tlm_generic_payload* requesting_ = nullptr;  // without END_REQ so far
  std::vector<tlm::tlm_generic_payload*> deferred_;
  UpdatePhase update_phase_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_DRAM_SOCKET_H_
