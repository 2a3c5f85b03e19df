#include "analyzer/address/bulk_accesses.h"

#include <fmt/core.h>

#include <cstring>
#include <optional>

#include "kernels/launch/tensor_map.h"

namespace flagstone {
namespace {

using ptx::AsyncOp;
using ptx::Opcode;
using ptx::Operand;

// Operands as kernels/ptx/operand_letters.cc has them: a bulk copy's from, to, size, without the
// second one where it only prefetches; a tensor copy's map.
constexpr size_t kFrom = 0, kTo = 1, kSize = 2, kPrefetchedSize = 1, kMap = 0;

// The parameter and the place in it that a generic address, made by mov and cvta, names.
struct InParameters {
  const ptx::Variable* variable = nullptr;
  int64_t offset = 0;
};
std::optional<InParameters> ParameterAt(uint32_t pc, const Operand& operand,
                                        const KernelLaunch& launch, const Ssa& ssa) {
  const Operand* at = &operand;
  InParameters place;
  place.offset = operand.offset;
  bool in_register = operand.has_register_base;
  while (in_register) {
    const SsaValue& value = ssa.values()[ssa.Read(pc, at->reg)];
    if (value.kind != SsaValue::Kind::kInstruction) return std::nullopt;
    const ptx::Instruction& defined = launch.kernel->instructions[value.pc];
    const bool moves = defined.opcode == Opcode::kMov || defined.opcode == Opcode::kCvta;
    if (!moves || defined.guard) return std::nullopt;
    pc = value.pc;
    at = &defined.operands[1];
    in_register = at->kind == Operand::Kind::kRegister;
    if (!in_register && at->kind != Operand::Kind::kAddress) return std::nullopt;
    if (!in_register) place.offset += at->offset;
  }
  place.variable = at->variable;
  const bool is_parameter =
      place.variable != nullptr && place.variable->space == ptx::Space::kParam;
  return is_parameter ? std::optional(place) : std::nullopt;
}

// The map as the launch file describes it.
std::optional<TensorMap> MapOf(uint32_t pc, const KernelLaunch& launch, const Ssa& ssa) {
  const ptx::Instruction& instruction = launch.kernel->instructions[pc];
  const auto place = ParameterAt(pc, instruction.operands[kMap], launch, ssa);
  if (!place) return std::nullopt;
  const uint64_t at = place->variable->offset + static_cast<uint64_t>(place->offset);
  const uint64_t size = launch.parameters.size();
  if (at > size || size - at < TensorMap::kBytes) return std::nullopt;
  TensorMap map;
  std::memcpy(&map, launch.parameters.data() + at, sizeof(map));
  const bool good = map.magic == TensorMap::kMagic &&
                    map.dimensions == instruction.modifiers.dimensions && !map.images;
  return good ? std::optional(map) : std::nullopt;
}

}  // namespace

bool IsBulkCopy(const ptx::Instruction& instruction) {
  return instruction.modifiers.async_op == AsyncOp::kBulkCopy;
}

bool IsTensorCopy(const ptx::Instruction& instruction) {
  return instruction.modifiers.async_op == AsyncOp::kTensorCopy;
}

const Operand* GlobalAddress(const ptx::Instruction& instruction) {
  if (IsTensorCopy(instruction)) return nullptr;
  if (!IsBulkCopy(instruction)) return instruction.Address();
  if (instruction.modifiers.to) return &instruction.operands[kTo];
  return instruction.space == ptx::Space::kGlobal ? &instruction.operands[kFrom] : nullptr;
}

std::string FindCopySize(uint32_t pc, const ptx::Instruction& instruction, ValueAnalysis& values,
                         AddressForm* access) {
  const size_t place = instruction.modifiers.prefetch ? kPrefetchedSize : kSize;
  const AbstractValue size = values.OperandValue(pc, instruction.operands[place], ptx::Type::kU32);
  if (!size.form) return "bulk copy of a size that is not known: " + size.reason;
  if (!IsConstant(*size.form)) return "bulk copy of a size that is not the same everywhere";
  access->bytes = static_cast<uint32_t>(size.form->constant);
  return access->bytes == 0 ? "bulk copy of no bytes" : "";
}

std::string FindTensorBox(uint32_t pc, const KernelLaunch& launch, const DeviceMemory& memory,
                          const Ssa& ssa, ValueAnalysis& values, AddressForm* access) {
  const ptx::TensorMode mode = launch.kernel->instructions[pc].modifiers.tensor_mode;
  if (mode == ptx::TensorMode::kGather4 || mode == ptx::TensorMode::kScatter4) {
    return "tensor copy of four rows";
  }
  if (mode != ptx::TensorMode::kTile) return "tensor copy of pixels of images";
  const std::optional<TensorMap> map = MapOf(pc, launch, ssa);
  if (!map) return "tensor copy by a map that is not known";
  const DeviceMemory::Region* const region = memory.Find(map->base, 1);
  if (region != nullptr) access->array = region->name;
  AffineForm form = Constant(static_cast<int64_t>(map->base));
  const std::vector<Operand>& coordinates = launch.kernel->instructions[pc].operands[kMap].elements;
  for (uint32_t d = 0; d < map->dimensions; ++d) {
    const AbstractValue at = values.OperandValue(pc, coordinates[d], ptx::Type::kS32);
    if (!at.form) return "tensor copy at a place that is not known: " + at.reason;
    const Interval range = values.ranges().Of(*at.form, access->guards);
    const auto reach = static_cast<int64_t>(map->Copied(d) - 1) * map->steps[d];
    if (range.low < 0 || range.high >= static_cast<int64_t>(map->shape[d]) - reach) {
      return "tensor copy of a box that may reach beyond its tensor";
    }
    const auto stride = static_cast<int64_t>(map->strides[d]);
    if (!AddScaled(form, *at.form, stride)) return "an address beyond 64 bits";
    access->rows.push_back({stride * map->steps[d], map->Copied(d)});
  }
  access->bytes = static_cast<uint32_t>(map->ElementBytes());
  if (map->steps[0] == 1) {  // a row is in one piece
    access->bytes *= map->Copied(0);
    access->rows.erase(access->rows.begin());
  }
  access->form = form;
  return "";
}

}  // namespace flagstone
