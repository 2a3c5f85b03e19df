#include "kernels/inputs/line_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/toml_reader.h"

namespace flagstone {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The number that is all of `token`; a leading + is allowed.
template <class T>
bool Convert(std::string_view token, T* value) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, *value);
  return error == std::errc() && stop == end;
}

// A short piece of user text for a message.
std::string Shown(std::string_view token) {
  if (token.empty()) return "missing";
  return Quoted(token.substr(0, 40));
}

}  // namespace

bool LineReader::Next() {
  if (text_.empty()) return false;
  const size_t end = std::min(text_.find('\n'), text_.size());
  line_ = text_.substr(0, end);
  text_.remove_prefix(std::min(end + 1, text_.size()));
  ++number_;
  return true;
}

bool LineReader::NextUncommented(std::string_view comment_characters) {
  while (Next()) {
    if (AtEndOfLine()) continue;
    if (comment_characters.find(line_.front()) == std::string_view::npos) return true;
  }
  return false;
}

bool LineReader::AtEndOfLine() {
  line_.remove_prefix(std::min(line_.find_first_not_of(kBlanks), line_.size()));
  return line_.empty();
}

std::string_view LineReader::Token() {
  if (AtEndOfLine()) return {};
  const std::string_view token = line_.substr(0, line_.find_first_of(kBlanks));
  line_.remove_prefix(token.size());
  return token;
}

std::string LineReader::Word() { return std::string(Token()); }

uint64_t LineReader::Integer(std::string_view what, uint64_t min, uint64_t max) {
  const std::string_view token = Token();
  uint64_t value = 0;
  if (!Convert(token, &value) || value < min || value > max) {
    Fail("{} is {}: expected an integer from {} to {}", what, Shown(token), min, max);
  }
  return value;
}

double LineReader::Number(std::string_view what) {
  const std::string_view token = Token();
  double value = 0;
  if (!Convert(token, &value) || !std::isfinite(value)) {
    Fail("{} is {}: expected a number", what, Shown(token));
  }
  return value;
}

void LineReader::EndOfLine() {
  if (!AtEndOfLine()) Fail("the line goes on with {}: expected its end", Shown(Token()));
}

}  // namespace flagstone
