// Operands (PTX ISA, chapter 6).
#include "kernels/ptx/operand_parser.h"

#include "kernels/ptx/foreign.h"
#include "kernels/ptx/literal.h"
#include "kernels/ptx/special_register.h"

namespace flagstone::ptx {
namespace {

constexpr size_t kMostElements = 8;  // the matrices of wmma have so many

}  // namespace

void OperandParser::Parse(std::vector<ParsedOperand>* operands) {
  operands->push_back(ParseOne(false));
  if (!lexer_.Peek().Is("|")) return;
  lexer_.Take();
  operands->back().pair = true;
  operands->push_back(ParseOne(false));
}

ParsedOperand OperandParser::ParseOne(bool in_vector) {
  ParsedOperand parsed;
  const Token& next = lexer_.Peek();
  parsed.location = next.location;
  if (next.kind == Token::Kind::kIdentifier) {
    ParseName(&parsed);
  } else if (next.Is("!")) {
    lexer_.Take();
    if (lexer_.Peek().kind != Token::Kind::kIdentifier) lexer_.FailExpected("a predicate register");
    ParseName(&parsed);
    parsed.operand.negated = true;
  } else if (next.Is("[") && !in_vector) {
    ParseMemory(&parsed);
  } else if (next.Is("{") && !in_vector) {
    ParseVector(&parsed);
  } else if (next.kind == Token::Kind::kInteger || next.kind == Token::Kind::kFloat ||
             next.Is("-") || next.Is("+")) {
    ParseImmediate(&parsed);
  } else {
    lexer_.FailExpected("an operand");
  }
  return parsed;
}

void OperandParser::ParseName(ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  const Token name = lexer_.Take();
  if (name.text == "_") {
    operand.kind = Operand::Kind::kSink;
    return;
  }
  if (const auto symbol = context_.symbols.Find(name.text)) {
    if (symbol->kind == Symbol::Kind::kRegister) {
      operand.kind = Operand::Kind::kRegister;
      operand.reg = symbol->reg;
      if (symbol->vector > 1) ParseComponent(*symbol, &operand);
      return;
    }
    if (symbol->kind == Symbol::Kind::kVariable) {
      operand.kind = Operand::Kind::kAddress;
      operand.variable = symbol->variable;
      operand.offset = ParseOffset();
      return;
    }
    if (symbol->kind == Symbol::Kind::kFunction || symbol->kind == Symbol::Kind::kEntry) {
      operand.kind = Operand::Kind::kImmediate;
      operand.immediate_type = Type::kU64;
      if (symbol->kind == Symbol::Kind::kEntry) {
        parsed->refusal = "the address of an entry is not supported (launches by kernels)";
        return;
      }
      operand.bits = CodeAddress(symbol->target);
      context_.functions[symbol->target].address_taken = true;
      return;
    }
    lexer_.Fail(name.location, "expected a register, a variable or a number, found the label {}",
                Quote(name.text));
  }
  if (name.text == "WARP_SZ") {
    operand.kind = Operand::Kind::kImmediate;
    operand.immediate_type = Type::kS64;
    operand.bits = 32;
    return;
  }
  if (!name.text.starts_with('%')) {
    lexer_.Fail(name.location, "unknown register or variable {}", Quote(name.text));
  }
  std::string_view component;
  if (HasComponents(name.text)) {
    const Token word = lexer_.Peek();
    if (!word.Is(".x") && !word.Is(".y") && !word.Is(".z")) {
      lexer_.Fail(word.location, "expected '.x', '.y' or '.z' after {}, found {}", Quote(name.text),
                  Describe(word));
    }
    component = lexer_.Take().text.substr(1);
  }
  const auto special = ParseSpecialRegister(name.text, component);
  if (!special) {
    if (!IsForeignRegister(name.text)) {
      lexer_.Fail(name.location, "unknown register {}", Quote(name.text));
    }
    if (lexer_.Peek().kind == Token::Kind::kDirective) lexer_.Take();  // ".x"
    parsed->refusal = NotSupported("this special register", FeatureOfRegister(name.text));
    operand.kind = Operand::Kind::kImmediate;
    operand.immediate_type = Type::kU64;
    return;
  }
  operand.kind = Operand::Kind::kSpecial;
  operand.special = *special;
}

// "V.y" or "V.g" is an element of a register that is a vector, and V all of them.
void OperandParser::ParseComponent(const Symbol& symbol, Operand* operand) {
  constexpr std::string_view kNames = "xyzwrgba";
  const Token& next = lexer_.Peek();
  if (next.kind == Token::Kind::kDirective && next.text.size() == 2) {
    const size_t at = kNames.find(next.text[1]);
    if (at == kNames.npos || at % 4 >= symbol.vector)
      lexer_.FailExpected("an element such as '.x'");
    operand->reg += static_cast<RegisterId>(at % 4);
    lexer_.Take();
    return;
  }
  operand->kind = Operand::Kind::kVector;
  for (uint8_t i = 0; i < symbol.vector; ++i) {
    Operand& element = operand->elements.emplace_back();
    element.kind = Operand::Kind::kRegister;
    element.reg = symbol.reg + i;
  }
}

void OperandParser::ParseImmediate(ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  operand.kind = Operand::Kind::kImmediate;
  const bool negative = lexer_.Peek().Is("-");
  if (negative || lexer_.Peek().Is("+")) lexer_.Take();
  const Token token = lexer_.Peek();
  if (token.kind == Token::Kind::kFloat) {
    lexer_.Take();
    const FloatLiteral literal = ParseFloat(token.text);
    operand.immediate_type = literal.type;
    operand.bits = literal.bits;
    parsed->decimal_float = literal.decimal;
    if (negative) operand.bits ^= uint64_t{1} << (8 * SizeInBytes(literal.type) - 1);
    return;
  }
  const uint64_t value = lexer_.ExpectInteger("a number");
  constexpr uint64_t kSignBit = uint64_t{1} << 63;
  if (negative && value > kSignBit) {
    lexer_.Fail(token.location, "expected a number of at most 64 bits, found '-{}'", value);
  }
  operand.bits = negative ? ~value + 1 : value;
  operand.immediate_type = !negative && value >= kSignBit ? Type::kU64 : Type::kS64;
}

void OperandParser::ParseMemory(ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  operand.kind = Operand::Kind::kMemory;
  lexer_.Take();
  const Token base = lexer_.Peek();
  if (base.kind == Token::Kind::kIdentifier) {
    ParsedOperand name;
    ParseName(&name);
    if (name.operand.kind == Operand::Kind::kRegister) {
      operand.has_register_base = true;
      operand.reg = name.operand.reg;
      operand.offset = ParseOffset();
    } else if (name.operand.kind == Operand::Kind::kAddress) {
      operand.variable = name.operand.variable;
      operand.offset = name.operand.offset;
    } else {
      lexer_.Fail(base.location, "expected a register or a variable as the address, found {}",
                  Describe(base));
    }
  } else {
    ParsedOperand address;
    ParseImmediate(&address);
    if (IsFloat(address.operand.immediate_type)) {
      lexer_.Fail(base.location, "expected an address, found {}", Describe(base));
    }
    operand.offset = static_cast<int64_t>(address.operand.bits);
  }
  if (lexer_.TakeIf(",")) {
    ParseCoordinates(&operand);
  } else {
    lexer_.Expect("]", "after the address");
    lexer_.TakeIf(".unified");  // a promise about the address that changes nothing here
  }
}

// What follows the name of a texture: "{%f1, %f2}]", or one coordinate without braces.
void OperandParser::ParseCoordinates(Operand* operand) {
  if (operand->offset != 0) lexer_.FailExpected("']' after the address");
  operand->kind = Operand::Kind::kTexture;
  ParsedOperand coordinates = ParseOne(false);
  if (coordinates.operand.kind == Operand::Kind::kVector) {
    operand->elements = std::move(coordinates.operand.elements);
  } else {
    operand->elements.push_back(std::move(coordinates.operand));
  }
  lexer_.Expect("]", "after the coordinates");
}

void OperandParser::ParseVector(ParsedOperand* parsed) {
  parsed->operand.kind = Operand::Kind::kVector;
  lexer_.Take();
  do {
    if (parsed->operand.elements.size() == kMostElements) {
      lexer_.Fail(lexer_.Peek().location, "expected at most {} elements in a vector",
                  kMostElements);
    }
    ParsedOperand element = ParseOne(true);
    if (element.operand.kind == Operand::Kind::kVector) {
      lexer_.Fail(element.location, "expected a single register as an element of a vector");
    }
    parsed->decimal_float |= element.decimal_float;
    if (!element.refusal.empty()) parsed->refusal = element.refusal;
    parsed->operand.elements.push_back(std::move(element.operand));
  } while (lexer_.TakeIf(","));
  lexer_.Expect("}", "after the elements of a vector");
}

int64_t OperandParser::ParseOffset() {
  uint64_t offset = 0;
  while (lexer_.Peek().Is("+") || lexer_.Peek().Is("-")) {
    bool negative = lexer_.Take().Is("-");
    if (lexer_.TakeIf("-")) negative = !negative;
    const uint64_t value = lexer_.ExpectInteger("an offset in bytes");
    offset += negative ? ~value + 1 : value;
  }
  return static_cast<int64_t>(offset);
}

}  // namespace flagstone::ptx
