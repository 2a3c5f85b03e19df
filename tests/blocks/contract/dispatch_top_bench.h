// A machine around gpu_dispatch_top for tests: a driver at its registers, a memory that answers
// late, out of order and interleaved, SMs with contexts and run times, and a record of the TBs.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_DISPATCH_TOP_BENCH_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_DISPATCH_TOP_BENCH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/random.h"
#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {

struct DispatchBenchConfig {
  DispatchTopSize size;
  uint64_t seed = 1;
  uint32_t memory_latency = 20;  // of a read's first beat, and up to as much more at random
  bool in_order = false;         // beats come by the read; else mixed
  uint32_t stall_percent = 0;    // that an SM, the memory or the driver does not take something
  std::function<uint64_t(uint32_t sm, uint32_t tb)> run_cycles = [](uint32_t, uint32_t) {
    return uint64_t{50};
  };
};

// A TB as an SM took it.
struct TakenTb {
  uint64_t cycle = 0;
  uint32_t sm = 0;
  TbIndex index;
  uint32_t context = 0, tag = 0;
};

struct DispatchLaunch {
  uint32_t grid_x = 1, grid_y = 1, grid_z = 1;
  uint32_t tb_limit = 0;
  uint32_t steal_rule = 0;
  uint32_t warps = 1, registers = 1, shared = 1;
  uint64_t entry = 0, parameters = 0;
  Groups groups;  // with a queue
};

class DispatchTopBench {
 public:
  // `block` must be out of reset and outlive the bench.
  DispatchTopBench(DispatchTop* block, const DispatchBenchConfig& config);

  // A transfer at the registers, to its answer: 0 OKAY, 2 SLVERR.
  uint32_t Write(uint32_t offset, uint32_t value, uint32_t strobes = 15);
  uint32_t Read(uint32_t offset, uint32_t* response = nullptr);
  uint32_t WriteRegister(DispatchRegister which, uint32_t value) { return Write(4 * which, value); }
  uint32_t ReadRegister(DispatchRegister which) { return Read(4 * which); }

  // Until no launch waits.
  void WaitForPlace();
  // Puts the groups into memory, and writes the description once no launch waits; Launch begins it
  // too.
  void Describe(const DispatchLaunch& launch);
  uint32_t Launch(const DispatchLaunch& launch);
  // The reason of the last failure or refusal.
  DispatchReason Reason();
  // Runs until no launch runs or waits; false after `cycles` cycles.
  bool RunToEnd(uint64_t cycles = 100000);
  void Step();
  // Until this many TBs were taken; false where they are not after 100,000 cycles.
  bool StepUntilTaken(size_t tbs);

  // The read at this address fails: its last beat, or all.
  void FailReadsOf(uint64_t address) { failing_ = address; }
  uint64_t QueueBase() const { return image_base_; }
  // Changes the inputs of a cycle before they are applied.
  void SetDisturbance(std::function<void(DispatchTopIn*)> disturb) {
    disturb_ = std::move(disturb);
  }

  uint64_t now() const { return now_; }
  const DispatchTopOut& out() const { return block_->Outputs(); }
  std::vector<TakenTb>& taken() { return taken_; }
  uint64_t last_done() const { return last_done_; }        // a cycle
  uint32_t most_running() const { return most_running_; }  // TBs on an SM at once
  const std::vector<ReadEvent>& reads() const { return read_log_; }

 private:
  struct RunningTb {
    uint64_t end = 0;
    uint32_t context = 0, tag = 0;
  };
  struct PendingRead {
    uint64_t due = 0, address = 0;
    uint32_t id = 0, beats = 0, beat = 0;
  };
  struct Transfer {
    bool write = false, sent = false, partly = false;
    uint32_t address = 0, data = 0, strobes = 15;
    std::optional<uint32_t> response;
    uint32_t value = 0;
  };

  bool Stalls() { return config_.stall_percent != 0 && random_.Below(100) < config_.stall_percent; }
  uint32_t Finish();
  void Load(const Groups& groups);
  uint64_t Word(uint64_t address) const;
  void DriveRegisters(DispatchTopIn* in);
  void DriveMemory(DispatchTopIn* in);
  void DriveSms(DispatchTopIn* in);
  void SeeMemory(const DispatchTopIn& in);
  void SeeSms(const DispatchTopIn& in);
  void CheckHolds(const DispatchTopIn& in);

  DispatchTop* block_;
  DispatchBenchConfig config_;
  SplitMix64 random_;
  uint64_t now_ = 0;
  uint64_t image_base_ = 0x10000;
  std::map<uint64_t, uint8_t> memory_;
  std::optional<uint64_t> failing_;
  std::vector<PendingRead> pending_;
  std::vector<ReadEvent> read_log_;
  std::vector<std::vector<RunningTb>> running_;
  std::vector<TakenTb> taken_;
  uint64_t last_done_ = 0;
  uint32_t most_running_ = 0;
  Transfer transfer_;
  std::function<void(DispatchTopIn*)> disturb_;
  DispatchTopOut before_;
  bool held_tb_ = false, held_address_ = false;
};

// EXPECTs that the TBs taken are those of the launch, each once, with its index and tag.
void ExpectEachTbOnce(const DispatchLaunch& launch, uint32_t tag,
                      const std::vector<TakenTb>& taken);

// A random launch of few TBs; or of a large grid of which a queue names some TBs.
DispatchLaunch RandomLaunch(const DispatchTopSize& size, bool large, SplitMix64* random);
// Random launches, one behind the other, some of them wrong, with wrong accesses, errors and stops
// between, for `cycles` cycles.
void RunRandomLaunches(const DispatchTopSize& size, uint64_t seed, uint64_t cycles, bool large,
                       DispatchTop* block);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_DISPATCH_TOP_BENCH_H_
