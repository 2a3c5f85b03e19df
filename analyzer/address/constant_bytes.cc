#include "analyzer/address/constant_bytes.h"

#include <algorithm>
#include <cstring>

#include "analyzer/address/integer_ops.h"

namespace flagstone {

ConstantBytes::ConstantBytes(const KernelLaunch& launch, const DeviceMemory& memory) {
  const std::vector<ptx::Instruction>& instructions = launch.kernel->instructions;
  if (std::none_of(instructions.begin(), instructions.end(), IsConstantLoad)) return;
  for (const auto& global : launch.module->globals) {
    const auto placed = launch.symbols.find(global->name);
    if (global->space != ptx::Space::kConst || placed == launch.symbols.end()) continue;
    const uint64_t size = global->SizeInBytes();
    if (size == 0 || memory.Find(placed->second, size) == nullptr) continue;
    const std::byte* const bytes = memory.At(placed->second);
    variables_.push_back({placed->second, {bytes, bytes + size}});
  }
}

std::optional<uint64_t> ConstantBytes::Read(uint64_t address, ptx::Type type) const {
  const auto size = static_cast<uint64_t>(ptx::SizeInBytes(type));
  if (size == 0 || size > sizeof(uint64_t)) return std::nullopt;
  for (const Variable& variable : variables_) {
    const uint64_t offset = address - variable.address;
    if (offset >= variable.bytes.size() || variable.bytes.size() - offset < size) continue;
    uint64_t bits = 0;
    std::memcpy(&bits, variable.bytes.data() + offset, size);
    return ptx::IsSigned(type) ? static_cast<uint64_t>(SignExtend(bits, static_cast<int>(8 * size)))
                               : bits;
  }
  return std::nullopt;
}

bool IsConstantLoad(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kLd && instruction.space == ptx::Space::kConst;
}

}  // namespace flagstone
