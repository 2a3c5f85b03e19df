// Tokens as the PTX ISA (chapter 4, "Syntax") defines them.
#include "kernels/ptx/lexer.h"

#include <algorithm>
#include <array>
#include <climits>

namespace flagstone::ptx {
namespace {

enum : uint8_t { kDigit = 1, kHex = 2, kFollow = 4, kStart = 8, kBlank = 16 };

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit | kHex | kFollow;
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kFollow | kStart;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kFollow | kStart;
  for (int c = 'a'; c <= 'f'; ++c) classes[static_cast<size_t>(c)] |= kHex;
  for (int c = 'A'; c <= 'F'; ++c) classes[static_cast<size_t>(c)] |= kHex;
  classes['_'] = classes['$'] = kFollow | kStart;
  classes['%'] = kStart;
  for (const char c : std::string_view(" \t\r\n\v\f")) {
    classes[static_cast<unsigned char>(c)] = kBlank;
  }
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, uint8_t classes) { return (kClasses[static_cast<uint8_t>(c)] & classes) != 0; }

// Length of the comment that begins at `at`, 0 if none does; to `end` where it is not closed.
size_t CommentLength(const char* at, const char* end, bool* closed) {
  *closed = true;
  const std::string_view rest(at, static_cast<size_t>(end - at));
  if (rest.starts_with("//")) return std::min(rest.find('\n'), rest.size());
  if (!rest.starts_with("/*")) return 0;
  const size_t close = rest.find("*/", 2);
  *closed = close != std::string_view::npos;
  return *closed ? close + 2 : rest.size();
}

std::string Fold(const char* at, const char* end) {
  std::string folded;
  folded.reserve(static_cast<size_t>(end - at));
  bool blank = false;
  while (at != end) {
    bool closed = true;
    const size_t comment = *at == '/' ? CommentLength(at, end, &closed) : 0;
    if (comment != 0 || Is(*at, kBlank)) {
      blank = true;
      at += comment != 0 ? comment : 1;
      continue;
    }
    if (blank && !folded.empty()) folded += ' ';
    blank = false;
    folded += *at++;
  }
  return folded;
}

}  // namespace

std::string Quote(std::string_view text) {
  constexpr size_t kLongest = 80;
  std::string quoted = "'";
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02X}", static_cast<uint8_t>(c));
    }
  }
  return quoted + (text.size() > kLongest ? "...'" : "'");
}

std::string Describe(const Token& token) {
  return token.kind == Token::Kind::kEnd ? "the end of the file" : Quote(token.text);
}

bool ParseInteger(std::string_view text, uint64_t* value) {
  uint64_t base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char second = text[1];
    base = second == 'x' || second == 'X' ? 16 : second == 'b' || second == 'B' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  if (text.ends_with('U')) text.remove_suffix(1);
  *value = 0;
  for (const char c : text) {
    const uint64_t digit = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (*value > (UINT64_MAX - digit) / base) return false;
    *value = *value * base + digit;
  }
  return true;
}

Lexer::Lexer(std::string_view text, const std::string& file)
    : file_(file),
      at_(text.data()),
      end_(text.data() + text.size()),
      line_begin_(text.data()),
      taken_end_(text.data()) {
  if (text.size() >= INT_MAX) Fail({1, 1}, "expected a PTX file of less than 2 GiB");
  next_ = Scan();
}

Token Lexer::Take() {
  const Token taken = next_;
  taken_end_ = taken.text.data() + taken.text.size();
  next_ = Scan();
  return taken;
}

bool Lexer::TakeIf(std::string_view wanted) {
  if (!next_.Is(wanted)) return false;
  Take();
  return true;
}

Token Lexer::Expect(std::string_view wanted, std::string_view why) {
  if (!next_.Is(wanted)) {
    Fail(next_.location, "expected '{}' {}, found {}", wanted, why, Describe(next_));
  }
  return Take();
}

Token Lexer::ExpectKind(Token::Kind kind, std::string_view what) {
  if (next_.kind != kind) FailExpected(what);
  return Take();
}

uint64_t Lexer::ExpectInteger(std::string_view what) {
  const Token token = ExpectKind(Token::Kind::kInteger, what);
  uint64_t value = 0;
  if (!ParseInteger(token.text, &value)) {
    Fail(token.location, "expected {} of at most 64 bits, found {}", what, Describe(token));
  }
  return value;
}

std::string Lexer::FoldedText(const Token& begin) const {
  return Fold(begin.text.data(), taken_end_);
}

std::string Lexer::StatementText(const Token& begin) const {
  const char* stop = begin.text.data();
  while (stop != end_ && *stop != ';' && *stop != '\n') ++stop;
  return Fold(begin.text.data(), stop);
}

void Lexer::FailExpected(std::string_view what) const {
  Fail(next_.location, "expected {}, found {}", what, Describe(next_));
}

void Lexer::FailWith(Location at, const std::string& message) const {
  throw SyntaxError(fmt::format("{}:{}:{}: {}", file_, at.line, at.column, message), at, message);
}

