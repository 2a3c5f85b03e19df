#include "app/order/ctaid_reads.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "kernels/ptx/lexer.h"

namespace flagstone {
namespace {

using ptx::Token;

class CtaidFinder {
 public:
  CtaidFinder(std::string_view text, const std::string& file)
      : text_(text), file_(file), lexer_(text, file) {}

  std::vector<PtxBody> Find() {
    while (lexer_.Peek().kind != Token::Kind::kEnd) {
      const Token token = lexer_.Take();
      RefuseClusters(token);
      if (token.Is(".visible") || token.Is(".weak") || token.Is(".extern")) declared_ = At(token);
      if (token.Is(".entry") || token.Is(".func")) TakeBody(token);
      if (!token.Is(".visible") && !token.Is(".weak") && !token.Is(".extern")) declared_.reset();
    }
    return std::move(bodies_);
  }

 private:
  size_t At(const Token& token) const {
    return static_cast<size_t>(token.text.data() - text_.data());
  }

  void RefuseClusters(const Token& token) const {
    if (!token.Is(".explicitcluster") && !token.Is(".reqnctapercluster") &&
        !token.text.starts_with("%cluster") && !token.text.starts_with("%is_explicit_cluster")) {
      return;
    }
    ThrowBadInput(
        "{}:{}: '{}': the TBs of a cluster have to stay together: expected a kernel "
        "without clusters",
        file_, token.location.line, token.text);
  }

  // From behind .entry or .func to the end of the body, or of the prototype.
  void TakeBody(const Token& keyword) {
    PtxBody body;
    body.is_entry = keyword.Is(".entry");
    body.line = keyword.location.line;
    body.declared = declared_.value_or(At(keyword));
    int parentheses = 0;
    while (lexer_.Peek().kind != Token::Kind::kEnd) {
      const Token token = lexer_.Take();
      RefuseClusters(token);
      if (token.Is("(")) ++parentheses;
      if (token.Is(")")) --parentheses;
      if (token.kind == Token::Kind::kIdentifier && parentheses == 0 && body.name.empty()) {
        body.name = token.text;
      }
      if (token.Is(";")) return;
      if (token.Is("{")) {
        body.begin = At(token) + 1;
        break;
      }
    }
    for (int depth = 1; depth > 0 && lexer_.Peek().kind != Token::Kind::kEnd;) {
      const Token token = lexer_.Take();
      RefuseClusters(token);
      if (token.Is("{")) ++depth;
      if (token.Is("}")) --depth;
      if (token.Is("%ctaid")) body.reads.push_back(TakeRead(token));
      if (token.kind == Token::Kind::kIdentifier) body.names.emplace(token.text);
    }
    bodies_.push_back(std::move(body));
  }

  CtaidRead TakeRead(const Token& name) {
    const Token axis = lexer_.Take();
    if (axis.text.size() != 2 || axis.text[0] != '.' || axis.text[1] < 'x' || axis.text[1] > 'z') {
      ThrowBadInput("{}:{}: %ctaid is read as a vector: expected %ctaid.x, .y or .z", file_,
                    name.location.line);
    }
    return {At(name), At(axis) + axis.text.size(), axis.text[1] - 'x'};
  }

  std::string_view text_;
  const std::string& file_;
  ptx::Lexer lexer_;
  std::optional<size_t> declared_;
  std::vector<PtxBody> bodies_;
};

}  // namespace

std::vector<PtxBody> FindCtaidReads(std::string_view text, const std::string& file) {
  return CtaidFinder(text, file).Find();
}

}  // namespace flagstone
