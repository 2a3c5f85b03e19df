// L2 slices of several nodes: what they keep, forward, merge and count.
#include "gpu_model/memory/numa_l2_slice.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "tests/unit/gpu_model/memory/l2_nodes.h"

namespace flagstone {
namespace numa_l2_slice_test {

// An L2 of two ways in each of three nodes, four lines at home in node 0.
std::string Trace(bool once, uint64_t* dram_reads) {
  MachineConfig machine = MachineOfNodes();
  machine.l2.cache.ways = 8;
  L2Nodes nodes(once, machine);
  // Six lines that node n alone uses fill its set up to the two ways of the trace: they are asked
  // for again before each step, so that they are never the least recently used.
  constexpr LineNumber kOwn = 100;
  const auto keep = [&](uint32_t n) {
    for (LineNumber i = 0; i < 6; ++i) {
      nodes.Ask(n, kOwn + i, PacketKind::kRead, 1, n);
      nodes.Finish();
    }
  };
  for (uint32_t n = 0; n < kTestNodes; ++n) keep(n);
  std::array<L2ClassStatistics, kL2Classes> before = {};
  std::array<L2ClassStatistics, kL2Classes> sum = {};
  const auto counted = [&] {
    std::array<L2ClassStatistics, kL2Classes> all = {};
    for (const auto& slice : nodes.slices) {
      for (size_t c = 0; c < kL2Classes; ++c) {
        all[c].accesses += slice->remote().classes[c].accesses;
        all[c].misses += slice->remote().classes[c].misses;
      }
    }
    return all;
  };
  *dram_reads = 0;
  constexpr LineNumber kA = 0, kB = 1, kC = 2, kD = 3;
  constexpr std::pair<uint32_t, LineNumber> kReads[] = {{0, kA}, {0, kB}, {1, kA}, {1, kC}, {0, kB},
                                                        {1, kA}, {0, kA}, {1, kD}, {2, kD}};
  for (const auto& [node, line] : kReads) {
    before = counted();
    const uint64_t reads = nodes.DramReads();
    nodes.Ask(node, line);
    nodes.Finish();
    const auto after = counted();
    *dram_reads += nodes.DramReads() - reads;
    for (size_t c = 0; c < kL2Classes; ++c) {
      sum[c].accesses += after[c].accesses - before[c].accesses;
      sum[c].misses += after[c].misses - before[c].misses;
    }
    for (uint32_t n = 0; n < kTestNodes; ++n) keep(n);
  }
  std::string text;
  for (const L2ClassStatistics& c : sum) {
    text += std::to_string(c.accesses) + "/" + std::to_string(c.misses) + " ";
  }
  return text;
}

TEST(NumaL2Slice, KeepsALineTwiceOrOnceAsInTheWorkedTrace) {
  uint64_t reads = 0;
  EXPECT_EQ(Trace(false, &reads), "4/4 5/4 4/2 ");
  EXPECT_EQ(reads, 6U);
  EXPECT_EQ(Trace(true, &reads), "4/2 5/4 4/3 ");
  EXPECT_EQ(reads, 5U);
}

TEST(NumaL2Slice, AnswersAReadOfAnotherNodesLineOnceItsHomeHas) {
  L2Nodes nodes(false);
  nodes.Ask(1, 5, PacketKind::kRead, 0b0110);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "0/0 2/2 2/2");
  ASSERT_EQ(nodes.replies[1].packets.size(), 1U);
  EXPECT_EQ(nodes.replies[1].packets[0].second.sectors, 0b0110);
  EXPECT_TRUE(nodes.replies[0].packets.empty());
  nodes.Ask(1, 5, PacketKind::kRead, 0b0110);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "0/0 4/2 2/2");
  EXPECT_EQ(nodes.slices[1]->remote().traffic, (std::vector<uint64_t>{2, 0, 0}));
}

