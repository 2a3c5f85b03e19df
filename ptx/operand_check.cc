// Operand types as the PTX ISA asks (section 9.2, "Type Information for Instructions and
// Operands").
#include "ptx/operand_check.h"

#include <bit>

#include "ptx/literal.h"
#include "ptx/matrix_forms.h"
#include "ptx/special_register.h"

namespace flagstone::ptx {
namespace {

bool IsBits(Type type) { return type >= Type::kB8 && type <= Type::kB64; }

// Whether a register of type `reg` may hold a value of type `wanted`. Signs do not matter, untyped
// bits go with all, and with `wider` (cvt, ld, st) an integer register may be wider.
bool Fits(Type reg, Type wanted, bool wider) {
  if (reg == Type::kPred || wanted == Type::kPred) return reg == wanted;
  const int have = SizeInBytes(reg);
  const int need = SizeInBytes(wanted);
  const bool float_with_int = (IsFloat(reg) && !IsFloat(wanted) && !IsBits(wanted)) ||
                              (IsFloat(wanted) && !IsFloat(reg) && !IsBits(reg));
  if (float_with_int) return false;
  const bool is_float = IsFloat(reg) || IsFloat(wanted);
  return wider && !is_float ? have >= need : have == need;
}

Type Twice(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kU32:
      return Type::kU64;
    case Type::kS16:
      return Type::kS32;
    default:
      return Type::kS64;
  }
}

}  // namespace

std::string OperandCheck::Show(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      const Register& reg = kernel_.registers[operand.reg];
      return fmt::format("{} of type {}", Quote(reg.name), ToString(reg.type));
    }
    case Operand::Kind::kImmediate:
      return IsFloat(operand.immediate_type) ? "a float" : "a number";
    case Operand::Kind::kSpecial:
      return "a special register, which only 'mov' and 'cvt' read";
    case Operand::Kind::kAddress:
      return fmt::format("the variable {}", Quote(operand.variable->name));
    case Operand::Kind::kMemory:
      return "a memory operand";
    case Operand::Kind::kTexture:
      return "a texture operand";
    case Operand::Kind::kVector:
      return "a vector";
    case Operand::Kind::kLabel:
      return "a label";
    case Operand::Kind::kSink:
      return "'_'";
  }
  return "";
}

void OperandCheck::FailExpected(const ParsedOperand& parsed, std::string_view what) const {
  lexer_.Fail(parsed.location, "expected {} in {}, found {}{}", what, Quote(name_),
              parsed.operand.negated ? "the negated " : "", Show(parsed.operand));
}

void OperandCheck::Apply(std::vector<ParsedOperand>* operands, Location at) {
  const bool pair = !operands->empty() && operands->front().pair;
  letters_ = OperandLetters(rule_, instruction_, operands->size());
  CheckCount(operands->size(), pair, at);
  if (rule_.opcode == Opcode::kLop3 && letters_.front() == 'R' && !pair) {
    FailExpected(operands->front(), "a register and a predicate, as in '%r1|%p1'");
  }
  instruction_.operands.reserve(operands->size());
  size_t letter = 0;
  bool second = false;  // of a pair
  for (ParsedOperand& parsed : *operands) {
    const char kind = letters_[letter];
    const bool two = kind == 'R' || (kind == 'Q' && rule_.opcode == Opcode::kSetp);
    if (parsed.pair && (!two || &parsed != &operands->front())) {
      lexer_.Fail(
          parsed.location,
          "expected no '|' in {}: only 'setp', 'shfl', 'match', 'elect' and 'lop3' write two "
          "registers",
          Quote(name_));
    }
    CheckOne(second ? 'Q' : kind, &parsed);
    second = parsed.pair;
    constexpr std::string_view kDestinations = "DWNQRVZdvxT";
    if (kDestinations.find(kind) != std::string_view::npos) ++instruction_.destinations;
    if (!parsed.pair) ++letter;
    instruction_.operands.push_back(std::move(parsed.operand));
  }
}

