// A text file of lines of words, as graph and matrix files are.
#ifndef FLAGSTONE_KERNELS_INPUTS_LINE_READER_H_
#define FLAGSTONE_KERNELS_INPUTS_LINE_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace flagstone {

// Words are separated by blanks and tabs; a line ends at \n or \r\n. Every function that reads a
// word throws kBadInput ("file:line: ...") when there is none or it does not fit.
class LineReader {
 public:
  LineReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  // Goes to the next line; false after the last.
  bool Next();
  // The next line that is neither blank nor starts with one of the characters.
  bool NextUncommented(std::string_view comment_characters);

  std::string Word();  // empty at the end of the line
  uint64_t Integer(std::string_view what, uint64_t min, uint64_t max);
  double Number(std::string_view what);  // finite
  bool AtEndOfLine();
  void EndOfLine();  // throws when there is another word

  template <class... Args>
  [[noreturn]] void Fail(fmt::format_string<Args...> format, Args&&... args) const {
    ThrowBadInput("{}:{}: {}", file_, number_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string_view Token();  // the next word, or empty

  std::string_view text_;  // what follows the line
  std::string_view line_;  // what is left of the line
  std::string file_;
  uint64_t number_ = 0;  // of the line, from 1
};

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_LINE_READER_H_
