// Instructions (PTX ISA, section 4.3 "Statements" and chapter 9).
#include "kernels/ptx/instruction_parser.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/ptx/foreign.h"
#include "kernels/ptx/operand_check.h"
#include "kernels/ptx/skip.h"

namespace flagstone::ptx {

void InstructionParser::FailUnknown(const Token &begin, const Token &opcode) {
  std::string name(opcode.text);
  const Token &next = lexer_.Peek();
  const bool dotted = next.kind == Token::Kind::kDirective;
  if (dotted && IsForeignFamily(opcode.text)) name += next.text;
  lexer_.Fail(opcode.location, "unknown instruction {}: the nearest opcodes are {}",
              Quote(lexer_.StatementText(begin)), fmt::join(NearestInstructions(name), ", "));
}

InstructionParser::Parsed InstructionParser::Parse(const Token &begin) {
  Parsed parsed;
  try {
    ParseForm(begin, &parsed);
  } catch (const SyntaxError &error) {
    // What no PTX instruction begins with is no PTX; nor is a statement without
    // an end.
    const bool is_instruction = parsed.instruction.opcode != Opcode::kUnsupported;
    const bool ended = !parsed.instruction.text.empty();
    if (!is_instruction || (!ended && !SkipToSemicolon(begin))) throw;
    if (!ended) parsed.instruction.text = lexer_.StatementText(begin);
    Instruction refused;
    refused.location = begin.location;
    refused.text = std::move(parsed.instruction.text);
    parsed = {};
    parsed.instruction = std::move(refused);
    Refuse(&parsed.instruction, error.reason);
    kernel_.refusals.back().location = error.location;
  }
  return parsed;
}

bool InstructionParser::SkipToSemicolon(const Token &begin) {
  int depth = 0;  // of the braces that the statement has opened so far
  for (const char *c = begin.text.data(); c < lexer_.Peek().text.data(); ++c) {
    depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
  }
  while (true) {
    const Token &next = lexer_.Peek();
    const bool closes = next.Is("}");
    if (next.kind == Token::Kind::kEnd || (closes && depth == 0)) return false;
    if (next.Is("{")) ++depth;
    if (closes) --depth;
    const bool ends = next.Is(";");
    lexer_.Take();
    if (ends) return true;
  }
}

void InstructionParser::ParseForm(const Token &begin, Parsed *parsed) {
  Instruction &instruction = parsed->instruction;
  instruction.location = begin.location;
  instruction.opcode = Opcode::kUnsupported;
  Token opcode = begin;
  if (begin.Is("@")) {
    ParseGuard(&instruction);
    opcode = lexer_.ExpectKind(Token::Kind::kIdentifier, "an instruction after its guard");
  }
  operands_.clear();
  operand_parser_.AllowElements(OperandParser::kMostElements);
  if (opcode.Is("wmma")) return ParseWmma(begin, parsed);
  if (opcode.Is("wgmma")) return ParseWgmma(begin, &instruction);
  if (opcode.Is("tcgen05")) return ParseTcgen05(begin, opcode, &instruction);
  const InstructionRule *const rule = FindRule(opcode);
  if (rule == nullptr) {
    const Token &next = lexer_.Peek();
    const bool dotted = next.kind == Token::Kind::kDirective;
    if (!IsForeignInstruction(opcode.text, dotted ? next.text.substr(1) : "")) {
      FailUnknown(begin, opcode);
    }
    return SkipForeign(begin, FeatureOfInstruction(opcode.text), &instruction);
  }
  instruction.opcode = rule->opcode;
  if (rule->opcode == Opcode::kBrx) lexer_.Expect(".idx", "after 'brx'");
  std::string_view feature;
  const std::string_view name = ParseName(opcode, *rule, &instruction, &feature);
  if (name.empty()) return SkipForeign(begin, feature, &instruction);
  if (rule->opcode == Opcode::kCall) return ParseCall(begin, parsed);
  if (rule->opcode == Opcode::kBrx) {
    ParseIndexedBranch(parsed);
  } else if (rule->opcode == Opcode::kBra) {
    operands_.emplace_back().location = lexer_.Peek().location;
    operands_.back().operand.kind = Operand::Kind::kLabel;
    parsed->label = lexer_.ExpectKind(Token::Kind::kIdentifier, "a label");
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
  for (const ParsedOperand &operand : operands_) {
    if (operand.refusal.empty()) continue;
    return Refuse(&instruction, operand.refusal);
  }
  feature = FeatureOfOperands(*rule, instruction);
  if (!feature.empty()) {
    return Refuse(&instruction, NotSupported("this instruction", feature));
  }
  instruction.modifiers.sampler = rule->opcode == Opcode::kTex && operands_.size() > 2 &&
                                  operands_[1].operand.kind == Operand::Kind::kTexture &&
                                  operands_.size() == (instruction.modifiers.level ? 4U : 3U);
  // The memory that is read stands first, as in ld.
  const bool from_map = !operands_.empty() && operands_[0].operand.kind == Operand::Kind::kTexture;
  const bool copies =
      rule->opcode == Opcode::kCpAsync || instruction.modifiers.async_op == AsyncOp::kBulkCopy;
  if (copies && operands_.size() > 2 && !from_map && !instruction.modifiers.prefetch) {
    std::swap(operands_[0], operands_[1]);
  }
  OperandCheck(lexer_, kernel_, *rule, name, &instruction).Apply(&operands_, instruction.location);
  if (rule->opcode == Opcode::kMov) {
    if (instruction.modifiers.vector > 1) LowerVectorMove(parsed);
    CutSpecialRegister(&instruction);
    for (Instruction &move : parsed->lowered) CutSpecialRegister(&move);
  }
  if (instruction.modifiers.carry_out || instruction.modifiers.carry_in) PutCarry(&instruction);
  if (rule->opcode == Opcode::kSt && instruction.space == Space::kParam) {
    CheckParameterStore(*parsed);
  }
}

// Forms that only their operands tell from others.
std::string_view InstructionParser::FeatureOfOperands(const InstructionRule &rule,
                                                      const Instruction &instruction) const {
  const bool extreme = rule.opcode == Opcode::kMin || rule.opcode == Opcode::kMax;
  if (extreme && instruction.type == Type::kF32 && operands_.size() == 4) return "three operands";
  const bool copies = instruction.modifiers.async_op == AsyncOp::kCopy && operands_.size() > 3;
  if (rule.opcode != Opcode::kCpAsync || !copies) return "";
  const Operand &last = operands_[3].operand;
  const bool ignored =
      last.kind == Operand::Kind::kRegister && kernel_.registers[last.reg].type == Type::kPred;
  return ignored ? "sources that are ignored" : "";
}

// "cvt.pack" is another instruction than "cvt".
const InstructionRule *InstructionParser::FindRule(const Token &opcode) {
  const InstructionRule *const rule = FindInstructionRule(opcode.text);
  const bool packs = rule != nullptr && rule->opcode == Opcode::kCvt && lexer_.TakeIf(".pack");
  return packs ? FindInstructionRule("cvt.pack") : rule;
}

// "mov.u16 %rs1, %tid.x;" takes the lower half of 32 bits.
void InstructionParser::CutSpecialRegister(Instruction *move) {
  if (SizeInBytes(move->type) != 2 || move->operands[1].kind != Operand::Kind::kSpecial) return;
  move->opcode = Opcode::kCvt;
  move->type = Type::kU16;
  move->source_type = Type::kU32;
}

// "mov.v2.f32 {%f1, %f2}, V;" becomes a move of each element: through registers
// that no text can name where an element is written before it is read.
void InstructionParser::LowerVectorMove(Parsed *parsed) {
  const Instruction whole = parsed->instruction;
  const std::vector<Operand> &to = whole.operands[0].elements;
  std::vector<Operand> from = whole.operands[1].elements;
  const auto add = [&](const Operand &destination, const Operand &source) {
    Instruction &move = parsed->lowered.emplace_back(whole);
    move.modifiers.vector = 1;
    move.operands = {destination, source};
  };
  for (size_t i = 0; i < from.size(); ++i) {
    const auto is_same = [&](const Operand &written) {
      return written.kind == Operand::Kind::kRegister && written.reg == from[i].reg;
    };
    const auto end = to.begin() + static_cast<std::ptrdiff_t>(i);
    if (from[i].kind != Operand::Kind::kRegister || std::none_of(to.begin(), end, is_same)) {
      continue;
    }
    context_.CountRegisters(1, whole.location);
    Operand scratch;
    scratch.reg = static_cast<RegisterId>(kernel_.registers.size());
    kernel_.registers.push_back({"%mov", kernel_.registers[from[i].reg].type});
    add(scratch, from[i]);
    from[i] = scratch;
  }
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].kind == Operand::Kind::kRegister) add(to[i], from[i]);
  }
}

