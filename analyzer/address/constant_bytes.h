// What a launch finds in .const memory: no kernel writes it, so that what it reads there is known.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_CONSTANT_BYTES_H_
#define FLAGSTONE_ANALYZER_ADDRESS_CONSTANT_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

// A copy: later steps of a program may set the variables anew.
class ConstantBytes {
 public:
  ConstantBytes() = default;
  // Of the module's .const variables, where the kernel reads any.
  ConstantBytes(const KernelLaunch& launch, const DeviceMemory& memory);

  // The number of that type at a device address; empty outside of the variables.
  std::optional<uint64_t> Read(uint64_t address, ptx::Type type) const;

  struct Variable {
    uint64_t address = 0;
    std::vector<std::byte> bytes;
  };
  const std::vector<Variable>& variables() const { return variables_; }

 private:
  std::vector<Variable> variables_;
};

// A load from .const memory, whose value any launch fixes.
bool IsConstantLoad(const ptx::Instruction& instruction);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_CONSTANT_BYTES_H_
