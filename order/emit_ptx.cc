#include "order/emit_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/error.h"
#include "ptx/lexer.h"

namespace flagstone {
namespace {

using Op = OrderOperation::Op;
using ptx::Token;

// A read of %ctaid.x in the text.
struct Read {
  size_t begin = 0, end = 0;
  int axis = 0;
};

// The code between the braces of an entry or a device function.
struct Body {
  std::string name;
  bool is_entry = false;
  int line = 0;
  size_t declared = 0;  // where its declaration begins
  size_t begin = 0;     // behind the brace
  std::vector<Read> reads;
  std::set<std::string> names;  // all identifiers: a call names its function
};

class Finder {
 public:
  Finder(std::string_view text, const std::string& file)
      : text_(text), file_(file), lexer_(text, file) {}

  std::vector<Body> Find() {
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
    Body body;
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

  Read TakeRead(const Token& name) {
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
  std::vector<Body> bodies_;
};

std::string Text(const OrderValue& value) {
  const char axis = static_cast<char>('x' + value.index);
  switch (value.kind) {
    case OrderValue::Kind::kNumber:
      return std::to_string(value.index);
    case OrderValue::Kind::kTbIndex:
      return fmt::format("%flagstone_tb_{}", axis);
    case OrderValue::Kind::kGridExtent:
      return fmt::format("%flagstone_grid_{}", axis);
    case OrderValue::Kind::kResult:
      break;
  }
  return fmt::format("%flagstone_v{}", value.index);
}

std::string TableName(const std::string& entry) { return "flagstone_order_" + entry; }

// Entry a of the table; on another grid than the table's, a.
std::string Lookup(const OrderCode& code, const std::string& a, const std::string& result,
                   const std::string& table) {
  std::string text =
      fmt::format("\tsetp.eq.u32 %flagstone_same, %flagstone_grid_x, {};\n", code.table_grid.x);
  text +=
      fmt::format("\tsetp.eq.and.u32 %flagstone_same, %flagstone_grid_y, {}, %flagstone_same;\n",
                  code.table_grid.y);
  text +=
      fmt::format("\tsetp.eq.and.u32 %flagstone_same, %flagstone_grid_z, {}, %flagstone_same;\n",
                  code.table_grid.z);
  text += fmt::format("\tmov.u32 {}, {};\n", result, a);
  text += fmt::format("\tmov.u64 %flagstone_at, {};\n", table);
  text += fmt::format("\tmul.wide.u32 %flagstone_offset, {}, 4;\n", a);
  text += "\tadd.s64 %flagstone_at, %flagstone_at, %flagstone_offset;\n";
  text += fmt::format("\t@%flagstone_same ld.global.u32 {}, [%flagstone_at];\n", result);
  return text;
}

std::string Operation(const OrderCode& code, uint32_t index, const std::string& table) {
  const OrderOperation& operation = code.operations[index];
  const std::string result = fmt::format("%flagstone_v{}", index);
  const std::string a = Text(operation.a);
  if (operation.op == Op::kTable) return Lookup(code, a, result, table);
  constexpr std::array kNames = {"add.u32", "sub.u32", "mul.lo.u32",
                                 "div.u32", "rem.u32", "min.u32"};
  return fmt::format("\t{} {}, {}, {};\n", kNames[static_cast<size_t>(operation.op)], result, a,
                     Text(operation.b));
}

// What stands at the beginning of a body: %flagstone_x, _y, _z are the ids whose work is done.
std::string Prologue(const OrderCode& code, const std::string& table) {
  std::string text = fmt::format("\n\t// TB order '{}'\n", code.name);
  for (const char axis : {'x', 'y', 'z'}) {
    text +=
        fmt::format("\t.reg .b32 %flagstone_{0}, %flagstone_tb_{0}, %flagstone_grid_{0};\n", axis);
  }
  if (!code.operations.empty()) {
    text += fmt::format("\t.reg .b32 %flagstone_v<{}>;\n", code.operations.size());
  }
  if (!code.table.empty()) {
    text += "\t.reg .pred %flagstone_same;\n\t.reg .b64 %flagstone_at, %flagstone_offset;\n";
  }
  for (const char axis : {'x', 'y', 'z'}) {
    text += fmt::format("\tmov.u32 %flagstone_tb_{0}, %ctaid.{0};\n", axis);
    text += fmt::format("\tmov.u32 %flagstone_grid_{0}, %nctaid.{0};\n", axis);
  }
  for (uint32_t i = 0; i < code.operations.size(); ++i) text += Operation(code, i, table);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    text += fmt::format("\tmov.u32 %flagstone_{}, {};\n", static_cast<char>('x' + axis),
                        Text(code.work[axis]));
  }
  return text;
}

std::string TableText(const OrderCode& code, const std::string& name) {
  return fmt::format(".global .align 4 .u32 {}[{}] = {{{}}};\n\n", name, code.table.size(),
                     fmt::join(code.table, ","));
}

bool Same(const OrderCode& a, const OrderCode& b) {
  return a.name == b.name && a.operations.size() == b.operations.size() && a.table == b.table &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(),
                    [](const OrderOperation& x, const OrderOperation& y) {
                      return x.op == y.op && x.a == y.a && x.b == y.b;
                    });
}

// The functions, by index, that a body calls, and those that they call.
std::set<size_t> CalledBy(const std::vector<Body>& bodies, size_t caller) {
  std::set<size_t> called;
  std::vector<size_t> left = {caller};
  while (!left.empty()) {
    const Body& body = bodies[left.back()];
    left.pop_back();
    for (size_t i = 0; i < bodies.size(); ++i) {
      const bool calls = !bodies[i].is_entry && body.names.contains(bodies[i].name);
      if (calls && called.insert(i).second) left.push_back(i);
    }
  }
  return called;
}

// By body, the entry whose order it takes; none: it stays as it is. A function that reads %ctaid is
// one for all entries that call it, so these have one order, those that are not named too.
std::vector<const std::string*> ChooseOrders(const std::vector<Body>& bodies,
                                             const std::string& file,
                                             const std::map<std::string, OrderCode>& orders) {
  std::vector<const std::string*> chosen(bodies.size(), nullptr);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto found = bodies[i].is_entry ? orders.find(bodies[i].name) : orders.end();
    if (found != orders.end()) chosen[i] = &found->first;
  }
  const auto take = [&](size_t body, const std::string* entry, const Body& function) {
    if (chosen[body] == nullptr) {
      chosen[body] = entry;
      return true;
    }
    if (Same(orders.at(*chosen[body]), orders.at(*entry))) return false;
    ThrowBadInput(
        "{}:{}: the function '{}' reads %ctaid, and the kernels '{}' and '{}' that call it have "
        "different orders: expected one order for both",
        file, function.line, function.name, *chosen[body], *entry);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies[i].is_entry) continue;
      for (const size_t f : CalledBy(bodies, i)) {
        if (bodies[f].reads.empty()) continue;
        if (chosen[i] != nullptr) changed = take(f, chosen[i], bodies[f]) || changed;
        if (chosen[f] != nullptr) changed = take(i, chosen[f], bodies[f]) || changed;
      }
    }
  }
  return chosen;
}

}  // namespace

std::string ApplyOrder(std::string_view text, const std::string& file,
                       const std::map<std::string, OrderCode>& orders) {
  std::string result;
  size_t taken = 0;
  const auto take_until = [&](size_t end) {
    result += text.substr(taken, end - taken);
    taken = end;
  };
  bool tables_written = false;
  const std::vector<Body> bodies = Finder(text, file).Find();
  const std::vector<const std::string*> chosen = ChooseOrders(bodies, file, orders);
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (chosen[i] == nullptr || bodies[i].reads.empty()) continue;
    if (!tables_written) {
      take_until(bodies[i].declared);
      for (const auto& [entry, code] : orders) {
        if (!code.table.empty()) result += TableText(code, TableName(entry));
      }
      tables_written = true;
    }
    take_until(bodies[i].begin);
    result += Prologue(orders.at(*chosen[i]), TableName(*chosen[i]));
    for (const Read& read : bodies[i].reads) {
      take_until(read.begin);
      result += fmt::format("%flagstone_{}", static_cast<char>('x' + read.axis));
      taken = read.end;
    }
  }
  take_until(text.size());
  return result;
}

}  // namespace flagstone
