#include "analyzer/address/address_analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "analyzer/address/bulk_accesses.h"
#include "analyzer/address/constant_bytes.h"
#include "analyzer/address/slice.h"
#include "analyzer/address/value_analysis.h"
#include "kernels/ptx/instruction_text.h"

namespace flagstone {
namespace {

bool IsAtomic(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kAtom || instruction.opcode == ptx::Opcode::kRed;
}

bool IsCopy(const ptx::Instruction& instruction) {
  return instruction.modifiers.async_op == ptx::AsyncOp::kCopy;
}

uint32_t BytesOf(const ptx::Instruction& instruction) {
  // cp.async [from], [to], bytes: see kernels/ptx/instruction_table.h.
  if (IsCopy(instruction)) return static_cast<uint32_t>(instruction.operands[2].bits);
  return static_cast<uint32_t>(ptx::SizeInBytes(instruction.type)) * instruction.modifiers.vector;
}

// What is not executed may access global memory if it has an address that is of none of these:
// tensor memory, shared memory.
bool MayBeForeignAccess(const ptx::Instruction& instruction) {
  constexpr std::array<std::string_view, 7> kElsewhere = {
      "wgmma", "tcgen05", "mbarrier", "ldmatrix", "stmatrix", "fence", "clusterlaunchcontrol"};
  if (instruction.opcode != ptx::Opcode::kUnsupported) return false;
  const std::string_view name = ptx::PartsOf(instruction.text).opcode;
  return instruction.text.find('[') != std::string::npos &&
         std::none_of(kElsewhere.begin(), kElsewhere.end(),
                      [&](std::string_view word) { return name.starts_with(word); });
}

// A generic access may go to global memory: where its pointer comes from decides.
bool MayBeGlobalAccess(const ptx::Instruction& instruction) {
  if (MayBeForeignAccess(instruction)) return true;
  if (IsTensorCopy(instruction)) return true;
  if (IsBulkCopy(instruction)) return GlobalAddress(instruction) != nullptr;
  const bool accesses = instruction.opcode == ptx::Opcode::kLd ||
                        instruction.opcode == ptx::Opcode::kSt || IsAtomic(instruction) ||
                        IsCopy(instruction);
  return accesses &&
         (instruction.space == ptx::Space::kGlobal || instruction.space == ptx::Space::kGeneric) &&
         instruction.Address() != nullptr;
}

std::string NameOf(int region, const DeviceMemory& memory) {
  return region == -1 ? "?" : memory.regions()[static_cast<size_t>(region)].name;
}

// Generic loads whose pointer is to none of the launch's buffers stay generic, without a name.
LoadLink LinkTo(uint32_t pc, const ptx::Kernel& kernel, const DeviceMemory& memory,
                ValueAnalysis& values) {
  const ptx::Instruction& instruction = kernel.instructions[pc];
  LoadLink link{pc, instruction.location.line, instruction.space, "?"};
  const ptx::Operand* operand = instruction.Address();
  if (operand == nullptr) {  // a clock, an SM's number
    link.array = instruction.text;
    return link;
  }
  const bool global =
      instruction.space == ptx::Space::kGlobal || instruction.space == ptx::Space::kGeneric;
  if (global) {
    const int region = values.Address(pc, *operand).region;
    link.array = NameOf(region, memory);
    if (region != -1) link.space = ptx::Space::kGlobal;
  }
  if (link.array == "?" && operand->variable != nullptr) link.array = operand->variable->name;
  return link;
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

// Whether an access that its guards let through may be so far out that sums with it overflow.
bool MayLeave64Bits(const AddressForm& access, const SymbolRanges& ranges) {
  constexpr int64_t kFar = int64_t{1} << 62;
  const Interval range = ranges.Of(access.form, access.guards);
  return range.low < -kFar || range.high > kFar;
}

// A tensor copy is affine as a whole, or has a reason.
void AnalyzeTensorCopy(const KernelLaunch& launch, const DeviceMemory& memory,
                       const KernelStructure& structure, ValueAnalysis& values,
                       AddressForm& access) {
  access.array = "?";
  access.reason = FindGuards(values, access);
  if (access.reason.empty()) {
    access.reason = FindTensorBox(access.pc, launch, memory, structure.ssa, values, &access);
  }
  if (access.reason.empty() && MayLeave64Bits(access, values.ranges())) {
    access.reason = "the address may go beyond 64 bits";
  }
  if (access.reason.empty()) {
    access.address_class = access.pattern = AddressClass::kAffine;
  } else {
    access.guards.clear();
    access.rows.clear();
    access.bytes = 0;
  }
}

AddressForm AnalyzeAccess(uint32_t pc, const KernelLaunch& launch, const DeviceMemory& memory,
                          const KernelStructure& structure, ValueAnalysis& values) {
  const ptx::Instruction& instruction = launch.kernel->instructions[pc];
  AddressForm access;
  access.pc = pc;
  access.line = instruction.location.line;
  if (instruction.opcode == ptx::Opcode::kUnsupported) {
    access.array = "?";
    access.reason = fmt::format("'{}' is not executed", ptx::PartsOf(instruction.text).opcode);
    access.address_class = access.pattern = AddressClass::kIndirect;
    return access;
  }
  access.is_copy = IsBulkCopy(instruction) || IsTensorCopy(instruction);
  access.is_atomic = IsAtomic(instruction) || instruction.modifiers.reduce;
  access.is_store = access.is_atomic || instruction.opcode == ptx::Opcode::kSt ||
                    (access.is_copy && instruction.modifiers.to);
  if (!access.is_copy) access.bytes = BytesOf(instruction);
  for (uint32_t loop = structure.forest.InnermostOf(structure.flow.BlockOf(pc)); loop != kNoLoop;
       loop = structure.forest.loops()[loop].parent) {
    access.loops.push_back(loop);
  }
  std::reverse(access.loops.begin(), access.loops.end());
  if (IsTensorCopy(instruction)) {
    AnalyzeTensorCopy(launch, memory, structure, values, access);
    return access;
  }
  const AbstractValue address = values.Address(pc, *GlobalAddress(instruction));
  access.array = NameOf(address.region, memory);
  if (address.form) access.form = *address.form;
  access.reason = FindGuards(values, access);
  const std::string size =
      access.is_copy ? FindCopySize(pc, instruction, values, &access) : std::string();
  const bool never = !access.guards.empty() && IsConstant(access.guards[0].form) &&
                     access.guards[0].form.constant < 0;
  const Slice of_address = structure.slicer.OfAddress(pc);
  const Slice of_access = structure.slicer.OfAccess(pc);
  const auto class_of = [](const Slice& slice) {
    return slice.reads.empty() ? AddressClass::kDeterministic : AddressClass::kIndirect;
  };
  access.from_constants = !of_address.constants.empty();
  access.pattern = address.form ? AddressClass::kAffine : class_of(of_address);
  if (!address.form && !never) access.reason = address.reason;
  if (access.reason.empty() && MayLeave64Bits(access, values.ranges())) {
    access.reason = "the address may go beyond 64 bits";
  }
  if (!size.empty() && !never) {
    access.reason = size;
    access.address_class = AddressClass::kIndirect;
  } else if (instruction.space == ptx::Space::kGeneric && address.region == -1) {
    access.reason = "generic address whose space is not known";
    access.address_class = access.pattern = AddressClass::kIndirect;
  } else if (access.reason.empty()) {
    access.address_class = AddressClass::kAffine;
    return access;
  } else {
    access.address_class = class_of(of_access);
  }
  access.guards.clear();
  if (access.address_class == AddressClass::kIndirect) {
    const Slice& slice = of_address.reads.empty() ? of_access : of_address;
    std::vector<uint32_t> links;
    std::merge(slice.reads.begin(), slice.reads.end(), slice.constants.begin(),
               slice.constants.end(), std::back_inserter(links));
    for (const uint32_t read : links) {
      access.chain.push_back(LinkTo(read, *launch.kernel, memory, values));
    }
  }
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

bool AddressForm::IsFromConstantTable() const {
  return !chain.empty() && std::all_of(chain.begin(), chain.end(), [](const LoadLink& link) {
    return link.space == ptx::Space::kConst || link.space == ptx::Space::kParam;
  });
}

AddressAnalysis AnalyzeAddresses(const KernelLaunch& launch, const DeviceMemory& memory) {
  AddressAnalysis analysis;
  const ptx::Kernel& kernel = *launch.kernel;
  if (kernel.instructions.empty()) return analysis;
  const KernelStructure structure(kernel);
  analysis.constants = std::make_shared<const ConstantBytes>(launch, memory);
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
