#include "app/order/tile_loop.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "analyzer/address/loop_forest.h"
#include "kernels/ptx/control_flow.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

template <class Visit>
void VisitRegisters(const Operand& operand, Visit visit) {
  if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) visit(operand.reg);
  for (const Operand& element : operand.elements) VisitRegisters(element, visit);
}

bool Reads(const Instruction& instruction, RegisterId reg) {
  bool reads = instruction.guard == reg;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    const bool written = i < instruction.destinations && operand.kind != Operand::Kind::kMemory;
    if (!written) VisitRegisters(operand, [&](RegisterId other) { reads = reads || other == reg; });
  }
  return reads;
}

bool IsRegister(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::kRegister && operand.reg == reg;
}

class TileLoopFinder {
 public:
  explicit TileLoopFinder(const KernelLaunch& launch)
      : launch_(launch),
        code_(launch.kernel->instructions),
        flow_(*launch.kernel),
        forest_(flow_),
        writes_(launch.kernel->registers.size()) {
    for (uint32_t pc = 0; pc < code_.size(); ++pc) {
      for (size_t i = 0; i < code_[pc].destinations; ++i) {
        VisitRegisters(code_[pc].operands[i], [&](RegisterId reg) { writes_[reg].push_back(pc); });
      }
    }
  }

  std::optional<TileLoop> Find() const {
    for (uint32_t l = 0; l < forest_.loops().size(); ++l) {
      for (RegisterId reg = 0; reg < writes_.size(); ++reg) {
        if (std::optional<TileLoop> loop = TryIndex(l, reg)) return loop;
      }
    }
    return std::nullopt;
  }

 private:
  bool IsIn(uint32_t loop, uint32_t pc) const { return forest_.Contains(loop, flow_.BlockOf(pc)); }

  // The only instruction that writes it; null where there are several.
  const Instruction* Only(RegisterId reg) const {
    return writes_[reg].size() == 1 ? &code_[writes_[reg].front()] : nullptr;
  }

  // What the operand has been moved from.
  const Operand& Origin(const Operand& operand) const {
    if (operand.kind != Operand::Kind::kRegister) return operand;
    const Instruction* write = Only(operand.reg);
    const bool moves = write != nullptr && write->opcode == Opcode::kMov && !write->guard &&
                       write->operands.size() == 2;
    return moves ? Origin(write->operands[1]) : operand;
  }

  bool IsSpecial(const Operand& operand, ptx::SpecialRegister special) const {
    const Operand& origin = Origin(operand);
    return origin.kind == Operand::Kind::kSpecial && origin.special == special;
  }

  bool IsNumberOfTbs(const Operand& operand) const {
    const Operand& origin = Origin(operand);
    if (origin.kind == Operand::Kind::kImmediate) return origin.bits == launch_.grid.x;
    if (origin.kind != Operand::Kind::kRegister) {
      return IsSpecial(operand, ptx::SpecialRegister::kNctaidX);
    }
    const Instruction* load = Only(origin.reg);
    if (load == nullptr || load->opcode != Opcode::kLd || load->space != ptx::Space::kParam) {
      return false;
    }
    const Operand* from = load->Address();
    uint32_t value = 0;
    if (from == nullptr || from->variable == nullptr) return false;
    const uint64_t at = from->variable->offset + static_cast<uint64_t>(from->offset);
    if (at + sizeof(value) > launch_.parameters.size()) return false;
    std::memcpy(&value, launch_.parameters.data() + at, sizeof(value));
    return value == launch_.grid.x;
  }

  std::optional<TileLoop> TryIndex(uint32_t l, RegisterId reg) const {
    const std::vector<uint32_t>& writes = writes_[reg];
    if (writes.size() != 2 || IsIn(l, writes[0]) == IsIn(l, writes[1])) return std::nullopt;
    const bool first_is_in = IsIn(l, writes[0]);
    const Instruction& begin = code_[writes[first_is_in ? 1 : 0]];
    if (begin.opcode != Opcode::kMov || begin.operands.size() != 2 ||
        !IsSpecial(begin.operands[1], ptx::SpecialRegister::kCtaidX)) {
      return std::nullopt;
    }
    // An addition to itself, or the result of one to it.
    const uint32_t goes_on = writes[first_is_in ? 0 : 1];
    uint32_t step = goes_on;
    RegisterId next = reg;
    if (code_[step].opcode == Opcode::kMov &&
        code_[step].operands[1].kind == Operand::Kind::kRegister) {
      next = code_[step].operands[1].reg;
      if (Only(next) == nullptr) return std::nullopt;
      step = writes_[next].front();
    }
    const Instruction& adds = code_[step];
    if (!IsIn(l, step) || adds.opcode != Opcode::kAdd || adds.guard || adds.operands.size() != 3) {
      return std::nullopt;
    }
    const Operand &a = adds.operands[1], &b = adds.operands[2];
    const bool steps =
        (IsRegister(a, reg) && IsNumberOfTbs(b)) || (IsRegister(b, reg) && IsNumberOfTbs(a));
    if (!steps) return std::nullopt;
    TileLoop loop;
    loop.index = reg;
    loop.step = step;
    loop.line = adds.location.line;
    loop.header = flow_.blocks()[forest_.loops()[l].header].begin;
    if (TbsDecideOnMore()) return std::nullopt;
    return FindUses(l, next, goes_on, &loop) ? std::optional(loop) : std::nullopt;
  }