TEST(NumaL2Slice, WritesGoHomeAndUpdateALineThatIsHere) {
  L2Nodes nodes(false);
  nodes.Ask(1, 5);
  nodes.Finish();
  nodes.Ask(1, 5, PacketKind::kWrite, 0b0011);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "0/0 3/3 3/1");
  nodes.Ask(1, 5, PacketKind::kRead, 0b0011);  // both sectors are here now
  nodes.Ask(0, 5, PacketKind::kRead, 0b0011);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "2/0 5/3 3/1");
  for (auto& slice : nodes.slices) slice->Flush();
  nodes.Finish();
  EXPECT_EQ(nodes.slices[0]->flushed(), 2U);  // dirty at home
  EXPECT_EQ(nodes.slices[1]->flushed(), 0U);  // and clean elsewhere
  nodes.Ask(1, 5);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "2/0 6/4 4/2");  // nothing was left
}

TEST(NumaL2Slice, AtomicsAreDoneAtHomeAndDropTheLineHere) {
  L2Nodes nodes(false);
  nodes.Ask(1, 5);
  nodes.Finish();
  nodes.Ask(1, 5, PacketKind::kAtomic);
  nodes.Finish();
  EXPECT_EQ(nodes.replies[1].packets.size(), 2U);
  EXPECT_EQ(nodes.Counts(), "0/0 2/2 2/1");
  nodes.Ask(1, 5);
  nodes.Finish();
  EXPECT_EQ(nodes.Counts(), "0/0 3/3 3/1");
}

TEST(NumaL2Slice, WithoutRemoteCachingEveryReadGoesHome) {
  MachineConfig machine = MachineOfNodes();
  machine.numa.remote_caching = 0;
  L2Nodes nodes(false, machine);
  for (int i = 0; i < 3; ++i) {
    nodes.Ask(2, 7);
    nodes.Finish();
  }
  EXPECT_EQ(nodes.Counts(), "0/0 3/3 3/1");
  EXPECT_EQ(nodes.replies[2].packets.size(), 3U);
}

TEST(NumaL2Slice, ReadsThatTakeNoWayMergeWithEachOther) {
  L2Nodes nodes(true);
  nodes.dram_answers = false;
  nodes.Ask(1, 5);
  nodes.Ask(2, 5);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  EXPECT_EQ(nodes.DramReads(), 1U);
  nodes.Ask(0, 5);  // takes a way, and a fetch of its own
  for (int i = 0; i < 60; ++i) nodes.Tick();
  EXPECT_EQ(nodes.DramReads(), 2U);
  nodes.dram_answers = true;
  nodes.Finish();
  for (const RecordingPort& port : nodes.replies) EXPECT_EQ(port.packets.size(), 1U);
  EXPECT_EQ(nodes.slices[0]->remote().bypassed, 1U);  // the one that fetched
}

TEST(NumaL2Slice, ServesOtherNodesThoughItsOwnSmsHoldAllTheirMshrs) {
  L2Nodes nodes(false);
  nodes.wires[0].open = false;  // node 0 hears nothing of what it asks others
  for (LineNumber i = 0; i < 8; ++i) nodes.Ask(0, i, PacketKind::kRead, 1, 1);
  for (int i = 0; i < 100; ++i) nodes.Tick();
  EXPECT_FALSE(nodes.slices[0]->Drained());
  // It still fetches for node 2, though it cannot send the answer.
  nodes.Ask(2, 9);
  for (int i = 0; i < 100; ++i) nodes.Tick();
  EXPECT_EQ(nodes.drams[0].requests.size(), 1U);
  nodes.wires[0].open = true;
  nodes.Finish();
  EXPECT_EQ(nodes.replies[0].packets.size(), 8U);
  EXPECT_EQ(nodes.replies[2].packets.size(), 1U);
}

TEST(NumaL2Slice, ServesOtherNodesThoughAllWaysAreReserved) {
  MachineConfig machine = MachineOfNodes();
  machine.l2.cache.mshrs = 16;
  machine.l2.cache.miss_queue = 16;
  machine.l2.input_queue = 16;
  L2Nodes nodes(false, machine);
  nodes.wires[0].open = false;
  for (LineNumber i = 0; i < 8; ++i) nodes.Ask(0, i, PacketKind::kRead, 1, 1);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  for (const PacketKind kind : {PacketKind::kRead, PacketKind::kWrite, PacketKind::kAtomic}) {
    nodes.Ask(2, 20 + static_cast<LineNumber>(kind), kind);
  }
  for (int i = 0; i < 100; ++i) nodes.Tick();
  EXPECT_EQ(nodes.slices[0]->remote().bypassed, 3U);
  EXPECT_EQ(nodes.drams[0].requests.size(), 4U);  // a read, a write, and both for the atomic
  nodes.wires[0].open = true;
  nodes.Finish();
  EXPECT_EQ(nodes.replies[2].packets.size(), 2U);  // a write has no answer
}

