// Keeps where and when things happened in one launch, and counts over time, where the options ask
// for detail.
#ifndef FLAGSTONE_SYSTEMC_RECORDER_H_
#define FLAGSTONE_SYSTEMC_RECORDER_H_

#include <cstdint>
#include <vector>

#include "app/results/counters.h"
#include "app/results/launch_record.h"

namespace flagstone {

class GpuModule;
namespace ptx {
struct Kernel;
}  // namespace ptx

class Recorder {
 public:
  // `counters` takes what this launch counts, from `first_cycle` of the run on; null: nobody wants
  // it over time.
  Recorder(RunCounters* counters, uint64_t first_cycle)
      : counters_(counters), first_cycle_(first_cycle) {}

  std::vector<StealEvent>* steals() { return &steals_; }
  // Before the launch: its SMs write to logs of this object.
  void Connect(const GpuModule* gpu, uint32_t slots, const ptx::Kernel* kernel);
  // While it runs, in the cycles that this asks for.
  uint64_t Sample(uint64_t now);
  // After it, also if it was interrupted. `groups`: of the TB queue, if it has one.
  LaunchDetail Finish(uint64_t cycles, const TbGroups& groups, ChipParts parts);

 private:
  std::vector<LoadOfLaunch> Loads() const;
  void SampleGpu(uint64_t cycle, uint64_t now);
  void SampleSms(uint64_t cycle, uint64_t now);

  RunCounters* counters_;
  uint64_t first_cycle_;
  const GpuModule* gpu_ = nullptr;
  const ptx::Kernel* kernel_ = nullptr;
  std::vector<TbLog> logs_;                     // by SM
  std::vector<std::vector<LoadCounts>> loads_;  // by SM and pc
  std::vector<StealEvent> steals_;
  uint64_t active_sms_ = 0, samples_ = 0;  // summed over the samples
  std::vector<uint64_t> sm_sums_;
  std::vector<uint64_t> link_sums_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_RECORDER_H_
