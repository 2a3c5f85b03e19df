// A DRAM channel with one client.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_DRAM_CHANNEL_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_DRAM_CHANNEL_BENCH_H_

#include <gtest/gtest.h>

#include "gpu_model/memory/dram_channel.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {

// One sector needs one cycle of the bus. No two sums of these numbers are equal by accident.
inline DramConfig DramTestConfig() {
  DramConfig config;
  config.banks = 4;
  config.bus_bytes = 32;
  config.queue = 8;
  config.t_cl = 12;
  config.t_rcd = 13;
  config.t_rp = 11;
  config.t_ras = 29;
  config.t_rc = 43;
  config.t_ccd = 2;
  config.t_rrd = 6;
  config.t_wl = 4;
  config.t_wr = 10;
  config.t_cdlr = 5;
  config.t_rtpl = 2;
  return config;
}
inline constexpr uint64_t kFixed = 100;  // latency, in DRAM cycles

class DramChannelTest : public testing::Test {
 protected:
  explicit DramChannelTest(const DramConfig& config = DramTestConfig())
      : channel_(config, 1, kFixed) {
    channel_.ConnectClient(0, &client_);
  }
  void Request(uint32_t bank, uint32_t row, uint16_t tag, bool write = false,
               SectorMask sectors = 1) {
    channel_.Request({bank, row, 0, tag, sectors, write});
  }
  void RunUntil(uint64_t until) {
    for (; now_ < until; ++now_) {
      client_.now = now_;
      channel_.Sample(now_);
      channel_.Commit(now_);
    }
  }
  // Cycle of the reply with this tag, in a long enough run.
  uint64_t ReplyCycle(uint16_t tag) {
    RunUntil(now_ + 2000);
    for (const auto& [cycle, replied] : client_.replies) {
      if (replied == tag) return cycle;
    }
    return 0;
  }

  DramChannel channel_;
  RecordingDramClient client_;
  uint64_t now_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_DRAM_CHANNEL_BENCH_H_
