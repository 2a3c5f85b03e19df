// A load/store unit that answers hits before their cycles, beside one that must not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "gpu_model/sm/load_store_unit.h"

namespace flagstone {
namespace hit_ahead_test {

using Kind = MemoryInstruction::Kind;
using Event = std::tuple<uint32_t, uint32_t, uint64_t>;  // warp or slot, pc or sectors, cycle

class RecordingResults final : public ResultSink {
 public:
  void LoadDone(uint32_t warp, uint32_t pc, uint64_t cycle) override {
    events.emplace_back(warp, pc, cycle);
  }
  void InstructionHere(uint32_t) override { ADD_FAILURE() << "a load/store unit fetches nothing"; }
  void StoreDone(uint32_t tb_slot, uint32_t sectors) override {
    events.emplace_back(tb_slot, sectors, 0);
  }

  std::vector<Event> events;
};

// A unit whose loads are watched takes them request by request.
class IdleWatcher final : public LoadWatcher {
 public:
  void EndCycle(const WarpTable&, bool, WarpSignals*) override {}
};

struct Unit {
  explicit Unit(const SmConfig& config) : lsu(config, &results) { lsu.Count(&counts); }
  void Answer(size_t miss, uint64_t now) {
    for (; miss > 0; --miss) {  // to the back of the queue
      const Packet front = lsu.l1().miss_queue().front();
      lsu.l1().miss_queue().Pop();  // first: the queue may be full
      lsu.l1().miss_queue().Push(front);
    }
    Packet reply = lsu.l1().miss_queue().front();
    lsu.l1().miss_queue().Pop();
    lsu.TakeReply(reply, now);
  }

  RecordingResults results;
  std::vector<LoadCounts> counts = std::vector<LoadCounts>(8);
  LoadStoreUnit lsu;
};

MemoryInstruction RandomInstruction(std::mt19937* random) {
  const auto below = [random](uint32_t end) { return static_cast<uint32_t>((*random)() % end); };
  MemoryInstruction instruction;
  const uint32_t kind = below(16);
  instruction.kind = kind == 0   ? Kind::kStore
                     : kind == 1 ? Kind::kAtomic
                     : kind == 2 ? Kind::kShared
                                 : Kind::kLoad;
  instruction.warp = static_cast<uint8_t>(below(8));
  instruction.pc = instruction.warp;
  instruction.returns = instruction.kind != Kind::kStore;
  instruction.bank_cycles = 1 + below(4);
  instruction.requests.count = 1 + below(32);
  for (uint32_t i = 0; i < instruction.requests.count; ++i) {
    instruction.requests.lines[i] = below(8) == 0 ? below(24) : below(6);
    const uint32_t mask = below(4) == 0 ? 1 + below(15) : 1U << below(4);
    instruction.requests.sectors[i] = static_cast<SectorMask>(mask);
  }
  return instruction;
}

SmConfig MakeConfig(WritePolicy policy, uint32_t sector_bytes) {
  SmConfig config;
  config.lsu_queue = 4;
  config.l1.size_kib = 2;
  config.l1.ways = 4;
  config.l1.mshrs = 8;
  config.l1.mshr_merges = 2;
  config.l1.miss_queue = 8;
  config.l1.hit_latency = 20;
  config.l1.sectors_per_cycle = 2;
  config.l1.sector_bytes = sector_bytes;
  config.l1.write_policy = policy;
  return config;
}

using Case = std::tuple<WritePolicy, uint32_t>;

class HitAhead : public testing::TestWithParam<Case> {};

TEST_P(HitAhead, IsSeenByNobody) {
  const SmConfig config = std::apply(MakeConfig, GetParam());
  std::mt19937 random(11);
  IdleWatcher watcher;
  Unit ahead(config), plain(config);
  plain.lsu.Connect(&watcher);
  uint64_t most_ahead = 0;
  for (uint64_t now = 1; now < 60000; ++now) {
    const size_t misses = plain.lsu.misses().size();
    ASSERT_EQ(ahead.lsu.misses().size(), misses);
    if (misses > 0 && random() % 2 == 0) {
      const size_t miss = random() % misses;
      ahead.Answer(miss, now);
      plain.Answer(miss, now);
    }
    for (Unit* unit : {&ahead, &plain}) {
      if (unit->lsu.HasWork()) unit->lsu.Tick(now);
    }
    ASSERT_EQ(ahead.lsu.Full(), plain.lsu.Full());
    if (!plain.lsu.Full() && random() % 8 == 0) {
      const MemoryInstruction instruction = RandomInstruction(&random);
      for (Unit* unit : {&ahead, &plain}) {
        *unit->lsu.Next() = instruction;
        unit->lsu.Issued(now);
      }
    }
    ASSERT_EQ(ahead.results.events, plain.results.events) << "cycle " << now;
    const L1Statistics counted = ahead.lsu.L1Before(now + 1);
    const L1Statistics& expected = plain.lsu.l1().statistics();
    most_ahead = std::max(most_ahead, ahead.lsu.l1().statistics().hits - counted.hits);
    ASSERT_EQ(counted.accesses, expected.accesses) << "cycle " << now;
    ASSERT_EQ(counted.loads, expected.loads) << "cycle " << now;
    ASSERT_EQ(counted.hits, expected.hits) << "cycle " << now;
    ASSERT_EQ(counted.misses, expected.misses) << "cycle " << now;
    ASSERT_EQ(counted.reservation_fails, expected.reservation_fails) << "cycle " << now;
    ASSERT_EQ(plain.lsu.L1Before(now + 1).hits, expected.hits);
    if (plain.results.events.size() > 4096) {
      for (Unit* unit : {&ahead, &plain}) unit->results.events.clear();
    }
  }
  EXPECT_GE(most_ahead, 3U);
  EXPECT_GT(plain.lsu.l1().statistics().hits, 10000U);
  EXPECT_GT(plain.lsu.l1().statistics().misses, 1000U);
}

INSTANTIATE_TEST_SUITE_P(WritePoliciesAndSectors, HitAhead,
                         testing::Combine(testing::Values(WritePolicy::kWriteThrough,
                                                          WritePolicy::kWriteThroughEvict,
                                                          WritePolicy::kWriteThroughAllocate),
                                          testing::Values(kSectorBytes, kLineBytes)));

}  // namespace hit_ahead_test
}  // namespace flagstone