  // Whether the TB's id places data beside those of its tiles, such as a sum of its own, or the
  // work is divided by the number of TBs: with as many TBs as tiles that would be something else.
  bool TbsDecideOnMore() const {
    return std::any_of(code_.begin(), code_.end(), [&](const Instruction& instruction) {
      const bool divides = instruction.opcode == Opcode::kDiv || instruction.opcode == Opcode::kRem;
      if (divides) return HangsOn(instruction, ptx::SpecialRegister::kNctaidX, 1);
      return instruction.Address() != nullptr && instruction.space != ptx::Space::kParam &&
             HangsOn(instruction, ptx::SpecialRegister::kCtaidX);
    });
  }

  // The predicate of a branch that leaves the loop.
  bool DecidesOnEnd(uint32_t l, uint32_t pc) const {
    if (code_[pc].opcode != Opcode::kSetp || code_[pc].operands.size() != 3) return false;
    const RegisterId predicate = code_[pc].operands[0].reg;
    for (uint32_t other = 0; other < code_.size(); ++other) {
      if (code_[other].opcode != Opcode::kBra || code_[other].guard != predicate) continue;
      if (!IsIn(l, other)) continue;
      const auto& successors = flow_.blocks()[flow_.BlockOf(other)].successors;
      if (std::any_of(successors.begin(), successors.end(),
                      [&](ptx::BlockId block) { return !forest_.Contains(l, block); })) {
        return true;
      }
    }
    return false;
  }

  // False where no comparison of the index ends the loop.
  bool FindUses(uint32_t l, RegisterId next, uint32_t goes_on, TileLoop* loop) const {
    bool ends = false;
    for (uint32_t pc = 0; pc < code_.size(); ++pc) {
      if (!IsIn(l, pc)) continue;
      const Instruction& instruction = code_[pc];
      if (instruction.Address() != nullptr && instruction.space == ptx::Space::kGlobal) {
        loop->accesses.push_back(pc);
      }
      if (pc == loop->step || pc == goes_on) continue;
      const bool now = Reads(instruction, loop->index),
                 later = next != loop->index && Reads(instruction, next);
      if (!now && !later) continue;
      if (DecidesOnEnd(l, pc)) {
        ends = true;
        const Operand& left = instruction.operands[1];
        loop->bound = IsRegister(left, loop->index) || IsRegister(left, next)
                          ? instruction.operands[2]
                          : left;
      } else if (later) {
        loop->hidden = fmt::format("line {} takes the next one", instruction.location.line);
      } else {
        loop->reads.push_back(pc);
      }
    }
    if (!ends) return false;
    CheckWritable(l, loop);
    return true;
  }

  void CheckWritable(uint32_t l, TileLoop* loop) const {
    const auto size = [&](RegisterId reg) {
      return ptx::SizeInBytes(launch_.kernel->registers[reg].type);
    };
    if (size(loop->index) != 4) loop->hidden = "it has no 32 bits";
    const bool fixed =
        loop->bound.kind == Operand::Kind::kImmediate ||
        (loop->bound.kind == Operand::Kind::kRegister && size(loop->bound.reg) == 4 &&
         std::none_of(writes_[loop->bound.reg].begin(), writes_[loop->bound.reg].end(),
                      [&](uint32_t pc) { return IsIn(l, pc); }));
    if (!fixed) loop->hidden = "its end changes in the loop";
    // Products of the index that the compiler carries from turn to turn.
    for (RegisterId reg = 0; reg < writes_.size(); ++reg) {
      if (reg == loop->index || writes_[reg].size() < 2) continue;
      for (const uint32_t pc : writes_[reg]) {
        const Instruction& write = code_[pc];
        if (forest_.InnermostOf(flow_.BlockOf(pc)) != l || write.opcode != Opcode::kAdd) continue;
        if (Reads(write, reg) && HangsOn(write, ptx::SpecialRegister::kNctaidX)) {
          loop->hidden = fmt::format("line {} carries a product of it", write.location.line);
        }
      }
    }
  }

  // An operand is the special register, or is made of it by so many instructions.
  bool HangsOn(const Instruction& instruction, ptx::SpecialRegister special, int depth = 6) const {
    bool hangs = false;
    for (size_t i = 0; i < instruction.operands.size() && !hangs; ++i) {
      const Operand& operand = instruction.operands[i];
      hangs = operand.kind == Operand::Kind::kSpecial && operand.special == special;
      VisitRegisters(operand, [&](RegisterId reg) {
        const Instruction* write = depth > 0 ? Only(reg) : nullptr;
        if (write == nullptr || write == &instruction) return;
        hangs = hangs || HangsOn(*write, special, depth - 1);
      });
    }
    return hangs;
  }

  const KernelLaunch& launch_;
  const std::vector<Instruction>& code_;
  const ptx::ControlFlow flow_;
  const LoopForest forest_;
  std::vector<std::vector<uint32_t>> writes_;  // pcs, by register
};

}  // namespace

std::optional<TileLoop> FindTileLoop(const KernelLaunch& launch) {
  if (launch.grid.y != 1 || launch.grid.z != 1 || launch.grid.x < 2) return std::nullopt;
  return TileLoopFinder(launch).Find();
}

}  // namespace flagstone
