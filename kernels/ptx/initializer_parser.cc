// Initialisers of .global and .const variables (PTX ISA, section 5.4.4).
#include <bit>
#include <cstring>

#include "kernels/ptx/constant_expression.h"
#include "kernels/ptx/literal.h"
#include "kernels/ptx/variable_parser.h"

namespace flagstone::ptx {

// Returns the length of the first dimension as the braces give it.
uint64_t VariableParser::ParseInitializer(const std::vector<uint64_t>& dimensions, uint32_t vector,
                                          Variable* variable) {
  std::vector<uint64_t> lengths = dimensions;
  if (vector > 1) lengths.push_back(vector);
  if (lengths.empty()) {
    // A scalar may stand in braces.
    const bool braced = lexer_.TakeIf("{");
    ParseElement(0, variable);
    if (braced) lexer_.Expect("}", "after the value");
    return 1;
  }
  return ParseBraces(lengths, 0, 0, variable);
}

// Returns the number of entries. Recursion is bounded by the number of dimensions.
uint64_t VariableParser::ParseBraces(const std::vector<uint64_t>& lengths, size_t level,
                                     uint64_t at, Variable* variable) {
  const bool innermost = level + 1 == lengths.size();
  const bool open_length = lengths[level] == 0;
  uint64_t stride = 1;
  for (size_t i = level + 1; i < lengths.size(); ++i) stride *= lengths[i];

  lexer_.Expect("{", "before the values");
  uint64_t entries = 0;
  while (!lexer_.Peek().Is("}")) {
    if (!open_length && entries == lengths[level]) {
      lexer_.Fail(lexer_.Peek().location, "expected at most {} values in {}", lengths[level],
                  Quote(variable->name));
    }
    if (innermost) {
      ParseElement(at, variable);
    } else {
      ParseBraces(lengths, level + 1, at, variable);
    }
    at += stride;
    ++entries;
    if (!lexer_.TakeIf(",")) break;
  }
  lexer_.Expect("}", "after the values");
  return entries;
}

void VariableParser::ParseElement(uint64_t at, Variable* variable) {
  const Token token = lexer_.Peek();
  if (token.kind == Token::Kind::kIdentifier && !BeginsConstant(token)) {
    return ParseAddress(at, variable);
  }
  const Constant value = ParseConstant(&lexer_, "a value");
  if (lexer_.Peek().Is("(") && token.kind == Token::Kind::kInteger) {
    return ParseMaskedAddress(value.bits, token, at, variable);
  }
  const auto size = static_cast<uint64_t>(SizeInBytes(variable->type));
  uint64_t bits = value.bits;
  if (IsFloat(value.type)) {
    const bool width_fits =
        IsFloat(variable->type) ||
        (!value.decimal && size == static_cast<uint64_t>(SizeInBytes(value.type)));
    if (!width_fits || size < 4) {
      lexer_.Fail(token.location, "expected an integer in {} of type {}, found {}",
                  Quote(variable->name), ToString(variable->type), Describe(token));
    }
    const FloatLiteral literal{value.type, value.bits, value.decimal};
    bits = ConvertFloat(literal, size == 4 ? Type::kF32 : Type::kF64);
  } else if (IsFloat(variable->type)) {
    const double number = value.type == Type::kS64
                              ? static_cast<double>(static_cast<int64_t>(value.bits))
                              : static_cast<double>(value.bits);
    bits = ConvertFloat({Type::kF64, std::bit_cast<uint64_t>(number), true},
                        variable->type == Type::kF64 ? Type::kF64 : Type::kF32);
  }
  // The bytes between were left out in inner braces: zeros.
  GrowInitial((at + 1) * size, variable);
  std::memcpy(variable->initial.data() + at * size, &bits, size);
}

void VariableParser::GrowInitial(uint64_t bytes, Variable* variable) {
  const uint64_t now = variable->initial.size();
  if (bytes <= now) return;
  if (bytes - now > kMaxInitialBytes - context_.initial_bytes) {
    lexer_.Fail(variable->location, "expected at most {} bytes of initial values in a module",
                kMaxInitialBytes);
  }
  context_.initial_bytes += bytes - now;
  variable->initial.resize(bytes);
}

// "sym", "sym+8", "generic(sym)+8"
void VariableParser::ParseAddress(uint64_t at, Variable* variable) {
  const auto size = static_cast<uint64_t>(SizeInBytes(variable->type));
  const Location begin = lexer_.Peek().location;
  if (IsFloat(variable->type) || size < 4) {
    lexer_.Fail(begin, "expected a number in {} of type {}, found {}", Quote(variable->name),
                ToString(variable->type), Describe(lexer_.Peek()));
  }
  Variable::AddressOf address = ParseAddressTerm();
  address.at = at * size;
  variable->addresses.push_back(std::move(address));
  GrowInitial((at + 1) * size, variable);
}

// "0xFF00(sym+8)": a byte of an address among bytes (PTX ISA 5.4.4, the mask operator).
void VariableParser::ParseMaskedAddress(uint64_t mask, const Token& token, uint64_t at,
                                        Variable* variable) {
  const int shift = std::countr_zero(mask);
  if (SizeInBytes(variable->type) != 1 || mask == 0 || shift % 8 != 0 || mask >> shift != 0xFF) {
    lexer_.Fail(token.location,
                "expected a mask of one byte, such as 0xFF00, in an array of bytes, found {} in "
                "{} of type {}",
                Describe(token), Quote(variable->name), ToString(variable->type));
  }
  lexer_.Expect("(", "after a mask");
  Variable::AddressOf address = ParseAddressTerm();
  lexer_.Expect(")", "after the masked address");
  address.at = at;
  address.byte = shift / 8;
  variable->addresses.push_back(std::move(address));
  GrowInitial(at + 1, variable);
}

Variable::AddressOf VariableParser::ParseAddressTerm() {
  Variable::AddressOf address;
  if (lexer_.Peek().kind != Token::Kind::kIdentifier) lexer_.FailExpected("a variable's name");
  Token name = lexer_.Take();
  if (name.text == "generic" && lexer_.TakeIf("(")) {
    address.generic = true;
    name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a variable's name");
  }
  const auto symbol = context_.symbols.Find(name.text);
  address.function =
      symbol && (symbol->kind == Symbol::Kind::kFunction || symbol->kind == Symbol::Kind::kEntry);
  if (symbol && symbol->kind == Symbol::Kind::kFunction) {
    context_.functions[symbol->target].address_taken = true;
    address.addend = static_cast<int64_t>(CodeAddress(symbol->target));
  }
  if (!address.function && (!symbol || symbol->kind != Symbol::Kind::kVariable)) {
    lexer_.Fail(name.location, "unknown variable {}", Quote(name.text));
  }
  const auto addend = [&] {
    address.addend = static_cast<int64_t>(static_cast<uint64_t>(address.addend) +
                                          static_cast<uint64_t>(ParseOffsets(&lexer_)));
  };
  addend();
  if (address.generic) {
    lexer_.Expect(")", "after the variable's name");
    addend();
  }
  address.target = name.text;
  return address;
}

}  // namespace flagstone::ptx
