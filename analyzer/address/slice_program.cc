#include "analyzer/address/slice_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "analyzer/address/bulk_accesses.h"
#include "analyzer/address/constant_bytes.h"
#include "analyzer/address/integer_ops.h"
#include "base/error.h"

namespace flagstone {
namespace {

using ptx::Opcode;
using Special = ptx::SpecialRegister;

constexpr uint32_t kSpecialCount = static_cast<uint32_t>(Special::kIsExplicitCluster) + 1;

bool IsEvaluated(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::kMov:
    case Opcode::kSelp:
      return !ptx::IsFloat(i.type);
    case Opcode::kCvt:
      return !ptx::IsFloat(i.type) && !ptx::IsFloat(i.source_type);
    case Opcode::kCvta:
      return i.space == ptx::Space::kGlobal || i.space == ptx::Space::kConst;
    case Opcode::kAbs:
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kBfe:
    case Opcode::kBfi:
    case Opcode::kBrev:
    case Opcode::kClz:
    case Opcode::kDiv:
    case Opcode::kMad:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kMul:
    case Opcode::kNeg:
    case Opcode::kNot:
    case Opcode::kOr:
    case Opcode::kPopc:
    case Opcode::kRem:
    case Opcode::kSad:
    case Opcode::kSetp:
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kSub:
    case Opcode::kXor:
      return IsModular(i);
    default:
      return false;
  }
}

}  // namespace

std::unique_ptr<simt::LaneFunctions> FunctionsFor(const KernelLaunch& launch,
                                                  const KernelStructure& structure,
                                                  std::span<const uint32_t> accesses) {
  const std::vector<ptx::Instruction>& instructions = launch.kernel->instructions;
  const auto needs_function = [](const ptx::Instruction& i) {
    return ptx::IsFloat(i.type) || ptx::IsFloat(i.source_type) ||
           (i.opcode != Opcode::kCvt && !IsModular(i));
  };
  if (std::none_of(instructions.begin(), instructions.end(), needs_function)) return nullptr;
  for (const uint32_t pc : accesses) {
    const Slice slice = structure.slicer.OfAccess(pc);
    if (!slice.reads.empty()) continue;
    for (uint32_t at = 0; at < instructions.size(); ++at) {
      if (!slice.contains[at] || !needs_function(instructions[at])) continue;
      try {
        return std::make_unique<simt::LaneFunctions>(launch);
      } catch (const Error&) {
        return nullptr;
      }
    }
  }
  return nullptr;
}

SliceProgram::SliceProgram(const KernelLaunch& launch, const KernelStructure& structure,
                           simt::LaneFunctions* functions)
    : launch_(&launch), structure_(&structure), functions_(functions) {
  first_special_ = static_cast<uint32_t>(launch.kernel->registers.size());
  slots_.assign(first_special_ + kSpecialCount, 0);
}

std::string SliceProgram::Decode(const Slice& slice, std::span<const uint32_t> accesses) {
  const std::vector<ptx::BasicBlock>& blocks = structure_->flow.blocks();
  blocks_.assign(blocks.size(), {});
  for (size_t b = 0; b < blocks.size(); ++b) {
    SliceBlock& block = blocks_[b];
    block.terminator = blocks[b].end - 1;
    block.follows_branch = slice.contains[block.terminator];
    for (uint32_t pc = blocks[b].begin; pc < blocks[b].end; ++pc) {
      const ptx::Instruction& instruction = launch_->kernel->instructions[pc];
      const bool is_access = std::find(accesses.begin(), accesses.end(), pc) != accesses.end();
      const bool branches = instruction.opcode == Opcode::kBra || instruction.destinations == 0;
      if (!is_access && (!slice.contains[pc] || branches)) continue;
      if (!is_access && instruction.opcode == Opcode::kLd) {
        if (LoadsParameter(pc, block.steps) || LoadsConstant(pc, block.steps)) continue;
        return fmt::format("a load in line {} cannot be evaluated", instruction.location.line);
      }
      SliceStep step;
      std::string problem = DecodeStep(pc, is_access, step);
      if (!problem.empty()) return problem;
      block.steps.push_back(step);
    }
  }
  return {};
}

