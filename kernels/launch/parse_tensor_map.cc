// A tensor map among the arguments of a [[launch]], without a look at the buffers. Its limits are
// those of the CUDA driver API's cuTensorMapEncodeTiled.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "kernels/launch/parse.h"
#include "kernels/launch/tensor_box.h"

namespace flagstone {
namespace {

// Of one element a dimension, innermost first; `absent` where there is no such key.
std::vector<uint64_t> NumbersOf(const TomlReader& table, std::string_view key, size_t count,
                                int64_t least, int64_t most, uint64_t absent) {
  if (!table.Has(key)) return std::vector<uint64_t>(count, absent);
  const toml::array& array = table.Array(key);
  if (array.size() != count) {
    table.Fail(array.source().begin, "key '{}' has {} elements: expected {}", key, array.size(),
               count);
  }
  std::vector<uint64_t> numbers;
  for (const toml::node& node : array) {
    numbers.push_back(static_cast<uint64_t>(table.IntegerOf(node, key, least, most)));
  }
  return numbers;
}

TensorSwizzle SwizzleOf(const TomlReader& table) {
  constexpr std::array<std::string_view, 4> kNames = {"none", "32B", "64B", "128B"};
  const std::string name = table.String("swizzle", "none");
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<TensorSwizzle>(i);
  }
  table.Fail(table.Require("swizzle").source().begin, "key 'swizzle' is {}: expected one of {}",
             Quoted(name), CommaSeparated(kNames));
}

TensorType TypeOf(const TomlReader& table, uint64_t element) {
  constexpr std::array<std::string_view, 14> kNames = {"",    "u8",   "u16",  "u32",     "s32",
                                                       "u64", "s64",  "f16",  "f32",     "f32.ftz",
                                                       "f64", "bf16", "tf32", "tf32.ftz"};
  const std::string name = table.String("type", "");
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] != name) continue;
    const auto type = static_cast<TensorType>(i);
    if (i == 0 || SizeOf(type) == element) return type;
    table.Fail(table.Require("type").source().begin, "key 'type' is {}, of {} bytes: expected {}",
               Quoted(name), SizeOf(type), element);
  }
  table.Fail(table.Require("type").source().begin, "key 'type' is {}: expected one of {}",
             Quoted(name), CommaSeparated(std::span(kNames).subspan(1)));
}

// Pixels of images: which corners they are taken from, and how many.
void ParseImages(const TomlReader& table, TensorMap* map) {
  if (map->dimensions < 3) {
    table.Fail(table.Require("shape").source().begin,
               "key 'shape' has {} elements: expected 3 to 5 with 'pixels'", map->dimensions);
  }
  if (table.Has("box")) {
    table.Fail(table.Require("box").source().begin,
               "key 'box' stands beside 'pixels': expected 'channels' in its place");
  }
  map->images = true;
  map->box[0] = static_cast<uint16_t>(table.Integer("channels", 1, 256));
  map->box[1] = static_cast<uint16_t>(table.Integer("pixels", 1, 1024));
  const size_t corners = map->dimensions - 2U;
  for (const auto& [key, into] :
       {std::pair("lower", &map->lower), std::pair("upper", &map->upper)}) {
    const auto numbers = NumbersOf(table, key, corners, -32768, 32767, 0);
    for (size_t d = 0; d < corners; ++d) (*into)[d] = static_cast<int16_t>(numbers[d]);
  }
}

// Rows of the box are whole units of what swizzling moves.
void CheckRows(const TomlReader& table, const TensorMap& map) {
  const uint64_t bytes = map.Copied(0) * map.ElementBytes();
  const toml::source_position at = table.Require(map.images ? "channels" : "box").source().begin;
  if (bytes % 16 != 0) {
    table.Fail(at, "a row of the box has {} bytes: expected a multiple of 16", bytes);
  }
  if (map.swizzle == TensorSwizzle::kNone) return;
  const uint64_t most = uint64_t{16} << static_cast<unsigned>(map.swizzle);
  if (bytes > most) {
    table.Fail(at, "a row of the box has {} bytes: expected at most {} with this swizzle", bytes,
               most);
  }
}

}  // namespace

void ParseTensorMap(const TomlReader& table, ArgumentSpec& argument) {
  table.AllowOnly({"buffer", "offset", "element_bytes", "type", "shape", "strides", "box", "steps",
                   "swizzle", "outside", "channels", "pixels", "lower", "upper"});
  TensorMap map;
  argument.buffer = table.Line("buffer");
  argument.offset = static_cast<uint64_t>(table.Integer("offset", 0, int64_t{1} << 40, 0));
  argument.text = fmt::format("a tensor map of {}", Quoted(argument.buffer));
  const auto element = static_cast<uint64_t>(table.Integer("element_bytes", 1, 8));
  if ((element & (element - 1)) != 0) {
    table.Fail(table.Require("element_bytes").source().begin,
               "key 'element_bytes' is {}: expected 1, 2, 4 or 8", element);
  }
  if (argument.offset % 16 != 0) {
    table.Fail(table.Require("offset").source().begin,
               "key 'offset' is {}: expected a multiple of 16", argument.offset);
  }
  const size_t dimensions = table.Array("shape").size();
  if (dimensions == 0 || dimensions > TensorMap::kMostDimensions) {
    table.Fail(table.Require("shape").source().begin,
               "key 'shape' has {} elements: expected 1 to 5", dimensions);
  }
  const auto shape = NumbersOf(table, "shape", dimensions, 1, 0x7fffffff, 1);
  const bool images = table.Has("pixels");
  if (!images) table.Require("box");
  const auto box = NumbersOf(table, "box", dimensions, 1, 256, 1);
  const auto steps = NumbersOf(table, "steps", dimensions, 1, 8, 1);
  // Of the dimensions above the first; where there are none, each row follows the one before.
  const auto strides = NumbersOf(table, "strides", dimensions - 1, 16, (int64_t{1} << 40) - 16, 0);
  map.dimensions = static_cast<uint8_t>(dimensions);
  map.strides[0] = element;
  for (size_t d = 0; d < dimensions; ++d) {
    map.shape[d] = static_cast<uint32_t>(shape[d]);
    map.box[d] = static_cast<uint16_t>(box[d]);
    map.steps[d] = static_cast<uint8_t>(steps[d]);
    if (d == 0) continue;
    map.strides[d] = strides[d - 1] != 0 ? strides[d - 1] : map.strides[d - 1] * shape[d - 1];
    if (map.strides[d] % 16 != 0) {
      table.Fail(table.position(),
                 "dimension {} has a stride of {} bytes: expected a multiple of 16", d,
                 map.strides[d]);
    }
  }
  map.type = TypeOf(table, element);
  if (images) ParseImages(table, &map);
  map.swizzle = SwizzleOf(table);
  const std::string outside = table.String("outside", "zero");
  if (outside != "zero" && outside != "nan") {
    table.Fail(table.Require("outside").source().begin,
               "key 'outside' is {}: expected one of zero, nan", Quoted(outside));
  }
  map.nan = outside == "nan";
  if (map.nan && element == 1) {
    table.Fail(table.Require("outside").source().begin,
               "key 'outside' is 'nan': expected floats, of 2 bytes or more");
  }
  CheckRows(table, map);
  if (const std::string problem = ProblemOf(map); !problem.empty()) {
    table.Fail(table.position(), "{}", problem);
  }
  argument.tensor_map = map;
}

}  // namespace flagstone
