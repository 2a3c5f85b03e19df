// Operands (PTX ISA, chapter 6).
#include "kernels/ptx/operand_parser.h"

#include "kernels/ptx/constant_expression.h"
#include "kernels/ptx/special_register.h"

namespace flagstone::ptx {
void OperandParser::Parse(std::vector<ParsedOperand>* operands) {
  operands->push_back(ParseOne(false));
  if (has_sampler_) {
    has_sampler_ = false;
    operands->push_back(std::move(sampler_));
  }
  if (!lexer_.Peek().Is("|")) return;
  lexer_.Take();
  operands->back().pair = true;
  operands->push_back(ParseOne(false));
}

ParsedOperand OperandParser::ParseOne(bool in_vector) {
  ParsedOperand parsed;
  const Token& next = lexer_.Peek();
  parsed.location = next.location;
  if (BeginsConstant(next)) {
    SetImmediate(ParseConstant(&lexer_, "a number"), &parsed);
  } else if (next.kind == Token::Kind::kIdentifier) {
    ParseName(&parsed);
  } else if (next.Is("!")) {
    lexer_.Take();
    const Token& operand = lexer_.Peek();
    if (operand.kind != Token::Kind::kIdentifier || BeginsConstant(operand)) {
      SetImmediate(ParseConstantAfterNot(&lexer_, "a predicate register or a number"), &parsed);
      return parsed;
    }
    ParseName(&parsed);
    parsed.operand.negated = true;
  } else if (next.Is("[") && !in_vector) {
    ParseMemory(&parsed);
  } else if (next.Is("{") && !in_vector) {
    ParseVector(&parsed);
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
      if (lexer_.Peek().Is("[")) return ParseSubscript(parsed);
      operand.offset = ParseOffsets(&lexer_);
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
  if (!name.text.starts_with('%')) {
    lexer_.Fail(name.location, "unknown register or variable {}", Quote(name.text));
  }
  if (HasComponents(name.text)) return ParseSpecialVector(name, &operand);
  const auto special = ParseSpecialRegister(name.text, "");
  if (!special) lexer_.Fail(name.location, "unknown register {}", Quote(name.text));
  operand.kind = Operand::Kind::kSpecial;
  operand.special = *special;
}

// "%tid.x" is an element, "%tid" all four; the last one is always zero (PTX ISA, chapter 10).
void OperandParser::ParseSpecialVector(const Token& name, Operand* operand) {
  constexpr std::string_view kNames = "xyzw";
  const auto element = [&](size_t at) {
    Operand one;
    one.kind = Operand::Kind::kSpecial;
    one.special = *ParseSpecialRegister(name.text, kNames.substr(at, 1));
    return one;
  };
  const Token next = lexer_.Peek();
  if (next.kind == Token::Kind::kDirective) {
    const size_t at = next.text.size() == 2 ? kNames.find(next.text[1]) : kNames.npos;
    if (at == kNames.npos) {
      lexer_.Fail(next.location, "expected '.x', '.y', '.z' or '.w' after {}, found {}",
                  Quote(name.text), Describe(next));
    }
    lexer_.Take();
    *operand = element(at);
    return;
  }
  operand->kind = Operand::Kind::kVector;
  for (size_t at = 0; at < kNames.size(); ++at) operand->elements.push_back(element(at));
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

void OperandParser::SetImmediate(const Constant& value, ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.bits = value.bits;
  operand.immediate_type = value.type;
  parsed->decimal_float = value.decimal;
  if (!IsFloat(value.type)) {
    const bool large = value.type == Type::kU64 && value.bits >> 63 != 0;
    operand.immediate_type = large ? Type::kU64 : Type::kS64;
  }
}

// "a[3]": the address of an element, or, where an instruction wants memory, the element itself
// (PTX ISA, section 6.4.2). The index is a constant.
void OperandParser::ParseSubscript(ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  const auto bytes = static_cast<uint64_t>(SizeInBytes(operand.variable->type));
  lexer_.Take();
  operand.offset = static_cast<int64_t>(
      ParseIntegerConstant(&lexer_, "a number as the index of an element").bits * bytes);
  lexer_.Expect("]", "after the index of an element");
  parsed->subscript = true;
}

void OperandParser::ParseMemory(ParsedOperand* parsed) {
  Operand& operand = parsed->operand;
  operand.kind = Operand::Kind::kMemory;
  lexer_.Take();
  const Token base = lexer_.Peek();
  if (base.kind == Token::Kind::kIdentifier && !BeginsConstant(base)) {
    ParsedOperand name;
    ParseName(&name);
    if (name.operand.kind == Operand::Kind::kRegister) {
      operand.has_register_base = true;
      operand.reg = name.operand.reg;
      operand.offset = ParseOffsets(&lexer_);
    } else if (name.operand.kind == Operand::Kind::kAddress) {
      operand.variable = name.operand.variable;
      operand.offset = name.operand.offset;
    } else {
      lexer_.Fail(base.location, "expected a register or a variable as the address, found {}",
                  Describe(base));
    }
  } else {
    const Constant address = ParseConstant(&lexer_, "a number");
    if (IsFloat(address.type)) {
      lexer_.Fail(base.location, "expected an address, found {}", Describe(base));
    }
    operand.offset = static_cast<int64_t>(address.bits);
  }
  if (lexer_.TakeIf(",")) {
    ParseCoordinates(&operand);
  } else {
    lexer_.Expect("]", "after the address");
    lexer_.TakeIf(".unified");  // a promise about the address that changes nothing here
  }
}

// What follows the name of a texture: "{%f1, %f2}]", or one coordinate without braces. A sampler
// may stand in front; it becomes an operand of its own.
void OperandParser::ParseCoordinates(Operand* operand) {
  if (operand->offset != 0) lexer_.FailExpected("']' after the address");
  operand->kind = Operand::Kind::kTexture;
  ParsedOperand coordinates = ParseOne(false);
  if (lexer_.TakeIf(",")) {  // that was a sampler
    has_sampler_ = true;
    sampler_ = std::move(coordinates);
    coordinates = ParseOne(false);
  }
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
    if (parsed->operand.elements.size() == most_elements_) {
      lexer_.Fail(lexer_.Peek().location, "expected at most {} elements in a vector",
                  most_elements_);
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

}  // namespace flagstone::ptx
