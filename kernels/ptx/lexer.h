// PTX text -> tokens, one ahead, each with its line and column; and the errors that name them.
#ifndef FLAGSTONE_KERNELS_PTX_LEXER_H_
#define FLAGSTONE_KERNELS_PTX_LEXER_H_

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

struct Token {
  enum class Kind : uint8_t {
    kEnd,         // end of the text
    kIdentifier,  // add, %r1, $L__BB0_1, %tid
    kDirective,   // .reg, .u32, .L2::128B; with its dot
    kInteger,     // 12, 0x1F, 017, 0b11, 7U
    kFloat,       // 1.5, 1e-3, 0f3F800000, 0d3FF0000000000000
    kString,      // "a.cu", with its quotes
    kPunctuation,
    kInvalid,  // a byte that begins nothing, or a malformed number
  };
  Kind kind = Kind::kEnd;
  std::string_view text;  // of the source
  Location location;

  bool Is(std::string_view wanted) const { return kind != Kind::kEnd && text == wanted; }
};

// How a token or a piece of source is shown in a message: one line, quoted, bytes that do not print
// as \xNN, cut after 80 bytes.
std::string Quote(std::string_view text);
std::string Describe(const Token& token);  // "'add'", "the end of the file"

// What Lexer::Fail throws: `reason` and its place are the message's parts, for those who can go on.
class SyntaxError : public Error {
 public:
  SyntaxError(const std::string& message, Location at, std::string why)
      : Error(ErrorKind::kBadInput, message), location(at), reason(std::move(why)) {}
  Location location;
  std::string reason;
};

class Lexer {
 public:
  // Both must outlive the lexer and its tokens. Columns count bytes, from 1.
  Lexer(std::string_view text, const std::string& file);

  const Token& Peek() const { return next_; }
  Token Take();
  bool TakeIf(std::string_view wanted);
  // Takes the wanted token or throws "expected '<wanted>' <why>, found ...".
  Token Expect(std::string_view wanted, std::string_view why);
  Token ExpectKind(Token::Kind kind, std::string_view what);
  uint64_t ExpectInteger(std::string_view what);  // unsigned

  // The source from `begin` to the end of the token taken last, white space and comments folded.
  std::string FoldedText(const Token& begin) const;
  // The source from `begin` to the next ';' or line end, folded: for messages about the whole.
  std::string StatementText(const Token& begin) const;

  template <class... Args>
  [[noreturn]] void Fail(Location at, fmt::format_string<Args...> format, Args&&... args) const {
    FailWith(at, fmt::format(format, std::forward<Args>(args)...));
  }
  // "expected <what>, found <next token>"
  [[noreturn]] void FailExpected(std::string_view what) const;

 private:
  [[noreturn]] void FailWith(Location at, const std::string& message) const;
  Location LocationOf(const char* at) const;
  void SkipBlank();
  Token Scan();
  Token Finish(Token::Kind kind, const char* begin);
  Token ScanNumber();
  Token ScanString();

  const std::string& file_;
  const char* at_;
  const char* end_;
  const char* line_begin_;
  const char* taken_end_;
  int line_ = 1;
  Token next_;
};

// The value of an integer token; false where it does not fit in 64 bits.
bool ParseInteger(std::string_view text, uint64_t* value);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_LEXER_H_
