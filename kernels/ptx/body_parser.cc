// Bodies (PTX ISA, sections 4.3, 5.2 and 11.5).
#include "kernels/ptx/body_parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/ptx/skip.h"

namespace flagstone::ptx {

BodyParser::BodyParser(ParseContext* context, Body* body)
    : context_(*context),
      lexer_(context->lexer),
      body_(*body),
      kernel_(*body->code),
      variables_(context),
      instructions_(context, body->code) {}

void BodyParser::Parse() {
  lexer_.Expect("{", "before the body");
  // The braces that are open inside the body; each has its scope.
  while (open_uses_.size() > 1 || !lexer_.Peek().Is("}")) {
    if (lexer_.Peek().Is("}")) {
      lexer_.Take();
      CloseScope();
    } else {
      ParseStatement();
    }
  }
  const Location end = lexer_.Take().location;
  CloseScope();
  EndWithReturn(end);
}

void BodyParser::ParseStatement() {
  const Token& next = lexer_.Peek();
  if (next.kind == Token::Kind::kDirective) return ParseDirective();
  if (next.Is("{")) {
    if (open_uses_.size() == kMaxNesting) {
      lexer_.Fail(next.location, "expected at most {} nested braces", kMaxNesting);
    }
    lexer_.Take();
    return OpenScope();
  }
  if (next.Is(";")) {
    lexer_.Take();
    return;
  }
  if (next.kind != Token::Kind::kIdentifier && !next.Is("@")) {
    lexer_.FailExpected(
        fmt::format("an instruction, a label, a directive or '}}' in {}", Quote(kernel_.name)));
  }
  const Token begin = lexer_.Take();
  if (begin.kind == Token::Kind::kIdentifier && lexer_.TakeIf(":")) return DefineLabel(begin);
  AddInstruction(begin);
}

void BodyParser::ParseDirective() {
  const Token word = lexer_.Take();
  if (word.Is(".reg")) {
    const uint8_t vector = ParseVectorLength();
    const Type type = ParseRegisterType();
    if (vector > 1 && type == Type::kPred) lexer_.FailExpected("no vector of predicates");
    do {
      DefineRegister(type, vector);
    } while (lexer_.TakeIf(","));
    lexer_.Expect(";", "after the registers");
    return;
  }
  if (SkipRemark(&lexer_, word)) return;
  const auto space = ParseSpace(word.text.substr(1));
  if (space && *space != Space::kReg && *space != Space::kGeneric && *space != Space::kTex) {
    auto& list = *space == Space::kShared  ? kernel_.shared
                 : *space == Space::kLocal ? kernel_.locals
                 : *space == Space::kParam ? body_.call_variables
                                           : context_.module.globals;
    for (auto& variable : variables_.ParseDeclaration(*space, false)) {
      list.push_back(std::move(variable));
    }
    return;
  }
  lexer_.Fail(word.location,
              "expected '.reg', '.shared', '.local', '.param' or an instruction, found {}",
              Describe(word));
}

void BodyParser::ParseRegister() {
  const uint8_t vector = ParseVectorLength();
  DefineRegister(ParseRegisterType(), vector);
}

uint8_t BodyParser::ParseVectorLength() {
  if (lexer_.TakeIf(".v2")) return 2;
  return lexer_.TakeIf(".v4") ? 4 : 1;
}

Type BodyParser::ParseRegisterType() {
  const Token word = lexer_.ExpectKind(Token::Kind::kDirective, "a register type such as '.b32'");
  if (word.Is(".b128")) return Type::kB64;  // only instructions that are refused name such ones
  const auto type = ParseType(word.text.substr(1));
  if (!type || IsOpaque(*type) || IsElementOnly(*type)) {
    lexer_.Fail(word.location, "expected a register type such as '.b32', found {}", Describe(word));
  }
  return *type;
}

void BodyParser::DefineRegister(Type type, uint8_t vector) {
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a register's name");
  const auto first = static_cast<RegisterId>(kernel_.registers.size());
  const Symbol symbol{
      .kind = Symbol::Kind::kRegister, .reg = first, .vector = vector, .location = name.location};
  uint64_t count = 1;
  const bool range = lexer_.TakeIf("<");
  if (range) {
    count = lexer_.ExpectInteger("the number of registers");
    lexer_.Expect(">", "after the number of registers");
  }
  for (uint8_t e = 0; e < vector; ++e) context_.CountRegisters(count, name.location);
  const auto earlier =
      range ? context_.symbols.DefineRange(name.text, static_cast<uint32_t>(count), symbol)
            : context_.symbols.Define(name.text, symbol);
  if (earlier) context_.FailDuplicate(name.text, *earlier, name.location);
  for (uint64_t i = 0; i < count; ++i) {
    std::string full(name.text);
    if (range) full += std::to_string(i);
    for (uint8_t e = 1; e < vector; ++e) {
      kernel_.registers.push_back({fmt::format("{}.{}", full, "xyz"[e - 1]), type});
    }
    if (vector > 1) full += vector == 2 ? ".y" : ".w";
    kernel_.registers.push_back({std::move(full), type});
  }
}

void BodyParser::OpenScope() {
  context_.symbols.Push();
  open_uses_.emplace_back();
}

void BodyParser::CloseScope() {
  std::vector<LabelUse> uses = std::move(open_uses_.back());
  open_uses_.pop_back();
  for (const LabelUse& use : uses) {
    const auto symbol = context_.symbols.FindInnermost(use.label.text);
    if (symbol && symbol->kind == Symbol::Kind::kLabel) {
      kernel_.instructions[use.instruction].operands.back().target = symbol->target;
    } else if (symbol) {
      lexer_.Fail(use.label.location, "expected a label, found {}", Describe(use.label));
    } else if (open_uses_.empty()) {
      lexer_.Fail(use.label.location, "unknown label {}", Quote(use.label.text));
    } else {
      open_uses_.back().push_back(use);
    }
  }
  context_.symbols.Pop();
}

void BodyParser::DefineLabel(const Token& name) {
  if (lexer_.TakeIf(".callprototype")) return instructions_.SkipCallPrototype(name);
  if (lexer_.TakeIf(".calltargets")) return instructions_.SkipCallTargets(name);
  if (lexer_.TakeIf(".branchtargets")) return DefineBranchTargets(name);
  const auto target = static_cast<uint32_t>(kernel_.instructions.size());
  context_.Define(name.text, {.kind = Symbol::Kind::kLabel, .target = target}, name.location);
}

// "$L_4: .branchtargets $L_1, $L_2;"
void BodyParser::DefineBranchTargets(const Token& name) {
  const auto list = static_cast<uint32_t>(branch_targets_.size());
  context_.Define(name.text, {.kind = Symbol::Kind::kTargets, .target = list}, name.location);
  std::vector<Token>& labels = branch_targets_.emplace_back();
  do {
    labels.push_back(lexer_.ExpectKind(Token::Kind::kIdentifier, "a label"));
  } while (lexer_.TakeIf(","));
  lexer_.Expect(";", "after the labels");
}

void BodyParser::AddInstruction(const Token& begin) {
  InstructionParser::Parsed parsed = instructions_.Parse(begin);
  const auto index = static_cast<uint32_t>(kernel_.instructions.size());
  if (parsed.instruction.opcode == Opcode::kBrx) return AddIndexedBranch(parsed);
  if (!parsed.lowered.empty()) {
    std::move(parsed.lowered.begin(), parsed.lowered.end(),
              std::back_inserter(kernel_.instructions));
    return;
  }
  if (parsed.instruction.opcode == Opcode::kBra) open_uses_.back().push_back({index, parsed.label});
  if (parsed.call) {
    parsed.call->pc = index;
    body_.calls.push_back(std::move(*parsed.call));
  }
  kernel_.instructions.push_back(std::move(parsed.instruction));
}

// brx.idx becomes a chain of comparisons and branches: what it would do with an index beyond its
// list is not defined (PTX ISA 9.7.12.4), so the last label needs no comparison.
void BodyParser::AddIndexedBranch(const InstructionParser::Parsed& parsed) {
  const auto symbol = context_.symbols.Find(parsed.label.text);
  if (!symbol || symbol->kind != Symbol::Kind::kTargets) {
    lexer_.Fail(parsed.label.location, "expected the name of a '.branchtargets' list, found {}",
                Describe(parsed.label));
  }
  const Instruction& whole = parsed.instruction;
  const std::vector<Token>& labels = branch_targets_[symbol->target];
  context_.CountRegisters(1, whole.location);
  const auto predicate = static_cast<RegisterId>(kernel_.registers.size());
  kernel_.registers.push_back({"%brx", Type::kPred});
  Operand flag;
  flag.reg = predicate;
  std::optional<size_t> skip;
  if (whole.guard) {
    // Lanes whose guard does not hold go past the chain.
    skip = kernel_.instructions.size();
    Instruction& around = kernel_.instructions.emplace_back(whole);
    around.opcode = Opcode::kBra;
    around.guard_negated = !around.guard_negated;
    around.operands.assign(1, {});
    around.operands[0].kind = Operand::Kind::kLabel;
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    const bool last = i + 1 == labels.size();
    if (!last) {
      Instruction& compare = kernel_.instructions.emplace_back();
      compare.opcode = Opcode::kSetp;
      compare.type = Type::kU32;
      compare.modifiers.comparison = Comparison::kEq;
      Operand number;
      number.kind = Operand::Kind::kImmediate;
      number.immediate_type = Type::kS64;
      number.bits = i;
      compare.operands = {flag, whole.operands[0], number};
      compare.destinations = 1;
      compare.location = whole.location;
      compare.text = whole.text;
    }
    open_uses_.back().push_back({static_cast<uint32_t>(kernel_.instructions.size()), labels[i]});
    Instruction& branch = kernel_.instructions.emplace_back();
    branch.opcode = Opcode::kBra;
    branch.operands.emplace_back().kind = Operand::Kind::kLabel;
    if (!last) branch.guard = predicate;
    branch.location = whole.location;
    branch.text = whole.text;
  }
  if (skip) {
    kernel_.instructions[*skip].operands[0].target =
        static_cast<uint32_t>(kernel_.instructions.size());
  }
}

void BodyParser::EndWithReturn(Location at) {
  const std::vector<Instruction>& code = kernel_.instructions;
  // Debuggers' labels stand there too, so only a branch to the end counts.
  const auto to_end = [&code](const Instruction& instruction) {
    return instruction.opcode == Opcode::kBra && instruction.operands[0].target == code.size();
  };
  const auto ends = [](const Instruction& last) {
    return !last.guard && (last.opcode == Opcode::kRet || last.opcode == Opcode::kExit ||
                           last.opcode == Opcode::kBra || last.opcode == Opcode::kTrap);
  };
  const bool falls_off =
      code.empty() || !ends(code.back()) || std::any_of(code.begin(), code.end(), to_end);
  if (!falls_off) return;
  Instruction ret;
  ret.opcode = Opcode::kRet;
  ret.location = at;
  ret.text = "ret";
  kernel_.instructions.push_back(std::move(ret));
}

}  // namespace flagstone::ptx
