#include "app/flow/run/analysis_memo.h"

#include <type_traits>
#include <utility>

#include "analyzer/address/constant_bytes.h"

namespace flagstone {
namespace {

template <class T>
void AddToKey(const T& value, std::string* key) {
  static_assert(std::has_unique_object_representations_v<T>);  // no padding
  key->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AddBytesToKey(const std::byte* bytes, uint64_t size, std::string* key) {
  AddToKey(size, key);
  key->append(reinterpret_cast<const char*>(bytes), size);
}

}  // namespace

std::string AnalysisMemo::KeyOf(const KernelLaunch& launch, const DeviceMemory& memory) {
  std::string key;
  AddToKey(launch.kernel, &key);
  AddToKey(launch.module, &key);
  return key + ShapeOf(launch, memory);
}

std::string AnalysisMemo::ShapeOf(const KernelLaunch& launch, const DeviceMemory& memory) {
  std::string key;
  AddToKey(launch.grid, &key);
  AddToKey(launch.block, &key);
  AddToKey(launch.cluster, &key);
  AddToKey(launch.dynamic_shared_bytes, &key);
  AddToKey(launch.stack_bytes, &key);
  AddToKey(launch.registers.value_or(0), &key);
  AddToKey(launch.textures.size(), &key);
  for (const Texture& texture : launch.textures) {
    AddToKey(texture.base, &key);
    AddToKey(texture.Texels(), &key);
    AddToKey(texture.width, &key);
    AddToKey(texture.height, &key);
  }
  AddBytesToKey(launch.parameters.data(), launch.parameters.size(), &key);
  for (const auto& [name, address] : launch.symbols) AddToKey(address, &key);
  for (const DeviceMemory::Region& region : memory.regions()) {
    AddToKey(region.address, &key);
    AddToKey(region.size, &key);
  }
  const ConstantBytes constants(launch, memory);
  for (const ConstantBytes::Variable& variable : constants.variables()) {
    AddBytesToKey(variable.bytes.data(), variable.bytes.size(), &key);
  }
  return key;
}

const LaunchFindings& AnalysisMemo::Put(const std::string& key, LaunchFindings findings) {
  if (findings_.size() >= kMost) findings_.clear();
  return findings_.insert_or_assign(key, std::move(findings)).first->second;
}

}  // namespace flagstone
