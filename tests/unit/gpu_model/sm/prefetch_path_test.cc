// A prefetcher in the load path of one SM, ticked by hand: what it is shown, how its prefetches
// enter the L1, and what becomes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/sm/sm_core.h"
#include "ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {
namespace prefetch_path_test {

constexpr uint32_t kLoadPc = 5;

// Thread i of a TB loads the word at p + stride * i, adds 1, and may store the sum there.
std::string Ptx(uint32_t stride, bool stores) {
  return ".version 6.0\n.target sm_35\n.address_size 64\n"
         ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
         "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, " +
         std::to_string(stride) +
         ";\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r3, 1;\nld.global.u32 %r2, [%rd3];\n"
         "add.s32 %r3, %r2, %r3;\n" +
         (stores ? "st.global.u32 [%rd3], %r3;\n" : "") + "ret;\n}\n";
}

// Prefetches what the test puts into it, in order, and remembers what it is shown.
class ScriptedPrefetcher final : public Prefetcher {
 public:
  struct Wanted {
    uint64_t addr = 0;
    uint32_t warp = kMaxWarps;
    uint32_t slot = 0;
  };
  void Want(const Wanted& wanted) {
    wanted_.push_back(wanted);
    Show();
  }
  void Ask(uint64_t addr) {  // a probe
    out_.probe_valid = true;
    out_.probe_addr = addr;
    out_.quiescent = false;
  }

  void Reset() override {}
  const PrefetcherOut& Outputs() const override { return out_; }
  void Tick(const PrefetcherIn& in) override {
    if (in.load_valid || in.cta_end != 0) events.push_back(in);
    if (in.miss_valid) misses.push_back(in);
    if (out_.prefetch_valid && in.prefetch_ready) wanted_.pop_front();
    if (in.probe_done) {
      answers.push_back(in.probe_present);
      out_.probe_valid = false;
    }
    Show();
  }
  bool Idle(const PrefetcherIn& in) const override {
    return out_.quiescent && !in.load_valid && !in.miss_valid && in.cta_end == 0;
  }

  std::vector<PrefetcherIn> events, misses;
  std::vector<bool> answers;

 private:
  void Show() {
    out_.prefetch_valid = !wanted_.empty();
    out_.quiescent = wanted_.empty() && !out_.probe_valid;
    if (wanted_.empty()) return;
    out_.prefetch_addr = wanted_.front().addr & 0xffffffff;
    out_.prefetch_warp = wanted_.front().warp;
    out_.prefetch_slot = wanted_.front().slot;
    out_.prefetch_pc = kLoadPc;
  }

  std::deque<Wanted> wanted_;
  PrefetcherOut out_;
};

// The usual scheduler, which remembers whom it was told to wake.
class WokenWarps final : public WarpScheduler {
 public:
  explicit WokenWarps(std::vector<uint32_t>* woken) : woken_(woken) { body_->Reset(); }
  void Reset() override { body_->Reset(); }
  const WarpSchedulerOut& Outputs() const override { return body_->Outputs(); }
  void Tick(const WarpSchedulerIn& in) override {
    if (in.wake_valid) woken_->push_back(in.wake_warp);
    body_->Tick(in);
  }
  bool Idle(const WarpSchedulerIn& in) const override { return body_->Idle(in); }

 private:
  std::unique_ptr<WarpScheduler> body_ = MakeWarpScheduler("lrr", {});
  std::vector<uint32_t>* woken_;
};

class PrefetchPath : public testing::Test {
 protected:
  explicit PrefetchPath(uint32_t stride = 4, uint32_t threads = 64, bool stores = false)
      : module_(ptx::Parse(Ptx(stride, stores), "k.ptx")) {
    address_ = memory_.Allocate("buffer", 1 << 20);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
    program_ = std::make_unique<Program>(launch_);
    setup_ = {&machine_, program_.get(), &memory_, &link_, 1};
    setup_.make_warp_scheduler = [this](uint32_t, uint32_t) {
      return std::make_unique<WokenWarps>(&woken_);
    };
    setup_.make_prefetcher = [this](uint32_t) {
      auto block = std::make_unique<ScriptedPrefetcher>();
      block_ = block.get();
      return block;
    };
    setup_.prefetch.indirect.assign(program_->size(), false);
    setup_.prefetch.address_window = address_ >> 32 << 32;
    setup_.prefetch.mshr_reserve = 5;
    sm_ = std::make_unique<SmCore>(setup_, 0);
    sm_->Connect(&port_);
  }

