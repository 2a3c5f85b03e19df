#include "base/pattern.h"

#include <regex.h>

#include <utility>

namespace flagstone {

struct Pattern::Compiled {
  explicit Compiled(const std::string& text)
      : good(regcomp(&expression, text.c_str(), REG_EXTENDED | REG_NOSUB) == 0) {}
  ~Compiled() {
    if (good) regfree(&expression);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  regex_t expression;
  const bool good;
};

std::optional<Pattern> Pattern::Of(const std::string& text) {
  auto compiled = std::make_shared<const Compiled>(text);
  if (!compiled->good) return std::nullopt;
  return Pattern(std::move(compiled));
}

Pattern::Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

bool Pattern::IsIn(const std::string& line) const {
  return regexec(&compiled_->expression, line.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace flagstone
