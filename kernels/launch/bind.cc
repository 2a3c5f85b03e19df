// A workload's buffers and module variables in device memory, and its launches' parameter blocks.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "kernels/launch/extras.h"
#include "kernels/launch/fill.h"
#include "kernels/launch/heap.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

using Symbols = std::map<std::string, uint64_t>;

// .global and .const variables of a module, after the buffers; .const ones are read-only.
// A .texref or .surfref variable takes no memory: it stands for the texture of its name.
Symbols AllocateVariables(const ptx::Module& module, const Workload& workload,
                          DeviceMemory& memory) {
  const std::vector<TextureSpec>& textures = workload.textures;
  Symbols symbols;
  const std::string prefix = std::filesystem::path(module.file).filename().string() + ":";
  for (const auto& variable : module.globals) {
    if (variable->is_extern) continue;  // kernels that name it are refused
    if (ptx::IsOpaque(variable->type)) {
      for (size_t i = 0; i < textures.size(); ++i) {
        if (textures[i].name == variable->name) symbols[variable->name] = TextureHandle(i);
      }
      continue;
    }
    const bool writable = variable->space != ptx::Space::kConst;
    const std::string name = prefix + variable->name;
    const auto place = workload.variables.find(name);
    if (place == workload.variables.end()) {
      symbols[variable->name] = memory.Allocate(name, variable->SizeInBytes(), writable);
    } else {
      symbols[variable->name] = place->second;
      memory.AllocateAt(name, place->second, variable->SizeInBytes(), writable);
    }
  }
  InitializeVariables(module, symbols, &memory);
  return symbols;
}

// A sampler that its module describes is a texture without texels, which only lends its modes. A
// texture of its name in the workload goes before.
void AddSamplers(const ptx::Module& module, Symbols* symbols, std::vector<Texture>* textures) {
  for (const auto& variable : module.globals) {
    if (!variable->sampler || symbols->contains(variable->name)) continue;
    const ptx::SamplerModes& modes = *variable->sampler;
    using enum ptx::SamplerModes::Address;
    Texture sampler;
    sampler.name = variable->name;
    sampler.address_mode = modes.address == kWrap     ? AddressMode::kWrap
                           : modes.address == kMirror ? AddressMode::kMirror
                           : modes.address == kClamp  ? AddressMode::kClamp
                                                      : AddressMode::kBorder;
    sampler.linear = modes.linear;
    sampler.normalized = !modes.unnormalized;
    (*symbols)[variable->name] = TextureHandle(textures->size());
    textures->push_back(std::move(sampler));
  }
}

// In every module that has a variable of this name.
void FillSymbol(const BufferSpec& symbol, BoundWorkload& bound) {
  std::vector<std::byte> contents(symbol.Bytes());
  FillBuffer(symbol, contents);
  for (const KernelLaunch& launch : bound.launches) {
    const auto at = launch.symbols.find(symbol.name);
    if (at != launch.symbols.end()) std::ranges::copy(contents, bound.memory.At(at->second));
  }
}

// Also of a buffer that is not there yet.
uint64_t AddressOf(const BufferSpec& buffer, const DeviceMemory& memory) {
  return buffer.address ? *buffer.address : memory.Named(buffer.name).address;
}

std::vector<std::byte> ParameterBlock(const Workload& workload, const LaunchSpec& launch,
                                      const ptx::Kernel& kernel,
                                      const std::vector<Texture>& textures,
                                      const DeviceMemory& memory) {
  std::vector<std::byte> block(kernel.parameter_bytes);
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const ArgumentSpec& argument = launch.arguments[i];
    std::byte* into = block.data() + kernel.parameters[i]->offset;
    if (!argument.texture.empty()) {
      const auto named =
          std::find_if(textures.begin(), textures.end(),
                       [&](const Texture& texture) { return texture.name == argument.texture; });
      const uint64_t handle = TextureHandle(static_cast<size_t>(named - textures.begin()));
      std::memcpy(into, &handle, sizeof(handle));
    } else if (argument.tensor_map) {
      TensorMap map = *argument.tensor_map;
      map.base = AddressOf(*workload.FindBuffer(argument.buffer), memory) + argument.offset;
      std::memcpy(into, &map, sizeof(map));
    } else if (argument.type == ptx::Type::kNone) {
      const uint64_t address =
          AddressOf(*workload.FindBuffer(argument.buffer), memory) + argument.offset;
      std::memcpy(into, &address, kernel.parameters[i]->SizeInBytes());
    } else {
      std::memcpy(into, argument.bytes.data(), argument.bytes.size());
    }
  }
  return block;
}

