// `call` and what goes with it (PTX ISA, sections 7.1 and 9.7.12).
#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/ptx/instruction_parser.h"

namespace flagstone::ptx {

// After "call" and its dotted words: "(retval0), f, (param0, param1);"
void InstructionParser::ParseCall(const Token& begin, Parsed* parsed) {
  CallSite& call = parsed->call.emplace();
  Instruction& instruction = parsed->instruction;
  if (lexer_.Peek().Is("(")) {
    ParseCallList(true, &call);
    lexer_.Expect(",", "after the results of a call");
  }
  const Token callee = lexer_.ExpectKind(Token::Kind::kIdentifier, "a function's name");
  if (lexer_.TakeIf(",")) {
    if (lexer_.Peek().Is("(")) {
      ParseCallList(false, &call);
      if (lexer_.TakeIf(",")) ParseTargetsOfCall();
    } else {
      ParseTargetsOfCall();
    }
  }
  if (!lexer_.Peek().Is(";")) lexer_.FailExpected("',' or ';' in a call");
  instruction.text = lexer_.FoldedText(begin);
  lexer_.Take();

  const auto symbol = context_.symbols.Find(callee.text);
  if (symbol && symbol->kind == Symbol::Kind::kFunction) {
    call.callee = &context_.functions[symbol->target];
  } else if (symbol && symbol->kind == Symbol::Kind::kRegister) {
    call.pointer = symbol->reg;
    const Type type = kernel_.registers[call.pointer].type;
    if (IsFloat(type) || SizeInBytes(type) < 4) {
      lexer_.Fail(callee.location, "expected an address of a function in a register, found {}",
                  Quote(callee.text));
    }
  } else {
    lexer_.Fail(callee.location, "unknown function {}", Quote(callee.text));
  }
}

// "(a, b)"
void InstructionParser::ParseCallList(bool results, CallSite* call) {
  lexer_.Expect("(", "to begin a list");
  if (lexer_.TakeIf(")")) return;
  std::vector<Operand>& list = results ? call->results : call->arguments;
  do {
    const Location at = lexer_.Peek().location;
    operands_.clear();
    operand_parser_.Parse(&operands_);
    ParsedOperand& parsed = operands_.front();
    Operand& operand = parsed.operand;
    const bool variable = operand.kind == Operand::Kind::kAddress && operand.offset == 0 &&
                          operand.variable->space == Space::kParam;
    if (operand.kind == Operand::Kind::kVector && !parsed.pair) {
      std::move(operand.elements.begin(), operand.elements.end(), std::back_inserter(list));
      continue;
    }
    const bool constant = operand.kind == Operand::Kind::kImmediate && parsed.refusal.empty();
    const bool good = variable || operand.kind == Operand::Kind::kRegister ||
                      (results ? operand.kind == Operand::Kind::kSink : constant);
    if (!good || operand.negated || parsed.pair) {
      lexer_.Fail(at, "expected a register{} or a '.param' variable as {} of a call",
                  results ? "" : ", a number", results ? "a result" : "an argument");
    }
    list.push_back(std::move(operand));
  } while (lexer_.TakeIf(","));
  lexer_.Expect(")", "after the list");
}

// The prototype or the list of targets of a call through a register.
void InstructionParser::ParseTargetsOfCall() {
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "the name of a '.callprototype'");
  const auto symbol = context_.symbols.Find(name.text);
  if (!symbol ||
      (symbol->kind != Symbol::Kind::kPrototype && symbol->kind != Symbol::Kind::kVariable)) {
    lexer_.Fail(name.location,
                "expected the name of a '.callprototype' or '.calltargets', found {}",
                Describe(name));
  }
}

// "brx.idx %r1, $L_4;"
void InstructionParser::ParseIndexedBranch(Parsed* parsed) {
  operand_parser_.Parse(&operands_);
  const Location at = operands_.front().location;
  const Operand& index = operands_.front().operand;
  const bool good = operands_.size() == 1 && index.kind == Operand::Kind::kRegister &&
                    !index.negated && SizeInBytes(kernel_.registers[index.reg].type) == 4 &&
                    !IsFloat(kernel_.registers[index.reg].type);
  if (!good) lexer_.Fail(at, "expected a register for u32 as the index of 'brx.idx'");
  lexer_.Expect(",", "after the index");
  parsed->label = lexer_.ExpectKind(Token::Kind::kIdentifier, "the name of a '.branchtargets'");
}

void InstructionParser::SkipCallPrototype(const Token& name) {
  context_.Define(name.text, {.kind = Symbol::Kind::kPrototype}, name.location);
  const auto list = [this] {
    if (!lexer_.TakeIf("(")) return;
    while (!lexer_.TakeIf(")")) {
      const Token token = lexer_.Take();
      if (token.kind == Token::Kind::kEnd || token.Is(";") || token.Is("{")) {
        lexer_.Fail(token.location, "expected ')' after the parameters of a prototype, found {}",
                    Describe(token));
      }
    }
  };
  list();
  lexer_.ExpectKind(Token::Kind::kIdentifier, "'_' as the name of a prototype");
  list();
  while (lexer_.Peek().kind == Token::Kind::kDirective) {  // .noreturn, .abi_preserve 4
    lexer_.Take();
    if (lexer_.Peek().kind == Token::Kind::kInteger) lexer_.Take();
  }
  lexer_.Expect(";", "after a prototype");
}

void InstructionParser::SkipCallTargets(const Token& name) {
  context_.Define(name.text, {.kind = Symbol::Kind::kPrototype}, name.location);
  do {
    const Token target = lexer_.ExpectKind(Token::Kind::kIdentifier, "a function's name");
    const auto symbol = context_.symbols.Find(target.text);
    if (symbol && symbol->kind == Symbol::Kind::kFunction) {
      context_.functions[symbol->target].address_taken = true;
    }
  } while (lexer_.TakeIf(","));
  lexer_.Expect(";", "after the functions");
}

}  // namespace flagstone::ptx
