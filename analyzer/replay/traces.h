// What the warps of a launch's TBs do, as far as time and data depend on it: their requests to
// global memory in the order of the program, what lies between them, and barriers.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TRACES_H_
#define FLAGSTONE_ANALYZER_REPLAY_TRACES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/address/slice_evaluator.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/replay/code_between.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::replay {

struct Step {
  enum class Kind : uint8_t {
    kLoad,
    kCopy,  // an asynchronous one by many bytes, past the L1
    kStore,
    kAtomic,
    kResult,  // waits for a load, and those before it
    kBarrier,
    kEnd,
  };
  uint32_t line = 0;    // of a request, less its access's base; of kResult: which load, from 1
  uint16_t access = 0;  // of a request: the base's index
  uint16_t gap = 0;     // before it
  SectorMask sectors = 0;
  Kind kind = Kind::kEnd;
  bool goes_on = false;  // one more request of the access before, without a gap
};

// How much a TB does.
struct Amount {
  double steps = 0;
  double loaded = 0, stored = 0;  // sectors
  Amount& operator+=(const Amount& other);
};

// The steps of all warps of a TB, one warp after the other.
struct Trace {
  std::vector<Step> steps;
  std::vector<uint32_t> first;  // of each warp
  Amount whole, kept;           // that the TB does, and that the steps do
};

// TBs whose accesses are all affine and under the same guards are one trace, moved by their bases.
// Others have one of their own.
class Traces {
 public:
  // By evaluation of ids and counters. Loads that data decide on are left out.
  Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm);
  // By execution, which changes the memory.
  Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm,
         DeviceMemory* memory, const FunctionalControl& control);
  ~Traces();

  // Stays valid until Cut. Not for several threads at once.
  const Trace& Of(uint32_t tb);
  // From now on warps have so many steps and what follows their last load; a TB whose evaluation
  // takes too long is taken to do in all as much as TB `like`.
  void Cut(uint32_t steps, uint32_t like);
  // Lines by which the accesses of a TB are moved; `bases` has accesses() elements.
  void FindBases(uint32_t tb, uint32_t* bases) const;
  size_t accesses() const { return accesses_.size(); }
  const CodeBetween& code() const { return code_; }
  const std::vector<SkippedLoad>& skipped() const { return skipped_; }
  uint32_t warps() const { return warps_; }
  const KernelLaunch& launch() const { return launch_; }

 private:
  class WarpTrace;
  struct Access {
    const AddressForm* form = nullptr;
    std::vector<Range> guards;  // what a guard is at least and at most, but for the TB's part
  };
  using Key = std::vector<int64_t>;

  Key KeyOf(uint32_t tb) const;
  uint32_t IndexOf(uint32_t pc) const { return index_of_[pc]; }
  std::unique_ptr<Trace> Evaluate(uint32_t tb);

  const KernelLaunch& launch_;
  const uint32_t warps_;
  std::vector<Access> accesses_;
  std::vector<uint32_t> index_of_;  // by pc, in accesses_
  CodeBetween code_;
  std::vector<SkippedLoad> skipped_;
  bool moved_ = false;       // TBs share traces
  uint32_t most_steps_ = 0;  // of a warp; 0: all
  Amount like_;
  std::unique_ptr<KernelStructure> structure_;
  std::unique_ptr<SliceEvaluator> evaluator_;  // null: all has been executed
  std::map<Key, const Trace*> shapes_;
  std::vector<const Trace*> of_tb_;
  std::vector<std::unique_ptr<Trace>> traces_;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TRACES_H_
