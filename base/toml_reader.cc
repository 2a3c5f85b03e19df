#include "base/toml_reader.h"

#include <algorithm>
#include <cmath>

namespace flagstone {
namespace {

std::string Key(std::string_view key) { return fmt::format("key {}", Quoted(key)); }

// toml++ bounds how deep values nest, but not how many parts a dotted key has, and recurses over
// both: a key with too many parts would overflow the stack. Two dots in a row are no key.
void RejectVeryLongKeys(std::string_view text, const std::string& file) {
  constexpr int kMostDots = 64;
  int line = 1;
  int dots = 0;
  char last = 0;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) dots = 0;
    if (c == '.') dots = last == '.' ? 0 : dots + 1;
    if (dots > kMostDots) {
      ThrowBadInput("{}:{}:1: a dotted key is too long: expected at most {} parts", file, line,
                    kMostDots);
    }
    last = c;
  }
}

}  // namespace

toml::table ParseToml(std::string_view text, const std::string& file) {
  RejectVeryLongKeys(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    for (char& c : reason) {
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    ThrowBadInput("{}:{}:{}: not TOML: {}", file, error.source().begin.line,
                  error.source().begin.column, reason);
  }
}

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string_view Describe(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time";
    case toml::node_type::date_time:
      return "a date and time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

std::string TomlReader::Prefix(const toml::source_position& at) const {
  if (at.line == 0) return fmt::format("{}: ", file_);
  return fmt::format("{}:{}:{}: ", file_, at.line, at.column);
}

void TomlReader::FailType(const toml::node& node, std::string_view what,
                          std::string_view expected) const {
  Fail(node.source().begin, "{} is {}: expected {}", what, Describe(node), expected);
}

void TomlReader::AllowOnly(std::span<const std::string_view> keys) const {
  const toml::key* unknown = nullptr;  // the first in the file, not in the alphabet
  for (const auto& [key, value] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    if (unknown == nullptr || key.source().begin < unknown->source().begin) unknown = &key;
  }
  if (unknown == nullptr) return;
  Fail(unknown->source().begin, "unknown key {}: expected one of {}", Quoted(unknown->str()),
       CommaSeparated(keys));
}

const toml::node& TomlReader::Require(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) Fail(position(), "missing {} in {}", Key(key), name_);
  return *node;
}

std::string TomlReader::String(std::string_view key) const {
  const toml::node& node = Require(key);
  const auto* value = node.as_string();
  if (value == nullptr) FailType(node, Key(key), "a string");
  return value->get();
}

std::string TomlReader::Line(std::string_view key) const {
  std::string value = String(key);
  const bool one_line = std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7f;
  });
  if (value.empty() || !one_line) {
    Fail(Require(key).source().begin, "{} is {}: expected text on one line", Key(key),
         value.empty() ? "empty" : Quoted(value));
  }
  return value;
}

bool TomlReader::Boolean(std::string_view key) const {
  const toml::node& node = Require(key);
  const auto* value = node.as_boolean();
  if (value == nullptr) FailType(node, Key(key), "true or false");
  return value->get();
}

int64_t TomlReader::Integer(std::string_view key, int64_t min, int64_t max) const {
  return IntegerOf(Require(key), Key(key), min, max);
}

double TomlReader::Number(std::string_view key, double min, double max) const {
  return NumberOf(Require(key), Key(key), min, max);
}

const toml::array& TomlReader::Array(std::string_view key) const {
  const toml::node& node = Require(key);
  const auto* value = node.as_array();
  if (value == nullptr) FailType(node, Key(key), "an array");
  return *value;
}

TomlReader TomlReader::Table(std::string_view key, std::string name) const {
  const toml::node& node = Require(key);
  const auto* value = node.as_table();
  if (value == nullptr) FailType(node, Key(key), "a table");
  return {*value, file_, std::move(name)};
}

std::string TomlReader::String(std::string_view key, std::string absent) const {
  return Has(key) ? String(key) : std::move(absent);
}

int64_t TomlReader::Integer(std::string_view key, int64_t min, int64_t max, int64_t absent) const {
  return Has(key) ? Integer(key, min, max) : absent;
}

double TomlReader::Number(std::string_view key, double min, double max, double absent) const {
  return Has(key) ? Number(key, min, max) : absent;
}

int64_t TomlReader::IntegerOf(const toml::node& node, std::string_view what, int64_t min,
                              int64_t max) const {
  const auto* value = node.as_integer();
  const std::string expected = fmt::format("an integer from {} to {}", min, max);
  if (value == nullptr) FailType(node, what, expected);
  if (value->get() < min || value->get() > max) {
    Fail(node.source().begin, "{} is {}: expected {}", what, value->get(), expected);
  }
  return value->get();
}

double TomlReader::NumberOf(const toml::node& node, std::string_view what, double min,
                            double max) const {
  double value = 0;
  if (const auto* integer = node.as_integer()) {
    value = static_cast<double>(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value = real->get();
  } else {
    FailType(node, what, "a number");
  }
  if (std::isnan(value) || value < min || value > max) {
    Fail(node.source().begin, "{} is {}: expected a number from {} to {}", what, value, min, max);
  }
  return value;
}

TomlReader TomlReader::TableOf(const toml::node& node, std::string_view what) const {
  const auto* value = node.as_table();
  if (value == nullptr) FailType(node, what, "a table");
  return {*value, file_, std::string(what)};
}

}  // namespace flagstone
