#include "kernels/launch/quantity.h"

#include <charconv>
#include <optional>
#include <string>

namespace flagstone {
namespace {

std::string_view TrimLeft(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

std::optional<uint64_t> SizeOf(const Input& input, std::string_view name) {
  if (name == "nodes" || name == "rows") return input.rows();
  if (name == "columns") return input.columns();
  if (name == "edges" || name == "elements") return input.elements();
  return std::nullopt;
}

// One step of the left-to-right evaluation; nothing where it overflows or divides by 0.
std::optional<int64_t> Apply(int64_t value, char operation, int64_t operand) {
  int64_t result = 0;
  switch (operation) {
    case '+':
      if (__builtin_add_overflow(value, operand, &result)) return std::nullopt;
      return result;
    case '-':
      if (__builtin_sub_overflow(value, operand, &result)) return std::nullopt;
      return result;
    case '*':
      if (__builtin_mul_overflow(value, operand, &result)) return std::nullopt;
      return result;
    case '/':
      if (operand == 0) return std::nullopt;
      return value / operand + (value % operand > 0 ? 1 : 0);  // operands are never negative
    default:
      return std::nullopt;
  }
}

// The value of "graph.nodes + 1", or nothing where the text is no such sum.
std::optional<int64_t> Evaluate(std::string_view text, const Inputs& inputs) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::shared_ptr<const Input>* input = FindInput(inputs, text.substr(0, dot));
  if (input == nullptr) return std::nullopt;
  text.remove_prefix(dot + 1);
  const size_t end = std::min(text.find_first_of(" +-*/"), text.size());
  const std::optional<uint64_t> size = SizeOf(**input, text.substr(0, end));
  if (!size) return std::nullopt;
  auto value = static_cast<int64_t>(*size);
  for (text = TrimLeft(text.substr(end)); !text.empty(); text = TrimLeft(text)) {
    const char operation = text.front();
    text = TrimLeft(text.substr(1));
    int64_t operand = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), operand);
    if (error != std::errc() || operand < 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    const std::optional<int64_t> next = Apply(value, operation, operand);
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

std::string Expected(const Inputs& inputs) {
  if (inputs.empty()) return "an integer (the file has no [input.NAME] to name)";
  const std::string& name = inputs.front()->name();
  return fmt::format("an integer, or such as '{0}.nodes', '{0}.edges + 1', '{0}.nodes / 256'",
                     name);
}

}  // namespace

int64_t IntegerOrQuantity(const TomlReader& table, const toml::node& node, std::string_view what,
                          int64_t min, int64_t max, const Inputs& inputs) {
  const auto* text = node.as_string();
  if (text == nullptr) return table.IntegerOf(node, what, min, max);
  const std::optional<int64_t> value = Evaluate(text->get(), inputs);
  if (!value) {
    table.Fail(node.source().begin, "{} is {}: expected {}", what, Quoted(text->get()),
               Expected(inputs));
  }
  if (*value < min || *value > max) {
    table.Fail(node.source().begin, "{} is {} = {}: expected an integer from {} to {}", what,
               Quoted(text->get()), *value, min, max);
  }
  return *value;
}

}  // namespace flagstone
