#include "app/flow/studies/alike_launches.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>

namespace flagstone {
namespace {

bool SameShape(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Buffers of one launch in the places of the other's: one for one.
class Buffers {
 public:
  explicit Buffers(const DeviceMemory& memory) : memory_(memory) {}

  bool IsAddress(uint64_t value) const { return memory_.Find(value, 1) != nullptr; }
  // Both point to the same place in buffers of one size.
  bool Match(uint64_t a, uint64_t b) {
    const DeviceMemory::Region* of_a = memory_.Find(a, 1);
    const DeviceMemory::Region* of_b = memory_.Find(b, 1);
    if (of_a == nullptr || of_b == nullptr || of_a->size != of_b->size) return false;
    return a - of_a->address == b - of_b->address &&
           there_.try_emplace(of_a->address, of_b->address).first->second == of_b->address &&
           back_.try_emplace(of_b->address, of_a->address).first->second == of_a->address;
  }

 private:
  const DeviceMemory& memory_;
  std::map<uint64_t, uint64_t> there_, back_;  // by address
};

// Pointers are aligned words of 64 bits, also in structures.
bool SameArguments(const KernelLaunch& a, const KernelLaunch& b, const DeviceMemory& memory) {
  const size_t size = a.parameters.size();
  if (b.parameters.size() != size) return false;
  Buffers buffers(memory);
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t of_a = 0, of_b = 0;
    const size_t bytes = std::min(sizeof(uint64_t), size - at);
    std::memcpy(&of_a, a.parameters.data() + at, bytes);
    std::memcpy(&of_b, b.parameters.data() + at, bytes);
    const bool same = buffers.IsAddress(of_a) ? buffers.Match(of_a, of_b) : of_a == of_b;
    if (!same) return false;
  }
  return true;
}

bool AreAlike(const KernelLaunch& a, const KernelLaunch& b, const DeviceMemory& memory) {
  return a.kernel == b.kernel && SameShape(a.grid, b.grid) && SameShape(a.block, b.block) &&
         SameShape(a.cluster, b.cluster) && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         a.registers == b.registers && a.stack_bytes == b.stack_bytes && a.symbols == b.symbols &&
         a.textures.empty() && b.textures.empty() && SameArguments(a, b, memory);
}

}  // namespace

std::optional<size_t> FindAlike(const BoundWorkload& bound, size_t launch) {
  for (size_t i = 0; i < launch; ++i) {
    if (AreAlike(bound.launches[i], bound.launches[launch], bound.memory)) return i;
  }
  return std::nullopt;
}

}  // namespace flagstone
