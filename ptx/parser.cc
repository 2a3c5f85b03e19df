// The parser's two entry points and the look-up of kernels.
#include "ptx/parser.h"

#include "base/error.h"
#include "base/file.h"
#include "ptx/lexer.h"
#include "ptx/module_parser.h"

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
  if (entries.empty())
    ThrowBadInput("{}: expected an entry {}, found none at all", file, Quote(name));
  ThrowBadInput("{}: no entry {}; there are: {}", file, Quote(name), entries);
}

}  // namespace flagstone::ptx