// Before each launch: what goes, then what comes, then what the host has written.
std::vector<HostStep> StepsOf(const Workload& workload) {
  std::vector<HostStep> steps;
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.until) steps.push_back({*buffer.until, HostStep::Kind::kFree, buffer, {}});
    if (buffer.from == 0) continue;
    steps.push_back({buffer.from, HostStep::Kind::kAllocate, buffer, {}});
    steps.push_back({buffer.from, HostStep::Kind::kFill, buffer, {}});
  }
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    for (const HostWrite& write : workload.launches[i].writes) {
      steps.push_back({i, HostStep::Kind::kWrite, {}, write});
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](const HostStep& a, const HostStep& b) {
    return std::pair(a.launch, a.kind) < std::pair(b.launch, b.kind);
  });
  return steps;
}

// Buffers that have an address of their own stay there, with all others.
MemoryLayout LayoutOf(const Workload& workload, int address_bits, uint64_t buffer_offset) {
  MemoryLayout layout = workload.layout.value_or(MemoryLayout::For(address_bits));
  const bool fixed =
      std::any_of(workload.buffers.begin(), workload.buffers.end(),
                  [](const BufferSpec& buffer) { return buffer.address.has_value(); });
  if (!fixed) layout.base += buffer_offset;
  if (address_bits == 32 && layout.base >= DeviceMemory::kEnd32) {
    ThrowBadInput(
        "{}: base of [memory] is {:#x}: expected less than {:#x}, since pointers have 32 bits",
        workload.path.string(), layout.base, DeviceMemory::kEnd32);
  }
  return layout;
}

}  // namespace

void InitializeVariables(const ptx::Module& module, const std::map<std::string, uint64_t>& symbols,
                         DeviceMemory* memory) {
  for (const auto& variable : module.globals) {
    if (variable->is_extern) continue;
    if (ptx::IsOpaque(variable->type)) continue;
    std::byte* bytes = memory->At(symbols.at(variable->name));
    if (!variable->initial.empty()) {
      std::memcpy(bytes, variable->initial.data(), variable->initial.size());
    }
    for (const ptx::Variable::AddressOf& pointer : variable->addresses) {
      const auto target = symbols.find(pointer.target);
      if (!pointer.function && target == symbols.end()) {
        ThrowBadInput(
            "{}:{}:{}: initialiser of '{}' holds the address of '{}': expected a .global "
            "or .const variable of the file",
            module.file, variable->location.line, variable->location.column, variable->name,
            pointer.target);
      }
      const uint64_t address =
          (pointer.function ? 0 : target->second) + static_cast<uint64_t>(pointer.addend);
      if (pointer.byte) {
        bytes[pointer.at] = static_cast<std::byte>(address >> (8 * *pointer.byte));
      } else {
        std::memcpy(bytes + pointer.at, &address, static_cast<size_t>(SizeInBytes(variable->type)));
      }
    }
  }
}

void AddExtras(const ptx::Kernel& kernel, uint64_t heap_bytes, DeviceMemory* memory,
               DeviceExtras* extras) {
  if (!kernel.allocates && !kernel.syncs_grid) return;
  // A heap lies alike whether or not a kernel meets at the barrier, and whichever comes first.
  if (extras->grid_barrier == 0) {
    extras->grid_barrier = memory->AllocateApart("barrier of cooperative launches", 256);
  }
  if (kernel.allocates && extras->heap == 0) extras->heap = AllocateHeap(heap_bytes, memory);
}

Dim3 ClusterOf(const ptx::Kernel& kernel) {
  const std::array<uint32_t, 3>& required = kernel.required_cluster;
  return {std::max(required[0], 1U), std::max(required[1], 1U), std::max(required[2], 1U)};
}