Location Lexer::LocationOf(const char* at) const {
  return {line_, static_cast<int>(at - line_begin_) + 1};
}

void Lexer::SkipBlank() {
  while (at_ != end_) {
    bool closed = true;
    size_t length = Is(*at_, kBlank) ? 1 : *at_ == '/' ? CommentLength(at_, end_, &closed) : 0;
    if (length == 0) return;
    if (!closed) {
      Fail(LocationOf(at_), "expected '*/' after this comment, found the end of the file");
    }
    for (; length != 0; --length) {
      if (*at_++ != '\n') continue;
      ++line_;
      line_begin_ = at_;
    }
  }
}

Token Lexer::Finish(Token::Kind kind, const char* begin) {
  return {kind, std::string_view(begin, static_cast<size_t>(at_ - begin)), LocationOf(begin)};
}

Token Lexer::Scan() {
  SkipBlank();
  const char* const begin = at_;
  if (at_ == end_) return Finish(Token::Kind::kEnd, begin);
  const char c = *at_;
  if (Is(c, kDigit)) return ScanNumber();
  if (c == '"') return ScanString();
  ++at_;
  if (Is(c, kStart)) {
    while (at_ != end_ && Is(*at_, kFollow)) ++at_;
    // A lone '%' names nothing: it is the remainder of a constant expression.
    return Finish(
        c == '%' && at_ == begin + 1 ? Token::Kind::kPunctuation : Token::Kind::kIdentifier, begin);
  }
  if (c == '.' && at_ != end_ && Is(*at_, kFollow)) {
    while (at_ != end_ && Is(*at_, kFollow)) {
      ++at_;
      // ".shared::cta" is one word.
      if (end_ - at_ > 2 && at_[0] == ':' && at_[1] == ':' && Is(at_[2], kFollow)) at_ += 2;
    }
    return Finish(Token::Kind::kDirective, begin);
  }
  // Operators of two characters (PTX ISA, section 4.5).
  if (at_ != end_ && (c == '<' || c == '>' || c == '&' || c == '|' || c == '=' || c == '!')) {
    const char next = *at_;
    const bool comparison = next == '=' && c != '&' && c != '|';
    if (comparison || (next == c && c != '=' && c != '!')) {
      ++at_;
      return Finish(Token::Kind::kPunctuation, begin);
    }
  }
  constexpr std::string_view kPunctuationMarks = ",;:{}[]()@!|+-*/<>=~&^?";
  const bool known = kPunctuationMarks.find(c) != std::string_view::npos;
  return Finish(known ? Token::Kind::kPunctuation : Token::Kind::kInvalid, begin);
}

Token Lexer::ScanNumber() {
  const char* const begin = at_;
  const auto skip = [this](uint8_t classes) {
    const char* const from = at_;
    while (at_ != end_ && Is(*at_, classes)) ++at_;
    return at_ - from;
  };
  const auto next_is = [this](char a, char b) { return at_ != end_ && (*at_ == a || *at_ == b); };

  Token::Kind kind = Token::Kind::kInteger;
  bool good = true;
  const char letter = *at_ == '0' && end_ - at_ > 1 ? static_cast<char>(at_[1] | 0x20) : ' ';
  if (letter == 'x' || letter == 'b') {
    at_ += 2;
    const char* const digits = at_;
    good = skip(kHex) > 0;
    for (const char* d = digits; letter == 'b' && d != at_; ++d) good &= *d == '0' || *d == '1';
  } else if (letter == 'f' || letter == 'd') {
    at_ += 2;
    kind = Token::Kind::kFloat;
    good = skip(kHex) == (letter == 'f' ? 8 : 16);
  } else {
    skip(kDigit);
    if (next_is('.', '.')) {
      kind = Token::Kind::kFloat;
      ++at_;
      skip(kDigit);
    }
    if (next_is('e', 'E')) {
      kind = Token::Kind::kFloat;
      ++at_;
      if (next_is('+', '-')) ++at_;
      good = skip(kDigit) > 0;
    }
    const bool octal = kind == Token::Kind::kInteger && *begin == '0';
    for (const char* d = begin; octal && d != at_; ++d) good &= *d <= '7';
  }
  if (kind == Token::Kind::kInteger && next_is('U', 'U')) ++at_;
  if (skip(kFollow) > 0) good = false;
  return Finish(good ? kind : Token::Kind::kInvalid, begin);
}

Token Lexer::ScanString() {
  const char* const begin = at_++;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    const bool escape = *at_ == '\\' && end_ - at_ > 1 && at_[1] != '\n';
    at_ += escape ? 2 : 1;
  }
  if (at_ == end_ || *at_ != '"') {
    Fail(LocationOf(begin), "expected '\"' at the end of this string before the line ends");
  }
  ++at_;
  return Finish(Token::Kind::kString, begin);
}

}  // namespace flagstone::ptx