std::string SliceProgram::DecodeStep(uint32_t pc, bool is_access, SliceStep& step) {
  const ptx::Instruction& instruction = launch_->kernel->instructions[pc];
  step.instruction = &instruction;
  step.pc = pc;
  step.is_access = is_access;
  const auto refuse = [&] {
    return fmt::format("'{}' in line {} cannot be evaluated", instruction.text,
                       instruction.location.line);
  };
  if (is_access) {
    const ptx::Operand* memory = GlobalAddress(instruction);
    if (memory == nullptr || !memory->has_register_base) return refuse();
    step.sources[0] = memory->reg;
    step.offset = memory->offset;
    return {};
  }
  if (!IsEvaluated(instruction)) {
    if (functions_ == nullptr || !functions_->Computes(pc)) return refuse();
    step.by_executor = true;
  }
  if (instruction.operands[0].kind == ptx::Operand::Kind::kRegister) {
    step.destination = instruction.operands[0].reg;
  } else if (instruction.operands[0].kind != ptx::Operand::Kind::kSink) {
    return refuse();
  }
  if (instruction.destinations == 2) {
    if (instruction.modifiers.boolean_op != ptx::BooleanOp::kNone) return refuse();
    if (instruction.operands[0].kind == ptx::Operand::Kind::kSink) return refuse();
    step.second = instruction.operands[1].reg;
  }
  const std::span<const ptx::Operand> sources =
      std::span(instruction.operands).subspan(instruction.destinations);
  if (sources.size() > step.sources.size()) return refuse();
  for (const ptx::Operand& source : sources) {
    step.negated[step.source_count] = source.negated;
    uint32_t& slot = step.sources[step.source_count++];
    const bool in_register = source.kind == ptx::Operand::Kind::kRegister;
    // Its numbers are the executor's own.
    if (step.by_executor && !in_register) continue;
    if (!DecodeSource(source, slot)) return refuse();
  }
  if (step.by_executor) return {};
  const bool plain =
      instruction.destinations == 1 &&
      instruction.operands[0].kind == ptx::Operand::Kind::kRegister &&
      std::none_of(step.negated.begin(), step.negated.end(), [](bool n) { return n; });
  if (plain) step.operation = OperationOf(instruction);
  return {};
}

bool SliceProgram::DecodeSource(const ptx::Operand& operand, uint32_t& slot) {
  switch (operand.kind) {
    case ptx::Operand::Kind::kRegister:
      slot = operand.reg;
      return true;
    case ptx::Operand::Kind::kImmediate:
      slot = ConstantSlot(operand.bits);
      return !ptx::IsFloat(operand.immediate_type);
    case ptx::Operand::Kind::kSpecial:
      slot = SlotOf(operand.special);
      return true;
    case ptx::Operand::Kind::kAddress: {
      const auto found = launch_->symbols.find(operand.variable->name);
      const ptx::Space space = operand.variable->space;
      if ((space != ptx::Space::kGlobal && space != ptx::Space::kConst) ||
          found == launch_->symbols.end()) {
        return false;
      }
      slot = ConstantSlot(found->second + static_cast<uint64_t>(operand.offset));
      return true;
    }
    default:
      return false;
  }
}

uint32_t SliceProgram::ConstantSlot(uint64_t bits) {
  slots_.push_back(bits);
  return static_cast<uint32_t>(slots_.size() - 1);
}

// A step for each register.
bool SliceProgram::LoadsConstant(uint32_t pc, std::vector<SliceStep>& steps) {
  const ptx::Instruction& load = launch_->kernel->instructions[pc];
  const ptx::Operand* const memory = load.Address();
  if (!IsConstantLoad(load) || memory == nullptr) return false;
  SliceStep step;
  step.instruction = &load;
  step.pc = pc;
  step.loaded = load.type;
  step.offset = memory->offset;
  if (memory->has_register_base) {
    step.sources[0] = memory->reg;
  } else {
    if (memory->variable == nullptr) return false;
    const auto placed = launch_->symbols.find(memory->variable->name);
    if (placed == launch_->symbols.end()) return false;
    step.sources[0] = ConstantSlot(placed->second);
  }
  bool loads = false;
  ForEachWrite(load, [&](ptx::RegisterId reg) {
    step.destination = reg;
    steps.push_back(step);
    step.offset += ptx::SizeInBytes(load.type);
    loads = true;
  });
  return loads;
}

// A parameter's value is a constant that is moved to each destination register.
bool SliceProgram::LoadsParameter(uint32_t pc, std::vector<SliceStep>& steps) {
  static const ptx::Instruction kMove = [] {
    ptx::Instruction move;
    move.opcode = Opcode::kMov;
    move.type = ptx::Type::kB64;
    return move;
  }();
  const ptx::Instruction& load = launch_->kernel->instructions[pc];
  const ptx::Operand& memory = load.operands.back();
  const auto bytes = static_cast<uint64_t>(ptx::SizeInBytes(load.type));
  if (load.space != ptx::Space::kParam || memory.variable == nullptr || memory.has_register_base ||
      load.guard || bytes == 0) {
    return false;
  }
  std::vector<ptx::RegisterId> written;
  ForEachWrite(load, [&](ptx::RegisterId reg) { written.push_back(reg); });
  const size_t elements = load.modifiers.vector;
  if (written.size() != elements) return false;
  uint64_t at = memory.variable->offset + static_cast<uint64_t>(memory.offset);
  for (const ptx::RegisterId reg : written) {
    if (at + bytes > launch_->parameters.size()) return false;
    uint64_t bits = 0;
    std::memcpy(&bits, launch_->parameters.data() + at, bytes);
    if (ptx::IsSigned(load.type)) {
      bits = static_cast<uint64_t>(SignExtend(bits, static_cast<int>(8 * bytes)));
    }
    SliceStep step;
    step.instruction = &kMove;
    step.operation = OperationOf(kMove);
    step.pc = pc;
    step.destination = reg;
    step.sources[0] = ConstantSlot(bits);
    step.source_count = 1;
    steps.push_back(step);
    at += bytes;
  }
  return true;
}

}  // namespace flagstone
