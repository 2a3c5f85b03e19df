// The one exception type of the project: a sentence for the user and the command's exit code.
#ifndef FLAGSTONE_BASE_ERROR_H_
#define FLAGSTONE_BASE_ERROR_H_

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace flagstone {

// What went wrong, as the command's exit code says it.
enum class ErrorKind {
  kRunFailed = 1,  // a check, a comparison or a simulated run failed
  kBadInput = 2,   // bad usage, or a file or value that the user gave
  kInternal = 3,   // a fault of ours or of the system: disk full, tool missing
};

// `what()` is one line, without a trailing full stop or newline; for bad input it starts with
// "file:line:column: " or names the key, and says what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

template <class... Args>
[[noreturn]] void ThrowBadInput(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::kBadInput, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void ThrowRunFailed(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::kRunFailed, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void ThrowInternal(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::kInternal, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_ERROR_H_
