// One SM ticked by hand, without SystemC.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_CORE_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_CORE_BENCH_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/sm/sm_core.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {

// Thread i of a TB adds 1 to the word at p + 4 i.
inline constexpr const char* kAddOne = R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.s32 %r3, %r2, 1;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

class SmCoreTest : public testing::Test {
 protected:
  SmCoreTest() : SmCoreTest(kAddOne) {}
  explicit SmCoreTest(const char* ptx, uint32_t threads = 64) : module_(ptx::Parse(ptx, "k.ptx")) {
    address_ = memory_.Allocate("buffer", 4096);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
    program_ = std::make_unique<Program>(launch_);
    setup_ = {&machine_, program_.get(), &memory_, &link_, 2};
    setup_.make_warp_scheduler = [this](uint32_t, uint32_t) {
      return MakeWarpScheduler("gto", machine_.sm.scheduling);
    };
    sm_ = std::make_unique<SmCore>(setup_, 0);
    sm_->Connect(&port_);
  }

  void Offer(uint32_t tb) {
    SetBit(&link_.valid, 0);
    link_.id[0] = tb;
  }
  // A cycle, with the TB scheduler's side of the wires.
  void Tick() {
    const bool taken = TestBit(link_.valid, 0) && TestBit(link_.ready, 0);
    if (TestBit(link_.done, 0)) ++done_;
    link_.done = {};
    port_.now = now_;
    sm_->Sample(now_);
    sm_->Commit(now_);
    if (taken) ClearBit(&link_.valid, 0);
    ++now_;
  }
  void RunUntilQuiet() {
    do {
      Tick();
    } while (sm_->NextWork(now_ - 1) != kNever);
  }
  void AnswerReads() {
    for (const auto& [cycle, packet] : port_.packets) {
      if (packet.kind == PacketKind::kRead) sm_->Accept(packet);
    }
    port_.packets.clear();
  }

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
  MachineConfig machine_ = MachineConfig::Load("tiny", {});
  TbLink link_;
  std::unique_ptr<Program> program_;
  SmSetup setup_;
  std::unique_ptr<SmCore> sm_;
  RecordingPort port_;
  uint64_t now_ = 0;
  uint32_t done_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_CORE_BENCH_H_