void OperandCheck::CheckCount(size_t found, bool pair, Location at) const {
  const size_t wanted = letters_.size() + (pair ? 1 : 0);
  if (found == wanted) return;
  lexer_.Fail(at, "expected {} operand{} of {}, found {}", wanted, wanted == 1 ? "" : "s",
              Quote(name_), found);
}

void OperandCheck::CheckOne(char letter, ParsedOperand* parsed) {
  const Type type = instruction_.type;
  const Type source_type = rule_.source_types != 0 ? instruction_.source_type : type;
  const bool twice = instruction_.modifiers.mul_part == MulPart::kWide;
  if (parsed->operand.negated && letter != 'B') FailExpected(*parsed, "an operand without '!'");
  switch (letter) {
    case 'D':
      return CheckDestination(*parsed, type, false);
    case 'W':
      return CheckDestination(*parsed, twice ? Twice(type) : type, false);
    case 'N':
    case 'R':
      if (letter == 'R' && parsed->operand.kind == Operand::Kind::kSink) return;
      return CheckDestination(*parsed, Type::kB32, false);
    case 'd':
      return CheckDestination(*parsed, type, true);
    case 'T':
      if (parsed->operand.kind == Operand::Kind::kSink) return;
      return CheckDestination(*parsed, type, false);
    case 'Q':
      if (parsed->operand.kind == Operand::Kind::kSink) return;
      return CheckDestination(*parsed, Type::kPred, false);
    case 'A':
    case 'K':
      return CheckSource(parsed, type, false);
    case 'C':
      return CheckSource(parsed, twice ? Twice(type) : type, false);
    case 'S':
      return CheckSource(parsed, source_type, false);
    case 's':
      return CheckSource(parsed, source_type, true);
    case 'U':
    case '1':
    case '2':
    case 'Y':
      return CheckSource(parsed, Type::kU32, false);
    case 'P':
    case 'B':
      return CheckSource(parsed, Type::kPred, false);
    case 'M':
      return CheckAddress(*parsed);
    case 'm':
      return CheckSharedAddress(*parsed);
    case 'q': {
      const bool to_global =
          instruction_.modifiers.to && instruction_.modifiers.async_op == AsyncOp::kBulkCopy;
      return CheckAddressIn(*parsed, to_global ? Space::kGlobal : Space::kShared);
    }
    case 'g':
      return CheckTensorMap(parsed);
    case 'c':
      return CheckSource(parsed, Type::kU16, false);
    case 'J':
      if (parsed->operand.kind != Operand::Kind::kImmediate ||
          IsFloat(parsed->operand.immediate_type)) {
        FailExpected(*parsed, "a number");
      }
      if (instruction_.modifiers.async_op == AsyncOp::kCopy) {
        const uint64_t bytes = parsed->operand.bits;
        const bool cached = instruction_.modifiers.cache_op == CacheOp::kCa;
        if (bytes == 16 || (cached && (bytes == 4 || bytes == 8))) return;
        FailExpected(*parsed, cached ? "4, 8 or 16 bytes" : "16 bytes");
      }
      return;
    case 'Z':
    case 'z':
    case 't':
      return CheckMatrix(parsed, letter);
    case 'v':
    case 'w':
      return CheckVectorOfMemory(parsed, letter == 'w');
    case 'x':
    case 'y':
      return CheckMove(parsed, letter == 'y');
    case 'G':
      return CheckGenericAddress(parsed);
    case 'E':
      return CheckAnyAddress(*parsed);
    case 'I':
      return CheckTruthTable(*parsed);
    case 'F':
      return CheckFraction(parsed);
    case 'H':
      return CheckSource(parsed, Type::kB64, false);
    case 'O':
      return CheckSource(parsed, source_type, false);
    case 'V':
      return CheckVectorOfMemory(parsed, false);
    case 'X':
      return CheckTexture(parsed);
    default:
      return;  // 'L': resolved where the labels are known
  }
}

