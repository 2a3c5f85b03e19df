// What the TBs of a launch do (trace.h), each found when it is asked for.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TRACES_H_
#define FLAGSTONE_ANALYZER_REPLAY_TRACES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/address/slice_evaluator.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/replay/code_between.h"
#include "analyzer/replay/tb_shifts.h"
#include "analyzer/replay/timed_sharers.h"
#include "analyzer/replay/trace.h"
#include "analyzer/replay/warp_trace.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::replay {

// TBs that do the same elsewhere are one trace, moved by their bases: those whose accesses are all
// affine and under the same guards, and others that a few evaluated ones say so of (tb_shifts.h).
// All others have one of their own.
class Traces {
 public:
  // By evaluation of ids and counters. Loads that data decide on are left out.
  Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm);
  // By execution: `execute` runs the launch and tells an observer.
  using Execute = std::function<void(StepObserver observer, void* context)>;
  Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm,
         const Execute& execute);
  ~Traces();

  // Of whole warps, or shortened to so many steps of each. May be called by
  // several threads.
  const Trace& Of(uint32_t tb, uint32_t steps = 0);
  // Lines by which the accesses of a TB are moved; `bases` has accesses() elements.
  void FindBases(uint32_t tb, uint32_t* bases) const;
  // Where the TB's accesses begin, as far as its first warp comes to them soon; 0: it does not. Not
  // of an execution.
  std::vector<uint64_t> Where(uint32_t tb);
  size_t accesses() const { return table_.forms.size(); }
  const CodeBetween& code() const { return code_; }
  const std::vector<SkippedLoad>& skipped() const { return skipped_; }
  // Whether any two of the whole TBs that have been asked for load the same sector.
  bool Share() const;
  // What the TB loads, its warps side by side.
  std::vector<LoadedLine> LoadsOf(uint32_t tb);
  uint32_t warps() const { return warps_; }
  const KernelLaunch& launch() const { return launch_; }

 private:
  using Key = std::vector<int64_t>;

  // What of a TB decides on its trace.
  Key KeyOf(uint32_t tb);
  Key AffineKeyOf(const Dim3& at) const;
  int64_t MovedBy(size_t access, const Dim3& tb) const;
  // What has been asked for, of whole warps or of shortened ones.
  struct Found {
    explicit Found(size_t tbs) : of_tb(tbs) {}
    std::vector<std::atomic<const Trace*>> of_tb;
    std::map<Key, const Trace*> by_key;
    std::vector<std::unique_ptr<Trace>> all;
  };
  Found& FoundOf(uint32_t steps);
  Trace Evaluate(uint32_t tb);
  TbShifts::Tb ExecutedBy(uint32_t tb);

  const KernelLaunch& launch_;
  const uint32_t warps_;
  AccessTable table_;
  // By access: what its guards are at least and at most, but for the TB's part.
  std::vector<std::vector<Range>> guards_;
  CodeBetween code_;
  std::vector<SkippedLoad> skipped_;
  bool affine_ = false;             // all accesses are
  std::optional<TbShifts> shifts_;  // of others, once one has been asked for
  std::unique_ptr<KernelStructure> structure_;
  std::unique_ptr<SliceEvaluator> evaluator_;  // null: all has been executed
  Found whole_;
  std::map<uint32_t, Found> short_;  // by steps
  std::mutex evaluates_;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TRACES_H_
