// Modules (PTX ISA, chapter 11).
#include "kernels/ptx/module_parser.h"

#include <fmt/core.h>

#include <charconv>
#include <set>
#include <utility>

#include "kernels/ptx/call_variables.h"
#include "kernels/ptx/entry_parser.h"
#include "kernels/ptx/frames.h"
#include "kernels/ptx/inliner.h"
#include "kernels/ptx/layout.h"
#include "kernels/ptx/recursion.h"
#include "kernels/ptx/skip.h"
#include "kernels/ptx/variable_parser.h"

namespace flagstone::ptx {

void ModuleParser::Parse() {
  ParseVersion();
  ParseTarget();
  ParseAddressSize();
  while (lexer_.Peek().kind != Token::Kind::kEnd) ParseStatement();
  FinishKernels();
}

void ModuleParser::ParseVersion() {
  lexer_.Expect(".version", "at the start of a PTX module");
  const Token token = lexer_.ExpectKind(Token::Kind::kFloat, "a PTX version such as 7.5");
  const std::string_view text = token.text;
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, module_.version_major);
  const bool good = error == std::errc() && dot != end && *dot == '.';
  const auto minor = std::from_chars(good ? dot + 1 : end, end, module_.version_minor);
  if (!good || minor.ec != std::errc() || minor.ptr != end) {
    lexer_.Fail(token.location, "expected a PTX version such as 7.5, found {}", Describe(token));
  }
}

void ModuleParser::ParseTarget() {
  lexer_.Expect(".target", "after the version");
  module_.target = lexer_.ExpectKind(Token::Kind::kIdentifier, "a target such as sm_35").text;
  while (lexer_.TakeIf(",")) {
    const Token option =
        lexer_.ExpectKind(Token::Kind::kIdentifier, "a target option such as debug");
    module_.independent_textures |= option.Is("texmode_independent");
  }
}

void ModuleParser::ParseAddressSize() {
  // PTX before 2.3 has no such directive and addresses of 32 bits.
  module_.address_size = 32;
  if (!lexer_.TakeIf(".address_size")) return;
  const Location at = lexer_.Peek().location;
  const uint64_t bits = lexer_.ExpectInteger("32 or 64");
  if (bits != 32 && bits != 64) lexer_.Fail(at, "expected 32 or 64, found {}", bits);
  module_.address_size = static_cast<int>(bits);
}

void ModuleParser::ParseStatement() {
  if (lexer_.TakeIf(";")) return;
  bool is_extern = false;
  bool linkage = false;
  while (true) {
    const bool extern_next = lexer_.Peek().Is(".extern");
    if (!extern_next && !lexer_.Peek().Is(".visible") && !lexer_.Peek().Is(".weak") &&
        !lexer_.Peek().Is(".common") && !lexer_.Peek().Is(".hidden")) {
      break;
    }
    lexer_.Take();
    linkage = true;
    is_extern |= extern_next;
  }
  if (lexer_.Peek().kind != Token::Kind::kDirective) {
    lexer_.FailExpected("a directive such as '.entry' or '.global'");
  }
  const Token word = lexer_.Take();
  if (word.Is(".entry")) return ParseKernel();
  if (word.Is(".func")) return ParseFunction(&context_);
  if (word.Is(".alias")) return ParseAlias(&context_);
  const auto space = ParseSpace(word.text.substr(1));
  if (space && *space != Space::kReg && *space != Space::kParam) {
    return ParseVariables(*space, is_extern);
  }
  if (!linkage && SkipRemark(&lexer_, word)) return;
  if (!linkage && word.Is(".section")) {
    lexer_.ExpectKind(Token::Kind::kDirective, "a section's name");
    return SkipBraces(&lexer_, "a section");
  }
  lexer_.Fail(word.location,
              "expected '.entry', '.global', '.const', '.shared' or '.section', "
              "found {}",
              Describe(word));
}

void ModuleParser::ParseVariables(Space space, bool is_extern) {
  const bool in_block = space == Space::kShared || space == Space::kLocal;
  auto& list = in_block ? context_.block_variables : module_.globals;
  for (auto& variable : VariableParser(&context_).ParseDeclaration(space, is_extern)) {
    list.push_back(std::move(variable));
  }
}

void ModuleParser::ParseKernel() {
  Kernel* const kernel = module_.kernels.emplace_back(std::make_unique<Kernel>()).get();
  if (ParseEntry(&context_, context_.entries.emplace_back(std::make_unique<Body>(kernel)).get())) {
    return;
  }
  context_.entries.pop_back();
  module_.kernels.pop_back();
}

namespace {

// Notes what the kernel asks of its launch. Nothing is linked, so what another file defines has no
// place.
void LookThrough(const Module& module, Kernel* kernel) {
  std::set<const Variable*> seen;
  for (const Instruction& instruction : kernel->instructions) {
    kernel->allocates |=
        instruction.opcode == Opcode::kAllocate || instruction.opcode == Opcode::kFree;
    for (const Operand& operand : instruction.operands) {
      kernel->reads_reserved_shared |= operand.kind == Operand::Kind::kSpecial &&
                                       operand.special >= SpecialRegister::kReservedSmemBegin &&
                                       operand.special <= SpecialRegister::kAggrSmemSize;
      // OpenCL's compilers read all of %envreg for offsets.
      kernel->syncs_grid |= !module.independent_textures &&
                            operand.kind == Operand::Kind::kSpecial &&
                            (operand.special == SpecialRegister::kEnvreg1 ||
                             operand.special == SpecialRegister::kEnvreg2);
      const Variable* const variable = operand.variable;
      const bool foreign = variable != nullptr && variable->is_extern &&
                           (variable->space == Space::kGlobal || variable->space == Space::kConst);
      if (!foreign || !seen.insert(variable).second) continue;
      kernel->refusals.push_back({instruction.location, instruction.text,
                                  fmt::format("variable {} is extern, expected a definition in "
                                              "the same file",
                                              Quote(variable->name))});
    }
  }
}

}  // namespace

// Calls are inlined when all functions are known: a prototype may stand before its definition.
void ModuleParser::FinishKernels() {
  size_t budget = kMaxInlinedInModule;
  std::vector<PointerTarget> targets;
  for (uint32_t i = 0; i < context_.functions.size(); ++i) {
    const Function& function = context_.functions[i];
    if (!function.address_taken || function.definition == nullptr) continue;
    targets.push_back({CodeAddress(i), function.definition});
  }
  const auto recursive = FindRecursive(context_.functions, targets);
  for (Function& function : context_.functions) {
    if (!recursive.contains(&function)) continue;
    for (const auto& variable : function.code.locals) variable->in_frame = true;
  }
  for (const auto& body : context_.entries) {
    Inliner(body.get(), targets, recursive, module_.address_size, &budget).Run();
    LowerCallVariables(body.get());
    MakeFrames(body->code, module_.address_size);
    CopyBlockVariables(body->code);
    LookThrough(module_, body->code);
    LayOutShared(body->code, lexer_);
    LayOutLocals(body->code, lexer_);
  }
}

}  // namespace flagstone::ptx
