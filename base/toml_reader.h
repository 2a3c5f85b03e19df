// Strict reading of TOML: a key that nobody knows, a missing key, a wrong type or a value out of
// range is bad input whose message starts with file:line:column.
#ifndef FLAGSTONE_BASE_TOML_READER_H_
#define FLAGSTONE_BASE_TOML_READER_H_

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace flagstone {

// Throws kBadInput ("file:line:column: not TOML: reason") when `text` is not TOML.
toml::table ParseToml(std::string_view text, const std::string& file);

// `text` in single quotes, control characters escaped: user text must not break a one-line message.
std::string Quoted(std::string_view text);

// "vecadd, matmul, syrk"
template <class Names>
std::string CommaSeparated(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

// One table of a file. Every accessor throws kBadInput for a value that does not fit.
class TomlReader {
 public:
  // `name` stands for the table in messages: "[buffer.a]". The table must outlive the reader.
  TomlReader(const toml::table& table, std::string file, std::string name)
      : table_(table), file_(std::move(file)), name_(std::move(name)) {}

  // "file:line:column: unknown key 'fil': expected one of type, count, fill"
  void AllowOnly(std::span<const std::string_view> keys) const;
  void AllowOnly(std::initializer_list<std::string_view> keys) const {
    AllowOnly(std::span<const std::string_view>(keys.begin(), keys.size()));
  }

  bool Has(std::string_view key) const { return table_.contains(key); }
  const toml::node& Require(std::string_view key) const;  // "missing key 'k' in [table]"

  std::string String(std::string_view key) const;
  std::string Line(std::string_view key) const;  // a string that is not empty, on one line
  bool Boolean(std::string_view key) const;
  int64_t Integer(std::string_view key, int64_t min, int64_t max) const;
  double Number(std::string_view key, double min, double max) const;  // an integer will do
  const toml::array& Array(std::string_view key) const;
  TomlReader Table(std::string_view key, std::string name) const;

  // With a value for an absent key.
  std::string String(std::string_view key, std::string absent) const;
  int64_t Integer(std::string_view key, int64_t min, int64_t max, int64_t absent) const;
  double Number(std::string_view key, double min, double max, double absent) const;

  // The string at `key`, which has to be one of `names`.
  template <class Names>
  std::string OneOf(std::string_view key, const Names& names) const {
    std::string value = Line(key);
    for (const auto& name : names) {
      if (value == name) return value;
    }
    Fail(Require(key).source().begin, "key '{}' is {}: expected one of {}", key, Quoted(value),
         CommaSeparated(names));
  }

  // The same checks for a value that is no key's own: an array's element; `what` names it.
  int64_t IntegerOf(const toml::node& node, std::string_view what, int64_t min, int64_t max) const;
  double NumberOf(const toml::node& node, std::string_view what, double min, double max) const;
  TomlReader TableOf(const toml::node& node, std::string_view what) const;

  // Throws kBadInput: "file:line:column: " and the message.
  template <class... Args>
  [[noreturn]] void Fail(const toml::source_position& at, fmt::format_string<Args...> format,
                         Args&&... args) const {
    ThrowBadInput("{}{}", Prefix(at), fmt::format(format, std::forward<Args>(args)...));
  }
  [[noreturn]] void FailType(const toml::node& node, std::string_view what,
                             std::string_view expected) const;

  const toml::table& table() const { return table_; }
  const std::string& file() const { return file_; }
  const std::string& name() const { return name_; }
  toml::source_position position() const { return table_.source().begin; }

 private:
  std::string Prefix(const toml::source_position& at) const;

  const toml::table& table_;
  std::string file_;
  std::string name_;
};

// "a string", "an integer": what the value is, for messages.
std::string_view Describe(const toml::node& node);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_TOML_READER_H_
