#include "kernels/cuda/server/recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::cuda {
namespace {

std::string Hex(const std::byte* bytes, uint64_t size) {
  std::string text;
  for (uint64_t i = 0; i < size; ++i) text += fmt::format("{:02x}", std::to_integer<int>(bytes[i]));
  return text;
}

std::string Basename(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

Recorder::Recorder(std::filesystem::path folder, std::string program, std::string command)
    : folder_(std::move(folder)),
      partial_(folder_.string() + ".partial"),
      program_(std::move(program)),
      command_(std::move(command)) {
  std::error_code error;
  if (std::filesystem::exists(folder_, error) && !std::filesystem::is_empty(folder_, error)) {
    ThrowBadInput("--record '{}': it is there already: expected a new or an empty folder",
                  folder_.string());
  }
  std::filesystem::remove_all(partial_, error);
  if (!std::filesystem::create_directories(partial_, error)) {
    ThrowBadInput("--record: cannot make the folder '{}': {}", partial_.string(), error.message());
  }
}

Recorder::~Recorder() {
  std::error_code ignored;
  std::filesystem::remove_all(partial_, ignored);
}

Recorder::Piece* Recorder::Of(uint64_t address) {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return nullptr;
  Piece& piece = pieces_[(--after)->second];
  return address - piece.address < piece.size ? &piece : nullptr;
}

Recorder::Piece& Recorder::Add(const DeviceMemory::Region& region) {
  live_[region.address] = pieces_.size();
  Piece& piece = pieces_.emplace_back();
  piece.name = fmt::format("b{}", pieces_.size() - 1);
  piece.address = region.address;
  piece.size = region.size;
  piece.from = launches_;
  const auto known = allocated_.find(region.address);
  if (known != allocated_.end()) piece.read_back = known->second != Kind::kDevice;
  return piece;
}

std::string Recorder::File(const std::string& kind, const std::byte* bytes, uint64_t size) {
  std::string name = fmt::format("{}{}.bin", kind, files_++);
  WriteFileAtomically(partial_ / name, {reinterpret_cast<const char*>(bytes), size});
  return name;
}

void Recorder::Loaded(const LoadedModule& module, const DeviceMemory& memory) {
  for (const auto& [name, address] : module.symbols) {
    const DeviceMemory::Region* region = memory.Find(address, 0);
    if (region == nullptr) continue;
    Piece& piece = Add(*region);
    piece.variable = region->name;
    piece.ptx = module.module->file;
    piece.read_back = module.managed.contains(name);
    const std::span<const std::byte> bytes = memory.Bytes(*region);
    piece.left.assign(bytes.begin(), bytes.end());
  }
}

void Recorder::Allocated(uint64_t address, Kind kind) { allocated_[address] = kind; }

void Recorder::Freed(uint64_t address) {
  allocated_.erase(address);
  const auto found = live_.find(address);
  if (found == live_.end()) return;
  pieces_[found->second].until = launches_;
  gone_.push_back(found->second);
  live_.erase(found);
}

void Recorder::CopiedBack(uint64_t address, const DeviceMemory& /*memory*/) {
  if (Piece* piece = Of(address)) piece->read_back = true;
}

void Recorder::Compare(const DeviceMemory& memory, Piece* piece, bool is_new) {
  const std::byte* const now = memory.At(piece->address);
  piece->left.resize(piece->size);
  const auto [first, other] = std::mismatch(now, now + piece->size, piece->left.begin());
  if (first == now + piece->size) return;
  if (is_new && piece->variable.empty()) {
    piece->fill = File("fill", now, piece->size);
  } else {
    const std::byte* last = now + piece->size;
    auto before = piece->left.end();
    while (*(last - 1) == *(before - 1)) --last, --before;
    piece->writes.push_back({launches_, static_cast<uint64_t>(first - now),
                             File("write", first, static_cast<uint64_t>(last - first))});
  }
  std::memcpy(piece->left.data(), now, piece->size);
}

std::string Recorder::TextureOf(const Texture& texture) {
  Piece* piece = Of(texture.base);
  if (piece == nullptr || !piece->variable.empty()) {
    ThrowBadInput("--record: a texture over something else than a buffer cannot be recorded");
  }
  const std::string type(ToString(texture.type));
  if (piece->type != "u8" && piece->type != type) {
    ThrowBadInput("--record: textures of {} and {} over one buffer cannot be recorded", piece->type,
                  type);
  }
  piece->type = type;
  constexpr const char* kModes[] = {"clamp", "wrap", "mirror", "border"};
  textures_[texture.name] = fmt::format(
      "[texture.{}]\nbuffer = \"{}\"\noffset = {}\nwidth = {}\nheight = {}\ndepth = {}\n"
      "layers = {}\nchannels = {}\naddress = \"{}\"\nfilter = \"{}\"\nnormalized = {}\n"
      "read = \"{}\"\n",
      texture.name, piece->name, texture.base - piece->address, texture.width, texture.height,
      texture.depth, texture.layers, texture.channels,
      kModes[static_cast<size_t>(texture.address_mode)], texture.linear ? "linear" : "nearest",
      texture.normalized, texture.normalized_float ? "normalized-float" : "element");
  return texture.name;
}

std::string Recorder::Arguments(const KernelLaunch& launch) {
  std::string text;
  for (const auto& parameter : launch.kernel->parameters) {
    const uint64_t size = parameter->SizeInBytes();
    const std::byte* const bytes = launch.parameters.data() + parameter->offset;
    uint64_t value = 0;
    std::memcpy(&value, bytes, std::min<uint64_t>(size, sizeof value));
    const bool word = parameter->count == 1 && !ptx::IsFloat(parameter->type);
    const Piece* const piece = word && size == 8 ? Of(value) : nullptr;
    const uint64_t texture = value - kTextureHandles;
    if (!text.empty()) text += ", ";
    if (piece != nullptr && piece->variable.empty()) {
      const uint64_t offset = value - piece->address;
      text += offset == 0 ? fmt::format("\"{}\"", piece->name)
                          : fmt::format("\"{}+{}\"", piece->name, offset);
    } else if (word && size == 8 && texture < launch.textures.size()) {
      text += fmt::format("{{ texture = \"{}\" }}", TextureOf(launch.textures[texture]));
    } else if (word && size == 4) {
      text += fmt::format("{{ u32 = {} }}", value);
    } else {
      text += fmt::format("{{ bytes = \"{}\" }}", Hex(bytes, size));
    }
  }
  return text;
}

void Recorder::Before(const KernelLaunch& launch, const LoadedModule& module,
                      DeviceMemory* memory) {
  // What went before a launch that follows is in no check.
  for (const size_t index : gone_) pieces_[index].left = {};
  gone_.clear();
  for (const DeviceMemory::Region& region : memory->regions()) {
    if (memory->IsAmongQueues(region)) continue;  // a replay makes it again
    const bool is_new = !live_.contains(region.address);
    Piece& piece = is_new ? Add(region) : pieces_[live_.at(region.address)];
    Compare(*memory, &piece, is_new);
  }
  const std::string ptx = Basename(launch.module->file);
  if (modules_.insert(ptx).second) WriteFileAtomically(partial_ / ptx, module.text);
  std::string table = fmt::format(
      "\n[[launch]]\nptx = {}\nentry = \"{}\"\ngrid = [{}, {}, {}]\nblock = [{}, {}, {}]\n",
      Quoted(ptx), launch.kernel->name, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
      launch.block.y, launch.block.z);
  const Dim3& c = launch.cluster;
  const Dim3 own = ClusterOf(*launch.kernel);
  if (c.x != own.x || c.y != own.y || c.z != own.z) {
    table += fmt::format("cluster = [{}, {}, {}]\n", c.x, c.y, c.z);
  }
  if (launch.dynamic_shared_bytes != 0) {
    table += fmt::format("shared = {}\n", launch.dynamic_shared_bytes);
  }
  if (launch.kernel->uses_stack) table += fmt::format("stack = {}\n", launch.stack_bytes);
  if (launch.registers) table += fmt::format("registers = {}\n", *launch.registers);
  table += fmt::format("args = [{}]\n", Arguments(launch));
  std::string names;
  for (const auto& variable : launch.module->globals) {
    const auto bound = launch.symbols.find(variable->name);
    if (variable->type != ptx::Type::kTexref || bound == launch.symbols.end()) continue;
    const uint64_t index = bound->second - kTextureHandles;
    if (index >= launch.textures.size() || launch.textures[index].name.empty()) continue;
    names += fmt::format("{}{} = \"{}\"", names.empty() ? "" : ", ", variable->name,
                         TextureOf(launch.textures[index]));
  }
  if (!names.empty()) table += fmt::format("textures = {{ {} }}\n", names);
  tables_.push_back(std::move(table));
}

void Recorder::After(const DeviceMemory& memory) {
  for (const auto& [address, index] : live_) {
    Piece& piece = pieces_[index];
    const std::byte* const now = memory.At(address);
    if (piece.size == 0 || std::memcmp(piece.left.data(), now, piece.size) == 0) continue;
    piece.changed = true;
    std::memcpy(piece.left.data(), now, piece.size);
  }
  ++launches_;
}

std::string Recorder::NameOf(const Piece& piece) const {
  const bool is_variable = !piece.variable.empty() && modules_.contains(Basename(piece.ptx));
  return is_variable ? Basename(piece.variable) : piece.name;
}

bool Recorder::Finish() {
  if (tables_.empty()) return false;
  std::string toml =
      fmt::format("name = {}\ndescription = {}\n\n[memory]\ngap = 0\nqueue_bytes = {}\n",
                  Quoted(program_), Quoted("recorded: " + command_), uint64_t{16} << 20);
  std::string variables, buffers, checks;
  std::vector<std::string> writes(tables_.size());
  for (const Piece& piece : pieces_) {
    if (piece.from >= launches_) continue;
    const std::string name = NameOf(piece);
    for (const Write& write : piece.writes) {
      std::string& text = writes[write.launch];
      text += fmt::format("{}{{ to = \"{}\", offset = {}, file = \"{}\" }}",
                          text.empty() ? "" : ", ", name, write.offset, write.file);
    }
    if (name != piece.name) {
      variables += fmt::format("\"{}\" = {:#x}\n", name, piece.address);
      continue;
    }
    const auto element = ParseElementType(piece.type);
    buffers += fmt::format("\n[buffer.{}]\ntype = \"{}\"\ncount = {}\naddress = {:#x}\n", name,
                           piece.type, piece.size / SizeInBytes(*element), piece.address);
    if (piece.from != 0) buffers += fmt::format("from = {}\n", piece.from);
    const bool goes = piece.until && *piece.until < launches_;
    if (goes) buffers += fmt::format("until = {}\n", *piece.until);
    buffers += piece.fill.empty() ? "fill = \"zero\"\n"
                                  : fmt::format("fill = \"file\"\nfile = \"{}\"\n", piece.fill);
    if (!piece.read_back || !piece.changed || goes || piece.left.empty()) continue;
    checks += fmt::format("\n[check.{}]\nfile = \"{}\"\n", name,
                          File("expect", piece.left.data(), piece.size));
  }
  if (!variables.empty()) toml += "[memory.variables]\n" + variables;
  toml += buffers;
  for (const auto& [name, table] : textures_) toml += "\n" + table;
  for (size_t i = 0; i < tables_.size(); ++i) {
    toml += tables_[i];
    if (!writes[i].empty()) toml += fmt::format("write = [{}]\n", writes[i]);
  }
  toml += checks;
  WriteFileAtomically(partial_ / "workload.toml", toml);
  std::error_code error;
  std::filesystem::remove(folder_, error);
  std::filesystem::rename(partial_, folder_, error);
  if (error) {
    ThrowInternal("--record: cannot write '{}': {}", folder_.string(), error.message());
  }
  return true;
}

}  // namespace flagstone::cuda
