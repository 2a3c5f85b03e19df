// The default DRAM body: our DramChannel behind TLM-2.0 sockets.
#ifndef FLAGSTONE_SYSTEMC_FR_FCFS_DRAM_H_
#define FLAGSTONE_SYSTEMC_FR_FCFS_DRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/dram_channel.h"
#include "systemc/dram_body.h"

namespace flagstone {

// Writes are posted: complete when the channel has taken them.
class FrFcfsDram final : public DramBody, public Clocked {
 public:
  FrFcfsDram(sc_core::sc_module_name name, const MachineConfig& machine, uint32_t clients);

  tlm::tlm_target_socket<>& socket(uint32_t client) override { return ports_[client]->socket; }
  void Begin() override;
  Clocked* core() override { return this; }
  DramStatistics statistics() const override { return channel_->statistics(); }

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override { channel_->Commit(now); }
  uint64_t NextWork(uint64_t now) const override { return channel_->NextWork(now); }
  bool Drained() const override { return channel_->Drained(); }
  std::string Leftover() const override { return channel_->Leftover(); }

 private:
  class Port final : public DramTargetPort, public DramClient {
   public:
    Port(const char* name, FrFcfsDram* dram, uint16_t client)
        : DramTargetPort(name), dram_(dram), client_(client) {}
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void DramReply(uint16_t slot, SectorMask sectors) override;
    void AcceptHeld();

   private:
    FrFcfsDram* dram_;
    uint16_t client_;
    tlm::tlm_generic_payload* held_ = nullptr;  // no END_REQ yet: no room for another one
  };

  uint16_t TakeSlot(tlm::tlm_generic_payload* payload);

  const AddressMap map_;
  const DramConfig config_;
  const uint32_t fixed_latency_;        // DRAM cycles
  std::optional<DramChannel> channel_;  // of a launch
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<tlm::tlm_generic_payload*> reads_;  // per slot
  std::vector<uint16_t> free_slots_;
  uint32_t holding_ = 0;  // ports with a request held
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_FR_FCFS_DRAM_H_
