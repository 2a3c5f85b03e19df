// Instructions (PTX ISA, section 4.3 "Statements" and chapter 9).
#include "ptx/instruction_parser.h"

#include <algorithm>

#include "ptx/foreign.h"
#include "ptx/operand_check.h"

namespace flagstone::ptx {

template <class... Args>
void InstructionParser::FailUnsupported(const Token& begin, Location at,
                                        fmt::format_string<Args...> format, Args&&... args) const {
  lexer_.Fail(at, "unsupported instruction {}: {}", Quote(lexer_.StatementText(begin)),
              fmt::format(format, std::forward<Args>(args)...));
}

void InstructionParser::FailUnknown(const Token& begin, const Token& opcode) const {
  std::string known;
  for (const InstructionRule& rule : InstructionRules()) {
    if (rule.name.find(' ') != std::string_view::npos) continue;
    known += ' ';
    known += rule.name;
  }
  FailUnsupported(begin, opcode.location, "expected one of{}", known);
}

InstructionParser::Parsed InstructionParser::Parse(const Token& begin) {
  Parsed parsed;
  Instruction& instruction = parsed.instruction;
  instruction.location = begin.location;
  Token opcode = begin;
  if (begin.Is("@")) {
    ParseGuard(&instruction);
    opcode = lexer_.ExpectKind(Token::Kind::kIdentifier, "an instruction after its guard");
  }
  operands_.clear();
  const InstructionRule* const rule = FindInstructionRule(opcode.text);
  if (rule == nullptr) {
    if (!IsForeignInstruction(opcode.text)) FailUnknown(begin, opcode);
    SkipForeign(begin, &instruction);
    return parsed;
  }
  instruction.opcode = rule->opcode;
  if (rule->opcode == Opcode::kBrx) lexer_.Expect(".idx", "after 'brx'");
  const std::string_view name = ParseName(begin, opcode, *rule, &instruction);
  if (name.empty()) {
    SkipForeign(begin, &instruction);
    return parsed;
  }
  if (rule->opcode == Opcode::kCall) {
    ParseCall(begin, &parsed);
    return parsed;
  }
  if (rule->opcode == Opcode::kBrx) {
    ParseIndexedBranch(&parsed);
  } else if (rule->opcode == Opcode::kBra) {
    operands_.emplace_back().location = lexer_.Peek().location;
    operands_.back().operand.kind = Operand::Kind::kLabel;
    parsed.label = lexer_.ExpectKind(Token::Kind::kIdentifier, "a label");
  } else if (rule->operands.empty()) {
    if (!lexer_.Peek().Is(";")) lexer_.FailExpected(fmt::format("';' after {}", Quote(name)));
  } else if (!lexer_.Peek().Is(";")) {
    do {
      operand_parser_.Parse(&operands_);
    } while (lexer_.TakeIf(","));
  }
  if (!lexer_.Peek().Is(";")) lexer_.FailExpected("',' or ';' after an operand");
  instruction.text = lexer_.FoldedText(begin);
  lexer_.Take();
  for (const ParsedOperand& operand : operands_) {
    if (operand.refusal.empty()) continue;
    Refuse(&instruction, std::string(operand.refusal));
    return parsed;
  }
  OperandCheck(lexer_, kernel_, *rule, name, &instruction).Apply(&operands_, instruction.location);
  if (rule->opcode == Opcode::kSt && instruction.space == Space::kParam) {
    CheckParameterStore(parsed);
  }
  return parsed;
}

// To the semicolon: whatever the operands are, brackets come in pairs.
void InstructionParser::SkipForeign(const Token& begin, Instruction* instruction) {
  std::string closing;
  while (!closing.empty() || !lexer_.Peek().Is(";")) {
    const Token token = lexer_.Take();
    constexpr std::string_view kOpen = "([{";
    constexpr std::string_view kClose = ")]}";
    const size_t open = token.text.size() == 1 ? kOpen.find(token.text) : kOpen.npos;
    if (open != kOpen.npos) {
      closing += kClose[open];
    } else if (!closing.empty() && token.Is(std::string_view(&closing.back(), 1))) {
      closing.pop_back();
    } else if (token.kind == Token::Kind::kEnd || token.kind == Token::Kind::kInvalid ||
               token.Is(";") ||
               (token.text.size() == 1 && kClose.find(token.text) != kClose.npos)) {
      lexer_.Fail(token.location, "expected {} in {}, found {}",
                  closing.empty() ? "';'" : Quote(closing.substr(closing.size() - 1)),
                  Quote(lexer_.StatementText(begin)), Describe(token));
    }
  }
  instruction->text = lexer_.FoldedText(begin);
  lexer_.Take();
  Refuse(instruction, "this instruction is not supported");
}

// Only the .param variables of calls and the results of functions can be written.
void InstructionParser::CheckParameterStore(const Parsed& parsed) const {
  const Variable* const into = parsed.instruction.operands[0].variable;
  const auto is_into = [into](const auto& parameter) { return parameter.get() == into; };
  const bool of_entry = std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(), is_into);
  if (into == nullptr || of_entry) {
    lexer_.Fail(parsed.instruction.location,
                "expected a '.param' variable of a call, or a function's result, in {}",
                Quote(parsed.instruction.text));
  }
}

