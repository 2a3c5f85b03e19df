#include "analyzer/address/address_analysis.h"

#include <algorithm>
#include <utility>

#include "analyzer/address/slice.h"
#include "analyzer/address/value_analysis.h"

namespace flagstone {
namespace {

const ptx::Operand* MemoryOperand(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == ptx::Operand::Kind::kMemory) return &operand;
  }
  return nullptr;
}

// A generic access may go to global memory: where its pointer comes from decides.
bool MayBeGlobalAccess(const ptx::Instruction& instruction) {
  return (instruction.opcode == ptx::Opcode::kLd || instruction.opcode == ptx::Opcode::kSt) &&
         (instruction.space == ptx::Space::kGlobal || instruction.space == ptx::Space::kGeneric) &&
         MemoryOperand(instruction) != nullptr;
}

bool Varies(const AddressForm& access, uint32_t loop) {
  return LoopCoefficient(access.form, loop) != 0 ||
         std::any_of(access.guards.begin(), access.guards.end(),
                     [&](const Guard& g) { return LoopCoefficient(g.form, loop) != 0; });
}

// Why the access is not affine; empty if it is. Sets its guards.
std::string FindGuards(ValueAnalysis& values, AddressForm& access) {
  const ConditionPtr condition = values.InstructionCondition(access.pc);
  Conjunction guards = Flatten(condition, values.ranges());
  if (guards.never) {
    access.guards.clear();
    access.guards.push_back({Constant(-1)});
    return {};
  }
  access.guards = std::move(guards.atoms);
  if (!guards.rest.empty()) {
    return guards.rest.front()->kind == Condition::Kind::kUnknown
               ? "guard: " + guards.rest.front()->reason
               : "guard: alternatives of conditions";
  }
  for (const uint32_t loop : access.loops) {
    const TripCount& trips = values.TripsOf(loop);
    if (!trips.uniform && !trips.bounded && Varies(access, loop)) return "loop: " + trips.reason;
  }
  return {};
}

AddressForm AnalyzeAccess(uint32_t pc, const KernelLaunch& launch, const DeviceMemory& memory,
                          const KernelStructure& structure, ValueAnalysis& values) {
  const ptx::Instruction& instruction = launch.kernel->instructions[pc];
  AddressForm access;
  access.pc = pc;
  access.line = instruction.location.line;
  access.is_store = instruction.opcode == ptx::Opcode::kSt;
  access.bytes =
      static_cast<uint32_t>(ptx::SizeInBytes(instruction.type)) * instruction.modifiers.vector;
  for (uint32_t loop = structure.forest.InnermostOf(structure.flow.BlockOf(pc)); loop != kNoLoop;
       loop = structure.forest.loops()[loop].parent) {
    access.loops.push_back(loop);
  }
  std::reverse(access.loops.begin(), access.loops.end());
  const AbstractValue address = values.Address(pc, *MemoryOperand(instruction));
  access.array =
      address.region == -1 ? "?" : memory.regions()[static_cast<size_t>(address.region)].name;
  if (instruction.space == ptx::Space::kGeneric && address.region == -1) {
    access.reason = "generic address whose space is not known";
    return access;
  }
  const auto class_of = [](const Slice& slice) {
    return slice.reads.empty() ? AddressClass::kDeterministic : AddressClass::kIndirect;
  };
  if (address.form) access.form = *address.form;
  access.reason = FindGuards(values, access);
  const bool never = !access.guards.empty() && IsConstant(access.guards[0].form) &&
                     access.guards[0].form.constant < 0;
  access.pattern =
      address.form || never ? AddressClass::kAffine : class_of(structure.slicer.OfAddress(pc));
  if (!address.form && !never) access.reason = address.reason;
  const Interval range = values.ranges().Of(access.form);
  const bool endless = range.low == Interval::kMin || range.high == Interval::kMax;
  if (endless && access.reason.empty()) access.reason = "the address goes beyond 64 bits";
  if (access.reason.empty()) {
    access.address_class = AddressClass::kAffine;
    return access;
  }
  access.guards.clear();
  access.address_class = class_of(structure.slicer.OfAccess(pc));
  return access;
}

}  // namespace

std::string_view ToString(AddressClass address_class) {
  switch (address_class) {
    case AddressClass::kAffine:
      return "affine";
    case AddressClass::kDeterministic:
      return "deterministic";
    case AddressClass::kIndirect:
      return "indirect";
  }
  return "";
}

AddressAnalysis AnalyzeAddresses(const KernelLaunch& launch, const DeviceMemory& memory) {
  AddressAnalysis analysis;
  const ptx::Kernel& kernel = *launch.kernel;
  if (kernel.instructions.empty()) return analysis;
  const KernelStructure structure(kernel);
  ValueAnalysis values(launch, memory, structure.flow, structure.forest, structure.ssa);
  for (uint32_t loop = 0; loop < structure.forest.loops().size(); ++loop) {
    const NaturalLoop& natural = structure.forest.loops()[loop];
    const TripCount& trips = values.TripsOf(loop);
    analysis.loops.push_back({.header_pc = structure.flow.blocks()[natural.header].begin,
                              .parent = natural.parent,
                              .known = trips.uniform,
                              .bounded = trips.bounded,
                              .trip_count = trips.count,
                              .reason = trips.reason});
  }
  for (uint32_t pc = 0; pc < kernel.instructions.size(); ++pc) {
    if (!MayBeGlobalAccess(kernel.instructions[pc])) continue;
    analysis.accesses.push_back(AnalyzeAccess(pc, launch, memory, structure, values));
  }
  return analysis;
}

}  // namespace flagstone
