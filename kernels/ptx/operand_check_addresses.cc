// Operands that are addresses: of memory, of tensor maps, of textures.
#include "kernels/ptx/operand_check.h"

namespace flagstone::ptx {
namespace {

// A parameter that holds the handle of a texture, surface or sampler.
bool IsHandle(const Variable& variable) {
  return variable.space == Space::kParam && variable.type == Type::kU64 && variable.count == 1;
}

}  // namespace

void OperandCheck::CheckAddress(const ParsedOperand& parsed) const {
  CheckAddressIn(parsed, instruction_.space);
}

void OperandCheck::CheckSharedAddress(const ParsedOperand& parsed) const {
  CheckAddressIn(parsed, Space::kShared);
}

void OperandCheck::CheckAddressIn(const ParsedOperand& parsed, Space space) const {
  const Operand& operand = parsed.operand;
  if (operand.kind != Operand::Kind::kMemory) FailExpected(parsed, "'[address]'");
  if (operand.has_register_base) {
    const Type type = TypeOf(operand);
    if (IsFloat(type) || SizeInBytes(type) < 4) {
      lexer_.Fail(parsed.location,
                  "expected an address register of 32 or 64 bits in {}, found {} of type {}",
                  Quote(name_), Quote(kernel_.registers[operand.reg].name), ToString(type));
    }
  }
  if (operand.variable != nullptr && space != Space::kGeneric && operand.variable->space != space) {
    lexer_.Fail(parsed.location, "expected a .{} address in {}, found {} in .{}", ToString(space),
                Quote(name_), Quote(operand.variable->name), ToString(operand.variable->space));
  }
}

void OperandCheck::CheckGenericAddress(ParsedOperand* parsed) const {
  const Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kAddress) {
    return CheckSource(parsed, instruction_.type, false);
  }
  if (instruction_.modifiers.to || operand.variable->space != instruction_.space) {
    FailExpected(*parsed,
                 fmt::format("a register or a .{} variable", ToString(instruction_.space)));
  }
}

void OperandCheck::CheckAnyAddress(const ParsedOperand& parsed) const {
  const Operand& operand = parsed.operand;
  const bool address = operand.kind == Operand::Kind::kRegister && !IsFloat(TypeOf(operand)) &&
                       SizeInBytes(TypeOf(operand)) >= 4;
  if (!address) FailExpected(parsed, "an address in a register of 32 or 64 bits");
}

// [tensor map, coordinates]
void OperandCheck::CheckTensorMap(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kTexture) FailExpected(*parsed, "'[tensor map, coordinates]'");
  if (operand.has_register_base && SizeInBytes(TypeOf(operand)) != 8) {
    FailExpected(*parsed, "the address of a tensor map in a register of 64 bits");
  }
  const TensorMode mode = instruction_.modifiers.tensor_mode;
  const bool four_rows = mode == TensorMode::kGather4 || mode == TensorMode::kScatter4;
  const size_t wanted = four_rows ? 5 : instruction_.modifiers.dimensions;
  if (operand.elements.size() != wanted) {
    FailExpected(*parsed, fmt::format("{} coordinate{}", wanted, wanted == 1 ? "" : "s"));
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, Type::kS32, true, false);
  }
}

// One of 16 bits for each dimension of the images; by the width alone, a halo and an offset.
void OperandCheck::CheckImageOffsets(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  const bool by_width = instruction_.modifiers.tensor_mode >= TensorMode::kIm2colW;
  const size_t wanted = by_width ? 2 : instruction_.modifiers.dimensions - 2U;
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != wanted) {
    FailExpected(*parsed, fmt::format("a vector of {} offset{}", wanted, wanted == 1 ? "" : "s"));
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, Type::kU16, true, false);
  }
}

// [texture], [surface] or [sampler], whichever the query is of.
void OperandCheck::CheckTextureName(ParsedOperand* parsed) const {
  using enum TextureQuery;
  Operand& operand = parsed->operand;
  const TextureQuery query = instruction_.modifiers.query;
  const bool of_sampler = query >= kFilterMode;
  const auto fits = [&](Type type) {
    if (rule_.name == "suq") return type == Type::kSurfref;
    if (query == kForceUnnormalizedCoords) return type == Type::kSamplerref;
    return type == Type::kTexref || (of_sampler && type == Type::kSamplerref);
  };
  const bool named =
      operand.variable != nullptr && (fits(operand.variable->type) || IsHandle(*operand.variable));
  const bool pointed = operand.has_register_base && SizeInBytes(TypeOf(operand)) == 8;
  if (operand.kind != Operand::Kind::kMemory || (!named && !pointed) || operand.offset != 0) {
    FailExpected(*parsed, rule_.name == "suq" ? "'[surface]'"
                          : of_sampler        ? "'[texture]' or '[sampler]'"
                                              : "'[texture]'");
  }
  operand.kind = Operand::Kind::kTexture;
}

void OperandCheck::CheckSampler(const ParsedOperand& parsed) const {
  const Operand& operand = parsed.operand;
  const bool named = operand.kind == Operand::Kind::kAddress && operand.offset == 0 &&
                     (operand.variable->type == Type::kSamplerref || IsHandle(*operand.variable));
  const bool pointed =
      operand.kind == Operand::Kind::kRegister && SizeInBytes(TypeOf(operand)) == 8;
  if (!named && !pointed) FailExpected(parsed, "a '.samplerref' variable or a register of 64 bits");
}

// [texture, coordinates]: a layer, for arrays, and one to three coordinates; where the ISA asks for
// a vector of four the last one has no meaning.
void OperandCheck::CheckTexture(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kTexture) FailExpected(*parsed, "'[texture, coordinates]'");
  if (operand.has_register_base && SizeInBytes(TypeOf(operand)) != 8) {
    FailExpected(*parsed, "a texture or a register of 64 bits");
  }
  const bool surface = instruction_.modifiers.surface_mode != SurfaceMode::kNone;
  const Type reference = surface ? Type::kSurfref : Type::kTexref;
  if (operand.variable != nullptr && operand.variable->type != reference &&
      !IsHandle(*operand.variable)) {
    FailExpected(*parsed, surface ? "a '.surfref' variable" : "a '.texref' variable");
  }
  const Geometry geometry = instruction_.modifiers.geometry;
  const bool layered = geometry == Geometry::kA1d || geometry == Geometry::kA2d;
  const size_t wanted = geometry == Geometry::k1d                                 ? 1
                        : geometry == Geometry::k2d || geometry == Geometry::kA1d ? 2
                                                                                  : 4;
  // A layer and two coordinates may also come without the unused fourth element.
  const bool three = wanted == 4 && operand.elements.size() == 3;
  if (operand.elements.size() != wanted && !three) {
    FailExpected(*parsed, fmt::format("{} coordinate{}", wanted, wanted == 1 ? "" : "s"));
  }
  for (size_t i = 0; i < operand.elements.size(); ++i) {
    const bool unused = i == 3;
    if (unused) continue;
    const bool layer = layered && i == 0;
    CheckElement(*parsed, &operand.elements[i],
                 layer || surface ? Type::kU32 : instruction_.source_type, true, false);
  }
}

}  // namespace flagstone::ptx
