// A slice of eight lines, and what stands around it.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_SLICE_FIXTURE_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_SLICE_FIXTURE_H_

#include <gtest/gtest.h>

#include "gpu_model/memory/l2_slice.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {
namespace l2_slice_test {

inline MachineConfig Machine() {
  MachineConfig machine;
  machine.l2.slices = 1;
  machine.l2.pipeline_latency = 20;
  machine.l2.cache.size_kib = 1;  // 8 lines: 4 sets of 2
  machine.l2.cache.ways = 2;
  machine.l2.cache.mshrs = 2;
  machine.l2.cache.mshr_merges = 2;
  machine.l2.cache.miss_queue = 4;
  machine.dram.channels = 1;
  return machine;
}

class L2SliceTest : public testing::Test {
 protected:
  L2SliceTest() { slice_.Connect(&replies_, &dram_); }
  void Ask(LineNumber line, SectorMask sectors, uint16_t tag = 0,
           PacketKind kind = PacketKind::kRead) {
    slice_.Accept({line, 0, tag, sectors, kind});
  }
  void RunUntil(uint64_t until) {
    for (; now_ < until; ++now_) {
      replies_.now = dram_.now = now_;
      slice_.Sample(now_);
      slice_.Commit(now_);
    }
  }

  MachineConfig machine_ = Machine();
  AddressMap map_{machine_};
  L2Slice slice_{machine_.l2, map_, 0};
  RecordingPort replies_;
  RecordingDram dram_;
  uint64_t now_ = 0;
};

}  // namespace l2_slice_test
}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_SLICE_FIXTURE_H_
