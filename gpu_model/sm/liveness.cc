// Registers per thread by backward liveness over the PTX.
#include "kernels/ptx/liveness.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::Kernel;
using ptx::Opcode;
using ptx::Operand;

// A set of registers, and the 32-bit registers that its members take.
class RegisterSet {
 public:
  explicit RegisterSet(const std::vector<uint32_t>& weights)
      : weights_(&weights), words_((weights.size() + 63) / 64) {}

  uint32_t weight() const { return weight_; }
  bool Holds(ptx::RegisterId reg) const { return ((words_[reg / 64] >> (reg % 64)) & 1) != 0; }
  void Add(ptx::RegisterId reg) {
    if (Holds(reg)) return;
    words_[reg / 64] |= uint64_t{1} << (reg % 64);
    weight_ += (*weights_)[reg];
  }
  void Remove(ptx::RegisterId reg) {
    if (!Holds(reg)) return;
    words_[reg / 64] &= ~(uint64_t{1} << (reg % 64));
    weight_ -= (*weights_)[reg];
  }
  void Assign(std::span<const uint64_t> words) {
    std::copy(words.begin(), words.end(), words_.begin());
    weight_ = 0;
    for (size_t word = 0; word < words_.size(); ++word) {
      for (uint64_t left = words_[word]; left != 0; left &= left - 1) {
        weight_ += (*weights_)[word * 64 + static_cast<size_t>(std::countr_zero(left))];
      }
    }
  }

 private:
  const std::vector<uint32_t>* weights_;
  std::vector<uint64_t> words_;
  uint32_t weight_ = 0;
};

// What is live within a block follows from one walk through it, from what is live at its end.
class RegisterCount {
 public:
  explicit RegisterCount(const Kernel& kernel)
      : kernel_(kernel), flow_(kernel), liveness_(kernel, flow_), weight_(Weights(kernel)) {}

  uint32_t MaxLive() const {
    uint32_t most = 0;
    RegisterSet live(weight_);
    std::vector<uint64_t> end;
    for (ptx::BlockId block = 0; block < flow_.blocks().size(); ++block) {
      liveness_.AtEnd(block, &end);
      live.Assign(end);
      Walk(flow_.blocks()[block], &live, &most);
    }
    return most;
  }

 private:
  // From the end of the block, with what is live there, to its start.
  void Walk(const ptx::BasicBlock& block, RegisterSet* live, uint32_t* most) const {
    for (size_t pc = block.end; pc-- > block.begin;) {
      const Instruction& instruction = kernel_.instructions[pc];
      const bool guarded = instruction.guard.has_value();
      // What an instruction writes needs a place also where nobody reads it later. A guarded write
      // keeps the old value in some lanes, and so what was live before stays so.
      std::vector<ptx::RegisterId> dead;
      ptx::ForEachWritten(instruction, [&](ptx::RegisterId reg) {
        if (!guarded || !live->Holds(reg)) dead.push_back(reg);
        live->Add(reg);
      });
      *most = std::max(*most, live->weight());
      for (const ptx::RegisterId reg : dead) live->Remove(reg);
      ptx::ForEachRead(instruction, [&](ptx::RegisterId reg) { live->Add(reg); });
      *most = std::max(*most, live->weight());
    }
  }

  // 32-bit registers that each PTX register takes. One that only ever holds a parameter or a
  // literal takes none: machine instructions read those from the constant bank or from themselves.
  static std::vector<uint32_t> Weights(const Kernel& kernel) {
    std::vector<uint32_t> weights;
    for (const ptx::Register& reg : kernel.registers) {
      weights.push_back(static_cast<uint32_t>(ptx::SizeInBytes(reg.type) + 3) / 4);
    }
    std::vector<uint32_t> writes(kernel.registers.size(), 0);
    for (const Instruction& instruction : kernel.instructions) {
      for (size_t i = 0; i < instruction.destinations; ++i) {
        Count(instruction.operands[i], &writes);
      }
    }
    // In the order of the text, which is also that of a parameter's way through cvta and mov.
    for (const Instruction& instruction : kernel.instructions) {
      if (instruction.destinations != 1 || instruction.guard.has_value()) continue;
      if (instruction.operands.size() < 2) continue;
      const Operand& to = instruction.operands[0];
      if (to.kind != Operand::Kind::kRegister || writes[to.reg] != 1) continue;
      const Operand& from = instruction.operands[1];
      const bool parameter =
          instruction.opcode == Opcode::kLd && instruction.space == ptx::Space::kParam;
      const bool copy =
          (instruction.opcode == Opcode::kCvta || instruction.opcode == Opcode::kMov) &&
          (from.kind == Operand::Kind::kImmediate ||
           (from.kind == Operand::Kind::kRegister && weights[from.reg] == 0));
      if (parameter || copy) weights[to.reg] = 0;
    }
    return weights;
  }

  static void Count(const Operand& operand, std::vector<uint32_t>* writes) {
    if (operand.kind == Operand::Kind::kRegister) ++(*writes)[operand.reg];
    for (const Operand& element : operand.elements) Count(element, writes);
  }

  const Kernel& kernel_;
  const ptx::ControlFlow flow_;
  const ptx::Liveness liveness_;
  std::vector<uint32_t> weight_;  // per register
};

}  // namespace

uint32_t EstimateRegisters(const ptx::Kernel& kernel) {
  if (kernel.registers.empty()) return 1;
  return std::max(1U, RegisterCount(kernel).MaxLive());
}

}  // namespace flagstone
