#include "gpu_model/machines/machine_check.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/toml_reader.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"

namespace flagstone {
namespace {

constexpr uint32_t kSectorBytes = 32;
constexpr uint32_t kMostNodeSlices = 64;  // a word has a bit for each

// The bits of an address choose a set: of 2^n sets, or of 3 * 2^n, as caches of 48 KiB have them.
void CheckSets(uint32_t lines, uint32_t ways, uint32_t size_kib, std::string_view key,
               const std::string& where) {
  const uint32_t sets = lines / ways;
  if (sets == 0 || std::has_single_bit(sets)) return;
  if (sets % 3 == 0 && std::has_single_bit(sets / 3)) return;
  ThrowBadInput(
      "{}: {}.size_kib is {}: {} sets of {} lines: expected a power of two, or three times one",
      where, key, size_kib, sets, ways);
}

void CheckCache(const CacheConfig& cache, std::string_view key, const std::string& where) {
  const uint32_t lines = cache.size_kib * 1024 / cache.line_bytes;
  if (lines % cache.ways != 0) {
    ThrowBadInput("{}: {}.ways is {}: {} KiB in lines of {} B do not divide into that many ways",
                  where, key, cache.ways, cache.size_kib, cache.line_bytes);
  }
  CheckSets(lines, cache.ways, cache.size_kib, key, where);
  if (cache.sector_bytes != kSectorBytes && cache.sector_bytes != cache.line_bytes) {
    ThrowBadInput("{}: {}.sector_bytes is {}: expected {}, or {} for a cache without sectors",
                  where, key, cache.sector_bytes, kSectorBytes, cache.line_bytes);
  }
  // A request for a whole line waits until it can have them all.
  const uint32_t sectors = cache.line_bytes / kSectorBytes;
  if (cache.mshr_unit == MshrUnit::kSector && cache.mshrs < sectors) {
    ThrowBadInput("{}: {}.mshrs is {}: expected at least {}, with {}.mshr_unit = \"sector\"", where,
                  key, cache.mshrs, sectors, key);
  }
}

void CheckReadOnlyCache(const ReadOnlyCacheConfig& cache, std::string_view key,
                        const std::string& where) {
  const uint32_t lines = cache.size_kib * 1024 / 128;
  if (lines % cache.ways != 0) {
    ThrowBadInput("{}: {}.ways is {}: {} KiB in lines of 128 B do not divide into that many ways",
                  where, key, cache.ways, cache.size_kib);
  }
  CheckSets(lines, cache.ways, cache.size_kib, key, where);
}

// What is counted for the machine as a whole is the same for all its nodes.
void CheckNodes(const MachineConfig& machine, const std::string& where) {
  const NumaConfig& numa = machine.numa;
  const uint32_t nodes = numa.Nodes();
  if (!std::has_single_bit(numa.page_bytes)) {
    ThrowBadInput("{}: numa.page_bytes is {}: expected a power of two", where, numa.page_bytes);
  }
  if (nodes == 1) return;
  if (nodes > NumaConfig::kMostNodes) {
    ThrowBadInput("{}: numa.gpus * numa.chiplets is {}: expected at most {} nodes", where, nodes,
                  NumaConfig::kMostNodes);
  }
  const std::pair<std::string_view, uint32_t> totals[] = {{"sm.count", machine.sm.count},
                                                          {"l2.slices", machine.l2.slices},
                                                          {"dram.channels", machine.dram.channels}};
  for (const auto& [key, total] : totals) {
    if (total % nodes == 0) continue;
    ThrowBadInput("{}: {} is {}: expected a multiple of the {} nodes", where, key, total, nodes);
  }
  if (machine.l2.slices / nodes > kMostNodeSlices) {
    ThrowBadInput("{}: l2.slices is {}: expected at most {} for each of the {} nodes", where,
                  machine.l2.slices, kMostNodeSlices, nodes);
  }
  if (machine.l2.between_launches == BetweenLaunches::kWarm) {
    ThrowBadInput(
        "{}: l2.between_launches is \"warm\": expected \"invalidate\" or \"keep\" for a machine of "
        "{} nodes",
        where, nodes);
  }
  if (machine.l2.cache.mshr_unit != MshrUnit::kLine) {
    ThrowBadInput("{}: l2.mshr_unit is \"sector\": expected \"line\" for a machine of {} nodes",
                  where, nodes);
  }
  if (numa.remote_mshrs >= machine.l2.cache.mshrs) {
    ThrowBadInput("{}: numa.remote_mshrs is {}: expected less than l2.mshrs ({})", where,
                  numa.remote_mshrs, machine.l2.cache.mshrs);
  }
}

}  // namespace

void CheckMachine(const MachineConfig& machine, const std::string& where) {
  CheckCache(machine.sm.l1, "sm.l1", where);
  CheckCache(machine.l2.cache, "l2", where);
  CheckReadOnlyCache(machine.sm.const_cache, "sm.const_cache", where);
  CheckReadOnlyCache(machine.sm.texture_cache, "sm.texture_cache", where);
  CheckReadOnlyCache(machine.sm.instruction_cache, "sm.instruction_cache", where);
  const WarpSchedulerConfig& scheduling = machine.sm.scheduling;
  if (scheduling.ccws_victim_tags % scheduling.ccws_victim_ways != 0) {
    ThrowBadInput(
        "{}: sm.scheduling.ccws_victim_tags is {}: expected a multiple of "
        "sm.scheduling.ccws_victim_ways ({})",
        where, scheduling.ccws_victim_tags, scheduling.ccws_victim_ways);
  }
  if (machine.sm.lsu_latency > machine.sm.writeback_latency) {
    ThrowBadInput("{}: sm.lsu_latency is {}: expected at most sm.writeback_latency ({})", where,
                  machine.sm.lsu_latency, machine.sm.writeback_latency);
  }
  if (machine.sm.lsu_blocking > machine.sm.lsu_queue) {
    ThrowBadInput("{}: sm.lsu_blocking is {}: expected at most sm.lsu_queue ({})", where,
                  machine.sm.lsu_blocking, machine.sm.lsu_queue);
  }
  std::vector<std::string_view> schedulers;
  for (const auto* scheduler : AllWarpSchedulers()) schedulers.push_back(scheduler->name);
  if (std::find(schedulers.begin(), schedulers.end(), machine.sm.warp_scheduler) ==
      schedulers.end()) {
    ThrowBadInput("{}: sm.warp_scheduler is {}: expected one of {}", where,
                  Quoted(machine.sm.warp_scheduler), CommaSeparated(schedulers));
  }
  std::vector<std::string_view> prefetchers;
  for (const auto* prefetcher : AllPrefetchers()) prefetchers.push_back(prefetcher->name);
  if (std::find(prefetchers.begin(), prefetchers.end(), machine.sm.prefetcher) ==
      prefetchers.end()) {
    ThrowBadInput("{}: sm.prefetcher is {}: expected one of {}", where,
                  Quoted(machine.sm.prefetcher), CommaSeparated(prefetchers));
  }
  if (machine.l2.slices % machine.dram.channels != 0) {
    ThrowBadInput("{}: l2.slices is {}: expected a multiple of dram.channels ({})", where,
                  machine.l2.slices, machine.dram.channels);
  }
  CheckNodes(machine, where);
  const uint32_t ipoly = std::bit_ceil(machine.OfNode().l2.slices);
  if (machine.l2.slice_hash == SliceHash::kIpoly && ipoly != 16 && ipoly != 32 && ipoly != 64) {
    ThrowBadInput("{}: l2.slice_hash is \"ipoly\": expected 9 to 64 slices (l2.slices is {})",
                  where, machine.l2.slices);
  }
  if (machine.dram.banks % machine.dram.bank_groups != 0) {
    ThrowBadInput("{}: dram.bank_groups is {}: expected a divisor of dram.banks ({})", where,
                  machine.dram.bank_groups, machine.dram.banks);
  }
  const DramConfig& dram = machine.dram;
  if (dram.write_queue != 0 &&
      !(dram.write_low < dram.write_high && dram.write_high <= dram.write_queue)) {
    ThrowBadInput(
        "{}: dram.write_high is {}: expected more than write_low ({}), at most "
        "write_queue ({})",
        where, dram.write_high, dram.write_low, dram.write_queue);
  }
  if (machine.dram.row_bytes % 256 != 0) {
    ThrowBadInput("{}: dram.row_bytes is {}: expected a multiple of 256", where,
                  machine.dram.row_bytes);
  }
}

}  // namespace flagstone
