#include "kernels/cuda/server/modules.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/cuda/fatbin/reader.h"
#include "kernels/cuda/protocol.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

namespace flagstone::cuda {
namespace {

// Managed variables have pages of their own, which the program maps over its. What is left of the
// last page is a region too, so that no other one comes there.
uint64_t AllocatePages(const std::string& name, uint64_t size, DeviceMemory* memory) {
  const uint64_t pages = (size + kPage - 1) / kPage * kPage;
  const uint64_t room = memory->Allocate(name, pages + kPage);
  memory->Free(room);
  const uint64_t address = (room + kPage - 1) / kPage * kPage;
  memory->AllocateAt(name, address, size);
  constexpr uint64_t kAlignment = DeviceMemory::kAlignment;
  const uint64_t used = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (used < pages) {
    memory->AllocateAt(name + " (rest of its page)", address + used, pages - used);
  }
  return address;
}

}  // namespace

LoadedModule& Modules::At(size_t module) const {
  if (module >= modules_.size()) ThrowBadInput("the program names an unknown module {}", module);
  return *modules_[module];
}

size_t Modules::Take(std::string_view piece, bool last) {
  if (complete_) modules_.push_back(std::make_unique<LoadedModule>());
  modules_.back()->bytes += piece;
  complete_ = last;
  return modules_.size() - 1;
}

void Modules::Load(size_t number, DeviceMemory* memory) {
  LoadedModule& loaded = At(number);
  DeviceCode code = ReadFatBinary(loaded.bytes);
  loaded.bytes = {};
  loaded.text = std::move(code.ptx);
  loaded.registers = code.registers;
  const std::string file = fmt::format("{}.{}.ptx", program_, number + 1);
  std::unique_ptr<ptx::Module> module = ptx::Parse(loaded.text, file);
  if (module->address_size != 64) {
    ThrowBadInput("{}: pointers of {} bits: expected 64", file, module->address_size);
  }
  for (const auto& variable : module->globals) {
    if (variable->is_extern || variable->type == ptx::Type::kTexref) continue;
    const std::string name = fmt::format("{}:{}", file, variable->name);
    const uint64_t size = variable->SizeInBytes();
    uint64_t& address = loaded.symbols[variable->name];
    if (!loaded.managed.contains(variable->name)) {
      address = memory->Allocate(name, size, variable->space != ptx::Space::kConst);
      continue;
    }
    address = AllocatePages(name, size, memory);
  }
  InitializeVariables(*module, loaded.symbols, memory);
  loaded.module = std::move(module);
}

size_t Modules::FindKernel(size_t number, const std::string& name) {
  const LoadedModule& loaded = At(number);
  if (loaded.module == nullptr) ThrowBadInput("kernel '{}' is of a module that did not load", name);
  LoadedKernel kernel{&loaded, &loaded.module->FindKernel(name), 0};
  loaded.module->CheckRunnable(*kernel.kernel);
  kernel.registers = EstimateRegisters(*kernel.kernel);
  kernels_.push_back(kernel);
  return kernels_.size() - 1;
}

uint32_t Modules::NewestTarget() const {
  uint32_t newest = 0;
  for (const auto& loaded : modules_) {
    if (loaded->module == nullptr || !loaded->module->target.starts_with("sm_")) continue;
    const std::string& target = loaded->module->target;
    uint32_t number = 0;
    std::from_chars(target.data() + 3, target.data() + target.size(), number);
    newest = std::max(newest, number);
  }
  return newest;
}

void Modules::Bind(size_t module, const std::string& texture, uint64_t handle) {
  LoadedModule& loaded = At(module);
  if (handle == 0) {
    loaded.symbols.erase(texture);
  } else {
    loaded.symbols[texture] = handle;
  }
}

const LoadedKernel& Modules::KernelAt(size_t number) const {
  if (number >= kernels_.size()) ThrowBadInput("the program names an unknown kernel {}", number);
  return kernels_[number];
}

VariablePlace Modules::VariableOf(size_t number, const std::string& name) const {
  const LoadedModule& loaded = At(number);
  const auto found = loaded.symbols.find(name);
  if (loaded.module == nullptr || found == loaded.symbols.end()) {
    ThrowBadInput("the program's device code has no variable '{}'", name);
  }
  for (const auto& variable : loaded.module->globals) {
    if (variable->name == name) return {found->second, variable->SizeInBytes()};
  }
  ThrowInternal("variable '{}' has an address and no size", name);
}

}  // namespace flagstone::cuda
