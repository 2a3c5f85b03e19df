#include "synth/liberty.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace flagstone {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) { Next(); }

  LibertyGroup Library() {
    if (token_ != "library") Fail("expected 'library (NAME) {'");
    LibertyGroup library;
    Statement(&library);
    if (library.groups.empty()) Fail("expected 'library (NAME) {'");
    return std::move(library.groups.front());
  }

 private:
  [[noreturn]] void Fail(std::string_view what) const {
    if (end_) ThrowBadInput("{}:{}: the file ends early: {}", file_, line_, what);
    ThrowBadInput("{}:{}: {}, found '{}'", file_, line_, what, token_);
  }

  void SkipBlanks() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const std::string_view two = text_.substr(position_, 2);
      if (two == "/*") {
        const size_t close = text_.find("*/", position_ + 2);
        if (close == std::string_view::npos) {
          end_ = true;
          Fail("expected the comment's '*/'");
        }
        Count(close + 2);
      } else if (two == "//") {
        Count(std::min(text_.find('\n', position_), text_.size()));
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
        Count(position_ + 1);
      } else {
        return;
      }
    }
  }

  void Count(size_t to) {
    for (; position_ < to; ++position_) line_ += text_[position_] == '\n' ? 1u : 0u;
  }

  // A string without its quotes, a mark, or a word.
  void Next() {
    SkipBlanks();
    quoted_ = false;
    token_.clear();
    if (position_ >= text_.size()) {
      end_ = true;
      return;
    }
    const char c = text_[position_];
    constexpr std::string_view kMarks = "(){}:;,";
    if (c == '"') {
      const size_t close = text_.find('"', position_ + 1);
      if (close == std::string_view::npos) {
        end_ = true;
        Fail("expected the string's '\"'");
      }
      for (const char in : text_.substr(position_ + 1, close - position_ - 1)) {
        if (in != '\\' && in != '\n' && in != '\r') token_ += in;
      }
      Count(close + 1);
      quoted_ = true;
    } else if (kMarks.find(c) != std::string_view::npos) {
      token_ = c;
      ++position_;
    } else {
      while (position_ < text_.size()) {
        const char in = text_[position_];
        if (std::isspace(static_cast<unsigned char>(in)) != 0 || in == '"' ||
            kMarks.find(in) != std::string_view::npos) {
          break;
        }
        token_ += in;
        ++position_;
      }
    }
  }

  bool At(char mark) const { return !end_ && !quoted_ && token_.size() == 1 && token_[0] == mark; }
  void Expect(char mark, std::string_view what) {
    if (!At(mark)) Fail(what);
    Next();
  }

  // One attribute or group of `parent`.
  void Statement(LibertyGroup* parent) {
    if (end_) Fail("expected '}'");
    const uint32_t line = line_;
    std::string name = token_;
    Next();
    if (At(':')) {
      Next();
      std::string value;  // expressions may stand without quotes: "value : 0.5 * VDD;"
      while (!At(';') && !At('}')) {
        if (end_) Fail("expected ';'");
        value += value.empty() ? token_ : " " + token_;
        Next();
      }
      if (At(';')) Next();
      parent->attributes.push_back({std::move(name), {std::move(value)}, line});
      return;
    }
    Expect('(', "expected ':' or '('");
    std::vector<std::string> arguments;
    while (!At(')')) {
      if (end_) Fail("expected ')'");
      if (!At(',')) arguments.push_back(token_);
      Next();
    }
    Next();
    if (!At('{')) {
      if (At(';')) Next();
      parent->attributes.push_back({std::move(name), std::move(arguments), line});
      return;
    }
    Next();
    LibertyGroup group;
    group.name = std::move(name);
    group.arguments = std::move(arguments);
    group.line = line;
    while (!At('}')) {
      if (At(';')) {
        Next();
      } else {
        Statement(&group);
      }
    }
    Next();
    parent->groups.push_back(std::move(group));
  }

  std::string_view text_;
  const std::string& file_;
  size_t position_ = 0;
  uint32_t line_ = 1;
  std::string token_;
  bool quoted_ = false;
  bool end_ = false;
};

}  // namespace

const LibertyGroup::Attribute* LibertyGroup::Find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

std::string_view LibertyGroup::Value(std::string_view attribute) const {
  const Attribute* found = Find(attribute);
  return found == nullptr || found->values.empty() ? std::string_view() : found->values[0];
}

LibertyGroup ParseLiberty(std::string_view text, const std::string& file) {
  return Reader(text, file).Library();
}

}  // namespace flagstone