  void Offer(uint32_t tb) {
    SetBit(&link_.valid, 0);
    link_.id[0] = tb;
  }
  // Its second warp's data, 4 KiB behind the buffer's beginning.
  void PrefetchForTb(uint32_t tb) {
    Offer(tb);
    Run(60);
    block_->Want({address_ + 4096, 1, 0});
    Run(3);
  }
  void Tick() {
    const bool taken = TestBit(link_.valid, 0) && TestBit(link_.ready, 0);
    link_.done = {};
    port_.now = now_;
    sm_->Sample(now_);
    sm_->Commit(now_);
    if (taken) ClearBit(&link_.valid, 0);
    ++now_;
  }
  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Tick();
  }
  // Answers the requests for the line that were sent so far, or for all.
  void Answer(LineNumber line = ~LineNumber{0}) {
    for (const auto& sent : std::exchange(port_.packets, {})) {
      if (sent.second.kind == PacketKind::kWrite) continue;  // nobody waits for an answer
      if (line != ~LineNumber{0} && sent.second.line != line) {
        port_.packets.push_back(sent);
        continue;
      }
      sm_->Accept(sent.second);
      Tick();
    }
  }
  std::vector<LineNumber> Sent() const {
    std::vector<LineNumber> lines;
    for (const auto& [cycle, packet] : port_.packets) lines.push_back(packet.line);
    return lines;
  }
  // What the prefetcher is shown while TBs follow each other in the one slot.
  std::string OrderOfEvents(uint32_t tbs) {
    for (uint32_t tb = 0; tb < tbs; ++tb) {
      Offer(tb);
      for (int i = 0; i < 3; ++i) {
        Run(60);
        Answer();
      }
    }
    EXPECT_EQ(sm_->completed(), tbs);
    std::string order;
    for (const PrefetcherIn& in : block_->events) order += in.cta_end == 1 ? "end " : "load ";
    return order;
  }
  const PrefetchStatistics& Counted() const { return sm_->prefetch()->statistics(); }

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
  MachineConfig machine_ = MachineConfig::Load("tiny", {"sm.const_cache.size_kib=0"});
  TbLink link_;
  std::unique_ptr<Program> program_;
  SmSetup setup_;
  ScriptedPrefetcher* block_ = nullptr;
  std::vector<uint32_t> woken_;
  std::unique_ptr<SmCore> sm_;
  RecordingPort port_;
  uint64_t now_ = 0;
};

TEST_F(PrefetchPath, ShowsLoadsWithTheirAddressesMissesAndLiveWarps) {
  setup_.prefetch.indirect[kLoadPc] = true;
  Offer(0);
  Run(60);
  ASSERT_EQ(block_->events.size(), 2U);
  for (uint32_t warp : {0U, 1U}) {
    const PrefetcherIn& in = block_->events[warp];
    EXPECT_EQ(in.load_pc, kLoadPc);
    EXPECT_EQ(in.load_slot, 0U);
    EXPECT_EQ(in.load_warp, warp);
    EXPECT_TRUE(in.load_indirect);
    EXPECT_EQ(in.load_count, 1U);
    EXPECT_EQ(in.load_addr[0], (address_ + 128 * warp) & 0xffffffff);
    EXPECT_EQ(in.live_warps[0], 0b11U);
    ASSERT_EQ(block_->misses.size(), 2U);
    EXPECT_EQ(block_->misses[warp].miss_addr, (address_ + 128 * warp) & 0xffffffff);
    EXPECT_EQ(block_->misses[warp].miss_warp, warp);
  }
  EXPECT_EQ(Counted().demand_fetches, 2U);
  EXPECT_EQ(Counted().demand_misses, 2U);
}

// A TB ends with its last warp, or when its last store has left.
class PrefetchPathWithStores : public PrefetchPath {
 protected:
  PrefetchPathWithStores() : PrefetchPath(4, 64, /*stores=*/true) {}
};

TEST_F(PrefetchPath, ATbsEndIsToldBeforeItsSlotIsGivenAway) {
  EXPECT_EQ(OrderOfEvents(2), "load load end load load end ");
}

TEST_F(PrefetchPathWithStores, ATbsEndIsToldBeforeItsSlotIsGivenAway) {
  EXPECT_EQ(OrderOfEvents(2), "load load end load load end ");
}

TEST_F(PrefetchPath, APrefetchedLineWakesItsWarpOnce) {
  PrefetchForTb(0);
  ASSERT_EQ(Sent().back(), LineOf(address_ + 4096));
  EXPECT_TRUE(woken_.empty());
  Answer(LineOf(address_ + 4096));
  EXPECT_EQ(woken_, std::vector<uint32_t>{1});
  Answer();
  Run(60);
  EXPECT_EQ(woken_.size(), 1U);
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().wakes, 1U);
}

