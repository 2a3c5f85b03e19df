// Registers per thread by backward liveness over the PTX.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "gpu_model/sm/occupancy.h"
#include "ptx/kernel.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::Kernel;
using ptx::Opcode;
using ptx::Operand;

class Liveness {
 public:
  explicit Liveness(const Kernel& kernel)
      : kernel_(kernel),
        words_((kernel.registers.size() + 63) / 64),
        live_in_(kernel.instructions.size() * words_, 0),
        weight_(Weights(kernel)) {}

  uint32_t MaxLive() {
    while (Sweep()) {
    }
    uint32_t most = 0;
    std::vector<uint64_t> live(words_);
    for (size_t pc = 0; pc < kernel_.instructions.size(); ++pc) {
      // What an instruction writes needs a place also where nobody reads it later.
      LiveOut(pc, &live);
      const Instruction& instruction = kernel_.instructions[pc];
      for (size_t i = 0; i < instruction.destinations; ++i) Mark(instruction.operands[i], &live);
      most = std::max({most, Weight(live.data()), Weight(&live_in_[pc * words_])});
    }
    return most;
  }

 private:
  // One pass from the end to the start; true when something changed.
  bool Sweep() {
    bool changed = false;
    std::vector<uint64_t> live(words_);
    for (size_t pc = kernel_.instructions.size(); pc-- > 0;) {
      const Instruction& instruction = kernel_.instructions[pc];
      LiveOut(pc, &live);
      for (size_t i = 0; i < instruction.destinations; ++i) {
        // A guarded write keeps the old value in some lanes.
        if (!instruction.guard.has_value()) Kill(instruction.operands[i], &live);
      }
      for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        if (i >= instruction.destinations || operand.kind == Operand::Kind::kMemory) {
          Mark(operand, &live);
        }
      }
      if (instruction.guard.has_value()) Set(*instruction.guard, &live);
      uint64_t* in = &live_in_[pc * words_];
      if (!std::equal(live.begin(), live.end(), in)) {
        std::copy(live.begin(), live.end(), in);
        changed = true;
      }
    }
    return changed;
  }

  void LiveOut(size_t pc, std::vector<uint64_t>* live) const {
    std::fill(live->begin(), live->end(), 0);
    const Instruction& instruction = kernel_.instructions[pc];
    const bool branch = instruction.opcode == Opcode::kBra;
    const bool end = instruction.opcode == Opcode::kRet || instruction.opcode == Opcode::kExit ||
                     instruction.opcode == Opcode::kTrap;
    if (branch) {
      for (const Operand& operand : instruction.operands) {
        if (operand.kind == Operand::Kind::kLabel) Join(operand.target, live);
      }
    }
    if (instruction.guard.has_value() || !(branch || end)) Join(pc + 1, live);
  }

  void Join(size_t pc, std::vector<uint64_t>* live) const {
    if (pc >= kernel_.instructions.size()) return;
    for (size_t word = 0; word < words_; ++word) (*live)[word] |= live_in_[pc * words_ + word];
  }

  static void Set(ptx::RegisterId reg, std::vector<uint64_t>* live) {
    (*live)[reg / 64] |= uint64_t{1} << (reg % 64);
  }

  static void Mark(const Operand& operand, std::vector<uint64_t>* live) {
    if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) {
      Set(operand.reg, live);
    }
    for (const Operand& element : operand.elements) Mark(element, live);
  }

  static void Kill(const Operand& operand, std::vector<uint64_t>* live) {
    if (operand.kind == Operand::Kind::kRegister) {
      (*live)[operand.reg / 64] &= ~(uint64_t{1} << (operand.reg % 64));
    }
    for (const Operand& element : operand.elements) Kill(element, live);
  }

  uint32_t Weight(const uint64_t* live) const {
    uint32_t weight = 0;
    for (size_t reg = 0; reg < kernel_.registers.size(); ++reg) {
      if (((live[reg / 64] >> (reg % 64)) & 1) != 0) weight += weight_[reg];
    }
    return weight;
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
  size_t words_;
  std::vector<uint64_t> live_in_;  // `words_` per instruction
  std::vector<uint32_t> weight_;   // per register
};

}  // namespace

uint32_t EstimateRegisters(const ptx::Kernel& kernel) {
  if (kernel.registers.empty()) return 1;
  return std::max(1U, Liveness(kernel).MaxLive());
}

}  // namespace flagstone