void OperandCheck::CheckDestination(const ParsedOperand& parsed, Type type, bool wider) const {
  if (parsed.operand.kind == Operand::Kind::kRegister &&
      Fits(TypeOf(parsed.operand), type, wider)) {
    return;
  }
  FailExpected(parsed, type == Type::kPred
                           ? "a predicate register"
                           : fmt::format("a register for {} as the destination", ToString(type)));
}

void OperandCheck::CheckSource(ParsedOperand* parsed, Type type, bool wider) const {
  Operand& operand = parsed->operand;
  if (operand.kind == Operand::Kind::kRegister && Fits(TypeOf(operand), type, wider)) return;
  if (operand.kind == Operand::Kind::kImmediate) return FitImmediate(*parsed, &operand, type);
  if (operand.kind == Operand::Kind::kSpecial && rule_.opcode == Opcode::kCvt && !IsFloat(type)) {
    const bool is_64 = CanBeReadAs(operand.special, 8);
    if (SizeInBytes(type) <= (is_64 ? 8 : 4)) return;
  }
  FailExpected(*parsed, type == Type::kPred
                            ? "a predicate register"
                            : fmt::format("a register or number for {}", ToString(type)));
}

void OperandCheck::FitImmediate(const ParsedOperand& parsed, Operand* immediate, Type type) const {
  if (!IsFloat(immediate->immediate_type)) {
    if (IsFloat(type)) {
      FailExpected(parsed,
                   fmt::format("a register or a float such as 0f3F800000 for {}", ToString(type)));
    }
    if (type != Type::kPred) return;
    immediate->bits = immediate->bits != 0 ? 1 : 0;
    immediate->immediate_type = Type::kPred;
    return;
  }
  const FloatLiteral literal{immediate->immediate_type, immediate->bits, parsed.decimal_float};
  if (IsFloat(type)) {
    immediate->bits = ConvertFloat(literal, type);
    immediate->immediate_type = type;
    return;
  }
  // As untyped bits, a literal that fixes its own width.
  const bool same_bits =
      IsBits(type) && SizeInBytes(type) == SizeInBytes(immediate->immediate_type);
  if (!same_bits) FailExpected(parsed, fmt::format("a register or number for {}", ToString(type)));
}

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

void OperandCheck::CheckElement(const ParsedOperand& whole, Operand* element, Type type,
                                bool source, bool wider) const {
  if (element->kind == Operand::Kind::kSink && !source) return;
  if (element->kind == Operand::Kind::kRegister && Fits(TypeOf(*element), type, wider)) return;
  if (element->kind == Operand::Kind::kImmediate && source) {
    return FitImmediate(whole, element, type);
  }
  lexer_.Fail(whole.location, "expected elements for {} in the vector of {}, found {}",
              ToString(type), Quote(name_), Show(*element));
}

void OperandCheck::CheckVectorOfMemory(ParsedOperand* parsed, bool source) const {
  const uint8_t wanted = instruction_.modifiers.vector;
  Operand& operand = parsed->operand;
  if (rule_.opcode == Opcode::kAtom && operand.kind == Operand::Kind::kSink) return;
  // "{%r1}", as surfaces have it and as Triton writes every access.
  const bool single = operand.kind == Operand::Kind::kVector && operand.elements.size() == 1;
  if (single && wanted == 1) operand = Operand(operand.elements[0]);
  if (wanted == 1) {
    if (source) return CheckSource(parsed, instruction_.type, true);
    return CheckDestination(*parsed, instruction_.type, true);
  }
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != wanted) {
    FailExpected(*parsed, fmt::format("a vector of {} elements", wanted));
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, instruction_.type, source, true);
  }
}

