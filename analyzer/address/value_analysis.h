// What each SSA value of a kernel is at one launch, under which conditions each block runs, and
// how often each loop turns. The three need one another, so they are worked out on demand.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_VALUE_ANALYSIS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_VALUE_ANALYSIS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/abstract_value.h"
#include "analyzer/address/constant_bytes.h"
#include "analyzer/address/loop_forest.h"
#include "analyzer/address/ssa.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// How often a loop's header runs each time the loop is entered.
struct TripCount {
  bool uniform = false;  // `count` for all threads and all entries
  bool bounded = false;  // never more than `count`: at c > 0 it runs where `again` holds at c - 1
  uint64_t count = 0;
  AffineForm again;    // of bounded loops: the loop turns once more where this is >= 0
  std::string reason;  // why it is neither
};

class ValueAnalysis {
 public:
  ValueAnalysis(const KernelLaunch& launch, const DeviceMemory& memory,
                const ptx::ControlFlow& flow, const LoopForest& forest, const Ssa& ssa);

  const TripCount& TripsOf(uint32_t loop);
  const SymbolRanges& ranges() const { return ranges_; }
  // When an instruction runs, as a condition over ids and the counters of the loops around it.
  ConditionPtr InstructionCondition(uint32_t pc);
  // What a value is where it is defined.
  AbstractValue ValueOf(ValueId value) { return Evaluate(value); }
  // The byte address that a memory operand of the instruction names.
  AbstractValue Address(uint32_t pc, const ptx::Operand& memory);
  // What an operand that the instruction reads holds.
  AbstractValue OperandValue(uint32_t pc, const ptx::Operand& operand, ptx::Type type);

 private:
  enum class State : uint8_t { kNew, kRunning, kDone };

  // Values (value_analysis.cc).
  AbstractValue Evaluate(ValueId value);
  AbstractValue EvaluateAt(ValueId value, ptx::BlockId block);  // as seen from another block
  AbstractValue EvaluateInstruction(ValueId value);
  AbstractValue Execute(uint32_t pc, ptx::RegisterId written);
  AbstractValue ElectedLane(uint32_t pc, ptx::RegisterId written);
  AbstractValue SpecialValue(uint32_t pc, ptx::SpecialRegister special);
  AbstractValue LoadParameter(uint32_t pc, ptx::RegisterId written);
  AbstractValue LoadConstant(uint32_t pc, ptx::RegisterId written);
  AbstractValue VariableAddress(uint32_t pc, const ptx::Operand& operand);
  RangeContext ContextAt(ptx::BlockId block);

  // Values that meet, and those that loops carry (merged_values.cc).
  AbstractValue EvaluatePhi(ValueId value);
  AbstractValue EvaluateHeaderPhi(ValueId value, uint32_t loop);
  AbstractValue Merge(ValueId phi, bool from_outside);
  bool IsPredicate(ValueId value) const;
  // A value that a loop carries from turn to turn.
  struct Carried {
    ValueId phi;  // at the loop's header
    uint32_t loop;
    std::map<ValueId, std::optional<AffineForm>> steps = {};  // known already
  };
  // value - carried.phi, as far as it is the same each time the loop turns.
  std::optional<AffineForm> Step(Carried& carried, ValueId value, int depth);
  std::optional<AffineForm> FindStep(Carried& carried, ValueId value, int depth);
  std::optional<AffineForm> StepOfPhi(Carried& carried, ValueId value, int depth);
  std::optional<AffineForm> StepOfInstruction(Carried& carried, uint32_t pc, int depth);
  AbstractValue LeaveLoops(AbstractValue value, ptx::BlockId from, ptx::BlockId to);

  // Paths (path_conditions.cc).
  ConditionPtr BlockCondition(ptx::BlockId block);
  void FindConditionsAbove(ptx::BlockId block);
  ConditionPtr ComputeBlockCondition(ptx::BlockId block);
  ConditionPtr HeaderCondition(uint32_t loop);
  ConditionPtr Reached(ptx::BlockId block);
  ConditionPtr GuardCondition(uint32_t pc);
  ConditionPtr EdgeCondition(ptx::BlockId from, ptx::BlockId to);
  bool EdgeNeverTaken(ptx::BlockId from, ptx::BlockId to);
  Condition::Kind GuardKind(uint32_t pc);
  ConditionPtr PathThrough(ptx::BlockId from, ptx::BlockId to);
  bool EdgeIsDead(ptx::BlockId from, ptx::BlockId to);
  bool EndsThread(uint32_t pc) const;
  bool AlwaysReaches(ptx::BlockId from, ptx::BlockId to);
  std::vector<ptx::BlockId> BlocksBetween(ptx::BlockId from, ptx::BlockId to) const;
  size_t LiveWaysOut(uint32_t loop);
  std::span<const Guard> GuardsOf(ptx::BlockId block);

  // Loops (trip_counts.cc).
  TripCount SolveTripCount(uint32_t loop);
  std::vector<ConditionPtr> LiveExits(uint32_t loop, std::string& problem);
  TripCount SolveVaryingTripCount(uint32_t loop, const Condition& leaves);
  void ForgetSince(size_t mark);

  const KernelLaunch* launch_;
  const DeviceMemory* memory_;
  const ConstantBytes constants_;
  const ptx::Kernel* kernel_;
  const ptx::ControlFlow* flow_;
  const LoopForest* forest_;
  const Ssa* ssa_;
  SymbolRanges ranges_;

  struct ValueMemo {
    State state = State::kNew;
    AbstractValue value;
  };
  struct BlockMemo {
    State state = State::kNew;
    ConditionPtr condition;
    bool has_guards = false;
    std::vector<Guard> guards;
  };
  struct LoopMemo {
    State state = State::kNew;
    TripCount trips;
  };
  std::vector<ValueMemo> values_;
  std::vector<BlockMemo> blocks_;
  std::vector<LoopMemo> loops_;
  // What was worked out while a loop's trip count was only supposed is forgotten afterwards.
  enum class Kind : uint8_t { kValue, kBlock, kLoop };
  std::vector<std::pair<Kind, uint32_t>> trail_;
  uint32_t supposing_ = 0;  // loops for whose sake numbers are taken to fit their types
  uint32_t depth_ = 0;      // of values that are worked out for each other
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_VALUE_ANALYSIS_H_
