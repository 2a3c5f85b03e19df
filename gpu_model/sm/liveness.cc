// Registers per thread by backward liveness over the PTX.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "gpu_model/sm/occupancy.h"
#include "ptx/kernel.h"

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

  std::span<const uint64_t> words() const { return words_; }
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

// A worklist over basic blocks: only the sets at their ends are kept, and what is live in between
// follows from one walk through each block.
class Liveness {
 public:
  explicit Liveness(const Kernel& kernel)
      : kernel_(kernel), words_((kernel.registers.size() + 63) / 64), weight_(Weights(kernel)) {
    FindBlocks();
    live_in_.resize(blocks_.size() * words_, 0);
  }

  uint32_t MaxLive() {
    Solve();
    uint32_t most = 0;
    RegisterSet live(weight_);
    for (size_t block = 0; block < blocks_.size(); ++block) Walk(block, &live, &most);
    return most;
  }

 private:
  struct Block {
    size_t first = 0;
    size_t end = 0;  // one after the last
    std::vector<size_t> successors, predecessors;
  };

  static bool Ends(const Instruction& instruction) {
    return instruction.opcode == Opcode::kBra || instruction.opcode == Opcode::kRet ||
           instruction.opcode == Opcode::kExit || instruction.opcode == Opcode::kTrap;
  }
  template <class Visit>
  static void ForEachTarget(const Instruction& instruction, Visit&& visit) {
    if (instruction.opcode != Opcode::kBra) return;
    for (const Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::kLabel) visit(size_t{operand.target});
    }
  }

  void FindBlocks() {
    const size_t count = kernel_.instructions.size();
    std::vector<bool> first(count + 1, false);
    if (count > 0) first[0] = true;
    for (size_t pc = 0; pc < count; ++pc) {
      const Instruction& instruction = kernel_.instructions[pc];
      if (Ends(instruction)) first[pc + 1] = true;
      ForEachTarget(instruction, [&](size_t target) { first[std::min(target, count)] = true; });
    }
    std::vector<size_t> block_of(count + 1, 0);
    for (size_t pc = 0; pc < count; ++pc) {
      if (first[pc]) blocks_.push_back({pc, pc, {}, {}});
      block_of[pc] = blocks_.size() - 1;
      blocks_.back().end = pc + 1;
    }
    for (size_t block = 0; block < blocks_.size(); ++block) {
      const auto join = [&](size_t pc) {
        if (pc >= count) return;
        blocks_[block].successors.push_back(block_of[pc]);
        blocks_[block_of[pc]].predecessors.push_back(block);
      };
      const Instruction& last = kernel_.instructions[blocks_[block].end - 1];
      ForEachTarget(last, join);
      if (last.guard.has_value() || !Ends(last)) join(blocks_[block].end);
    }
  }

  void Solve() {
    std::vector<size_t> work;
    std::vector<bool> queued(blocks_.size(), true);
    for (size_t block = 0; block < blocks_.size(); ++block) work.push_back(block);
    RegisterSet live(weight_);
    uint32_t most = 0;
    while (!work.empty()) {
      const size_t block = work.back();
      work.pop_back();
      queued[block] = false;
      Walk(block, &live, &most);
      uint64_t* in = &live_in_[block * words_];
      if (std::equal(live.words().begin(), live.words().end(), in)) continue;
      std::copy(live.words().begin(), live.words().end(), in);
      for (const size_t predecessor : blocks_[block].predecessors) {
        if (!queued[predecessor]) work.push_back(predecessor);
        queued[predecessor] = true;
      }
    }
  }

  // From the end of the block to its start: leaves what is live there in `live`.
  void Walk(size_t block, RegisterSet* live, uint32_t* most) const {
    std::vector<uint64_t> out(words_, 0);
    for (const size_t successor : blocks_[block].successors) {
      for (size_t word = 0; word < words_; ++word) out[word] |= live_in_[successor * words_ + word];
    }
    live->Assign(out);
    for (size_t pc = blocks_[block].end; pc-- > blocks_[block].first;) {
      const Instruction& instruction = kernel_.instructions[pc];
      const bool guarded = instruction.guard.has_value();
      // What an instruction writes needs a place also where nobody reads it later. A guarded write
      // keeps the old value in some lanes, and so what was live before stays so.
      std::vector<ptx::RegisterId> dead;
      for (size_t i = 0; i < instruction.destinations; ++i) {
        ForEachRegister(instruction.operands[i], [&](ptx::RegisterId reg) {
          if (!guarded || !live->Holds(reg)) dead.push_back(reg);
          live->Add(reg);
        });
      }
      *most = std::max(*most, live->weight());
      for (const ptx::RegisterId reg : dead) live->Remove(reg);
      for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        if (i >= instruction.destinations || operand.kind == Operand::Kind::kMemory) {
          ForEachRegister(operand, [&](ptx::RegisterId reg) { live->Add(reg); });
        }
      }
      if (guarded) live->Add(*instruction.guard);
      *most = std::max(*most, live->weight());
    }
  }

  template <class Visit>
  static void ForEachRegister(const Operand& operand, Visit&& visit) {
    if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) visit(operand.reg);
    for (const Operand& element : operand.elements) ForEachRegister(element, visit);
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
  size_t words_;                  // of 64 registers
  std::vector<uint32_t> weight_;  // per register
  std::vector<Block> blocks_;
  std::vector<uint64_t> live_in_;  // `words_` per block
};

}  // namespace

uint32_t EstimateRegisters(const ptx::Kernel& kernel) {
  if (kernel.registers.empty()) return 1;
  return std::max(1U, Liveness(kernel).MaxLive());
}

}  // namespace flagstone
