// A workload's buffers and module variables in device memory, and its launches' parameter blocks.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "launch/fill.h"
#include "launch/workload.h"
#include "ptx/kernel.h"

namespace flagstone {
namespace {

using Symbols = std::map<std::string, uint64_t>;

// .global and .const variables of a module, after the buffers; .const ones are read-only.
// A .texref variable takes no memory: it stands for the texture of its name.
Symbols AllocateVariables(const ptx::Module& module, const std::vector<TextureSpec>& textures,
                          DeviceMemory& memory) {
  Symbols symbols;
  const std::string prefix = std::filesystem::path(module.file).filename().string() + ":";
  for (const auto& variable : module.globals) {
    if (variable->is_extern) continue;  // kernels that name it are refused
    if (variable->type == ptx::Type::kTexref) {
      for (size_t i = 0; i < textures.size(); ++i) {
        if (textures[i].name == variable->name) symbols[variable->name] = TextureHandle(i);
      }
      continue;
    }
    const bool writable = variable->space != ptx::Space::kConst;
    symbols[variable->name] =
        memory.Allocate(prefix + variable->name, variable->SizeInBytes(), writable);
  }
  for (const auto& variable : module.globals) {
    if (variable->is_extern) continue;
    if (variable->type == ptx::Type::kTexref) continue;
    std::byte* bytes = memory.At(symbols.at(variable->name));
    if (!variable->initial.empty()) {
      std::memcpy(bytes, variable->initial.data(), variable->initial.size());
    }
    for (const ptx::Variable::AddressOf& pointer : variable->addresses) {
      if (pointer.function) continue;  // calls through it are refused
      const auto target = symbols.find(pointer.target);
      if (target == symbols.end()) {
        ThrowBadInput(
            "{}:{}:{}: initialiser of '{}' holds the address of '{}': expected a .global "
            "or .const variable of the file",
            module.file, variable->location.line, variable->location.column, variable->name,
            pointer.target);
      }
      const uint64_t address = target->second + static_cast<uint64_t>(pointer.addend);
      if (pointer.byte) {
        bytes[pointer.at] = static_cast<std::byte>(address >> (8 * *pointer.byte));
      } else {
        std::memcpy(bytes + pointer.at, &address, static_cast<size_t>(SizeInBytes(variable->type)));
      }
    }
  }
  return symbols;
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

std::vector<std::byte> ParameterBlock(const LaunchSpec& launch, const ptx::Kernel& kernel,
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
    } else if (argument.type == ptx::Type::kNone) {
      const uint64_t address = memory.Named(argument.buffer).address + argument.offset;
      std::memcpy(into, &address, kernel.parameters[i]->SizeInBytes());
    } else {
      std::memcpy(into, argument.bytes.data(), argument.bytes.size());
    }
  }
  return block;
}

MemoryLayout LayoutOf(const Workload& workload, int address_bits) {
  const MemoryLayout layout = workload.layout.value_or(MemoryLayout::For(address_bits));
  if (address_bits == 32 && layout.base >= DeviceMemory::kEnd32) {
    ThrowBadInput(
        "{}: base of [memory] is {:#x}: expected less than {:#x}, since pointers have 32 bits",
        workload.path.string(), layout.base, DeviceMemory::kEnd32);
  }
  return layout;
}

}  // namespace

BoundWorkload BindAddresses(const Workload& workload) {
  int address_bits = 64;
  for (const auto& module : workload.modules) {
    address_bits = std::min(address_bits, module->address_size);
  }
  BoundWorkload bound{DeviceMemory(address_bits, LayoutOf(workload, address_bits)), {}, {}};
  for (const BufferSpec& buffer : workload.buffers) {
    bound.memory.Allocate(buffer.name, buffer.Bytes());
  }
  std::vector<Texture> textures;
  for (const TextureSpec& spec : workload.textures) {
    const BufferSpec& buffer = *workload.FindBuffer(spec.buffer);
    textures.push_back({spec, buffer.type, bound.memory.Named(buffer.name).address});
  }
  std::vector<Symbols> symbols;
  for (const auto& module : workload.modules) {
    symbols.push_back(AllocateVariables(*module, workload.textures, bound.memory));
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
    launch.parameters = ParameterBlock(spec, *launch.kernel, textures, bound.memory);
    launch.registers = spec.registers;
    launch.symbols = symbols[module];
    launch.textures = textures;
    bound.launches.push_back(std::move(launch));
  }
  bound.loops = workload.loops;
  return bound;
}

BoundWorkload Bind(const Workload& workload) {
  BoundWorkload bound = BindAddresses(workload);
  for (const BufferSpec& buffer : workload.buffers) {
    FillBuffer(buffer, bound.memory.Bytes(bound.memory.Named(buffer.name)));
  }
  for (const BufferSpec& symbol : workload.symbols) FillSymbol(symbol, bound);
  return bound;
}

bool BoundWorkload::RunsSeveral() const {
  return launches.size() > 1 || (!loops.empty() && loops.front().repeat > 1);
}

}  // namespace flagstone
