// The memory path of an SM with its neighbours played by the test.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_MEMORY_PATH_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_MEMORY_PATH_BENCH_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu_model/sm/memory_path.h"
#include "tests/unit/gpu_model/memory/recorders.h"
#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {

class MemoryPathTest : public testing::Test, public ResultSink {
 protected:
  explicit MemoryPathTest(std::vector<std::string> settings = {"sm.instruction_cache.size_kib=4",
                                                               "sm.const_cache.size_kib=2",
                                                               "sm.texture_cache.size_kib=8"})
      : machine_(MachineConfig::Load("tiny", settings)) {
    setup_.machine = &machine_;
    setup_.program = &kernel_.program();
    Make();
  }
  // Anew, of what the setup says now.
  void Make() {
    path_ = std::make_unique<MemoryPath>(setup_, 0, this);
    path_->Connect(&port_);
  }
  void LoadDone(uint32_t warp, uint32_t, uint64_t) override { loaded_.push_back(warp); }
  void InstructionHere(uint32_t warp) override { fetched_.push_back(warp); }
  void StoreDone(uint32_t slot, uint32_t sectors) override { stored_.emplace_back(slot, sectors); }

  void Issue(Unit unit, uint8_t warp, LineNumber line,
             MemoryInstruction::Kind kind = MemoryInstruction::Kind::kLoad,
             SectorMask sectors = 1) {
    MemoryInstruction* next = path_->Next(unit);
    *next = {};
    next->kind = kind;
    next->warp = warp;
    next->tb_slot = 1;
    next->returns = kind == MemoryInstruction::Kind::kLoad;
    next->requests.count = 1;
    next->requests.lines[0] = line;
    next->requests.sectors[0] = sectors;
    path_->Issued(unit, now_);
  }
  std::vector<LineNumber> SendAll() {
    while (!path_->NothingToSend()) path_->Send(now_++);
    std::vector<LineNumber> lines;
    for (const auto& [cycle, packet] : port_.packets) lines.push_back(packet.line);
    return lines;
  }

  SmKernel kernel_;
  MachineConfig machine_;
  SmSetup setup_;
  std::unique_ptr<MemoryPath> path_;
  RecordingPort port_;
  std::vector<uint32_t> loaded_, fetched_;
  std::vector<std::pair<uint32_t, uint32_t>> stored_;
  uint64_t now_ = 1;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_MEMORY_PATH_BENCH_H_