void Apply(const HostStep& step, DeviceMemory* memory) {
  switch (step.kind) {
    case HostStep::Kind::kFree:
      memory->Free(*step.buffer.address);
      return;
    case HostStep::Kind::kAllocate:
      memory->AllocateAt(step.buffer.name, *step.buffer.address, step.buffer.Bytes());
      return;
    case HostStep::Kind::kFill:
      FillBuffer(step.buffer, memory->Bytes(memory->Named(step.buffer.name)));
      return;
    case HostStep::Kind::kWrite:
      break;
  }
  const HostWrite& write = step.write;
  const DeviceMemory::Region& region = memory->Named(write.region);
  const std::string contents = ReadFile(write.file);
  if (write.offset > region.size || contents.size() > region.size - write.offset) {
    ThrowBadInput("'{}' has {} bytes for '{}' from {} on: expected at most {} in all",
                  write.file.string(), contents.size(), region.name, write.offset, region.size);
  }
  std::memcpy(memory->At(region.address) + write.offset, contents.data(), contents.size());
}

BoundWorkload BindAddresses(const Workload& workload, uint64_t buffer_offset) {
  int address_bits = 64;
  for (const auto& module : workload.modules) {
    address_bits = std::min(address_bits, module->address_size);
  }
  BoundWorkload bound{
      DeviceMemory(address_bits, LayoutOf(workload, address_bits, buffer_offset)), {}, {}};
  std::vector<uint64_t> sizes;
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.from == 0 && !buffer.address) sizes.push_back(buffer.Bytes());
  }
  bound.memory.Expect(sizes);
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.from != 0) continue;
    if (buffer.address) {
      bound.memory.AllocateAt(buffer.name, *buffer.address, buffer.Bytes());
    } else {
      bound.memory.Allocate(buffer.name, buffer.Bytes());
    }
  }
  std::vector<Texture> textures;
  for (const TextureSpec& spec : workload.textures) {
    const BufferSpec& buffer = *workload.FindBuffer(spec.buffer);
    textures.push_back({spec, buffer.type, AddressOf(buffer, bound.memory) + spec.offset});
  }
  std::vector<Symbols> symbols;
  for (const auto& module : workload.modules) {
    symbols.push_back(AllocateVariables(*module, workload, bound.memory));
    AddSamplers(*module, &symbols.back(), &textures);
  }
  DeviceExtras extras;
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    AddExtras(workload.KernelOf(i), workload.heap_bytes, &bound.memory, &extras);
  }
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchSpec& spec = workload.launches[i];
    const size_t module = workload.launch_modules[i];
    KernelLaunch launch;
    launch.kernel = &workload.KernelOf(i);
    launch.module = workload.modules[module].get();
    launch.grid = spec.grid;
    launch.block = spec.block;
    launch.dynamic_shared_bytes = spec.shared;
    launch.stack_bytes = spec.stack;
    launch.parameters = ParameterBlock(workload, spec, *launch.kernel, textures, bound.memory);
    launch.registers = spec.registers;
    launch.cluster = spec.cluster ? *spec.cluster : ClusterOf(*launch.kernel);
    launch.heap = extras.heap;
    launch.grid_barrier = extras.grid_barrier;
    launch.symbols = symbols[module];
    for (const auto& [variable, name] : spec.textures) {
      const auto named = std::find_if(
          textures.begin(), textures.end(),
          [wanted = std::string_view(name)](const Texture& t) { return t.name == wanted; });
      launch.symbols[variable] = TextureHandle(static_cast<size_t>(named - textures.begin()));
    }
    launch.textures = textures;
    bound.launches.push_back(std::move(launch));
  }
  bound.loops = workload.loops;
  bound.steps = StepsOf(workload);
  return bound;
}

BoundWorkload Bind(const Workload& workload, uint64_t buffer_offset) {
  BoundWorkload bound = BindAddresses(workload, buffer_offset);
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.from != 0) continue;
    FillBuffer(buffer, bound.memory.Bytes(bound.memory.Named(buffer.name)));
  }
  for (const BufferSpec& symbol : workload.symbols) FillSymbol(symbol, bound);
  return bound;
}

bool BoundWorkload::RunsSeveral() const {
  return launches.size() > 1 || (!loops.empty() && loops.front().repeat > 1);
}

}  // namespace flagstone
