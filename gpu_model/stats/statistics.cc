#include "gpu_model/stats/statistics.h"

#include <algorithm>
#include <array>

namespace flagstone {
namespace {

using S = LaunchStatistics;

constexpr std::array kTable = {
    StatisticsField{"cycles", "core cycles", "From the launch to the last store's acceptance.",
                    [](const S& s) { return s.cycles; }},
    StatisticsField{"warp_instructions", "instructions",
                    "Issued, also where every lane's guard is false.",
                    [](const S& s) { return s.warp_instructions; }},
    StatisticsField{"thread_instructions", "instructions", "Active lanes whose guard holds.",
                    [](const S& s) { return s.thread_instructions; }},
    StatisticsField{"tbs_per_sm", "TBs", "Occupancy limit of one SM.",
                    [](const S& s) { return uint64_t{s.tbs_per_sm}; }},
    StatisticsField{"tb.count", "TBs", "TBs of the launch.", [](const S& s) { return s.tb.count; }},
    StatisticsField{"tb.issued", "TBs", "TBs handed to SMs.",
                    [](const S& s) { return s.tb.issued; }},
    StatisticsField{"tb.completed", "TBs", "TBs whose warps have all exited.",
                    [](const S& s) { return s.tb.completed; }},
    StatisticsField{"tb.stolen", "TBs", "TBs moved by the task stealer.",
                    [](const S& s) { return s.tb.stolen; }},
    StatisticsField{"tb.groups", "groups", "TB groups in the queue image.",
                    [](const S& s) { return s.tb.groups; }},
    StatisticsField{"tb.wait_cycles", "SM cycles",
                    "A TB context was free, no TB was offered, and not all TBs were issued.",
                    [](const S& s) { return s.tb.wait_cycles; }},
    StatisticsField{"l1.accesses", "requests",
                    "Loads, stores and atomics after coalescing: 128 B lines, or 32 B sectors "
                    "where the L1 is sectored.",
                    [](const S& s) { return s.l1.accesses; }},
    StatisticsField{"l1.hits", "requests", "Loads whose data was in the L1.",
                    [](const S& s) { return s.l1.hits; }},
    StatisticsField{"l1.mshr_hits", "requests", "Loads merged in a miss already in flight.",
                    [](const S& s) { return s.l1.mshr_hits; }},
    StatisticsField{"l1.misses", "requests", "Sent on to L2: load misses, all stores and atomics.",
                    [](const S& s) { return s.l1.misses; }},
    StatisticsField{"l1.reservation_fails", "SM cycles",
                    "A request had to wait for a way, an MSHR, a merge or the miss queue.",
                    [](const S& s) { return s.l1.reservation_fails; }},
    StatisticsField{"l2.accesses", "32 B sectors", "Asked of the L2 slices.",
                    [](const S& s) { return s.l2.accesses; }},
    StatisticsField{"l2.hits", "32 B sectors",
                    "Present or already in flight, and all that were written.",
                    [](const S& s) { return s.l2.hits; }},
    StatisticsField{"l2.misses", "32 B sectors", "Fetched from DRAM.",
                    [](const S& s) { return s.l2.misses; }},
    StatisticsField{"dram.reads", "32 B sectors", "Read from DRAM.",
                    [](const S& s) { return s.dram.reads; }},
    StatisticsField{"dram.writes", "32 B sectors", "Written to DRAM.",
                    [](const S& s) { return s.dram.writes; }},
    StatisticsField{"dram.row_hits", "32 B sectors",
                    "Of requests that found their row open, without an activation of their own.",
                    [](const S& s) { return s.dram.row_hits; }},
};

}  // namespace

std::span<const StatisticsField> StatisticsTable() { return kTable; }

LaunchStatistics& operator+=(LaunchStatistics& a, const LaunchStatistics& b) {
  a.cycles += b.cycles;
  a.warp_instructions += b.warp_instructions;
  a.thread_instructions += b.thread_instructions;
  a.tbs_per_sm = std::max(a.tbs_per_sm, b.tbs_per_sm);
  a.tb.count += b.tb.count;
  a.tb.issued += b.tb.issued;
  a.tb.completed += b.tb.completed;
  a.tb.stolen += b.tb.stolen;
  a.tb.groups += b.tb.groups;
  a.tb.wait_cycles += b.tb.wait_cycles;
  a.l1 += b.l1;
  a.l2 += b.l2;
  a.dram += b.dram;
  return a;
}

L1Statistics& operator+=(L1Statistics& a, const L1Statistics& b) {
  a.accesses += b.accesses;
  a.hits += b.hits;
  a.mshr_hits += b.mshr_hits;
  a.misses += b.misses;
  a.reservation_fails += b.reservation_fails;
  return a;
}

L2Statistics& operator+=(L2Statistics& a, const L2Statistics& b) {
  a.accesses += b.accesses;
  a.hits += b.hits;
  a.misses += b.misses;
  return a;
}

DramStatistics& operator+=(DramStatistics& a, const DramStatistics& b) {
  a.reads += b.reads;
  a.writes += b.writes;
  a.row_hits += b.row_hits;
  return a;
}

}  // namespace flagstone
