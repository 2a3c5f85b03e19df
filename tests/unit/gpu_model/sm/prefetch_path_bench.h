// A prefetcher in the load path of one SM, ticked by hand.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_PREFETCH_PATH_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_PREFETCH_PATH_BENCH_H_

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/sm/sm_core.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {

inline constexpr uint32_t kLoadPc = 5;

// Thread i of a TB loads the word at p + stride * i, adds 1, and may store the sum there.
inline std::string StridedLoads(uint32_t stride, bool stores) {
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
    uint64_t pc = kLoadPc;
  };
  void Want(const Wanted& wanted) {
    wanted_.push_back(wanted);
    Show();
  }
  // What is not taken at once is given up.
  void BeImpatient() { impatient_ = true; }
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
    if (out_.prefetch_valid && (in.prefetch_ready || impatient_)) wanted_.pop_front();
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
    out_.prefetch_pc = wanted_.front().pc;
  }

  std::deque<Wanted> wanted_;
  bool impatient_ = false;
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
      : module_(ptx::Parse(StridedLoads(stride, stores), "k.ptx")) {
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
    Make();
  }
  // Anew, of what the setup says now.
  void Make() {
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

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_PREFETCH_PATH_BENCH_H_