TEST_F(PrefetchPath, NobodyIsWokenWhereNobodyIsToBeTold) {
  setup_.prefetch.wake_up = false;
  PrefetchForTb(0);
  Answer(LineOf(address_ + 4096));
  Answer();
  Run(60);
  EXPECT_TRUE(woken_.empty());
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().wakes, 0U);
}

TEST_F(PrefetchPath, NobodyIsWokenForATbThatHasEnded) {
  PrefetchForTb(0);
  Answer(LineOf(address_));
  Answer(LineOf(address_) + 1);
  Run(60);
  ASSERT_EQ(sm_->completed(), 1U);
  Offer(1);  // in the same slot, with the same warps
  Run(60);
  Answer(LineOf(address_ + 4096));
  Run(3);
  EXPECT_TRUE(woken_.empty());
}

TEST_F(PrefetchPath, ALoadMergesInAPrefetchInFlight) {
  block_->Want({address_ + 128});
  Run(5);
  ASSERT_EQ(Sent(), std::vector<LineNumber>{LineOf(address_) + 1});
  Offer(0);
  Run(60);
  EXPECT_EQ(Sent(), (std::vector<LineNumber>{LineOf(address_) + 1, LineOf(address_)}));
  EXPECT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().late, 1U);
  EXPECT_EQ(Counted().demand_misses, 1U);
  Answer();
  Run(60);
  EXPECT_EQ(sm_->completed(), 1U);
  EXPECT_TRUE(sm_->Drained());
  const LoadPrefetches& load = sm_->prefetch()->by_load()[kLoadPc];
  EXPECT_EQ(load.issued, 1U);
  EXPECT_EQ(load.used, 1U);
  EXPECT_EQ(load.demand_fetches, 2U);
}

TEST_F(PrefetchPath, TheDistanceIsThatFromTheL1ToTheLoad) {
  block_->Want({address_});
  Run(5);
  const uint64_t sent = port_.packets[0].first;
  Answer();
  Run(100);
  Offer(0);
  Run(60);
  ASSERT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().late, 0U);
  // The other warp misses: the cycle after the first one's load.
  const uint64_t next_load = port_.packets[0].first;
  EXPECT_EQ(Counted().distance.cycles, next_load - 1 - sent);
}

TEST_F(PrefetchPath, LeavesItsReserveOfMshrsToDemand) {
  for (uint64_t i = 0; i < 20; ++i) block_->Want({address_ + 4096 + 128 * i});
  Run(100);
  EXPECT_EQ(Sent().size(), machine_.sm.l1.mshrs - 5);
  EXPECT_GT(Counted().waits.mshr, 0U);
  Offer(0);
  Run(60);
  EXPECT_EQ(Sent().size(), machine_.sm.l1.mshrs - 5 + 2);
}

// An L1 of one set, eight ways. A TB's line that comes last is prefetched, then demand fills the
// set many times over. Returns how many prefetched lines gave way unused.
class PrefetchPathOfOneSet : public PrefetchPath {
 protected:
  PrefetchPathOfOneSet() : PrefetchPath(128, 64, /*stores=*/false) {}
  uint64_t EarlyEvicted(uint32_t mshrs) {
    machine_ = MachineConfig::Load("tiny", {"sm.const_cache.size_kib=0", "sm.l1.size_kib=1",
                                            "sm.l1.ways=8", fmt::format("sm.l1.mshrs={}", mshrs)});
    sm_ = std::make_unique<SmCore>(setup_, 0);
    sm_->Connect(&port_);
    block_->Want({address_ + 128 * 63, 1, 0});
    Run(5);
    Answer();
    Offer(0);
    for (int i = 0; i < 80; ++i) {
      Run(20);
      Answer();
    }
    EXPECT_EQ(sm_->completed(), 1U);
    EXPECT_EQ(Counted().issued, 1U);
    return Counted().early_evicted;
  }
};

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineGivesWayToDemand) { EXPECT_EQ(EarlyEvicted(6), 1U); }

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineIsKeptWhileAnotherCanGo) {
  setup_.prefetch.keep_awaited = true;
  EXPECT_EQ(EarlyEvicted(6), 0U);
  EXPECT_EQ(Counted().used, 1U);
}

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineGoesWhereAllOthersAreOnTheirWay) {
  setup_.prefetch.keep_awaited = true;
  EXPECT_EQ(EarlyEvicted(32), 1U);
}

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineIsKeptFirmly) {
  setup_.prefetch.keep_awaited = setup_.prefetch.keep_firmly = true;
  EXPECT_EQ(EarlyEvicted(32), 0U);
  EXPECT_EQ(Counted().used, 1U);
}

