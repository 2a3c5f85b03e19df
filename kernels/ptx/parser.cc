// The parser's two entry points and the look-up of kernels.
#include "kernels/ptx/parser.h"

#include "base/error.h"
#include "base/file.h"
#include "kernels/ptx/lexer.h"
#include "kernels/ptx/module_parser.h"

namespace flagstone::ptx {

std::unique_ptr<Module> Parse(std::string_view text, const std::string& file) {
  auto module = std::make_unique<Module>();
  module->file = file;
  ModuleParser(text, file, module.get()).Parse();
  return module;
}

std::unique_ptr<Module> ParseFile(const std::string& path) { return Parse(ReadFile(path), path); }

const Kernel& Module::FindKernel(std::string_view name) const {
  std::string entries;
  for (const auto& kernel : kernels) {
    if (kernel->name == name) return *kernel;
    entries += entries.empty() ? "" : ", ";
    entries += kernel->name;
  }
  if (entries.empty()) {
    ThrowBadInput("{}: expected an entry {}, found none at all", file, Quote(name));
  }
  ThrowBadInput("{}: no entry {}; there are: {}", file, Quote(name), entries);
}

void Module::CheckRunnable(const Kernel& kernel) const {
  std::vector<const Refusal*> refusals;
  for (const Refusal& refusal : kernel.refusals) refusals.push_back(&refusal);
  Fail(kernel, refusals);
}

void Module::CheckAnalyzable(const Kernel& kernel) const {
  std::vector<const Refusal*> refusals;
  for (const Refusal& refusal : kernel.refusals) {
    if (!refusal.results_only) refusals.push_back(&refusal);
  }
  Fail(kernel, refusals);
}

void Module::Fail(const Kernel& kernel, std::span<const Refusal* const> refusals) const {
  if (refusals.empty()) return;
  const Refusal& first = *refusals.front();
  std::string others;
  constexpr size_t kShown = 8;
  for (size_t i = 1; i < refusals.size() && i <= kShown; ++i) {
    others += fmt::format("{} {} in line {}", i == 1 ? "; also" : ",", Quote(refusals[i]->text),
                          refusals[i]->location.line);
  }
  if (refusals.size() > kShown + 1) {
    others += fmt::format(" and {} more", refusals.size() - kShown - 1);
  }
  ThrowBadInput("{}:{}:{}: entry {} cannot run: {}: {}{}", file, first.location.line,
                first.location.column, Quote(kernel.name), first.reason, Quote(first.text), others);
}

}  // namespace flagstone::ptx
