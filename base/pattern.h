// An extended regular expression (POSIX), by the C library: std::regex costs seconds to compile.
#ifndef FLAGSTONE_BASE_PATTERN_H_
#define FLAGSTONE_BASE_PATTERN_H_

#include <memory>
#include <optional>
#include <string>

namespace flagstone {

class Pattern {
 public:
  // Nothing where `text` is not such an expression.
  static std::optional<Pattern> Of(const std::string& text);

  bool IsIn(const std::string& line) const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled);

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_PATTERN_H_
