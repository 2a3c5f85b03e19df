#include "kernels/launch/launch_check.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/toml_reader.h"
#include "kernels/launch/fail_at.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

void HashFile(const Workload& workload, const ptx::Location& at, const std::filesystem::path& path,
              const BufferSpec& buffer, Fnv1a& hash) {
  const std::string contents = ReadFile(path);
  if (contents.size() != buffer.Bytes()) {
    FailAt(workload, at, "'{}' has {} bytes: expected {} for buffer '{}' of {} {}", path.string(),
           contents.size(), buffer.Bytes(), buffer.name, buffer.count, ToString(buffer.type));
  }
  hash.Add(std::string_view{contents});
}

// Counts that follow from an input file come late.
bool IsCounted(const BufferSpec& buffer) {
  return buffer.count != 0 || buffer.fill.input == nullptr;
}

// The last element of the tensor lies inside the buffer.
void CheckTensorMap(const Workload& workload, const ArgumentSpec& argument, uint64_t bytes) {
  const TensorMap& map = *argument.tensor_map;
  uint64_t end = argument.offset + map.ElementBytes();
  for (uint32_t d = 0; d < map.dimensions; ++d) end += (map.shape[d] - 1) * map.strides[d];
  if (end <= bytes) return;
  FailAt(workload, argument.location, "{} ends after {} bytes: expected at most {} ('{}')",
         argument.text, end, bytes, argument.buffer);
}

const TextureSpec* FindTexture(const Workload& workload, std::string_view name) {
  for (const TextureSpec& texture : workload.textures) {
    if (texture.name == name) return &texture;
  }
  return nullptr;
}

std::string TextureNames(const Workload& workload) {
  if (workload.textures.empty()) return "no texture is defined";
  std::vector<std::string_view> names;
  for (const TextureSpec& texture : workload.textures) names.push_back(texture.name);
  return fmt::format("expected one of {}", CommaSeparated(names));
}

}  // namespace

void CheckTextures(const Workload& workload) {
  for (const TextureSpec& texture : workload.textures) {
    const BufferSpec* buffer = workload.FindBuffer(texture.buffer);
    if (buffer == nullptr) {
      FailAt(workload, texture.location, "texture '{}' of unknown buffer {}: {}", texture.name,
             Quoted(texture.buffer), BufferNames(workload));
    }
    const uint64_t size = SizeInBytes(buffer->type);
    if (texture.offset % size != 0) {
      FailAt(workload, texture.location, "texture '{}' has offset {}: expected a multiple of {}",
             texture.name, texture.offset, size);
    }
    const uint64_t elements = texture.offset / size + texture.Texels() * texture.channels;
    if (IsCounted(*buffer) && elements > buffer->count) {
      FailAt(workload, texture.location, "texture '{}' has {} elements: expected at most {} ('{}')",
             texture.name, elements, buffer->count, buffer->name);
    }
    const uint64_t bytes = SizeInBytes(buffer->type);
    const bool is_float = buffer->type == ElementType::kF32;
    if (bytes == 8) {
      FailAt(workload, texture.location,
             "texture '{}' is of {}: expected a type of at most 4 bytes", texture.name,
             ToString(buffer->type));
    }
    if (texture.normalized_float && bytes > 2) {
      FailAt(workload, texture.location,
             "texture '{}' reads {} as normalized-float: expected u8, s8, u16 or s16", texture.name,
             ToString(buffer->type));
    }
    if (texture.linear && !is_float && !texture.normalized_float) {
      FailAt(workload, texture.location,
             "texture '{}' filters {}: expected f32 or read = \"normalized-float\" with "
             "filter = \"linear\"",
             texture.name, ToString(buffer->type));
    }
  }
}

void CheckBufferArguments(const Workload& workload) {
  for (const LaunchSpec& launch : workload.launches) {
    for (const ArgumentSpec& argument : launch.arguments) {
      if (!argument.texture.empty() && FindTexture(workload, argument.texture) == nullptr) {
        FailAt(workload, argument.location, "unknown texture {}: {}", Quoted(argument.texture),
               TextureNames(workload));
      }
      if (argument.type != ptx::Type::kNone) continue;
      const BufferSpec* buffer = workload.FindBuffer(argument.buffer);
      if (buffer == nullptr) {
        FailAt(workload, argument.location, "unknown buffer {}: {}", Quoted(argument.buffer),
               BufferNames(workload));
      }
      if (argument.tensor_map && IsCounted(*buffer)) {
        CheckTensorMap(workload, argument, buffer->Bytes());
      }
      if (IsCounted(*buffer) && argument.offset != 0 && argument.offset >= buffer->Bytes()) {
        FailAt(workload, argument.location, "offset {} is past buffer '{}': expected less than {}",
               argument.offset, buffer->name, buffer->Bytes());
      }
    }
  }
}

