#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace flagstone {
namespace {

// Where the bracket that ends at `close` begins.
size_t OpeningOf(const std::string& text, size_t close, char open_bracket, char close_bracket) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (text[i] == close_bracket) ++depth;
    if (text[i] == open_bracket && --depth == 0) return i;
  }
  return std::string::npos;
}

}  // namespace

std::string KernelName(const std::string& entry) {
  if (!entry.starts_with("_Z")) return entry;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) return entry;
  std::string name = text.get();
  const size_t close = name.rfind(')');
  const size_t open = close == std::string::npos ? close : OpeningOf(name, close, '(', ')');
  if (open == std::string::npos || open == 0) return name;
  name.erase(open);
  // A template's return type, up to the last space that stands in no brackets.
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

}  // namespace flagstone
