// A machine around a TB scheduler for contract tests: a memory with latency and stalls, SMs with
// contexts and TB run times, and a record of everything that crosses the ports.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_TB_SCHEDULER_BENCH_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_TB_SCHEDULER_BENCH_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "base/clocked.h"
#include "base/random.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

using Groups = std::vector<std::vector<uint32_t>>;

struct BenchConfig {
  uint32_t num_sms = 2;
  uint32_t id_bytes = 2;
  uint32_t descriptors = TbSchedulerSize::kDescriptors;
  uint32_t contexts = 1;         // TBs that an SM runs at once
  uint32_t memory_latency = 20;  // cycles from a taken request to its answer, at least 1
  uint32_t stall_percent = 0;    // chance per cycle that the memory takes, or gives, nothing
  uint64_t seed = 1;
  bool steal_enable = true;
  StealRule steal_rule = StealRule::kWhenFree;  // under steal_enable
  TbSettings settings = {};
  std::function<uint64_t(uint32_t sm, uint32_t tb)> run_cycles = [](uint32_t, uint32_t) {
    return uint64_t{50};
  };
  uint64_t max_cycles = 1000000;
  uint64_t abort_at = kNever;     // the cycle in which the kernel is given up
  bool abort_held = false;        // abort stays high from then on, or is high for one cycle
  uint64_t image_base = 0x10000;  // the first queue image stands 4 GiB above, the next ones higher
};

struct IssueEvent {
  uint64_t cycle;
  uint32_t sm;
  uint32_t tb;
  bool operator==(const IssueEvent&) const = default;
};

struct SeenSteal {
  uint64_t cycle;
  uint32_t count;
  uint32_t donor;
  uint32_t thief;
  bool operator==(const SeenSteal&) const = default;
};

struct ReadEvent {  // a memory request, when it was taken
  uint64_t cycle;
  uint64_t address;
  uint32_t size;
  bool operator==(const ReadEvent&) const = default;
};

// All of one kernel's traffic; cycle 0 is the one with `start`.
struct KernelRecord {
  std::vector<IssueEvent> issues;
  std::vector<SeenSteal> steals;
  std::vector<ReadEvent> reads;
  std::vector<std::vector<uint64_t>> free_since;  // per SM: cycles in which a context became free
  uint64_t cycles = 0;                            // until busy fell
  bool finished = false;                          // before max_cycles
  uint64_t skipped_ticks = 0;

  std::vector<uint32_t> TbsOf(uint32_t sm) const;  // in issue order
  // What must be identical from body to body and with or without skipped ticks.
  bool SameTraffic(const KernelRecord& other) const;
};

// Says whether the tick with these inputs may be skipped.
using Gate = std::function<bool(const TbScheduler&, const TbSchedulerIn&)>;

class TbSchedulerBench {
 public:
  // `scheduler` must be out of reset and outlive the bench.
  TbSchedulerBench(TbScheduler* scheduler, const BenchConfig& config);

  void SetGate(Gate gate) { gate_ = std::move(gate); }
  // Called each cycle with the inputs before they are applied, to disturb them.
  void SetDisturbance(std::function<void(uint64_t cycle, TbSchedulerIn*)> disturb) {
    disturb_ = std::move(disturb);
  }
  // Called each cycle with what the scheduler shows and is given.
  void SetObserver(
      std::function<void(uint64_t cycle, const TbSchedulerOut&, const TbSchedulerIn&)> observe) {
    observe_ = std::move(observe);
  }

  // Writes the queue image of `groups` into memory and runs it to its end (PAVER). An empty group
  // becomes a descriptor whose last id stands before its first.
  KernelRecord RunGroups(const Groups& groups);
  // The two halves of RunGroups; a queue may be loaded while another one is run.
  void Load(const Groups& groups);
  KernelRecord RunLoaded(const Groups& groups);
  // Runs TBs 0 .. count-1 (lrr).
  KernelRecord RunSequential(uint32_t count);
  // As RunGroups, but gives up after `cycles`; the machine is then cleared as by a reset.
  KernelRecord RunGroupsUntil(const Groups& groups, uint64_t cycles);

  // Address of the k-th id of group g of the last image.
  uint64_t IdAddress(const Groups& groups, size_t group, size_t position) const;

 private:
  struct RunningTb {
    uint64_t done_cycle;
    uint32_t tb;
  };
  struct Answer {
    uint64_t cycle;
    std::array<uint64_t, 4> data;
  };

  KernelRecord Run(uint64_t base, uint32_t count, uint64_t max_cycles);
  void DriveSms(uint64_t cycle, TbSchedulerIn* in, KernelRecord* record);
  void DriveMemory(uint64_t cycle, TbSchedulerIn* in);
  void Transfer(uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in,
                KernelRecord* record);
  void CheckHolds(uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in);
  bool Stalls() { return config_.stall_percent != 0 && random_.Below(100) < config_.stall_percent; }
  uint64_t ReadWord(uint64_t address, uint32_t size) const;
  std::array<uint64_t, 4> ReadSector(uint64_t address) const;

  TbScheduler* scheduler_;
  BenchConfig config_;
  SplitMix64 random_;
  Gate gate_;
  std::function<void(uint64_t, TbSchedulerIn*)> disturb_;
  std::function<void(uint64_t, const TbSchedulerOut&, const TbSchedulerIn&)> observe_;
  std::map<uint64_t, uint8_t> memory_;
  uint64_t image_base_;
  std::vector<std::vector<RunningTb>> running_;  // per SM
  std::deque<Answer> answers_;
  // What was shown and not taken in the cycle before.
  SmMask held_tbs_ = {};
  bool held_request_ = false;
  TbSchedulerOut previous_;
};

// Cycles to give up a kernel in that takes `cycles`: the first 60 one by one, later ones ever
// farther apart, and the last two.
std::vector<uint64_t> CyclesBefore(uint64_t cycles);

// EXPECTs that a kernel given up in cycle `abort_at` ended, having issued none but `tbs`, none
// twice, and none later than in the cycle after it. That nothing is offered or asked for later, the
// bench sees.
void ExpectAborted(const KernelRecord& record, const std::vector<uint32_t>& tbs, uint64_t abort_at);

// EXPECTs that each SM issued its groups' TBs in order, stolen ones included, as the record's steal
// events tell; and that each TB of `groups` was issued exactly once.
void ExpectIssuedOnceInOrder(const Groups& groups, const KernelRecord& record, uint32_t num_sms);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_TB_SCHEDULER_BENCH_H_
