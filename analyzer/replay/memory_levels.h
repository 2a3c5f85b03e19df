// What lies behind the L1s at a coarse clock: ports, the slices of the L2, channels of DRAM, and
// links between nodes. Each serves one after the other, at the machine's rate. Times in core
// cycles.
#ifndef FLAGSTONE_ANALYZER_REPLAY_MEMORY_LEVELS_H_
#define FLAGSTONE_ANALYZER_REPLAY_MEMORY_LEVELS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/timetable.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/tag_array.h"
#include "kernels/launch/device_memory.h"

namespace flagstone::replay {

struct Moved {
  uint64_t l2_reads = 0, l2_writes = 0;  // sectors, as all here; atomics are writes
  uint64_t dram_reads = 0, dram_writes = 0;
  uint64_t remote = 0;  // between nodes
};

class MemoryLevels {
 public:
  // `warm`: what the L2 begins with is the end of it; null: nothing.
  MemoryLevels(const MachineConfig& machine, const DeviceMemory* warm);

  // When the data are at the SM, or the store is answered there.
  double Load(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  double Store(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  double Atomic(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  // When the SM's port has room for what it sends at `now`.
  double Room(uint32_t sm, double now) const {
    return std::max(now, request_ports_[sm / sms_per_port_].free() - port_queue_);
  }
  // Of a part of a machine, whose L2 has not what other SMs bring: it misses no more than so many
  // sectors for each that is asked for.
  void SetMostMisses(double of_asked) { most_misses_ = of_asked; }
  // From now on each TB is the beginning of one that brings of each access's data so many times as
  // much into the L2.
  void SetWholeTbs(std::vector<double> times) {
    whole_tbs_ = std::move(times);
    brought_.assign(whole_tbs_.size(), 0);
  }
  // What comes now is for this access.
  void SetAccess(uint32_t access) { access_ = access; }
  // TBs that run are about as far: what their missing parts would have brought has gone through.
  void EndTb() {
    for (size_t access = 0; access < brought_.size(); ++access) {
      clock_ += (whole_tbs_[access] - 1) * std::exchange(brought_[access], 0);
    }
  }
  // Sectors that a warp loads, whether the L1 has them or not.
  void Ask(uint32_t sectors) { asked_ += sectors; }
  const Moved& moved() const { return moved_; }
  // Sectors that are read of DRAM, and that become dirty, with those of the TBs' missing parts.
  double AllReads() const { return all_reads_; }
  double AllDirtied() const { return all_dirtied_; }
  // Sectors that the L2 has still to write back.
  uint64_t dirty() const { return dirty_; }
  // The most sectors that the L2 holds.
  uint64_t sectors() const {
    return slices_.size() * slices_.front().there.size() * (kLineBytes / kSectorBytes);
  }
  // Cycles that the L2's slices, links and the channels of DRAM have been busy in the mean.
  double L2Busy() const {
    return static_cast<double>(moved_.l2_reads + moved_.l2_writes) * l2_cycles_ /
           static_cast<double>(slices_.size());
  }
  double LinksBusy() const {
    return static_cast<double>(moved_.remote * kSectorBytes) * link_cycles_ / nodes_;
  }
  double DramBusy() const {
    return static_cast<double>(moved_.dram_reads + moved_.dram_writes) * dram_sector_cycles_ /
           static_cast<double>(channels_.size());
  }

 private:
  // The scheduler of a channel serves requests of one row together as long as they are in its
  // queue: a row counts as open for as many requests after its last one.
  struct Row {
    uint32_t number = ~uint32_t{0};
    uint64_t last = 0;  // request of the channel
  };
  struct Bank {
    double free = 0;
    std::array<Row, 4> rows;  // the last ones
  };
  struct Channel {
    Timetable bus;
    uint64_t requests = 0;
    std::vector<Bank> banks;
  };
  struct Slice {
    Slice(const CacheConfig& cache, uint32_t bytes);
    TagArray tags;
    std::vector<float> there;     // when a way's data have come
    std::vector<double> touched;  // by the clock below
    Timetable port;               // of data
    Timetable replies;
  };

  uint32_t NodeOf(uint32_t sm) const { return nodes_ == 1 ? 0 : sm / (sms_ / nodes_); }
  uint32_t HomeOf(LineNumber line) const {
    return nodes_ == 1 ? 0 : line / (page_bytes_ / kLineBytes) % nodes_;
  }
  double Send(uint32_t sm, SectorMask sectors, bool data, double now);
  // What a slice has no room for stays at the port, and holds up all behind it.
  void HoldUp(uint32_t sm, double came, double served);
  double Reply(uint32_t sm, Slice* slice, SectorMask sectors, bool data, double now);
  Slice& SliceOf(uint32_t node, AddressMap::SliceLine place) {
    return slices_[node * map_.slices() + place.slice];
  }
  // At a slice of the node that takes it up at `now`; returns when it has been served, and of Fetch
  // when the sectors are there too.
  struct Fetched {
    double served = 0, there = 0;
  };
  Fetched Fetch(uint32_t node, LineNumber line, SectorMask sectors, double now);
  double Write(uint32_t node, LineNumber line, SectorMask sectors, double now);
  double WholeTbs() const { return whole_tbs_.empty() ? 1 : whole_tbs_[access_]; }
  void MakeDirty(TagArray::Way* way, SectorMask sectors);
  uint32_t FindOrTake(Slice* slice, uint32_t node, AddressMap::SliceLine place, double now);
  void Warm(const DeviceMemory& memory);
  uint32_t TakeWay(Slice* slice, uint32_t node, AddressMap::SliceLine place, double now);
  double Dram(uint32_t node, uint32_t slice, LineNumber local, uint32_t sectors, double now);

  AddressMap map_;
  uint32_t nodes_, sms_, page_bytes_, sms_per_port_;
  bool caches_remote_, answers_stores_;
  uint32_t request_sectors_, reply_sectors_;
  double flit_bytes_, flit_cycles_, port_queue_, network_latency_;
  double l2_cycles_, l2_latency_, l2_queue_;
  uint64_t dram_queue_;
  double dram_sector_cycles_, dram_latency_, dram_open_cycles_, dram_row_cycles_;
  double link_cycles_, link_latency_;
  std::vector<Slice> slices_;      // by node
  std::vector<Channel> channels_;  // by node
  std::vector<Server> request_ports_;
  std::vector<Timetable> reply_ports_, links_;
  std::optional<double> most_misses_;
  double asked_ = 0;
  std::vector<double> whole_tbs_;  // by access
  std::vector<double> brought_;    // by access: sectors, since a TB has ended
  uint32_t access_ = 0;
  double clock_ = 0;  // sectors that have been brought, with those of the TBs' missing parts
  double all_reads_ = 0, all_dirtied_ = 0;  // sectors, likewise
  Moved moved_;
  uint64_t dirty_ = 0;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_MEMORY_LEVELS_H_