void OperandCheck::CheckMove(ParsedOperand* parsed, bool source) const {
  Operand& operand = parsed->operand;
  const Type type = instruction_.type;
  if (const uint8_t wanted = instruction_.modifiers.vector; wanted > 1) {
    if (operand.kind != Operand::Kind::kVector || operand.elements.size() != wanted) {
      FailExpected(*parsed, fmt::format("a vector of {} elements", wanted));
    }
    for (Operand& element : operand.elements) CheckElement(*parsed, &element, type, source, false);
    return;
  }
  if (operand.kind == Operand::Kind::kVector) {
    const auto count = static_cast<int>(operand.elements.size());
    const bool one_side = !source || instruction_.operands[0].kind != Operand::Kind::kVector;
    const int bytes = SizeInBytes(type) / count;
    if (!IsBits(type) || (count != 2 && count != 4) || bytes == 0 || !one_side) {
      FailExpected(*parsed, "a register");
    }
    const Type part = bytes == 1 ? Type::kB8 : bytes == 2 ? Type::kB16 : Type::kB32;
    for (Operand& element : operand.elements) {
      CheckElement(*parsed, &element, part, source, bytes == 1);
    }
    return;
  }
  if (!source) return CheckDestination(*parsed, type, false);
  if (operand.kind == Operand::Kind::kSpecial) {
    if (!IsFloat(type) && CanBeReadAs(operand.special, SizeInBytes(type))) return;
    lexer_.Fail(parsed->location, "expected a 'mov' of the width of the special register, found {}",
                Quote(name_));
  }
  const bool address_fits = !IsFloat(type) && SizeInBytes(type) >= 4;
  if (operand.kind == Operand::Kind::kAddress && address_fits) return;
  CheckSource(parsed, type, false);
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

void OperandCheck::CheckTruthTable(const ParsedOperand& parsed) const {
  const Operand& operand = parsed.operand;
  const bool number = operand.kind == Operand::Kind::kImmediate && !IsFloat(operand.immediate_type);
  if (!number || operand.bits > 255) FailExpected(parsed, "a number from 0 to 255");
}

void OperandCheck::CheckFraction(ParsedOperand* parsed) const {
  CheckSource(parsed, Type::kF32, false);
  const Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kImmediate) return;
  const auto fraction = std::bit_cast<float>(static_cast<uint32_t>(operand.bits));
  if (!(fraction > 0 && fraction <= 1)) FailExpected(*parsed, "a fraction above 0, at most 1");
}

// A matrix, or four: as many registers as a lane has of it.
void OperandCheck::CheckMatrix(ParsedOperand* parsed, char letter) const {
  Type type = Type::kB32;
  size_t count = instruction_.modifiers.matrices;
  if (const MmaForm* const form = FindMma(instruction_)) {
    const size_t place = instruction_.operands.size();  // d, a, b, c
    const bool is_sum = place == 0 || place == 3;
    const Type of = place == 0 ? form->d : place == 1 ? form->a : place == 2 ? form->b : form->c;
    count = MmaForm::Registers(of, is_sum       ? form->ElementsOfC()
                                   : place == 1 ? form->ElementsOfA()
                                                : form->ElementsOfB());
    if (of == Type::kF64 || (is_sum && of == Type::kF32)) type = of;
  }
  const bool source = letter != 'Z';
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kVector && count == 1) {
    if (source) return CheckSource(parsed, type, false);
    return CheckDestination(*parsed, type, false);
  }
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != count) {
    FailExpected(*parsed, count == 1 ? std::string("a register")
                                     : fmt::format("a vector of {} elements", count));
  }
  for (Operand& element : operand.elements) {
    if (element.kind == Operand::Kind::kSink) FailExpected(*parsed, "a register for each element");
    CheckElement(*parsed, &element, type, source, false);
  }
}

// [tensor map, coordinates]
void OperandCheck::CheckTensorMap(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kTexture) FailExpected(*parsed, "'[tensor map, coordinates]'");
  if (operand.has_register_base && SizeInBytes(TypeOf(operand)) != 8) {
    FailExpected(*parsed, "the address of a tensor map in a register of 64 bits");
  }
  const size_t wanted = instruction_.modifiers.dimensions;
  if (operand.elements.size() != wanted) {
    FailExpected(*parsed, fmt::format("{} coordinate{}", wanted, wanted == 1 ? "" : "s"));
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, Type::kS32, true, false);
  }
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
  if (operand.variable != nullptr && operand.variable->type != reference) {
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
