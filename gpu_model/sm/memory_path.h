// The memory path of an SM: its clients, which share one port of the interconnect, and who watches
// its loads.
#ifndef FLAGSTONE_GPU_MODEL_SM_MEMORY_PATH_H_
#define FLAGSTONE_GPU_MODEL_SM_MEMORY_PATH_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ring.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/page_translation.h"
#include "gpu_model/sm/instruction_fetch.h"
#include "gpu_model/sm/load_store_unit.h"
#include "gpu_model/sm/load_watcher.h"
#include "gpu_model/sm/memory_client.h"
#include "gpu_model/sm/miss_delay.h"
#include "gpu_model/sm/prefetch_unit.h"
#include "gpu_model/sm/sm_setup.h"
#include "gpu_model/sm/tb_slots.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

// Which clients and watchers there are is settled when the path is made; afterwards all are treated
// alike. A packet leaves per cycle: of instructions before constants, textures and data
// (assumption).
class MemoryPath final : public TbEndSink {
 public:
  // `sm`: its number in the GPU.
  MemoryPath(const SmSetup& setup, uint32_t sm, ResultSink* results);

  void Connect(PacketPort* requests) { requests_ = requests; }

  // Counts the loads and atomics of the data by pc.
  void CountLoads(std::vector<LoadCounts>* counts) { data_.Count(counts); }

  bool CanAccept() const { return !replies_.full(); }
  void Accept(const Packet& packet) { replies_.Push(packet); }

  // A cycle, in this order.
  void Begin(uint64_t now) {
    for (LoadWatcher* watcher : watchers_) watcher->Begin(now);
  }
  // Takes up to one reply; says whether there was one.
  bool TakeReply(uint64_t now) {
    if (replies_.empty()) return false;
    TakeNext(now);
    return true;
  }
  void Tick(uint64_t now) {
    for (const Client& client : clients()) {
      if (!client.part->HasWork()) continue;
      client.part->Tick(now);
      NoteFull(client);
    }
  }
  // The issue stage: a memory instruction of `unit`, which must have a load/store unit. Fill in
  // Next(), then call Issued().
  MemoryInstruction* Next(Unit unit) { return units_[static_cast<uint32_t>(unit)]->Next(); }
  void Issued(Unit unit, uint64_t now);
  void Watch(const MemoryInstruction& load, const LaneAddresses& addresses, uint32_t lanes) {
    for (LoadWatcher* watcher : watchers_) watcher->Issued(load, addresses, lanes);
  }
  // A bit per unit whose load/store unit takes no instruction now, in 16 bits for each scheduler;
  // kOthers: the scheduler issues to these units alone.
  uint64_t full_units() const { return full_units_; }
  // Those of them that take one in the next cycle, as far as it can be seen.
  uint64_t freeing_units() const { return freeing_units_; }
  static constexpr uint32_t kOfScheduler = 16;  // bits
  static constexpr uint32_t kOthers = 1U << 15;
  static_assert(kUnits < kOfScheduler);
  void WarpStarted(uint32_t warp) { fetch_.Started(warp); }
  // Whether the warp's next instruction is there; else the sink will be told.
  bool Fetch(uint32_t warp, uint32_t pc) { return fetch_.Ready(warp, pc); }
  WarpSignals EndCycle(const WarpTable& warps, uint64_t now) {
    WarpSignals signals;
    for (LoadWatcher* watcher : watchers_) {
      watcher->EndCycle(warps, data_.TagsFree(now), &signals);
    }
    return signals;
  }
  void EndTb(uint32_t tb_slot) override;

  // What its read-only caches hold, one after the other, at the end of a launch; and that they
  // begin with what those of another launch held.
  std::vector<TagArray> ReadOnly() const;
  void Keep(const std::vector<TagArray>& read_only);

  // In Commit: sends the next miss.
  void Send(uint64_t now);
  bool NothingToSend() const {
    const std::span<const Client> all = clients();
    return std::all_of(all.begin(), all.end(),
                       [](const Client& client) { return client.part->misses().empty(); });
  }
  void PreloadSample() const {
    replies_.PreloadFront();
    data_.PreloadTick();
  }
  void PreloadCommit() const;

  // The first cycle after `now` that is of use without an event from outside.
  uint64_t NextWork(uint64_t now) const;
  bool Drained() const;
  const LoadStoreUnit& data() const { return data_; }
  // Cycles for which the first touches of pages have held back what it sends.
  uint64_t fault_cycles() const { return translation_.fault_cycles(); }
  const PrefetchUnit* prefetch() const { return prefetch_.get(); }  // null: there is none
  void AddTo(SmStatistics* statistics) const;

 private:
  struct Client {
    MemoryClient* part = nullptr;
    ClientId id = ClientId::kData;
    Unit unit = Unit::kControl;  // whose instructions it takes; no matter of the instruction fetch
  };

  uint64_t NextSend(const Client& client, uint64_t now) const;
  void TakeNext(uint64_t now);
  // A bit for each scheduler to the bit of the unit in its part of full_units().
  static uint64_t Spread(uint32_t schedulers, uint32_t unit) {
    const uint64_t s = schedulers;
    return ((s & 1) | (s & 2) << 15 | (s & 4) << 30 | (s & 8) << 45) << unit;
  }
  void NoteFull(const Client& client) {
    const auto unit = static_cast<uint32_t>(client.unit);
    full_units_ = (full_units_ & ~Spread(0xf, unit)) | Spread(client.part->Full(), unit);
    freeing_units_ = (freeing_units_ & ~Spread(0xf, unit)) | Spread(client.part->Freeing(), unit);
    if (blocking_ && client.id == ClientId::kData) {
      full_units_ = (full_units_ & ~Spread(0xf, kOfScheduler - 1)) |
                    Spread(data_.blocked_schedulers(), kOfScheduler - 1);
    }
  }
  // Whether the client's first miss may leave: those of the data alone take time in their cache.
  bool MayLeave(const Client& client, uint64_t now) {
    const Ring<Packet>& misses = client.part->misses();
    return client.id == ClientId::kData ? delay_.MayLeave(misses, now) : !misses.empty();
  }
  void Add(MemoryClient* part, ClientId id, Unit unit);
  void AddUnit(LoadStoreUnit* part, ClientId id, Unit unit);
  void MakeUnit(const SmConfig& sm, const ReadOnlyCacheConfig& cache, uint32_t latency, ClientId id,
                Unit unit);

  std::span<const Client> clients() const { return {clients_.data(), client_count_}; }

  // Every cycle reads these.
  Ring<Packet> replies_;
  std::vector<LoadWatcher*> watchers_;
  uint32_t client_count_ = 0;
  uint64_t full_units_ = 0;
  uint64_t freeing_units_ = 0;
  const bool blocking_;                        // there is sm.lsu_blocking
  std::array<Client, kClients> clients_ = {};  // in the order in which they send

  const uint32_t request_sectors_;
  MissDelay delay_;          // of the data's L1
  const bool acknowledged_;  // stores are, by L2
  ResultSink* const results_;
  PageTranslation translation_;
  PacketPort* requests_ = nullptr;
  std::array<MemoryClient*, kClients> by_id_ = {};
  std::array<LoadStoreUnit*, kUnits> units_ = {};
  LoadStoreUnit data_;
  InstructionFetch fetch_;
  std::vector<std::unique_ptr<LoadStoreUnit>> read_only_;
  std::unique_ptr<LoadWatcher> victim_tags_;
  std::unique_ptr<LoadWatcher> leading_marks_;
  std::unique_ptr<PrefetchUnit> prefetch_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_MEMORY_PATH_H_