// Of eight ways four may hold awaited lines; another prefetch waits until one of them is used.
TEST_F(PrefetchPathOfOneSet, HalfOfASetsWaysHoldAwaitedLines) {
  setup_.prefetch.keep_awaited = true;
  machine_ = MachineConfig::Load("tiny",
                                 {"sm.const_cache.size_kib=0", "sm.l1.size_kib=1", "sm.l1.ways=8"});
  sm_ = std::make_unique<SmCore>(setup_, 0);
  sm_->Connect(&port_);
  for (uint64_t i = 0; i < 6; ++i) block_->Want({address_ + 128 * i});
  Run(40);
  Answer();
  EXPECT_EQ(Counted().issued, 4U);
  EXPECT_GT(Counted().waits.way, 0U);
}

TEST_F(PrefetchPath, DropsWhatIsInTheL1OrInFlightAndAnswersProbes) {
  block_->Want({address_});
  Run(5);
  block_->Want({address_ + 64});  // the same line
  block_->Ask(address_ & 0xffffffff);
  Run(5);
  EXPECT_EQ(Counted().dropped.in_flight, 2U);
  EXPECT_EQ(Counted().merged, 0U);  // no demand load waits for it
  Answer();
  block_->Want({address_});
  Run(2);
  EXPECT_EQ(Counted().dropped.present, 1U);
  block_->Ask((address_ + 128) & 0xffffffff);
  Run(2);
  EXPECT_EQ(block_->answers, (std::vector<bool>{true, false}));
  EXPECT_EQ(Counted().issued, 1U);
}

TEST_F(PrefetchPath, CountsWhatADemandLoadWaitsFor) {
  Offer(0);
  Run(60);
  const uint64_t fetches = Counted().demand_fetches;
  ASSERT_GT(fetches, 0U);
  block_->Want({address_});
  block_->Ask(address_ & 0xffffffff);
  Run(5);
  EXPECT_EQ(Counted().issued, 0U);
  EXPECT_EQ(Counted().dropped.in_flight, 2U);
  EXPECT_EQ(Counted().merged, 2U);
  Answer();
  block_->Want({address_});
  Run(5);
  EXPECT_EQ(Counted().dropped.present, 1U);
  EXPECT_EQ(Counted().merged, 2U);
}

TEST_F(PrefetchPath, CountsLinesThatLeaveUnused) {
  // More lines than the L1 has.
  const uint32_t lines = machine_.sm.l1.size_kib * 8;
  for (uint64_t i = 0; i < 2 * lines; ++i) {
    block_->Want({address_ + 128 * i});
    Run(3);
    Answer();
  }
  EXPECT_EQ(Counted().issued, 2 * lines);
  EXPECT_EQ(Counted().early_evicted, lines);
  EXPECT_EQ(Counted().too_early, 0U);
  EXPECT_EQ(Counted().used, 0U);
}

// The TB wants `address_` and the line after it.
TEST_F(PrefetchPath, ALineThatIsWantedAfterItsEvictionWasPrefetchedTooEarly) {
  const uint32_t lines = machine_.sm.l1.size_kib * 8;
  for (uint64_t i = 0; i <= 2 * lines; ++i) {
    block_->Want({address_ + 128 * i});
    Run(3);
    Answer();
  }
  block_->Want({address_});  // again: the load uses it, but the first prefetch came too early
  Run(3);
  Answer();
  ASSERT_EQ(Counted().early_evicted, lines + 2);
  Offer(0);
  Run(60);
  Answer();
  Run(60);
  EXPECT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().too_early, 2U);
  const LoadPrefetches& load = sm_->prefetch()->by_load()[kLoadPc];
  EXPECT_EQ(load.early_evicted, Counted().early_evicted);
  EXPECT_EQ(load.too_early, 2U);
  // Each prefetch counts once.
  Offer(1);
  Run(60);
  EXPECT_EQ(Counted().too_early, 2U);
}

// Each thread its own line: 32 requests a warp.
class PrefetchBesideManyRequests : public PrefetchPath {
 protected:
  PrefetchBesideManyRequests() : PrefetchPath(128, 32) {}
};

TEST_F(PrefetchBesideManyRequests, DemandGoesFirst) {
  setup_.prefetch.mshr_reserve = 0;
  Offer(0);
  while (Sent().empty()) Tick();
  block_->Want({address_ + (1 << 18)});
  // The L1's sixteen MSHRs go to demand, one in each cycle.
  while (sm_->prefetch()->statistics().demand_fetches < machine_.sm.l1.mshrs) Tick();
  Run(20);
  EXPECT_EQ(Counted().issued, 0U);
  EXPECT_GT(Counted().waits.demand, 20U);
  for (int i = 0; i < 40; ++i) {
    Answer();
    Run(2);
  }
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().demand_fetches, 32U);
}

}  // namespace prefetch_path_test
}  // namespace flagstone