// The lines that node 0's SMs get, one from its DRAM and one from node 1, which come at one
// instant.
std::vector<LineNumber> AnswersOfOneInstant(bool dram_calls_first) {
  L2Nodes nodes(false);
  nodes.dram_answers = false;
  nodes.Ask(0, 5, PacketKind::kRead, 1, 0);
  nodes.Ask(0, 6, PacketKind::kRead, 1, 1);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  const auto from_dram = [&] {
    nodes.slices[0]->DramReply(nodes.drams[0].requests.at(0).second.tag, 1);
  };
  if (dram_calls_first) from_dram();
  nodes.slices[0]->Accept(Channel::kReply, nodes.wires[0].last);
  if (!dram_calls_first) from_dram();
  for (int i = 0; i < 60; ++i) nodes.Tick();
  std::vector<LineNumber> lines;
  for (const auto& [cycle, packet] : nodes.replies[0].packets) lines.push_back(packet.line);
  return lines;
}

TEST(NumaL2Slice, TakesNoNoteOfWhoCallsFirstAtOneInstant) {
  const std::vector<LineNumber> lines = AnswersOfOneInstant(true);
  EXPECT_EQ(lines.size(), 2U);
  EXPECT_EQ(AnswersOfOneInstant(false), lines);
}

TEST(NumaL2Slice, CountsHitsAndMergesOfEachClass) {
  L2Nodes nodes(false);
  const auto count = [&](uint32_t node, L2Class c) {
    return nodes.slices[node]->remote().classes[static_cast<size_t>(c)];
  };
  nodes.Ask(1, 5, PacketKind::kRead, 0b0110);
  nodes.Ask(1, 5, PacketKind::kRead, 0b0010);  // merges
  nodes.Finish();
  for (int i = 0; i < 3; ++i) {
    nodes.Ask(1, 5, PacketKind::kRead, 0b0110);
    nodes.Finish();
  }
  const L2ClassStatistics local_remote = count(1, L2Class::kLocalRemote);
  EXPECT_EQ(local_remote.accesses, 9U);
  EXPECT_EQ(local_remote.misses, 2U);
  EXPECT_EQ(local_remote.mshr_hits, 1U);
  EXPECT_EQ(local_remote.hits, 7U);
  nodes.Ask(0, 5, PacketKind::kRead, 0b0110);
  nodes.Ask(0, 9, PacketKind::kRead, 0b0001);
  nodes.Finish();
  const L2ClassStatistics local = count(0, L2Class::kLocalLocal);
  EXPECT_EQ(local.accesses, 3U);
  EXPECT_EQ(local.hits, 2U);
  EXPECT_EQ(local.misses, 1U);
  EXPECT_EQ(nodes.slices[0]->remote().traffic, (std::vector<uint64_t>{1, 0, 0}));
}

TEST(NumaL2Slice, HitsOfTheOwnSmsFollowEachOtherInEachCycle) {
  L2Nodes nodes(false);
  nodes.slices[0]->Warm(nodes.map.Slice(PhysicalLine(0, 5)).local);
  for (int i = 0; i < 6; ++i) nodes.Ask(0, 5);
  nodes.Finish();
  const auto& packets = nodes.replies[0].packets;
  ASSERT_EQ(packets.size(), 6U);
  for (size_t i = 1; i < 6; ++i) EXPECT_EQ(packets[i].first, packets[0].first + i) << i;
}

TEST(NumaL2Slice, OwnAndOtherRequestsTakeTurnsAtTheTags) {
  MachineConfig machine = MachineOfNodes();
  machine.numa.remote_caching = 0;
  machine.l2.input_queue = 64;  // no lane waits behind a full queue
  machine.l2.cache.mshrs = 64;
  machine.l2.cache.mshr_merges = 32;
  machine.l2.cache.miss_queue = 64;
  L2Nodes nodes(false, machine);
  nodes.slices[0]->Warm(nodes.map.Slice(PhysicalLine(0, 5)).local);
  for (int i = 0; i < 40; ++i) {
    nodes.Ask(0, 5);
    nodes.Ask(1, 5);
  }
  for (int i = 0; i < 60; ++i) nodes.Tick();
  const auto own = static_cast<double>(nodes.replies[0].packets.size());
  const auto other = static_cast<double>(nodes.replies[1].packets.size());
  EXPECT_GT(own + other, 40);
  EXPECT_NEAR(own, other, 20);  // the others' first one comes ten cycles later
  EXPECT_LT(own, 40);
  nodes.Finish();
  EXPECT_EQ(nodes.replies[1].packets.size(), 40U);
}

