// Initialisers of .global and .const variables (PTX ISA, section 5.4.4).
#include <bit>
#include <cstring>

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
  if (lexer_.Peek().kind == Token::Kind::kIdentifier) return ParseAddress(at, variable);
  const bool negative = lexer_.TakeIf("-");
  const Token token = lexer_.Peek();
  const auto size = static_cast<uint64_t>(SizeInBytes(variable->type));
  uint64_t bits = 0;
  if (token.kind == Token::Kind::kFloat) {
    lexer_.Take();
    const FloatLiteral literal = ParseFloat(token.text);
    const bool width_fits =
        IsFloat(variable->type) ||
        (!literal.decimal && size == static_cast<uint64_t>(SizeInBytes(literal.type)));
    if (!width_fits || size < 4) {
      lexer_.Fail(token.location, "expected an integer in {} of type {}, found {}",
                  Quote(variable->name), ToString(variable->type), Describe(token));
    }
    bits = ConvertFloat(literal, size == 4 ? Type::kF32 : Type::kF64);
    if (negative) bits ^= uint64_t{1} << (8 * size - 1);
  } else {
    bits = lexer_.ExpectInteger("a value");
    if (lexer_.Peek().Is("(") && !negative) return ParseMaskedAddress(bits, token, at, variable);
    if (negative) bits = ~bits + 1;
    if (IsFloat(variable->type)) {
      const auto value = negative ? -static_cast<double>(~bits + 1) : static_cast<double>(bits);
      uint64_t as_double = 0;
      std::memcpy(&as_double, &value, sizeof value);
      bits = ConvertFloat({Type::kF64, as_double, true},
                          variable->type == Type::kF64 ? Type::kF64 : Type::kF32);
    }
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
    for (int terms = 0; lexer_.Peek().Is("+") || lexer_.Peek().Is("-"); ++terms) {
      bool negative = lexer_.Take().Is("-");
      if (lexer_.TakeIf("-")) negative = !negative;
      const uint64_t value = lexer_.ExpectInteger("an offset in bytes");
      address.addend = static_cast<int64_t>(static_cast<uint64_t>(address.addend) +
                                            (negative ? ~value + 1 : value));
    }
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
