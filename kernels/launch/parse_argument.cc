// An argument in a [[launch]] of workload.toml: a buffer's name, or a table such as { s32 = 256 }.
#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "kernels/launch/element.h"
#include "kernels/launch/parse.h"
#include "kernels/launch/quantity.h"

namespace flagstone {
namespace {

// "A" or "A+1024".
void ParseBufferArgument(const TomlReader& table, const toml::node& node, ArgumentSpec& argument) {
  const std::string& text = node.as_string()->get();
  argument.text = Quoted(text);
  const size_t plus = text.find('+');
  argument.buffer = text.substr(0, plus);
  if (plus == std::string::npos) return;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + plus + 1, end, argument.offset);
  if (error != std::errc() || stop != end) {
    table.Fail(node.source().begin,
               "argument {}: expected a buffer's name, or name+offset in bytes: \"A+1024\"",
               argument.text);
  }
}

template <class T>
std::vector<std::byte> ToBytes(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  StoreElement(bytes.data(), 0, value);
  return bytes;
}

std::vector<std::byte> ScalarBytes(const TomlReader& table, std::string_view type_name,
                                   ElementType type, const toml::node& node, const Inputs& inputs) {
  return VisitElementType(type, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_floating_point_v<T>) {
      const auto* real = node.as_floating_point();
      if (real != nullptr && !std::isfinite(real->get())) {  // infinities and NaN as they are
        return ToBytes(static_cast<T>(real->get()));
      }
      const double most = std::numeric_limits<T>::max();
      return ToBytes(static_cast<T>(table.NumberOf(node, type_name, -most, most)));
    } else {
      // TOML's integers are signed: of u64, the lower half can be written.
      // NOLINTNEXTLINE(bugprone-signed-char-misuse): T may be int8_t, a number
      constexpr auto kMin = static_cast<int64_t>(std::numeric_limits<T>::min());
      constexpr auto kMax = std::is_same_v<T, uint64_t>
                                ? std::numeric_limits<int64_t>::max()
                                : static_cast<int64_t>(std::numeric_limits<T>::max());
      return ToBytes(static_cast<T>(IntegerOrQuantity(table, node, type_name, kMin, kMax, inputs)));
    }
  });
}

ptx::Type PtxType(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return ptx::Type::kU8;
    case ElementType::kS8:
      return ptx::Type::kS8;
    case ElementType::kU16:
      return ptx::Type::kU16;
    case ElementType::kS16:
      return ptx::Type::kS16;
    case ElementType::kU32:
      return ptx::Type::kU32;
    case ElementType::kS32:
      return ptx::Type::kS32;
    case ElementType::kU64:
      return ptx::Type::kU64;
    case ElementType::kS64:
      return ptx::Type::kS64;
    case ElementType::kF32:
      return ptx::Type::kF32;
    case ElementType::kF64:
      return ptx::Type::kF64;
  }
  return ptx::Type::kNone;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::vector<std::byte> HexBytes(const TomlReader& table, const toml::node& node) {
  const auto* text = node.as_string();
  if (text == nullptr) table.FailType(node, "bytes", "a string of hexadecimal digits");
  const std::string& digits = text->get();
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = HexDigit(digits[i]);
    const int low = HexDigit(digits[i + 1]);
    if (high < 0 || low < 0) break;
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  if (digits.empty() || bytes.size() * 2 != digits.size()) {
    table.Fail(node.source().begin, "bytes are {}: expected pairs of hexadecimal digits",
               Quoted(digits));
  }
  return bytes;
}

// { s32 = 256 } or { bytes = "00ff" }
void ParseValueArgument(const TomlReader& table, const toml::table& value, const Inputs& inputs,
                        ArgumentSpec& argument) {
  static constexpr std::string_view kExpected =
      "a buffer's name or one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, bytes, texture, "
      "surface, tensor_map";
  if (value.size() != 1) {
    table.Fail(value.source().begin, "argument has {} keys: expected one, as in {{ s32 = 256 }}",
               value.size());
  }
  const auto only = value.begin();
  const toml::key& key = only->first;
  const toml::node& node = only->second;
  const std::string_view name = key.str();
  if (name == "texture" || name == "surface") {  // a surface is the texture of its texels
    if (!node.is_string()) table.FailType(node, name, "a texture's name");
    argument.texture = node.as_string()->get();
    argument.type = ptx::Type::kU64;
    argument.text = fmt::format("texture {}", Quoted(argument.texture));
    return;
  }
  if (name == "tensor_map") {
    ParseTensorMap(table.TableOf(node, "a tensor map"), argument);
    return;
  }
  if (name == "bytes") {
    argument.bytes = HexBytes(table, node);
    argument.type = ptx::Type::kB8;
    argument.text = fmt::format("{} raw bytes", argument.bytes.size());
    return;
  }
  const auto type = ParseElementType(name);
  if (!type) {
    table.Fail(key.source().begin, "unknown argument type {}: expected {}", Quoted(name),
               kExpected);
  }
  argument.bytes = ScalarBytes(table, name, *type, node, inputs);
  argument.type = PtxType(*type);
  argument.text = fmt::format("a scalar {}", name);
}

}  // namespace

ArgumentSpec ParseArgument(const TomlReader& table, const toml::node& node, const Inputs& inputs) {
  ArgumentSpec argument;
  argument.location = LocationOf(node.source().begin);
  if (node.is_string()) {
    ParseBufferArgument(table, node, argument);
  } else if (const toml::table* value = node.as_table()) {
    ParseValueArgument(table, *value, inputs, argument);
  } else {
    table.FailType(node, "argument", "a buffer's name or a table such as { s32 = 256 }");
  }
  return argument;
}

}  // namespace flagstone
