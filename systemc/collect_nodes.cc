#include "systemc/collect_nodes.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace flagstone {
namespace {

void Add(const L2ClassStatistics& part, L2ClassStatistics* sum) {
  sum->accesses += part.accesses;
  sum->hits += part.hits;
  sum->mshr_hits += part.mshr_hits;
  sum->misses += part.misses;
}

void Expect(uint64_t got, uint64_t expected, std::string_view what) {
  if (got == expected) return;
  ThrowRunFailed("at the end {}: {} and {} sectors", what, got, expected);
}

const L2ClassStatistics& Of(const NumaL2Slice& slice, L2Class c) {
  return slice.remote().classes[static_cast<size_t>(c)];
}

uint64_t FabricCycles(const ClockConfig& clock, uint64_t cycles) {
  return cycles * clock.interconnect / clock.core;
}

void ExpectLinks(const std::vector<LinkLoad>& links, bool ring, const LinkStatistics& sum) {
  LinkStatistics all;
  for (const LinkLoad& link : links) {
    const bool of_ring =
        link.kind == LinkLoad::Kind::kClockwise || link.kind == LinkLoad::Kind::kCounterclockwise;
    if (of_ring != ring) continue;
    all.packets += link.packets;
    all.bytes += link.bytes;
    all.capacity += link.capacity;
  }
  if (all.packets == sum.packets && all.bytes == sum.bytes && all.capacity == sum.capacity) return;
  ThrowRunFailed("at the end the {} moved {} bytes, and its links {}", ring ? "rings" : "switch",
                 sum.bytes, all.bytes);
}

}  // namespace

NodesRecord CollectNodes(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles) {
  NodesRecord record;
  for (const Node* node : gpu.nodes) {
    NodesRecord::Node& counts = record.nodes.emplace_back();
    std::vector<uint64_t>& traffic = record.traffic.emplace_back(gpu.nodes.size(), 0);
    counts.tbs = node->tb_scheduler.core->statistics().issued;
    for (const auto& sm : node->chip.sms) {
      counts.cycles_busy = std::max(counts.cycles_busy, sm->core->last_progress());
    }
    for (const NumaL2Slice* slice : node->chip.numa_l2) {
      counts.l2_accesses += slice->statistics().accesses;
      const std::vector<uint64_t>& moved = slice->remote().traffic;
      for (size_t home = 0; home < moved.size(); ++home) traffic[home] += moved[home];
    }
    for (const auto& channel : node->chip.dram) {
      const DramStatistics dram = channel->statistics();
      counts.dram_reads += dram.reads;
      counts.dram_writes += dram.writes;
    }
  }
  record.links = gpu.fabric->core->Loads(FabricCycles(clock, cycles));
  return record;
}

NumaStatistics CollectNuma(const GpuModule& gpu, const ClockConfig& clock, const NodesRecord& nodes,
                           const PageTable& pages, uint64_t cycles, uint64_t flush_cycles) {
  NumaStatistics sum;
  for (const Node* node : gpu.nodes) {
    for (const NumaL2Slice* slice : node->chip.numa_l2) {
      Add(Of(*slice, L2Class::kLocalLocal), &sum.ll);
      Add(Of(*slice, L2Class::kLocalRemote), &sum.lr);
      Add(Of(*slice, L2Class::kRemoteLocal), &sum.rl);
      sum.rl.bypassed += slice->remote().bypassed;
      sum.flush.sectors += slice->flushed();
    }
  }
  const size_t chiplets = nodes.nodes.size() / gpu.gpus();
  for (size_t from = 0; from < nodes.nodes.size(); ++from) {
    for (size_t home = 0; home < nodes.nodes.size(); ++home) {
      if (home == from) continue;
      const bool same = home / chiplets == from / chiplets;
      (same ? sum.lr.same_gpu : sum.lr.other_gpu) += nodes.traffic[from][home];
    }
  }
  const uint64_t fabric_cycles = FabricCycles(clock, cycles);
  sum.ring = gpu.fabric->core->RingStatistics(fabric_cycles);
  sum.crossbar = gpu.fabric->core->SwitchStatistics(fabric_cycles);
  sum.pages.placed = pages.placed();
  sum.pages.first_touched = pages.first_touched();
  for (const SmModule* sm : gpu.sms()) sum.fault_cycles += sm->core->fault_cycles();
  sum.flush.cycles = flush_cycles;
  return sum;
}

void CheckNodeCounts(const GpuModule& gpu, const LaunchStatistics& totals,
                     const NodesRecord& nodes) {
  const NumaStatistics& numa = totals.numa;
  Expect(numa.ll.accesses + numa.lr.accesses + numa.rl.accesses, totals.l2.accesses,
         "the classes of L2 accesses are not all of them");
  for (const L2ClassStatistics* c : {&numa.ll, static_cast<const L2ClassStatistics*>(&numa.lr),
                                     static_cast<const L2ClassStatistics*>(&numa.rl)}) {
    Expect(c->hits + c->misses, c->accesses, "hits and misses are not all accesses of a class");
  }
  Expect(numa.lr.misses, numa.rl.accesses, "what nodes ask of others is not what these are asked");
  Expect(numa.lr.same_gpu + numa.lr.other_gpu, numa.lr.misses,
         "the traffic matrix is not what nodes ask of others");
  Expect(totals.dram.reads, numa.ll.misses + numa.rl.misses,
         "the DRAM's reads are not the misses at home");
  for (size_t n = 0; n < nodes.nodes.size(); ++n) {
    uint64_t out = 0, in = 0, asked = 0, answered = 0, at_home = 0;
    for (size_t other = 0; other < nodes.nodes.size(); ++other) {
      if (other == n) continue;
      out += nodes.traffic[n][other];
      in += nodes.traffic[other][n];
    }
    for (const NumaL2Slice* slice : gpu.nodes[n]->chip.numa_l2) {
      asked += Of(*slice, L2Class::kLocalRemote).misses;
      answered += Of(*slice, L2Class::kRemoteLocal).accesses;
      at_home += Of(*slice, L2Class::kLocalLocal).misses;
    }
    Expect(out, asked, "a row of the traffic matrix is not what its node asks of others");
    Expect(in, answered, "a column of the traffic matrix is not what its node is asked");
    Expect(nodes.traffic[n][n], at_home,
           "the traffic matrix's diagonal is not a node's own misses");
  }
  ExpectLinks(nodes.links, true, numa.ring);
  ExpectLinks(nodes.links, false, numa.crossbar);
}

}  // namespace flagstone
