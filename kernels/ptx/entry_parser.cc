// Entries and functions (PTX ISA, sections 11.1 to 11.4 and 7.1).
#include "kernels/ptx/entry_parser.h"

#include "kernels/ptx/body_parser.h"
#include "kernels/ptx/layout.h"
#include "kernels/ptx/skip.h"
#include "kernels/ptx/variable_parser.h"

namespace flagstone::ptx {
namespace {

// The parameters or results of a function, after "(".
std::vector<Formal> ParseFormals(ParseContext* context, BodyParser* parser, Body* body) {
  Lexer& lexer = context->lexer;
  std::vector<Formal> formals;
  if (lexer.TakeIf(")")) return formals;
  do {
    if (lexer.TakeIf(".reg")) {
      // A vector passes its elements one by one.
      auto reg = static_cast<RegisterId>(body->code->registers.size());
      parser->ParseRegister();
      for (; reg < body->code->registers.size(); ++reg) {
        formals.push_back({.reg = reg, .type = body->code->registers[reg].type});
      }
      continue;
    }
    lexer.TakeIf(".hidden");
    lexer.Expect(".param", "or '.reg' to begin a parameter");
    body->call_variables.push_back(VariableParser(context).ParseParameter());
    const Variable* const variable = body->call_variables.back().get();
    formals.push_back({.variable = variable});
  } while (lexer.TakeIf(","));
  lexer.Expect(")", "after the parameters");
  return formals;
}

// ".attribute(.unified(1, 2))" and its like.
void SkipAttributes(Lexer* lexer) {
  while (lexer->TakeIf(".attribute")) {
    lexer->Expect("(", "after '.attribute'");
    for (int depth = 1; depth != 0;) {
      const Token token = lexer->Take();
      if (token.Is("(")) ++depth;
      if (token.Is(")")) --depth;
      if (token.kind == Token::Kind::kEnd || token.Is("{") || token.Is(";")) {
        lexer->Fail(token.location, "expected ')' after the attribute, found {}", Describe(token));
      }
    }
  }
}

}  // namespace

void ParsePerformanceDirectives(Lexer* lexer, Kernel* kernel) {
  const auto number = [lexer] {
    const Location at = lexer->Peek().location;
    const uint64_t value = lexer->ExpectInteger("a number");
    if (value > UINT32_MAX) lexer->Fail(at, "expected a number of 32 bits, found {}", value);
    return static_cast<uint32_t>(value);
  };
  const auto dimensions = [&] {
    std::array<uint32_t, 3> lengths = {1, 1, 1};
    size_t dimension = 0;
    do {
      if (dimension == 3) lexer->FailExpected("at most 3 dimensions");
      lengths[dimension++] = number();
    } while (lexer->TakeIf(","));
    return lengths;
  };
  while (lexer->Peek().kind == Token::Kind::kDirective) {
    const Token word = lexer->Take();
    if (word.Is(".maxntid")) {
      kernel->max_threads = dimensions();
    } else if (word.Is(".reqntid")) {
      kernel->required_threads = dimensions();
    } else if (word.Is(".minnctapersm")) {
      kernel->min_tbs_per_sm = number();
    } else if (word.Is(".maxnreg")) {
      kernel->max_registers = number();
    } else if (word.Is(".maxnctapersm") || word.Is(".maxclusterrank") || word.Is(".abi_preserve") ||
               word.Is(".abi_preserve_control")) {
      number();  // promises that nothing here relies on
    } else if (word.Is(".reqnctapercluster")) {
      kernel->required_cluster = dimensions();
    } else if (!word.Is(".noreturn") && !word.Is(".explicitcluster") &&
               !word.Is(".blocksareclusters") && !SkipRemark(lexer, word)) {
      lexer->Fail(word.location, "expected '{{' or a directive such as '.maxntid', found {}",
                  Describe(word));
    }
  }
}

bool ParseEntry(ParseContext* context, Body* body) {
  Lexer& lexer = context->lexer;
  Kernel& kernel = *body->code;
  SkipAttributes(&lexer);
  const Token name = lexer.ExpectKind(Token::Kind::kIdentifier, "the kernel's name");
  kernel.name = name.text;
  kernel.location = name.location;
  const Symbol symbol{.kind = Symbol::Kind::kEntry, .location = name.location};
  const auto earlier = context->symbols.Define(name.text, symbol);
  if (earlier && earlier->kind != Symbol::Kind::kEntry) {
    context->FailDuplicate(name.text, *earlier, name.location);
  }
  BodyParser parser(context, body);
  parser.OpenScope();
  if (lexer.TakeIf("(") && !lexer.TakeIf(")")) {
    do {
      lexer.TakeIf(".hidden");  // of a parameter that the compiler has added
      lexer.Expect(".param", "to begin a parameter");
      Variable& parameter =
          *kernel.parameters.emplace_back(VariableParser(context).ParseParameter());
      if (IsOpaque(parameter.type)) {  // a handle
        parameter.type = Type::kU64;
        parameter.alignment = 8;
      }
    } while (lexer.TakeIf(","));
    lexer.Expect(")", "after the parameters");
  }
  LayOutParameters(&kernel, lexer);
  ParsePerformanceDirectives(&lexer, &kernel);
  if (lexer.TakeIf(";")) {
    if (!earlier) context->entry_prototypes.insert(name.text);
    parser.CloseScope();
    return false;
  }
  if (earlier && context->entry_prototypes.erase(name.text) == 0) {
    context->FailDuplicate(name.text, *earlier, name.location);
  }
  parser.Parse();
  return true;
}

void ParseFunction(ParseContext* context) {
  Lexer& lexer = context->lexer;
  SkipAttributes(&lexer);
  context->functions.emplace_back();
  Function& function = context->functions.back();
  const auto index = static_cast<uint32_t>(context->functions.size() - 1);
  Body& body = function.body;
  BodyParser parser(context, &body);
  parser.OpenScope();
  if (lexer.TakeIf("(")) function.results = ParseFormals(context, &parser, &body);
  const Token name = lexer.ExpectKind(Token::Kind::kIdentifier, "the function's name");
  function.name = name.text;
  function.code.name = name.text;
  function.location = name.location;
  const Symbol symbol{.kind = Symbol::Kind::kFunction, .target = index, .location = name.location};
  const auto earlier = context->symbols.DefineOutermost(name.text, symbol);
  if (earlier && earlier->kind != Symbol::Kind::kFunction) {
    context->FailDuplicate(name.text, *earlier, name.location);
  }
  // Prototypes may stand before and after the definition; the first one holds what calls ask for.
  Function& first = earlier ? context->functions[earlier->target] : function;
  if (lexer.TakeIf("(")) function.parameters = ParseFormals(context, &parser, &body);
  ParsePerformanceDirectives(&lexer, &function.code);
  if (lexer.TakeIf(";")) return parser.CloseScope();
  if (first.definition != nullptr) {
    lexer.Fail(name.location, "duplicate definition of {}: the first is in line {}",
               Quote(name.text), first.definition->location.line);
  }
  first.definition = &function;
  parser.Parse();
}

void ParseAlias(ParseContext* context) {
  Lexer& lexer = context->lexer;
  const auto function = [&] {
    const Token name = lexer.ExpectKind(Token::Kind::kIdentifier, "a function's name");
    const auto symbol = context->symbols.Find(name.text);
    if (!symbol || symbol->kind != Symbol::Kind::kFunction) {
      lexer.Fail(name.location, "unknown function {}", Quote(name.text));
    }
    return &context->functions[symbol->target];
  };
  const Location at = lexer.Peek().location;
  Function* const alias = function();
  lexer.Expect(",", "after the alias");
  const Function* const target = function();
  if (alias->definition != nullptr || target->definition == nullptr) {
    lexer.Fail(at, "expected a function without a body and, after it, one with a body");
  }
  alias->definition = target->definition;
  lexer.Expect(";", "after the alias");
}

}  // namespace flagstone::ptx
