// Instructions that are kept by their text: why the kernel cannot run, and what they may write.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kernels/ptx/instruction_parser.h"
#include "kernels/ptx/instruction_text.h"

namespace flagstone::ptx {
namespace {

bool IsOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%';
}

// Takes what matches off the front.
template <class Matches>
std::string_view TakeWhile(std::string_view* text, Matches matches) {
  const auto end = std::find_if_not(text->begin(), text->end(), matches);
  const std::string_view taken = text->substr(0, static_cast<size_t>(end - text->begin()));
  text->remove_prefix(taken.size());
  return taken;
}

// Where the way goes hangs on these: without them code is missing, not only results.
bool IsBranch(std::string_view opcode) {
  constexpr std::array<std::string_view, 6> kBranches = {"bra",  "brx",  "call",
                                                         "exit", "trap", "ret"};
  return std::find(kBranches.begin(), kBranches.end(), opcode) != kBranches.end();
}

// What these begin with is read.
bool HasNoResult(std::string_view words) {
  const bool barrier = words.starts_with("bar.") || words.starts_with("barrier.");
  if (barrier) return words.find(".red") == std::string_view::npos;
  constexpr std::array<std::string_view, 4> kReading = {"nanosleep", "setmaxnreg", "stackrestore",
                                                        "tcgen05.dealloc"};
  return std::any_of(kReading.begin(), kReading.end(),
                     [&](std::string_view name) { return words.starts_with(name); });
}

}  // namespace

// The first operand is the result, unless it is an address: "{%f1, %f2}", "%p|%q", "%r1".
void InstructionParser::Refuse(Instruction* instruction, std::string reason) {
  instruction->opcode = Opcode::kUnsupported;
  instruction->operands.clear();
  auto [words, rest] = PartsOf(instruction->text);
  const std::string_view opcode = words.substr(0, words.find('.'));
  Operand results;
  results.kind = Operand::Kind::kVector;
  const bool in_braces = rest.starts_with('{') || rest.starts_with('(');
  const std::string_view first = TakeWhile(
      &rest, [&](char c) { return in_braces ? c != '}' && c != ')' : c != ',' && c != ';'; });
  for (std::string_view names = first;
       !names.empty() && !first.starts_with('[') && !HasNoResult(words);) {
    TakeWhile(&names, [](char c) { return !IsOfName(c); });
    const auto symbol = context_.symbols.Find(TakeWhile(&names, IsOfName));
    if (!symbol || symbol->kind != Symbol::Kind::kRegister) continue;
    for (RegisterId i = 0; i < symbol->vector; ++i) {
      Operand& result = results.elements.emplace_back();
      result.reg = symbol->reg + i;
    }
  }
  instruction->destinations = results.elements.empty() ? 0 : 1;
  if (instruction->destinations != 0) instruction->operands.push_back(std::move(results));
  kernel_.refusals.push_back(
      {instruction->location, instruction->text, std::move(reason), !IsBranch(opcode)});
}

}  // namespace flagstone::ptx
