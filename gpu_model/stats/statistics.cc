#include "gpu_model/stats/statistics.h"

#include <algorithm>
#include <numeric>

namespace flagstone {
namespace {

using S = LaunchStatistics;
using Total = StatisticsField::Total;

std::span<uint64_t> Values(uint64_t& value) { return {&value, 1}; }
std::span<uint64_t> Values(std::array<uint64_t, LatencyHistogram::kBuckets>& buckets) {
  return buckets;
}

// The path of the field is its name. More arguments: `without_timing`, `total`.
#define ROW(path, unit, sentence, ...)                                                     \
  StatisticsField {                                                                        \
#path, unit, sentence, [](S & s) { return Values(s.path); } __VA_OPT__(, ) __VA_ARGS__ \
  }
// A field whose name is not its path: an element of an array.
#define NAMED(name, path, unit, sentence)                     \
  StatisticsField {                                           \
    name, unit, sentence, [](S& s) { return Values(s.path); } \
  }
#define ISSUE(name, slot, sentence) \
  NAMED("sm.issue." name, sm[IssueSlot::slot], "scheduler cycles", sentence)
#define UNIT(name, unit)                                                                           \
  NAMED("sm.unit_waits." name, sm.unit_waits[static_cast<size_t>(Unit::unit)], "scheduler cycles", \
        "Of sm.issue.unit, those in which the first ready warp wanted it.")
#define WORK(name, work, sentence)                                                               \
  NAMED("sm.operations." name, sm.operations[static_cast<size_t>(LaneWork::work)], "operations", \
        "Of lanes. " sentence)
// A class of misses. `path` is members' names, as below.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CLASS(path, unit, sentence) ROW(path, unit, sentence, false, Total::kSum, true)
// A latency histogram: its buckets, count and sum. `path` is members' names: no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define HISTOGRAM(path, unit, sentence)                                                        \
  ROW(path.buckets, unit, sentence " Bucket b: 2^b to 2^(b+1) - 1 cycles; the last: longer."), \
      ROW(path.count, unit, "Of " #path "."), ROW(path.cycles, "cycles", "Summed " #path ".")
// NOLINTEND(bugprone-macro-parentheses)
#define RATE(name, unit, sentence, part, whole)                                             \
  StatisticsRate {                                                                          \
    name, unit, sentence, [](const S& s) { return part; }, [](const S& s) { return whole; } \
  }

constexpr StatisticsField kTable[] = {
    ROW(tbs_per_sm, "TBs", "Occupancy limit of one SM.", false, Total::kLargest),
    ROW(cycles, "core cycles", "From the launch to the last store's acceptance."),
    ROW(warp_instructions, "instructions", "Issued, also where every lane's guard is false.", true),
    ROW(thread_instructions, "instructions",
        "Active lanes whose guard holds; a branch not taken counts for no lane.", true),

    ROW(tb.count, "TBs", "TBs of the launch.", true),
    ROW(tb.issued, "TBs", "TBs handed to SMs.", true),
    ROW(tb.completed, "TBs", "TBs whose warps have all exited.", true),
    ROW(tb.stolen, "TBs", "TBs moved by the task stealer."),
    ROW(tb.groups, "groups", "TB groups in the queue image; 0 where the policy has none."),
    ROW(tb.wait_cycles, "SM cycles",
        "A TB context was free, no TB was offered, and not all TBs were issued."),

    ISSUE("issued", kIssued, "A warp issued an instruction, or two."),
    ISSUE("no_grant", kNoGrant,
          "No warp issued, though one could: the scheduler had not granted it. Here and below the "
          "reason is that of the warp nearest to issuing, in the order of the rows."),
    ISSUE("unit", kUnit, "No warp issued: its pipe, or the load/store unit's queue, was taken."),
    ISSUE("pipe", kPipe, "No warp issued: it needed a result that was in a pipe."),
    ISSUE("fetch", kFetch, "No warp issued: its next instruction was not there yet."),
    ISSUE("memory", kMemory, "No warp issued: it needed data from memory."),
    ISSUE("barrier", kBarrier, "No warp issued: it waited at a barrier."),
    ISSUE("idle", kIdle, "The scheduler had no warp."),
    UNIT("int_add", kIntAdd),
    UNIT("int_mul", kIntMul),
    UNIT("int_div", kIntDiv),
    UNIT("f32", kF32),
    UNIT("f32_div", kF32Div),
    UNIT("f64", kF64),
    UNIT("f64_div", kF64Div),
    UNIT("sfu", kSfu),
    UNIT("control", kControl),
    UNIT("const", kConst),
    UNIT("load_store", kLoadStore),
    UNIT("texture", kTexture),
    ROW(sm.memory_waits.all, "scheduler cycles",
        "No warp issued, and all of the scheduler's warps needed data from memory."),
    ROW(sm.memory_waits.half, "scheduler cycles", "The same of half of them or more."),
    ROW(sm.memory_waits.any, "scheduler cycles", "The same of one of them or more."),
    ROW(sm.dual_issues, "scheduler cycles", "Of sm.issue.issued, those with two instructions."),
    NAMED("sm.lanes_8", sm.lanes[0], "instructions", "Warp instructions with 1 to 8 active lanes."),
    NAMED("sm.lanes_16", sm.lanes[1], "instructions", "With 9 to 16 active lanes."),
    NAMED("sm.lanes_24", sm.lanes[2], "instructions", "With 17 to 24 active lanes."),
    NAMED("sm.lanes_32", sm.lanes[3], "instructions", "With 25 to 32 active lanes."),
    WORK("integer", kInteger, "Logic, additions, comparisons, shuffles, addresses."),
    WORK("int_mul", kIntMul, "Integer products."),
    WORK("f32", kF32, "Of f32, and of halves: additions, products, comparisons."),
    WORK("f32_fma", kF32Fma, "Of f32, and of halves: multiply-adds."),
    WORK("f64", kF64, "Of f64, divisions and roots too."),
    WORK("special", kSpecial, "Divisions, roots and special functions, not of f64."),
    WORK("tensor", kTensor, "Matrix products, a 32nd of an m16n8k16 of f16 each."),
    WORK("none", kNone, "Branches and barriers."),
    ROW(sm.operands, "registers", "Read or written by lanes; predicates too."),
    ROW(sm.shared_cycles, "accesses", "To all banks of shared memory: one, and one a conflict."),
    ROW(sm.resident_warp_cycles, "warp cycles", "Warps that had not exited, summed over cycles."),
    ROW(sm.warp_slot_cycles, "warp cycles", "The same for SMs that are always full."),

    ROW(sm.instruction_cache.accesses, "requests", "A warp came to another line of the program."),
    ROW(sm.instruction_cache.hits, "requests", "Of these, hits."),
    ROW(sm.instruction_cache.misses, "requests",
        "Of these, sent on to L2; the others were merged."),
    ROW(sm.const_cache.accesses, "requests",
        "Lines of constants and parameters asked for by warp instructions."),
    ROW(sm.const_cache.hits, "requests", "Of these, hits."),
    ROW(sm.const_cache.misses, "requests", "Of these, sent on to L2; the others were merged."),
    ROW(sm.texture_cache.accesses, "requests", "Lines of textures asked for by warp instructions."),
    ROW(sm.texture_cache.hits, "requests", "Of these, hits."),
    ROW(sm.texture_cache.misses, "requests", "Of these, sent on to L2; the others were merged."),

    ROW(l1.accesses, "requests",
        "Loads, stores and atomics after coalescing: 128 B lines, or 32 B sectors where the L1 is "
        "sectored."),
    ROW(l1.hits, "requests", "Loads whose data was in the L1."),
    ROW(l1.mshr_hits, "requests", "Loads merged in a miss already in flight."),
    ROW(l1.misses, "requests", "Sent on to L2: load misses, all stores and atomics."),
    ROW(l1.reservation_fails, "SM cycles", "A request had to wait: the sum of l1.fails."),
    ROW(l1.loads, "requests", "Of the accesses, loads."),
    ROW(l1.stores, "requests", "Of the accesses, stores."),
    ROW(l1.atomics, "requests", "Of the accesses, atomics."),
    ROW(l1.bypassed, "requests",
        "Loads, stores and atomics that went past an L1 which is off for global memory; no "
        "accesses."),
    ROW(l1.fails.mshr, "SM cycles", "A request waited for an MSHR."),
    ROW(l1.fails.merge, "SM cycles", "A request waited for a merge in the line's MSHR."),
    ROW(l1.fails.way, "SM cycles", "A request waited for a way that is not reserved."),
    ROW(l1.fails.queue, "SM cycles", "A request waited for a place in the miss queue."),
    ROW(l1.fails.load_slot, "SM cycles", "A request waited for a place among the loads in flight."),
    CLASS(l1.classes.cold, "requests",
          "Load misses on what the SM has not asked for before. These four: `--miss-classes`."),
    CLASS(l1.classes.capacity, "requests",
          "Load misses that a fully associative L1 of this size would have had too."),
    CLASS(l1.classes.conflict, "requests", "Load misses that it would not have had."),
    CLASS(l1.classes.written, "requests",
          "Load misses on what a store or an atomic of the SM has evicted."),
    HISTOGRAM(l1.load_latency, "instructions",
              "Global and local loads and atomics, from issue until the result can be used."),

    ROW(noc.request.packets, "packets", "Delivered to L2 slices."),
    ROW(noc.request.flits, "flits", "Of these packets."),
    ROW(noc.request.packet_cycles, "cycles", "Packets in the network, summed over its cycles."),
    ROW(noc.request.backpressure, "cycles",
        "A port's first packet waited because its destination's queue was full."),
    ROW(noc.reply.packets, "packets", "Delivered to SMs and the TB scheduler."),
    ROW(noc.reply.flits, "flits", "Of these packets."),
    ROW(noc.reply.packet_cycles, "cycles", "Packets in the network, summed over its cycles."),
    ROW(noc.reply.backpressure, "cycles",
        "A port's first packet waited because its destination's queue was full."),

    ROW(l2.accesses, "32 B sectors", "Asked of the L2 slices."),
    ROW(l2.hits, "32 B sectors", "Present or already in flight, and all that were written."),
    ROW(l2.misses, "32 B sectors", "Fetched from DRAM."),
    ROW(l2.reads, "32 B sectors", "Of the accesses, reads."),
    ROW(l2.writes, "32 B sectors", "Of the accesses, writes."),
    ROW(l2.atomics, "32 B sectors", "Of the accesses, atomics."),
    ROW(l2.mshr_hits, "32 B sectors", "Of the hits, those already in flight."),
    ROW(l2.write_backs, "32 B sectors", "Dirty, and written to DRAM to make room."),
    ROW(l2.fails.mshr, "L2 cycles", "A slice's first request waited for an MSHR."),
    ROW(l2.fails.merge, "L2 cycles", "It waited for a merge in the line's MSHR."),
    ROW(l2.fails.way, "L2 cycles", "It waited for a way that is not reserved."),
    ROW(l2.fails.queue, "L2 cycles", "It waited for a place in the queue to DRAM or of replies."),
    CLASS(l2.classes.cold, "32 B sectors",
          "Misses on what the launch has not asked for before. These three: `--miss-classes`."),
    CLASS(l2.classes.capacity, "32 B sectors",
          "Misses that a fully associative slice of this size would have had too."),
    CLASS(l2.classes.conflict, "32 B sectors", "Misses that it would not have had."),
    HISTOGRAM(l2.latency, "requests",
              "Reads and atomics, from the slice's pipeline to the reply's queue, in L2 cycles."),

    ROW(dram.reads, "32 B sectors", "Read from DRAM."),
    ROW(dram.writes, "32 B sectors", "Written to DRAM."),
    ROW(dram.row_hits, "32 B sectors",
        "Of requests that found their row open, without an activation of their own."),
    ROW(dram.row_misses, "32 B sectors", "Of requests that found their bank closed."),
    ROW(dram.row_conflicts, "32 B sectors", "Of requests that had another row closed."),
    ROW(dram.activations, "rows", "Rows opened."),
    ROW(dram.requests, "requests", "Reads and writes, of one to four sectors each."),
    ROW(dram.queue_cycles, "DRAM cycles", "Requests waiting in a channel, summed over its cycles."),
    ROW(dram.bus_cycles, "DRAM cycles", "A channel's data bus was in use."),
    ROW(dram.channel_cycles, "DRAM cycles", "Of the launch, times the channels."),
    HISTOGRAM(dram.latency, "requests",
              "Reads, from the channel's queue to the data's return, in DRAM cycles."),

    ROW(numa.ll.accesses, "32 B sectors",
        "SMs of a node at its L2, lines that are at home there. These rows: several nodes."),
    ROW(numa.ll.hits, "32 B sectors",
        "Of numa.ll.accesses, those that need no transfer of their own."),
    ROW(numa.ll.mshr_hits, "32 B sectors", "Of numa.ll.hits, merged in a fetch under way."),
    ROW(numa.ll.misses, "32 B sectors", "Of these accesses, read from the node's DRAM."),
    ROW(numa.lr.accesses, "32 B sectors",
        "SMs of a node at its L2, lines that are at home elsewhere."),
    ROW(numa.lr.hits, "32 B sectors",
        "Of numa.lr.accesses, those that need no transfer of their own."),
    ROW(numa.lr.mshr_hits, "32 B sectors", "Of numa.lr.hits, merged in a fetch under way."),
    ROW(numa.lr.misses, "32 B sectors",
        "Of these accesses, sent to their home: read misses, all writes and atomics."),
    ROW(numa.lr.same_gpu, "32 B sectors", "Of numa.lr.misses, to another chiplet of the GPU."),
    ROW(numa.lr.other_gpu, "32 B sectors", "Of numa.lr.misses, to another GPU."),
    ROW(numa.rl.accesses, "32 B sectors", "Other nodes at the L2 of their lines' home."),
    ROW(numa.rl.hits, "32 B sectors",
        "Of numa.rl.accesses, those that need no transfer of their own."),
    ROW(numa.rl.mshr_hits, "32 B sectors", "Of numa.rl.hits, merged in a fetch under way."),
    ROW(numa.rl.misses, "32 B sectors", "Of these accesses, read from the home's DRAM."),
    ROW(numa.rl.bypassed, "32 B sectors", "Of numa.rl.accesses, those that took no way in the L2."),
    NAMED("numa.ring.packets", numa.ring.packets, "packets", "Over the links of the rings."),
    NAMED("numa.ring.bytes", numa.ring.bytes, "B", "Of these packets."),
    NAMED("numa.ring.capacity", numa.ring.capacity, "B", "That its links could have moved."),
    NAMED("numa.ring.backpressure", numa.ring.backpressure, "cycles",
          "A packet waited for a place at a link, summed over nodes and links."),
    NAMED("numa.ring.packet_cycles", numa.ring.packet_cycles, "cycles",
          "Packets on or at its links, summed over cycles."),
    NAMED("numa.switch.packets", numa.crossbar.packets, "packets", "Over the links of the switch."),
    NAMED("numa.switch.bytes", numa.crossbar.bytes, "B", "Of these packets."),
    NAMED("numa.switch.capacity", numa.crossbar.capacity, "B", "That its links could have moved."),
    NAMED("numa.switch.backpressure", numa.crossbar.backpressure, "cycles",
          "A packet waited for a place at a link, summed over nodes and links."),
    NAMED("numa.switch.packet_cycles", numa.crossbar.packet_cycles, "cycles",
          "Packets on or at its links, summed over cycles."),
    ROW(numa.pages.placed, "pages", "Given to a node in this launch."),
    ROW(numa.pages.first_touched, "pages", "Of these, to the node that touched them first."),
    ROW(numa.fault_cycles, "SM cycles", "SMs were held back by the first touch of a page."),
    ROW(numa.flush.sectors, "32 B sectors", "Written back at the end of the launch."),
    ROW(numa.flush.cycles, "core cycles", "Of the launch, for that."),

    ROW(prefetch.issued, "requests", "Prefetches that entered the L1."),
    ROW(prefetch.used, "requests", "Of these, lines that a demand load wanted afterwards."),
    ROW(prefetch.late, "requests", "Of the used, those still in flight at the demand load."),
    ROW(prefetch.early_evicted, "requests",
        "Lines that gave way to others before any demand load wanted them."),
    ROW(prefetch.too_early, "requests",
        "Of the early evicted, lines that a demand load wanted later. The others were wrong."),
    ROW(prefetch.overwritten, "requests",
        "Lines that a store or atomic put out of the L1 before any demand load wanted them."),
    ROW(prefetch.merged, "requests",
        "Of dropped.in_flight, lines that a demand load waits for: MSHRs may merge the two."),
    ROW(prefetch.demand_fetches, "requests",
        "Global loads after coalescing: lines. Here and below 0 without a prefetcher."),
    ROW(prefetch.demand_misses, "requests", "Of these, sent on to L2."),
    ROW(prefetch.dropped.present, "requests", "Prefetches dropped, the line being in the L1."),
    ROW(prefetch.dropped.in_flight, "requests", "Dropped, the line being on its way."),
    ROW(prefetch.dropped.passed, "requests", "Dropped, the warp having passed the load (CAPS)."),
    ROW(prefetch.dropped.withdrawn, "requests",
        "Withdrawn by the prefetcher: its TB ended, or its stride was replaced."),
    ROW(prefetch.waits.demand, "SM cycles",
        "A prefetch waited while demand used the L1's tags, or waited there itself."),
    ROW(prefetch.waits.mshr, "SM cycles", "A prefetch waited for an MSHR that is not reserved."),
    ROW(prefetch.waits.way, "SM cycles", "A prefetch waited for a way that is not reserved."),
    ROW(prefetch.waits.queue, "SM cycles", "A prefetch waited for room in the miss queue."),
    ROW(prefetch.throttle_events, "events", "A table entry was mispredicted too often."),
    ROW(prefetch.wakes, "events", "Warps made ready by prefetched data."),
    HISTOGRAM(prefetch.distance, "requests",
              "Used prefetches, from entering the L1 to the demand load."),

    ROW(energy.total, "pJ", "Of the launch: the sum of the others (docs/energy.md)."),
    ROW(energy.instructions, "pJ", "Fetch, decode and scheduling of warp instructions."),
    ROW(energy.operations, "pJ", "Of the lanes."),
    ROW(energy.registers, "pJ", "Register files."),
    ROW(energy.shared, "pJ", "Shared memory."),
    ROW(energy.l1, "pJ", "L1s, and the other caches of SMs."),
    ROW(energy.noc, "pJ", "Interconnect, rings and switch."),
    ROW(energy.l2, "pJ", "L2: accesses, and sectors from and to the DRAM."),
    ROW(energy.dram.activate, "pJ", "Opening and closing rows."),
    ROW(energy.dram.read, "pJ", "Sectors read."),
    ROW(energy.dram.write, "pJ", "Sectors written."),
    ROW(energy.dram.refresh, "pJ", "Refreshes, by the time."),
    ROW(energy.dram.idle, "pJ", "Open rows that nothing is done to, by the time."),
    ROW(energy.blocks, "pJ", "TB schedulers and prefetchers."),
    ROW(energy.leakage, "pJ", "SMs and the rest of the chip, by the time."),
};

uint64_t Lost(const MissClassCounts& classes) { return classes.capacity + classes.conflict; }

constexpr StatisticsRate kRates[] = {
    RATE("tb.mean_wait", "SM cycles per TB", "tb.wait_cycles, of the TBs issued.", s.tb.wait_cycles,
         s.tb.issued),
    RATE("ipc", "per core cycle", "Thread instructions.", s.thread_instructions, s.cycles),
    RATE("sm.occupancy", "share", "Mean of resident warps, of those that an SM can hold.",
         s.sm.resident_warp_cycles, s.sm.warp_slot_cycles),
    RATE("sm.memory_share", "share", "sm.issue.memory, of the schedulers' cycles.",
         s.sm[IssueSlot::kMemory], std::reduce(s.sm.slots.begin(), s.sm.slots.end())),
    RATE("sm.all_wait_share", "share", "sm.memory_waits.all, of the schedulers' cycles.",
         s.sm.memory_waits.all, std::reduce(s.sm.slots.begin(), s.sm.slots.end())),
    RATE("sm.half_wait_share", "share", "sm.memory_waits.half, the same.", s.sm.memory_waits.half,
         std::reduce(s.sm.slots.begin(), s.sm.slots.end())),
    RATE("sm.any_waits_share", "share", "sm.memory_waits.any, the same.", s.sm.memory_waits.any,
         std::reduce(s.sm.slots.begin(), s.sm.slots.end())),
    RATE("l1.miss_rate", "share", "Of the accesses.", s.l1.misses, s.l1.accesses),
    RATE("l1.lost_rate", "share", "Capacity and conflict misses, of the loads': `--miss-classes`.",
         Lost(s.l1.classes), Lost(s.l1.classes) + s.l1.classes.cold + s.l1.classes.written),
    RATE("l1.load_latency.mean", "core cycles", "Of loads and atomics.", s.l1.load_latency.cycles,
         s.l1.load_latency.count),
    RATE("noc.request.latency", "cycles", "Mean, with the time at the port.",
         s.noc.request.packet_cycles, s.noc.request.packets),
    RATE("noc.reply.latency", "cycles", "Mean, with the time at the port.",
         s.noc.reply.packet_cycles, s.noc.reply.packets),
    RATE("l2.miss_rate", "share", "Of the accesses.", s.l2.misses, s.l2.accesses),
    RATE("l2.lost_rate", "share", "Capacity and conflict misses, of all: `--miss-classes`.",
         Lost(s.l2.classes), Lost(s.l2.classes) + s.l2.classes.cold),
    RATE("l2.latency.mean", "L2 cycles", "Of reads and atomics.", s.l2.latency.cycles,
         s.l2.latency.count),
    RATE("dram.row_hit_rate", "share", "Of the sectors read and written.", s.dram.row_hits,
         s.dram.reads + s.dram.writes),
    RATE("dram.queue_time", "DRAM cycles", "Mean wait of a request for its column command.",
         s.dram.queue_cycles, s.dram.requests),
    RATE("dram.utilization", "share", "Of the channels' cycles with data on the bus.",
         s.dram.bus_cycles, s.dram.channel_cycles),
    RATE("dram.latency.mean", "DRAM cycles", "Of reads.", s.dram.latency.cycles,
         s.dram.latency.count),
    RATE("l2.mpki", "sectors", "L2 misses for each 1,000 warp instructions.", 1000 * s.l2.misses,
         s.warp_instructions),
    RATE("numa.off_node", "share", "L2 accesses of SMs that went to another node.",
         s.numa.lr.misses, s.numa.ll.accesses + s.numa.lr.accesses),
    RATE("numa.off_gpu", "share", "L2 accesses of SMs that went to another GPU.",
         s.numa.lr.other_gpu, s.numa.ll.accesses + s.numa.lr.accesses),
    RATE("numa.ll.hit_rate", "share", "Of numa.ll.accesses.", s.numa.ll.hits, s.numa.ll.accesses),
    RATE("numa.lr.hit_rate", "share", "Of numa.lr.accesses.", s.numa.lr.hits, s.numa.lr.accesses),
    RATE("numa.rl.hit_rate", "share", "Of numa.rl.accesses.", s.numa.rl.hits, s.numa.rl.accesses),
    RATE("numa.rl.share", "share", "Accesses by other nodes, of all L2 accesses.",
         s.numa.rl.accesses, s.numa.ll.accesses + s.numa.lr.accesses + s.numa.rl.accesses),
    RATE("numa.ring.utilization", "share", "Of the rings' capacity.", s.numa.ring.bytes,
         s.numa.ring.capacity),
    RATE("numa.switch.utilization", "share", "Of the switch's capacity.", s.numa.crossbar.bytes,
         s.numa.crossbar.capacity),
    RATE("prefetch.coverage", "share", "Issued, of the demand fetches.", s.prefetch.issued,
         s.prefetch.demand_fetches),
    RATE("prefetch.accuracy", "share", "Used, of the issued.", s.prefetch.used, s.prefetch.issued),
    RATE("prefetch.merged_coverage", "share", "As coverage, merged prefetches being issued too.",
         s.prefetch.issued + s.prefetch.merged, s.prefetch.demand_fetches),
    RATE("prefetch.merged_accuracy", "share", "As accuracy, merged ones being issued and used too.",
         s.prefetch.used + s.prefetch.merged, s.prefetch.issued + s.prefetch.merged),
    RATE("prefetch.merged_too_early_rate", "share", "As too_early_rate, merged ones issued too.",
         s.prefetch.too_early, s.prefetch.issued + s.prefetch.merged),
    RATE("prefetch.early_rate", "share", "Early evicted, of the issued.", s.prefetch.early_evicted,
         s.prefetch.issued),
    RATE("prefetch.too_early_rate", "share", "Too early, of the issued.", s.prefetch.too_early,
         s.prefetch.issued),
    RATE("prefetch.late_rate", "share", "Late, of the used.", s.prefetch.late, s.prefetch.used),
    RATE("prefetch.distance.mean", "core cycles", "From prefetch to demand load.",
         s.prefetch.distance.cycles, s.prefetch.distance.count),
};

#undef ROW
#undef NAMED
#undef ISSUE
#undef UNIT
#undef WORK
#undef CLASS
#undef HISTOGRAM
#undef RATE

}  // namespace

bool StatisticsField::histogram() const {
  constexpr std::string_view kSuffix = ".buckets";
  return name.size() > kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix;
}

std::span<const StatisticsField> StatisticsTable() { return kTable; }
std::span<const StatisticsRate> StatisticsRates() { return kRates; }

void StatisticsField::Add(const LaunchStatistics& more, LaunchStatistics* sum) const {
  const std::span<uint64_t> sums = values(*sum);
  const std::span<const uint64_t> added = Get(more);
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = total == Total::kSum ? sums[i] + added[i] : std::max(sums[i], added[i]);
  }
}

LaunchStatistics& operator+=(LaunchStatistics& a, const LaunchStatistics& b) {
  for (const StatisticsField& field : kTable) field.Add(b, &a);
  return a;
}

}  // namespace flagstone
