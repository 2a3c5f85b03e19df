// [texture.NAME] of workload.toml, without a look at the buffers.
#include <array>
#include <limits>
#include <vector>

#include "kernels/launch/parse.h"

namespace flagstone {
namespace {

// The index of the key's word among `words`, or 0 for an absent key.
size_t ParseWord(const TomlReader& table, std::string_view key,
                 const std::vector<std::string_view>& words) {
  if (!table.Has(key)) return 0;
  const std::string word = table.String(key);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
  }
  table.Fail(table.Require(key).source().begin, "key '{}' is {}: expected one of {}", key,
             Quoted(word), CommaSeparated(words));
}

uint32_t ParseSize(const TomlReader& table, std::string_view key, int64_t most) {
  return static_cast<uint32_t>(table.Integer(key, 1, most, 1));
}

}  // namespace

TextureSpec ParseTexture(const std::string& name, const TomlReader& table) {
  table.AllowOnly({"buffer", "width", "height", "depth", "layers", "channels", "address", "filter",
                   "normalized", "read", "offset"});
  TextureSpec texture;
  texture.name = name;
  texture.location = LocationOf(table.position());
  texture.buffer = table.Line("buffer");
  texture.offset = static_cast<uint64_t>(table.Integer("offset", 0, int64_t{1} << 40, 0));
  // The largest sizes of the CUDA programming guide's table of compute capabilities; a texture of
  // one dimension may also be linear memory.
  texture.width = static_cast<uint32_t>(table.Integer("width", 1, int64_t{1} << 28));
  texture.height = ParseSize(table, "height", 131072);
  texture.depth = ParseSize(table, "depth", 16384);
  texture.layers = ParseSize(table, "layers", 2048);
  texture.channels = ParseSize(table, "channels", 4);
  if (texture.channels == 3) {
    table.Fail(table.Require("channels").source().begin, "key 'channels' is 3: expected 1, 2 or 4");
  }
  if (texture.layers > 1 && texture.depth > 1) {
    table.Fail(table.position(), "{} has both depth and layers: expected one of them",
               table.name());
  }
  texture.address_mode =
      static_cast<AddressMode>(ParseWord(table, "address", {"clamp", "wrap", "mirror", "border"}));
  texture.linear = ParseWord(table, "filter", {"nearest", "linear"}) == 1;
  texture.normalized_float = ParseWord(table, "read", {"element", "normalized-float"}) == 1;
  texture.normalized = table.Has("normalized") && table.Boolean("normalized");
  const bool repeats =
      texture.address_mode == AddressMode::kWrap || texture.address_mode == AddressMode::kMirror;
  if (repeats && !texture.normalized) {
    table.Fail(
        table.Require("address").source().begin,
        "key 'address' is '{}': expected 'normalized = true' with it, or 'clamp' or 'border'",
        table.String("address"));
  }
  return texture;
}

}  // namespace flagstone
