// Operand types as the PTX ISA asks (section 9.2, "Type Information for Instructions and
// Operands").
#include "kernels/ptx/operand_check.h"

#include <bit>

#include "kernels/ptx/literal.h"
#include "kernels/ptx/operand_fit.h"
#include "kernels/ptx/special_register.h"

namespace flagstone::ptx {
namespace {

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
  const bool predicate =
      letter == 'B' || letter == 'P' || ((letter == 'A' || letter == 'y') && type == Type::kPred);
  if (parsed->operand.negated && !predicate) FailExpected(*parsed, "an operand without '!'");
  if (parsed->subscript && (letter == 'M' || letter == 'm' || letter == 'q')) {
    parsed->operand.kind = Operand::Kind::kMemory;  // "a[3]" itself
  }
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
    case 'e':
      return CheckPair(parsed);
    case 'f':
      return CheckFour(parsed);
    case 'i':
      return CheckImageOffsets(parsed);
    case 'J':
    case 'j':
      if (parsed->operand.kind != Operand::Kind::kImmediate ||
          IsFloat(parsed->operand.immediate_type)) {
        FailExpected(*parsed, "a number");
      }
      if (rule_.opcode == Opcode::kCpAsync && instruction_.modifiers.async_op == AsyncOp::kCopy) {
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
    case 'n':
      return CheckTextureName(parsed);
    case 'k':
      return CheckSampler(*parsed);
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
  if (IsPackedInteger(type)) {
    FailExpected(*parsed, fmt::format("a '.b32' register for {}", ToString(type)));
  }
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

}  // namespace flagstone::ptx
