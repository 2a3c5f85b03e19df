// Kernels (PTX ISA, sections 11.1 to 11.4).
#include "ptx/kernel_parser.h"

#include <algorithm>
#include <utility>

#include "ptx/layout.h"

namespace flagstone::ptx {

KernelParser::KernelParser(ParseContext* context, Kernel* kernel)
    : context_(*context),
      lexer_(context->lexer),
      kernel_(*kernel),
      variables_(context),
      instructions_(context, kernel) {}

void KernelParser::Parse() {
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "the kernel's name");
  kernel_.name = name.text;
  kernel_.location = name.location;
  context_.Define(name.text, {.kind = Symbol::Kind::kEntry}, name.location);
  OpenScope();
  if (lexer_.TakeIf("(")) ParseParameters();
  LayOutParameters(&kernel_, lexer_);
  ParsePerformanceDirectives();
  ParseBody();
  LayOutShared(&kernel_, lexer_);
  LayOutLocals(&kernel_, lexer_);
}

void KernelParser::ParseParameters() {
  if (lexer_.TakeIf(")")) return;
  do {
    lexer_.Expect(".param", "to begin a parameter");
    kernel_.parameters.push_back(variables_.ParseParameter());
  } while (lexer_.TakeIf(","));
  lexer_.Expect(")", "after the parameters");
}

void KernelParser::ParsePerformanceDirectives() {
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    const Token word = lexer_.Take();
    const bool required = word.Is(".reqntid");
    const auto number = [&] {
      const Location at = lexer_.Peek().location;
      const uint64_t value = lexer_.ExpectInteger("a number");
      if (value > UINT32_MAX) lexer_.Fail(at, "expected a number of 32 bits, found {}", value);
      return static_cast<uint32_t>(value);
    };
    if (word.Is(".maxntid") || required) {
      auto& threads = required ? kernel_.required_threads : kernel_.max_threads;
      threads = {1, 1, 1};
      size_t dimension = 0;
      do {
        if (dimension == 3) lexer_.FailExpected("at most 3 dimensions");
        threads[dimension++] = number();
      } while (lexer_.TakeIf(","));
    } else if (word.Is(".minnctapersm")) {
      kernel_.min_tbs_per_sm = number();
    } else if (word.Is(".maxnreg")) {
      kernel_.max_registers = number();
    } else if (word.Is(".maxnctapersm")) {
      number();  // deprecated, and a promise that nothing here relies on
    } else if (!SkipRemark(&lexer_, word)) {
      lexer_.Fail(word.location, "expected '{{' or a directive such as '.maxntid', found {}",
                  Describe(word));
    }
  }
}

void KernelParser::ParseBody() {
  lexer_.Expect("{", "before the kernel's body");
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

void KernelParser::ParseStatement() {
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
    lexer_.FailExpected(fmt::format("an instruction, a label, a directive or '}}' in the kernel {}",
                                    Quote(kernel_.name)));
  }
  const Token begin = lexer_.Take();
  if (begin.kind == Token::Kind::kIdentifier && lexer_.TakeIf(":")) return DefineLabel(begin);
  AddInstruction(begin);
}

void KernelParser::ParseDirective() {
  const Token word = lexer_.Take();
  if (word.Is(".reg")) return ParseRegisters();
  if (SkipRemark(&lexer_, word)) return;
  const auto space = ParseSpace(word.text.substr(1));
  if (space == Space::kParam) {
    lexer_.Fail(word.location,
                "function calls, and '.param' variables for them, are not supported "
                "yet");
  }
  if (space == Space::kShared || space == Space::kLocal || space == Space::kGlobal ||
      space == Space::kConst) {
    auto& list = *space == Space::kShared  ? kernel_.shared
                 : *space == Space::kLocal ? kernel_.locals
                                           : context_.module.globals;
    for (auto& variable : variables_.ParseDeclaration(*space, false)) {
      list.push_back(std::move(variable));
    }
    return;
  }
  lexer_.Fail(word.location, "expected '.reg', '.shared', '.local' or an instruction, found {}",
              Describe(word));
}

void KernelParser::ParseRegisters() {
  const Token word = lexer_.ExpectKind(Token::Kind::kDirective, "a register type such as '.b32'");
  const auto type = ParseType(word.text.substr(1));
  if (!type || *type == Type::kTexref) {
    lexer_.Fail(word.location, "expected a register type such as '.b32', found {}", Describe(word));
  }
  do {
    const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a register's name");
    const auto first = static_cast<RegisterId>(kernel_.registers.size());
    Symbol symbol{.kind = Symbol::Kind::kRegister, .reg = first, .location = name.location};
    uint64_t count = 1;
    const bool range = lexer_.TakeIf("<");
    if (range) {
      count = lexer_.ExpectInteger("the number of registers");
      lexer_.Expect(">", "after the number of registers");
    }
    if (count > kMaxRegisters - context_.registers) {
      lexer_.Fail(name.location,
                  "expected at most {} registers in a module, found {} more after {}",
                  kMaxRegisters, count, context_.registers);
    }
    context_.registers += count;
    const auto earlier =
        range ? context_.symbols.DefineRange(name.text, static_cast<uint32_t>(count), symbol)
              : context_.symbols.Define(name.text, symbol);
    if (earlier) context_.FailDuplicate(name.text, *earlier, name.location);
    for (uint64_t i = 0; i < count; ++i) {
      std::string full(name.text);
      if (range) full += std::to_string(i);
      kernel_.registers.push_back({std::move(full), *type});
    }
  } while (lexer_.TakeIf(","));
  lexer_.Expect(";", "after the registers");
}

void KernelParser::OpenScope() {
  context_.symbols.Push();
  open_uses_.emplace_back();
}

void KernelParser::CloseScope() {
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

void KernelParser::DefineLabel(const Token& name) {
  const auto target = static_cast<uint32_t>(kernel_.instructions.size());
  context_.Define(name.text, {.kind = Symbol::Kind::kLabel, .target = target}, name.location);
}

void KernelParser::AddInstruction(const Token& begin) {
  InstructionParser::Parsed parsed = instructions_.Parse(begin);
  if (parsed.instruction.opcode == Opcode::kBra) {
    const auto index = static_cast<uint32_t>(kernel_.instructions.size());
    open_uses_.back().push_back({index, parsed.label});
  }
  kernel_.instructions.push_back(std::move(parsed.instruction));
}

void KernelParser::EndWithReturn(Location at) {
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
