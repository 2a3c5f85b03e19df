// Static single assignment over a kernel's registers, which PTX itself does not have: which
// definition each use of a register reads. Construction: Braun et al., CC 2013.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SSA_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SSA_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/address/loop_forest.h"
#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

using ValueId = uint32_t;

struct SsaValue {
  enum class Kind : uint8_t { kUndefined, kInstruction, kPhi };
  Kind kind = Kind::kUndefined;
  uint32_t pc = 0;         // of kInstruction
  ptx::BlockId block = 0;  // where it is defined
  ptx::RegisterId reg = 0;
  // kPhi: one per predecessor of `block`, in that order, and one more for the kernel's start where
  // that is a loop header. kInstruction under a guard: the value
  // that stays when the guard is false.
  std::vector<ValueId> operands;
};

// Calls visit(register) for each register that the instruction reads, its guard included.
template <class Visit>
void ForEachRead(const ptx::Instruction& instruction, Visit visit);
// Calls visit(register) for each register that it writes.
template <class Visit>
void ForEachWrite(const ptx::Instruction& instruction, Visit visit);

class Ssa {
 public:
  Ssa(const ptx::Kernel& kernel, const ptx::ControlFlow& flow, const LoopForest& forest);

  const std::vector<SsaValue>& values() const { return values_; }
  // The value of a register that the instruction reads (before it) or writes (after it).
  ValueId Read(uint32_t pc, ptx::RegisterId reg) const { return Find(reads_[pc], reg); }
  ValueId Written(uint32_t pc, ptx::RegisterId reg) const { return Find(writes_[pc], reg); }

 private:
  using Bindings = std::vector<std::pair<ptx::RegisterId, ValueId>>;
  static ValueId Find(const Bindings& bindings, ptx::RegisterId reg);
  void FillBlock(const ptx::Kernel& kernel, ptx::BlockId block);
  void Seal(ptx::BlockId block);
  void CompletePhi(ValueId phi);
  ValueId ReadAtEnd(ptx::BlockId block, ptx::RegisterId reg);
  ValueId NewPhi(ptx::BlockId block, ptx::RegisterId reg);
  void CompletePending();
  ValueId NewValue(SsaValue value);
  void RemoveTrivialPhis();

  const ptx::ControlFlow* flow_;
  const LoopForest* forest_;
  std::vector<SsaValue> values_;  // [0] is the undefined value
  std::vector<Bindings> reads_;   // by pc
  std::vector<Bindings> writes_;
  // Construction only: the current definition per block, phis of blocks whose predecessors are not
  // all filled, and those that can be completed.
  std::vector<std::map<ptx::RegisterId, ValueId>> current_;
  std::vector<std::vector<ValueId>> incomplete_;
  std::vector<ValueId> pending_;
  std::vector<bool> filled_;
  std::vector<bool> sealed_;
};

template <class Visit>
void ForEachRead(const ptx::Instruction& instruction, Visit visit) {
  if (instruction.guard) visit(*instruction.guard);
  const auto visit_operand = [&](const ptx::Operand& operand, bool written,
                                 const auto& self) -> void {
    switch (operand.kind) {
      case ptx::Operand::Kind::kRegister:
        if (!written) visit(operand.reg);
        break;
      case ptx::Operand::Kind::kMemory:
        if (operand.has_register_base) visit(operand.reg);
        break;
      case ptx::Operand::Kind::kTexture:
        if (operand.has_register_base) visit(operand.reg);
        [[fallthrough]];
      case ptx::Operand::Kind::kVector:
        for (const ptx::Operand& element : operand.elements) self(element, written, self);
        break;
      default:
        break;
    }
  };
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    visit_operand(instruction.operands[i], i < instruction.destinations, visit_operand);
  }
}

template <class Visit>
void ForEachWrite(const ptx::Instruction& instruction, Visit visit) {
  for (size_t i = 0; i < instruction.destinations; ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    if (operand.kind == ptx::Operand::Kind::kRegister) visit(operand.reg);
    for (const ptx::Operand& element : operand.elements) {
      if (element.kind == ptx::Operand::Kind::kRegister) visit(element.reg);
    }
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SSA_H_