void LoadModules(Workload& workload) {
  std::vector<std::filesystem::path> loaded;
  for (const LaunchSpec& launch : workload.launches) {
    const auto found = std::find(loaded.begin(), loaded.end(), launch.ptx);
    workload.launch_modules.push_back(static_cast<size_t>(found - loaded.begin()));
    if (found != loaded.end()) continue;
    loaded.push_back(launch.ptx);
    workload.modules.push_back(ptx::ParseFile(launch.ptx.string()));
  }
}

void CheckHostSteps(const Workload& workload) {
  const size_t launches = workload.launches.size();
  for (const BufferSpec& buffer : workload.buffers) {
    const bool ordered = !buffer.until || (buffer.from < *buffer.until && *buffer.until < launches);
    if (buffer.from >= launches || !ordered) {
      FailAt(
          workload, buffer.location,
          "[buffer.{}] is there from launch {} until {}: expected from < until < {}, the launches",
          buffer.name, buffer.from, buffer.until ? fmt::format("{}", *buffer.until) : "the end",
          launches);
    }
    const bool lasts = buffer.from == 0 && !buffer.until;
    if (!lasts && !buffer.address) {
      FailAt(workload, buffer.location,
             "[buffer.{}] comes or goes between launches: expected its 'address' too", buffer.name);
    }
    if (lasts) continue;
    for (const LaunchLoop& loop : workload.loops) {
      if (loop.count == 1 && loop.repeat == 1 && loop.until_zero.empty()) continue;
      FailAt(workload, buffer.location,
             "[buffer.{}] comes or goes between launches: expected no launch that repeats",
             buffer.name);
    }
  }
  for (size_t i = 0; i < launches; ++i) {
    for (const HostWrite& write : workload.launches[i].writes) {
      const BufferSpec* buffer = workload.FindBuffer(write.region);
      if (buffer == nullptr) continue;  // a variable: known when modules are bound
      const bool there = buffer->from <= i && (!buffer->until || *buffer->until > i);
      if (there) continue;
      FailAt(workload, write.location, "launch {} comes when buffer '{}' is not there", i,
             write.region);
    }
    for (const auto& [variable, texture] : workload.launches[i].textures) {
      if (FindTexture(workload, texture) != nullptr) continue;
      FailAt(workload, workload.launches[i].location, "unknown texture {}: {}", Quoted(texture),
             TextureNames(workload));
    }
  }
}

void CheckSymbols(const Workload& workload) {
  for (const BufferSpec& symbol : workload.symbols) {
    bool found = false;
    std::vector<std::string_view> names;
    for (const auto& module : workload.modules) {
      for (const auto& variable : module->globals) {
        names.push_back(variable->name);
        if (variable->name != symbol.name) continue;
        found = true;
        if (symbol.Bytes() <= variable->SizeInBytes()) continue;
        FailAt(workload, symbol.location, "[symbol.{}] has {} bytes: its variable has {} ({}:{})",
               symbol.name, symbol.Bytes(), variable->SizeInBytes(), module->file,
               variable->location.line);
      }
    }
    if (found) continue;
    FailAt(workload, symbol.location, "no PTX file has a variable {}: {}", Quoted(symbol.name),
           names.empty() ? "there is none at all" : "expected one of " + CommaSeparated(names));
  }
}

std::vector<std::filesystem::path> Workload::Files() const {
  std::vector<std::filesystem::path> files;
  for (const LaunchSpec& launch : launches) {
    files.push_back(launch.ptx);
    for (const HostWrite& write : launch.writes) files.push_back(write.file);
  }
  for (const auto& input : inputs) files.push_back(input->file());
  for (const auto* specs : {&buffers, &symbols}) {
    for (const BufferSpec& buffer : *specs) files.push_back(buffer.fill.file);
  }
  for (const CheckSpec& check : checks) files.push_back(check.file);
  std::erase(files, std::filesystem::path());
  return files;
}

void HashInputFiles(Workload& workload) {
  Fnv1a hash;
  hash.Add(workload.input_hash);
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    hash.Add(std::string_view{ReadFile(workload.launches[i].ptx)});
    for (const HostWrite& write : workload.launches[i].writes) {
      hash.Add(std::string_view{ReadFile(write.file)});
    }
  }
  for (const auto& input : workload.inputs) {
    if (!input->file().empty()) hash.Add(std::string_view{ReadFile(input->file())});
  }
  for (const auto* specs : {&workload.buffers, &workload.symbols}) {
    for (const BufferSpec& buffer : *specs) {
      if (buffer.fill.kind != Fill::Kind::kFile) continue;
      HashFile(workload, buffer.location, buffer.fill.file, buffer, hash);
    }
  }
  for (const CheckSpec& check : workload.checks) {
    if (check.file.empty()) continue;
    HashFile(workload, check.location, check.file, *workload.FindBuffer(check.buffer), hash);
  }
  workload.input_hash = hash.Value();
}

}  // namespace flagstone
