#include "analyzer/address/address_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/address/bulk_accesses.h"
#include "analyzer/address/slice.h"

namespace flagstone {
namespace {

constexpr uint32_t kMostLevels = 64;

// A load from anywhere but the kernel's parameters, or an atomic.
bool ReadsMemory(const ptx::Instruction& instruction) {
  return instruction.Address() != nullptr && instruction.space != ptx::Space::kParam;
}

class Tree {
 public:
  Tree(const ptx::Kernel& kernel, const KernelStructure& structure)
      : kernel_(kernel), structure_(structure) {}

  std::string Of(const AddressForm& load) {
    const ptx::Instruction& instruction = kernel_.instructions[load.pc];
    text_ = fmt::format("load pc {} line {} of {}: {}\n", load.pc, load.line, load.array,
                        instruction.text);
    const ptx::Operand* address = GlobalAddress(instruction);
    if (address != nullptr && address->has_register_base) {
      Add(structure_.ssa.Read(load.pc, address->reg), 1);
    }
    return std::move(text_);
  }

 private:
  void Add(ValueId value, uint32_t level) {
    text_.append(size_t{2} * level, ' ');
    const SsaValue& node = structure_.ssa.values()[value];
    const std::vector<ValueId> branches = Branches(node);
    text_ += Name(node);
    if (branches.empty()) {
      text_ += "\n";
    } else if (shown_.contains(value)) {
      text_ += "  (as above)\n";
    } else if (level == kMostLevels) {
      text_ += "  (and more)\n";
    } else {
      text_ += "\n";
      shown_.insert(value);
      for (const ValueId branch : branches) Add(branch, level + 1);
    }
  }

  std::string Name(const SsaValue& node) const {
    switch (node.kind) {
      case SsaValue::Kind::kUndefined:
        return "undefined";
      case SsaValue::Kind::kInstruction: {
        const ptx::Instruction& instruction = kernel_.instructions[node.pc];
        return instruction.text + (ReadsMemory(instruction) ? "  (from memory)" : "");
      }
      case SsaValue::Kind::kPhi:
        break;
    }
    return fmt::format("{}, {} at pc {}", kernel_.registers[node.reg].name,
                       structure_.forest.HeaderOf(node.block) == kNoLoop
                           ? "one of, where paths meet"
                           : "carried by the loop",
                       structure_.flow.blocks()[node.block].begin);
  }

  // What the value is made of, each once.
  std::vector<ValueId> Branches(const SsaValue& node) const {
    std::vector<ValueId> branches;
    const auto add = [&](ValueId value) {
      if (std::find(branches.begin(), branches.end(), value) == branches.end()) {
        branches.push_back(value);
      }
    };
    if (node.kind == SsaValue::Kind::kInstruction) {
      const ptx::Instruction& instruction = kernel_.instructions[node.pc];
      if (ReadsMemory(instruction)) return branches;
      ForEachRead(instruction,
                  [&](ptx::RegisterId reg) { add(structure_.ssa.Read(node.pc, reg)); });
    }
    for (const ValueId operand : node.operands) add(operand);
    return branches;
  }

  const ptx::Kernel& kernel_;
  const KernelStructure& structure_;
  std::set<ValueId> shown_;
  std::string text_;
};

}  // namespace

std::string DumpTrees(const ptx::Kernel& kernel, const AddressAnalysis& addresses) {
  const KernelStructure structure(kernel);
  std::string text;
  for (const AddressForm& access : addresses.accesses) {
    if (!access.is_store || access.is_atomic) text += Tree(kernel, structure).Of(access);
  }
  return text;
}

}  // namespace flagstone
