// Exact addresses of accesses whose address is no affine form, but follows from ids, parameters
// and loop counters alone: runs the instructions that decide it, thread by thread, and nothing
// else.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/slice.h"
#include "analyzer/address/slice_program.h"
#include "analyzer/address/slice_thread.h"
#include "launch/kernel_launch.h"

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
  SliceEvaluator(const KernelLaunch& launch, const KernelStructure& structure,
                 std::span<const uint32_t> accesses);

  struct Refusal {
    uint32_t pc = 0;
    std::string reason;
  };
  const std::vector<Refusal>& Refused() const { return refused_; }
  bool HasAccesses() const { return access_count_ > 0; }

  // Appends all executed addresses of one TB, thread by thread in the order of execution. Returns
  // false, with `executed` unspecified, when this would bring the evaluator over its step limit
  // divides by zero, or finds an address that no memory has; Problem() then says so.
  bool Evaluate(uint64_t tb, std::vector<Executed>& executed);
  // The same for the 32 threads of one warp.
  bool EvaluateWarp(uint64_t tb, uint32_t warp, std::vector<Executed>& executed);
  const std::string& Problem() const { return problem_; }

  // Instructions that one evaluator runs in all; bounds the time that analysis may take.
  void SetStepLimit(uint64_t steps) { step_limit_ = steps; }
  uint64_t steps() const { return steps_; }  // run so far

 private:
  bool RunThread(uint32_t thread, std::vector<Executed>& executed);
  bool RunStep(const SliceStep& step, uint32_t thread, std::vector<Executed>& executed);
  ptx::BlockId Next(ptx::BlockId block) const;
  void CountTurn(ptx::BlockId from, ptx::BlockId to);
  uint64_t TurnOf(ptx::BlockId block) const;

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  std::vector<Refusal> refused_;
  size_t access_count_ = 0;
  SliceProgram program_;
  SliceThread thread_;
  std::vector<uint64_t> turns_;  // by loop, of the running thread
  uint64_t steps_ = 0;
  uint64_t step_limit_ = uint64_t{1} << 28;
  std::string problem_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_EVALUATOR_H_
