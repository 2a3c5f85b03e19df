#include "analyzer/address/slice.h"

#include <algorithm>

#include "analyzer/address/bulk_accesses.h"
#include "analyzer/address/constant_bytes.h"

namespace flagstone {
namespace {

bool HasBranch(const ptx::Instruction& terminator) { return terminator.guard.has_value(); }

bool IsUnfixed(ptx::SpecialRegister special) {
  using Special = ptx::SpecialRegister;
  return special == Special::kSmid || special == Special::kNsmid || special == Special::kGridid ||
         special == Special::kNwarpid || special == Special::kClock ||
         special == Special::kClock64 || special == Special::kClockHi ||
         special == Special::kGlobaltimer || special == Special::kGlobaltimerLo ||
         special >= Special::kEnvreg1;
}

bool ReadsUnfixed(const ptx::Instruction& instruction) {
  if (instruction.opcode == ptx::Opcode::kUnsupported || instruction.opcode == ptx::Opcode::kAtom ||
      instruction.opcode == ptx::Opcode::kAllocate ||
      instruction.opcode == ptx::Opcode::kMbarrier || instruction.opcode == ptx::Opcode::kSuld ||
      instruction.opcode == ptx::Opcode::kTxq || instruction.opcode == ptx::Opcode::kMapa ||
      instruction.opcode == ptx::Opcode::kGetctarank) {
    return true;
  }
  if (instruction.opcode == ptx::Opcode::kLdmatrix) return true;
  if (IsConstantLoad(instruction)) return false;
  if (instruction.opcode == ptx::Opcode::kLd) {
    return instruction.space != ptx::Space::kParam || instruction.operands.back().has_register_base;
  }
  return std::any_of(
      instruction.operands.begin(), instruction.operands.end(), [](const ptx::Operand& operand) {
        return operand.kind == ptx::Operand::Kind::kSpecial && IsUnfixed(operand.special);
      });
}

}  // namespace

struct Slicer::Work {
  std::vector<bool> in_slice;    // by pc
  std::vector<bool> value_seen;  // by ValueId
  std::vector<bool> block_seen;  // whose controllers were added
  std::vector<ValueId> pending;
};

// Ferrante, Ottenstein, Warren 1987: along the edge p -> s, p decides on s and on all its
// post-dominators up to p's own.
Slicer::Slicer(const ptx::Kernel& kernel, const ptx::ControlFlow& flow, const LoopForest& forest,
               const Ssa& ssa)
    : kernel_(&kernel), flow_(&flow), forest_(&forest), ssa_(&ssa) {
  controllers_.resize(flow.blocks().size());
  for (const ptx::BlockId block : forest.order()) {
    if (!HasBranch(kernel.instructions[flow.blocks()[block].end - 1])) continue;
    const ptx::BlockId stop = flow.ImmediatePostDominator(block);
    for (const ptx::BlockId successor : flow.blocks()[block].successors) {
      for (ptx::BlockId at = successor; at != stop && at != ptx::kNoBlock;
           at = flow.ImmediatePostDominator(at)) {
        if (controllers_[at].empty() || controllers_[at].back() != block) {
          controllers_[at].push_back(block);
        }
      }
    }
  }
}

Slice Slicer::OfAddress(uint32_t pc) const {
  Work work{std::vector<bool>(kernel_->instructions.size()),
            std::vector<bool>(ssa_->values().size()),
            std::vector<bool>(flow_->blocks().size()),
            {}};
  AddAddress(work, pc);
  Run(work);
  return Finish(work);
}

Slice Slicer::OfAccess(uint32_t pc) const {
  Work work{std::vector<bool>(kernel_->instructions.size()),
            std::vector<bool>(ssa_->values().size()),
            std::vector<bool>(flow_->blocks().size()),
            {}};
  const ptx::Instruction& access = kernel_->instructions[pc];
  AddAddress(work, pc);
  if (access.guard) AddValue(work, ssa_->Read(pc, *access.guard));
  AddControllersOf(work, flow_->BlockOf(pc));
  Run(work);
  return Finish(work);
}

// Asynchronous copies have another address, in shared memory, beside it.
void Slicer::AddAddress(Work& work, uint32_t pc) const {
  const ptx::Operand* const memory = GlobalAddress(kernel_->instructions[pc]);
  if (memory != nullptr && memory->has_register_base) {
    AddValue(work, ssa_->Read(pc, memory->reg));
  }
}

void Slicer::AddValue(Work& work, ValueId value) const {
  if (work.value_seen[value]) return;
  work.value_seen[value] = true;
  work.pending.push_back(value);
}

void Slicer::AddController(Work& work, ptx::BlockId block) const {
  const uint32_t last = flow_->blocks()[block].end - 1;
  if (work.in_slice[last]) return;
  work.in_slice[last] = true;
  const ptx::Instruction& branch = kernel_->instructions[last];
  if (branch.guard) AddValue(work, ssa_->Read(last, *branch.guard));
  AddControllersOf(work, block);
}

void Slicer::AddControllersOf(Work& work, ptx::BlockId block) const {
  if (work.block_seen[block]) return;
  work.block_seen[block] = true;
  for (const ptx::BlockId controller : controllers_[block]) AddController(work, controller);
}

void Slicer::Run(Work& work) const {
  while (!work.pending.empty()) {
    const SsaValue& value = ssa_->values()[work.pending.back()];
    work.pending.pop_back();
    for (const ValueId operand : value.operands) AddValue(work, operand);
    if (value.kind == SsaValue::Kind::kPhi) {
      // Which definition arrives is decided by whatever decides on the ways in.
      for (const ptx::BlockId before : flow_->blocks()[value.block].predecessors) {
        if (!forest_->Reachable(before)) continue;
        AddControllersOf(work, before);
        if (flow_->blocks()[before].successors.size() > 1) AddController(work, before);
      }
    } else if (value.kind == SsaValue::Kind::kInstruction && !work.in_slice[value.pc]) {
      work.in_slice[value.pc] = true;
      ForEachRead(kernel_->instructions[value.pc],
                  [&](ptx::RegisterId reg) { AddValue(work, ssa_->Read(value.pc, reg)); });
    }
  }
}

Slice Slicer::Finish(const Work& work) const {
  Slice slice{work.in_slice, {}, {}};
  for (uint32_t pc = 0; pc < work.in_slice.size(); ++pc) {
    if (!work.in_slice[pc]) continue;
    const ptx::Instruction& instruction = kernel_->instructions[pc];
    if (ReadsUnfixed(instruction)) slice.reads.push_back(pc);
    if (IsConstantLoad(instruction)) slice.constants.push_back(pc);
  }
  return slice;
}

}  // namespace flagstone