// To the semicolon: whatever the operands are, brackets come in pairs.
void InstructionParser::SkipForeign(const Token &begin, std::string_view feature,
                                    Instruction *instruction) {
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
  Refuse(instruction, NotSupported("this instruction", feature));
}

// Only the .param variables of calls and the results of functions can be
// written.
void InstructionParser::CheckParameterStore(const Parsed &parsed) const {
  const Variable *const into = parsed.instruction.operands[0].variable;
  const auto is_into = [into](const auto &parameter) { return parameter.get() == into; };
  const bool of_entry = std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(), is_into);
  if (into == nullptr || of_entry) {
    lexer_.Fail(parsed.instruction.location,
                "expected a '.param' variable of a call, or a function's result, in {}",
                Quote(parsed.instruction.text));
  }
}

void InstructionParser::ParseGuard(Instruction *instruction) {
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

// The carry is a predicate of its own that no text can name, so that all who
// read registers see who writes it and who reads it: the second destination,
// and the last source.
void InstructionParser::PutCarry(Instruction *instruction) {
  const auto end = kernel_.registers.end();
  auto carry = std::find_if(kernel_.registers.begin(), end,
                            [](const Register &reg) { return reg.name == "carry flag"; });
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.reg = static_cast<RegisterId>(carry - kernel_.registers.begin());
  if (carry == end) kernel_.registers.push_back({"carry flag", Type::kPred});
  if (instruction->modifiers.carry_in) instruction->operands.push_back(operand);
  if (!instruction->modifiers.carry_out) return;
  instruction->operands.insert(instruction->operands.begin() + 1, operand);
  ++instruction->destinations;
}

std::string_view InstructionParser::ParseName(const Token &opcode, const InstructionRule &rule,
                                              Instruction *instruction, std::string_view *feature) {
  uint64_t seen = 0;
  Token last = opcode;
  Modifiers &modifiers = instruction->modifiers;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    last = lexer_.Take();
    const std::string_view word = last.text.substr(1);
    if (ApplyModifier(rule, word, &modifiers, &instruction->space, &seen)) {
      if (word == "const") SkipBank(&lexer_);
      continue;
    }
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
    } else if (type && rule.opcode == Opcode::kMma && instruction->fourth_type == Type::kNone) {
      taken = (rule.types & Bit(*type)) != 0;
      instruction->fourth_type = *type;
    }
    if (!taken && IsForeignWord(word)) {
      *feature = FeatureOfWord(word);
      return "";
    }
    if (!taken) {
      lexer_.Fail(last.location, "{} does not take {} here", Quote(opcode.text), Quote(last.text));
    }
  }
  const char *const end = last.text.data() + last.text.size();
  const std::string_view name(opcode.text.data(), static_cast<size_t>(end - opcode.text.data()));
  const bool lacks_type =
      rule.types != 0 && (rule.types & Bit(Type::kNone)) == 0 && instruction->type == Type::kNone;
  const bool all_needed = (rule.source_types & Bit(Type::kNone)) == 0;
  const bool lacks_source =
      (rule.source_types != 0 && instruction->source_type == Type::kNone) ||
      (rule.third_type && all_needed && instruction->third_type == Type::kNone);
  if (lacks_type || lacks_source) {
    lexer_.Fail(opcode.location, "expected a {}type on {}",
                lacks_source && !lacks_type ? "second " : "", Quote(name));
  }
  FindCarries(instruction);
  const std::string_view missing = MissingPart(*instruction);
  if (!missing.empty()) {
    lexer_.Fail(opcode.location, "expected {} on {}", missing, Quote(name));
  }
  return name;
}

}  // namespace flagstone::ptx
