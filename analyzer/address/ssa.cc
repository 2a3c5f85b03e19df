#include "analyzer/address/ssa.h"

#include <algorithm>

namespace flagstone {

Ssa::Ssa(const ptx::Kernel& kernel, const ptx::ControlFlow& flow, const LoopForest& forest)
    : flow_(&flow), forest_(&forest) {
  const size_t blocks = flow.blocks().size();
  values_.emplace_back();
  reads_.resize(kernel.instructions.size());
  writes_.resize(kernel.instructions.size());
  current_.resize(blocks);
  incomplete_.resize(blocks);
  filled_.assign(blocks, false);
  sealed_.assign(blocks, false);
  const auto ready = [&](ptx::BlockId block) {
    return std::all_of(flow.blocks()[block].predecessors.begin(),
                       flow.blocks()[block].predecessors.end(),
                       [&](ptx::BlockId p) { return filled_[p] || !forest.Reachable(p); });
  };
  for (const ptx::BlockId block : forest.order()) {
    if (ready(block)) Seal(block);
    FillBlock(kernel, block);
    filled_[block] = true;
    for (const ptx::BlockId next : flow.blocks()[block].successors) {
      if (!sealed_[next] && ready(next) && filled_[next]) Seal(next);
    }
  }
  RemoveTrivialPhis();
  current_.clear();
  incomplete_.clear();
}

ValueId Ssa::Find(const Bindings& bindings, ptx::RegisterId reg) {
  for (const auto& [bound, value] : bindings) {
    if (bound == reg) return value;
  }
  return 0;
}

ValueId Ssa::NewValue(SsaValue value) {
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size() - 1);
}

void Ssa::FillBlock(const ptx::Kernel& kernel, ptx::BlockId block) {
  for (uint32_t pc = flow_->blocks()[block].begin; pc < flow_->blocks()[block].end; ++pc) {
    const ptx::Instruction& instruction = kernel.instructions[pc];
    ForEachRead(instruction,
                [&](ptx::RegisterId reg) { reads_[pc].emplace_back(reg, ReadAtEnd(block, reg)); });
    ForEachWrite(instruction, [&](ptx::RegisterId reg) {
      SsaValue value{SsaValue::Kind::kInstruction, pc, block, reg, {}};
      if (instruction.guard) value.operands.push_back(ReadAtEnd(block, reg));
      writes_[pc].emplace_back(reg, NewValue(std::move(value)));
    });
    for (const auto& [reg, value] : writes_[pc]) current_[block][reg] = value;
  }
  CompletePending();
}

// Goes back to where the value comes from, without recursion: kernels have ten thousands of blocks
// in a row.
ValueId Ssa::ReadAtEnd(ptx::BlockId block, ptx::RegisterId reg) {
  std::vector<ptx::BlockId> passed;
  ValueId value = 0;
  for (;; block = flow_->blocks()[block].predecessors[0]) {
    const auto found = current_[block].find(reg);
    if (found != current_[block].end()) {
      value = found->second;
      break;
    }
    passed.push_back(block);
    const std::vector<ptx::BlockId>& predecessors = flow_->blocks()[block].predecessors;
    const bool one_way = sealed_[block] && block != 0 && predecessors.size() == 1;
    if (one_way && forest_->Reachable(predecessors[0])) continue;
    const bool undefined = one_way || (sealed_[block] && block == 0 && predecessors.empty());
    if (!undefined) value = NewPhi(block, reg);
    break;
  }
  for (const ptx::BlockId before : passed) current_[before][reg] = value;
  return value;
}

ValueId Ssa::NewPhi(ptx::BlockId block, ptx::RegisterId reg) {
  const ValueId phi = NewValue({SsaValue::Kind::kPhi, 0, block, reg, {}});
  (sealed_[block] ? pending_ : incomplete_[block]).push_back(phi);
  return phi;
}

void Ssa::CompletePending() {
  while (!pending_.empty()) {
    const ValueId phi = pending_.back();
    pending_.pop_back();
    CompletePhi(phi);
  }
}

void Ssa::CompletePhi(ValueId phi) {
  const ptx::BlockId block = values_[phi].block;
  const ptx::RegisterId reg = values_[phi].reg;
  std::vector<ValueId> operands;
  for (const ptx::BlockId before : flow_->blocks()[block].predecessors) {
    operands.push_back(forest_->Reachable(before) ? ReadAtEnd(before, reg) : 0);
  }
  if (block == 0) operands.push_back(0);  // the kernel's start
  values_[phi].operands = std::move(operands);
}

void Ssa::Seal(ptx::BlockId block) {
  sealed_[block] = true;
  for (size_t i = 0; i < incomplete_[block].size(); ++i) CompletePhi(incomplete_[block][i]);
  CompletePending();
}

// A phi of one value and itself is that value.
void Ssa::RemoveTrivialPhis() {
  std::vector<ValueId> replacement(values_.size());
  for (ValueId v = 0; v < values_.size(); ++v) replacement[v] = v;
  const auto resolve = [&](ValueId v) {
    while (replacement[v] != v) v = replacement[v] = replacement[replacement[v]];
    return v;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId v = 1; v < values_.size(); ++v) {
      if (values_[v].kind != SsaValue::Kind::kPhi || replacement[v] != v) continue;
      ValueId only = v;
      bool trivial = true;
      for (const ValueId operand : values_[v].operands) {
        const ValueId resolved = resolve(operand);
        if (resolved == v || resolved == only) continue;
        trivial = trivial && only == v;
        only = resolved;
      }
      if (!trivial || only == v) continue;
      replacement[v] = only;
      changed = true;
    }
  }
  for (SsaValue& value : values_) {
    for (ValueId& operand : value.operands) operand = resolve(operand);
  }
  for (std::vector<Bindings>* table : {&reads_, &writes_}) {
    for (Bindings& bindings : *table) {
      for (auto& binding : bindings) binding.second = resolve(binding.second);
    }
  }
}

}  // namespace flagstone