TEST(NumaL2Slice, AcknowledgesWritesThatFindAllWaysReserved) {
  MachineConfig machine = MachineOfNodes();
  machine.l2.write_reply = WriteReply::kAcknowledge;
  machine.l2.cache.mshrs = 16;
  machine.l2.cache.miss_queue = 16;
  machine.l2.input_queue = 16;
  L2Nodes nodes(false, machine);
  nodes.wires[0].open = false;
  for (LineNumber i = 0; i < 8; ++i) nodes.Ask(0, i, PacketKind::kRead, 1, 1);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  for (LineNumber i = 0; i < 3; ++i) nodes.Ask(2, 20 + i, PacketKind::kWrite, 0b0011);
  for (int i = 0; i < 100; ++i) nodes.Tick();
  EXPECT_EQ(nodes.slices[0]->remote().bypassed, 6U);
  EXPECT_EQ(nodes.drams[0].requests.size(), 3U);
  nodes.wires[0].open = true;
  nodes.Finish();
  EXPECT_EQ(nodes.replies[2].packets.size(), 3U);
}

struct Outcome {
  std::vector<std::tuple<uint64_t, uint32_t, LineNumber, uint32_t>> replies;  // by cycle and node
  std::string counts;
  uint64_t ticks = 0;
};

Outcome RandomRequests(bool once, bool acknowledges, bool sleeps) {
  MachineConfig machine = MachineOfNodes();
  if (acknowledges) machine.l2.write_reply = WriteReply::kAcknowledge;
  L2Nodes nodes(once, machine, sleeps);
  nodes.dram_latency = 60;
  SplitMix64 random(once ? 1 : 2);
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    if (random.Below(cycle / 2000 % 2 == 0 ? 4 : 40) == 0) {
      const auto node = static_cast<uint32_t>(random.Below(kTestNodes));
      const auto line = static_cast<LineNumber>(random.Below(12));
      const auto kind = static_cast<PacketKind>(random.Below(4));
      const auto sectors = static_cast<SectorMask>(1 + random.Below(15));
      const auto home = static_cast<uint32_t>(random.Below(kTestNodes));
      if (nodes.slices[node]->CanAccept()) nodes.Ask(node, line, kind, sectors, home);
    }
    nodes.Tick();
  }
  nodes.Finish();
  Outcome run{.counts = nodes.Counts()};
  for (uint32_t n = 0; n < kTestNodes; ++n) {
    for (const auto& [cycle, packet] : nodes.replies[n].packets) {
      run.replies.emplace_back(cycle, n, packet.line, packet.sectors);
    }
    run.counts += " " + std::to_string(nodes.slices[n]->statistics().latency.cycles);
  }
  for (const SleepingCore& core : nodes.cores) run.ticks += core.ticks();
  for (uint32_t n = 0; n < kTestNodes; ++n) {
    EXPECT_EQ(nodes.slices[n]->NextWork(nodes.now), kNever);
    EXPECT_EQ(nodes.units[n]->NextWork(nodes.now), kNever);
  }
  return run;
}

TEST(NumaL2Slice, SkippedCyclesChangeNothing) {
  for (const bool once : {false, true}) {
    for (const bool acknowledges : {false, true}) {
      const Outcome all = RandomRequests(once, acknowledges, false);
      const Outcome some = RandomRequests(once, acknowledges, true);
      EXPECT_EQ(some.replies, all.replies);
      EXPECT_EQ(some.counts, all.counts);
      EXPECT_GT(all.replies.size(), 1000U);
      EXPECT_LT(some.ticks, all.ticks * 9 / 10);
    }
  }
}

}  // namespace numa_l2_slice_test
}  // namespace flagstone