void InstructionParser::ParseGuard(Instruction* instruction) {
  instruction->guard_negated = lexer_.TakeIf("!");
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a predicate register after '@'");
  const auto symbol = context_.symbols.Find(name.text);
  if (!symbol || symbol->kind != Symbol::Kind::kRegister) {
    lexer_.Fail(name.location, "unknown predicate register {}", Quote(name.text));
  }
  const Type type = kernel_.registers[symbol->reg].type;
  if (type != Type::kPred) {
    lexer_.Fail(name.location, "expected a predicate register after '@', found {} of type {}",
                Quote(name.text), ToString(type));
  }
  instruction->guard = symbol->reg;
}

std::string_view InstructionParser::ParseName(const Token& begin, const Token& opcode,
                                              const InstructionRule& rule,
                                              Instruction* instruction) {
  uint64_t seen = 0;
  Token last = opcode;
  Modifiers& modifiers = instruction->modifiers;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    last = lexer_.Take();
    const std::string_view word = last.text.substr(1);
    if (ApplyModifier(rule, word, &modifiers, &instruction->space, &seen)) continue;
    const auto type = ParseType(word);
    bool taken = false;
    if (type && instruction->type == Type::kNone) {
      taken = (rule.types & Bit(*type)) != 0;
      instruction->type = *type;
    } else if (type && instruction->source_type == Type::kNone) {
      taken = (rule.source_types & Bit(*type)) != 0;
      instruction->source_type = *type;
    } else if (type && instruction->third_type == Type::kNone) {
      taken = rule.third_type && (rule.source_types & Bit(*type)) != 0;
      instruction->third_type = *type;
    }
    if (!taken && IsForeignWord(word)) return "";
    if (!taken) {
      FailUnsupported(begin, last.location, "{} does not take {} here", Quote(opcode.text),
                      Quote(last.text));
    }
  }
  const char* const end = last.text.data() + last.text.size();
  const std::string_view name(opcode.text.data(), static_cast<size_t>(end - opcode.text.data()));
  const bool lacks_type =
      rule.types != 0 && (rule.types & Bit(Type::kNone)) == 0 && instruction->type == Type::kNone;
  const bool lacks_source = (rule.source_types != 0 && instruction->source_type == Type::kNone) ||
                            (rule.third_type && instruction->third_type == Type::kNone);
  if (lacks_type || lacks_source) {
    FailUnsupported(begin, opcode.location, "expected a {}type on {}",
                    lacks_source && !lacks_type ? "second " : "", Quote(name));
  }
  const std::string_view missing = MissingPart(*instruction);
  if (!missing.empty()) {
    FailUnsupported(begin, opcode.location, "expected {} on {}", missing, Quote(name));
  }
  return name;
}

}  // namespace flagstone::ptx
