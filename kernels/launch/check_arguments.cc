// Checks of launches against their kernels: arguments fit parameters, blocks respect bounds.
#include <algorithm>
#include <array>
#include <string>

#include "kernels/launch/fail_at.h"
#include "kernels/launch/launch_check.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// "param .u64 matmul_param_0", ".b8[24] ..." for structs.
std::string Describe(const ptx::Variable& parameter) {
  const std::string count = parameter.count == 1 ? "" : fmt::format("[{}]", parameter.count);
  return fmt::format(".{}{} {}", ptx::ToString(parameter.type), count, parameter.name);
}

// What may stand for this parameter in workload.toml.
std::string ExpectedArgument(const ptx::Variable& parameter, uint64_t pointer_bytes) {
  const uint64_t size = parameter.SizeInBytes();
  if (parameter.count != 1) return fmt::format("{{ bytes = ... }} of {} bytes", size);
  if (ptx::IsFloat(parameter.type)) return fmt::format("a scalar f{}", size * 8);
  const std::string scalars = fmt::format("a scalar s{0} or u{0}", size * 8);
  if (size == pointer_bytes) return "a buffer or " + scalars;
  const bool untyped_word = parameter.type == ptx::Type::kB32;
  return untyped_word ? "a scalar s32, u32 or f32" : scalars;
}

bool IsUntyped(ptx::Type type) {
  return type == ptx::Type::kB8 || type == ptx::Type::kB16 || type == ptx::Type::kB32 ||
         type == ptx::Type::kB64;
}

bool Fits(const ArgumentSpec& argument, const ptx::Variable& parameter, uint64_t pointer_bytes) {
  if (argument.tensor_map) return parameter.SizeInBytes() == TensorMap::kBytes;
  if (!argument.texture.empty()) {
    return parameter.count == 1 && parameter.SizeInBytes() == 8 && !ptx::IsFloat(parameter.type);
  }
  const bool is_buffer = !argument.buffer.empty();
  if (is_buffer) {
    return parameter.count == 1 && parameter.SizeInBytes() == pointer_bytes &&
           !ptx::IsFloat(parameter.type);
  }
  if (argument.bytes.size() != parameter.SizeInBytes()) return false;
  if (argument.type == ptx::Type::kB8) return true;  // raw bytes
  if (parameter.count != 1) return false;
  return IsUntyped(parameter.type) || ptx::IsFloat(argument.type) == ptx::IsFloat(parameter.type);
}

void CheckArguments(const Workload& workload, const LaunchSpec& launch, const ptx::Module& module,
                    const ptx::Kernel& kernel) {
  const auto pointer_bytes = static_cast<uint64_t>(module.address_size / 8);
  if (launch.arguments.size() != kernel.parameters.size()) {
    FailAt(workload, launch.location, "'{}' is given {} arguments: expected {}", kernel.name,
           launch.arguments.size(), kernel.parameters.size());
  }
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const ArgumentSpec& argument = launch.arguments[i];
    const ptx::Variable& parameter = *kernel.parameters[i];
    if (Fits(argument, parameter, pointer_bytes)) continue;
    const bool named = argument.buffer.empty() || argument.tensor_map;
    const std::string given = named ? argument.text : "buffer " + argument.text;
    FailAt(workload, argument.location,
           "argument {} of '{}' is {}, its parameter is {}: expected {}", i + 1, kernel.name, given,
           Describe(parameter), ExpectedArgument(parameter, pointer_bytes));
  }
}

void CheckBlock(const Workload& workload, const LaunchSpec& launch, const ptx::Kernel& kernel) {
  const Dim3& block = launch.block;
  const auto absent_is_one = [](const std::array<uint32_t, 3>& dims) {
    return Dim3{std::max(dims[0], 1U), std::max(dims[1], 1U), std::max(dims[2], 1U)};
  };
  if (kernel.required_threads[0] != 0) {
    const Dim3 required = absent_is_one(kernel.required_threads);
    if (block.x != required.x || block.y != required.y || block.z != required.z) {
      FailAt(workload, launch.location,
             "block is [{}, {}, {}]: '{}' has .reqntid, expected [{}, {}, {}]", block.x, block.y,
             block.z, kernel.name, required.x, required.y, required.z);
    }
  }
  if (kernel.max_threads[0] != 0) {
    const uint64_t most = absent_is_one(kernel.max_threads).Count();
    if (block.Count() > most) {
      FailAt(workload, launch.location,
             "block has {} threads: '{}' has .maxntid, expected at most {}", block.Count(),
             kernel.name, most);
    }
  }
}

}  // namespace

void CheckLaunches(const Workload& workload, Workload::For purpose) {
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchSpec& launch = workload.launches[i];
    const ptx::Kernel& kernel = workload.KernelOf(i);
    const ptx::Module& module = *workload.modules[workload.launch_modules[i]];
    if (purpose == Workload::For::kRun) {
      module.CheckRunnable(kernel);
    } else {
      module.CheckAnalyzable(kernel);
    }
    CheckArguments(workload, launch, module, kernel);
    CheckBlock(workload, launch, kernel);
  }
}

}  // namespace flagstone
