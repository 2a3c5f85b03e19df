// Exact addresses of accesses whose address is no affine form, but follows from ids, parameters
// and loop counters alone: runs the instructions that decide it, warp by warp, and nothing else.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/lane_paths.h"
#include "analyzer/address/slice.h"
#include "analyzer/address/slice_program.h"
#include "analyzer/address/slice_warp.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

class SliceEvaluator {
 public:
  struct Executed {
    uint32_t pc = 0;
    uint32_t thread = 0;   // linear in its TB
    uint64_t address = 0;  // bytes
    // Which turns of the loops around: alike in the lanes that run the access at once. Loops that
    // do not decide on the access are run through once.
    uint64_t turn = 0;
    bool operator==(const Executed&) const = default;
  };

  // `accesses`: pcs of the loads and stores wanted. Those whose slice reads memory or does what
  // cannot be evaluated are in Refused() and are left out. `launch` must outlive the evaluator.
  // `constants`: what .const memory holds (of the AddressAnalysis), which must outlive it too;
  // null: not known.
  SliceEvaluator(const KernelLaunch& launch, const KernelStructure& structure,
                 std::span<const uint32_t> accesses, const ConstantBytes* constants);

  struct Refusal {
    uint32_t pc = 0;
    std::string reason;
  };
  const std::vector<Refusal>& Refused() const { return refused_; }
  bool HasAccesses() const { return access_count_ > 0; }

  // Lanes of a warp that run an access at once: lane 0 in bit 0 of `lanes`.
  struct Together {
    uint32_t pc = 0;
    uint32_t lanes = 0;
    std::array<uint64_t, kSliceLanes> addresses;  // bytes, of these lanes
  };

  // Visits the executed accesses of one warp, each lane's in the order of execution. Returns false
  // when this would bring the evaluator over its step limit, divides by zero, or finds an address
  // that no memory has; Problem() then says so, and what was visited is a part.
  bool VisitWarp(uint64_t tb, uint32_t warp, const std::function<void(const Together&)>& visit);
  // The turn, as in Executed, in which a lane that is visited runs the access at `pc`.
  uint64_t TurnOf(uint32_t pc, uint32_t lane) const;
  // Appends them to `executed`, thread by thread; it is unspecified where false is returned.
  bool EvaluateWarp(uint64_t tb, uint32_t warp, std::vector<Executed>& executed);
  // The same for all warps of a TB.
  bool Evaluate(uint64_t tb, std::vector<Executed>& executed);
  const std::string& Problem() const { return problem_; }

  // Instructions that the threads run in all; bounds the time that analysis may take.
  void SetStepLimit(uint64_t steps) { step_limit_ = steps; }
  uint64_t steps() const { return steps_; }  // run so far

 private:
  using Visit = std::function<void(const Together&)>;

  bool RunBlock(const LanePaths::Group& at, const Visit& visit);
  bool RunAccess(const SliceStep& step, uint32_t lanes, const Visit& visit);
  void GoOn(const LanePaths::Group& from);
  void Go(ptx::BlockId from, ptx::BlockId to, uint32_t lanes);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  std::vector<Refusal> refused_;
  size_t access_count_ = 0;
  std::unique_ptr<simt::LaneFunctions> functions_;  // null where no slice needs it
  SliceProgram program_;
  SliceWarp warp_;
  LanePaths paths_;
  std::vector<std::array<uint64_t, kSliceLanes>> turns_;  // by loop
  Together together_;
  uint64_t steps_ = 0;
  uint64_t step_limit_ = uint64_t{1} << 28;
  std::string problem_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_
