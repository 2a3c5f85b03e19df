// Prime expansion where paths meet: branches, and what loops carry from turn to turn.
#include <algorithm>

#include "analyzer/ladm/prime_expansion.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;

}  // namespace

// What decides which way into a block is taken.
void PrimeExpansion::AddDecisions(ptx::BlockId block, Opaque& opaque) {
  std::vector<ptx::BlockId> deciding = structure_->flow.blocks()[block].predecessors;
  const ptx::BlockId dominator = structure_->flow.ImmediateDominator(block);
  if (dominator != ptx::kNoBlock) deciding.push_back(dominator);
  for (const ptx::BlockId at : deciding) {
    const uint32_t last = structure_->flow.blocks()[at].end - 1;
    const ptx::Instruction& branch = launch_->kernel->instructions[last];
    if (!structure_->forest.Reachable(at) || !branch.guard) continue;
    opaque.operands.push_back(EvaluateAt(structure_->ssa.Read(last, *branch.guard), block));
  }
}

Polynomial PrimeExpansion::Merge(ValueId phi) {
  const SsaValue& defined = structure_->ssa.values()[phi];
  const ptx::BasicBlock& block = structure_->flow.blocks()[defined.block];
  Opaque opaque;
  opaque.line = launch_->kernel->instructions[block.begin].location.line;
  const std::optional<AffineForm> result = values_->ValueOf(phi).form;
  for (size_t i = 0; i < defined.operands.size() && i < block.predecessors.size(); ++i) {
    if (!structure_->forest.Reachable(block.predecessors[i])) continue;
    opaque.operands.push_back(EvaluateAt(defined.operands[i], defined.block));
    const std::optional<AffineForm> form = values_->ValueOf(defined.operands[i]).form;
    if (result && form && *result == *form && !flagstone::IsConstant(*form)) {
      return opaque.operands.back();
    }
  }
  const bool equal = std::all_of(opaque.operands.begin(), opaque.operands.end(),
                                 [&](const Polynomial& p) { return p == opaque.operands[0]; });
  if (equal && !opaque.operands.empty()) return opaque.operands[0];
  // What all ways bring stays as it is; only in what else they bring they differ.
  Polynomial common;
  if (!opaque.operands.empty()) {
    for (const auto& [monomial, coefficient] : opaque.operands[0].terms()) {
      const bool in_all =
          std::all_of(opaque.operands.begin(), opaque.operands.end(), [&](const Polynomial& p) {
            const auto found = p.terms().find(monomial);
            return found != p.terms().end() && found->second == coefficient;
          });
      if (in_all) common.Add(monomial, coefficient);
    }
    for (Polynomial& operand : opaque.operands) operand.AddScaled(common, -1);
  }
  AddDecisions(defined.block, opaque);
  return common.AddScaled(AddOpaque(std::move(opaque)), 1);
}

// What decides how often a loop turns: the conditions of its ways out.
Dependence PrimeExpansion::OfTrips(uint32_t loop) {
  const auto [known, is_new] = of_trips_.try_emplace(loop);
  if (!is_new) return known->second;
  Dependence result;
  for (ptx::BlockId block = 0; block < structure_->flow.blocks().size(); ++block) {
    if (!structure_->forest.Reachable(block) || !structure_->forest.Contains(loop, block)) continue;
    const ptx::BasicBlock& at = structure_->flow.blocks()[block];
    const bool leaves =
        std::any_of(at.successors.begin(), at.successors.end(),
                    [&](ptx::BlockId next) { return !structure_->forest.Contains(loop, next); });
    const ptx::Instruction& branch = launch_->kernel->instructions[at.end - 1];
    if (!leaves || !branch.guard) continue;
    const ValueId guard = structure_->ssa.Read(at.end - 1, *branch.guard);
    result.Join(Of(Resolve(EvaluateAt(guard, block), loop)));
  }
  result.loops.erase(loop);
  of_trips_[loop] = result;
  return result;
}

// start + step * counter, if each turn adds the same step.
Polynomial PrimeExpansion::CarriedValue(ValueId phi) {
  const SsaValue& defined = structure_->ssa.values()[phi];
  const ptx::BasicBlock& block = structure_->flow.blocks()[defined.block];
  const uint32_t loop = structure_->forest.HeaderOf(defined.block);
  const auto [entry, is_new] = carried_.try_emplace(phi, std::nullopt);
  if (!is_new) return entry->second ? *entry->second : AddOpaque({{}, false, {loop}, 0});
  const Polynomial self(Prime{Kind::kCarried, phi});
  std::vector<Polynomial> starts;
  std::vector<Polynomial> steps;
  for (size_t i = 0; i < defined.operands.size() && i < block.predecessors.size(); ++i) {
    const ptx::BlockId before = block.predecessors[i];
    if (!structure_->forest.Reachable(before)) continue;
    Polynomial value = EvaluateAt(defined.operands[i], defined.block);
    if (structure_->forest.Contains(loop, before)) {
      steps.push_back(value.AddScaled(self, -1));
    } else {
      starts.push_back(std::move(value));
    }
  }
  const auto alike = [](const std::vector<Polynomial>& all) {
    return !all.empty() && std::all_of(all.begin(), all.end(),
                                       [&](const Polynomial& p) { return p == all.front(); });
  };
  Polynomial result;
  const bool steady = alike(steps) && !Of(steps.front()).loops.contains(loop);
  if (alike(starts) && steady) {
    result = starts.front();
    result.AddScaled(steps.front() * Polynomial(Prime{Kind::kCounter, loop}), 1);
  } else {
    Opaque opaque;
    opaque.operands = starts;
    opaque.operands.insert(opaque.operands.end(), steps.begin(), steps.end());
    opaque.loops = {loop};
    opaque.line = launch_->kernel->instructions[block.begin].location.line;
    result = AddOpaque(std::move(opaque));
  }
  carried_[phi] = result;
  return result;
}

Polynomial PrimeExpansion::Resolve(Polynomial polynomial, uint32_t loop) {
  const auto find = [&]() -> std::optional<Prime> {
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
      for (const Prime& prime : monomial) {
        if (prime.kind != Kind::kCarried) continue;
        const ptx::BlockId block = structure_->ssa.values()[prime.index].block;
        if (loop == kNoLoop || structure_->forest.HeaderOf(block) == loop) return prime;
      }
    }
    return std::nullopt;
  };
  while (const std::optional<Prime> carried = find()) {
    polynomial = polynomial.Substitute(*carried, CarriedValue(carried->index));
  }
  return polynomial;
}

Polynomial PrimeExpansion::LeaveLoops(Polynomial polynomial, ptx::BlockId from, ptx::BlockId to) {
  for (uint32_t loop = structure_->forest.InnermostOf(from);
       loop != kNoLoop && !structure_->forest.Contains(loop, to);
       loop = structure_->forest.loops()[loop].parent) {
    polynomial = Resolve(std::move(polynomial), loop);
    const Prime counter{Kind::kCounter, loop};
    if (!polynomial.Contains(counter)) continue;
    const TripCount& trips = values_->TripsOf(loop);
    polynomial = polynomial.Substitute(
        counter, trips.uniform ? Polynomial(static_cast<int64_t>(trips.count) - 1)
                               : Polynomial(Prime{Kind::kTrips, loop}));
  }
  return polynomial;
}

}  // namespace flagstone
