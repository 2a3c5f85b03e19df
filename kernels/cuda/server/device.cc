#include "kernels/cuda/server/device.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/demangle.h"
#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/launch_failure.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/cuda/server/facts.h"
#include "kernels/cuda/server/texture_shape.h"
#include "kernels/launch/heap.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::cuda {
namespace {

// cudaError.
constexpr int32_t kInvalidValue = 1, kMemoryAllocation = 2, kInvalidConfiguration = 9,
                  kInvalidSymbol = 13, kInvalidDeviceFunction = 98, kInvalidPtx = 218,
                  kIllegalAddress = 700, kOutOfResources = 701, kTimeout = 702, kAssert = 710,
                  kMisaligned = 716, kLaunchFailure = 719, kCooperativeTooLarge = 720,
                  kNotSupported = 801;

// Allocations follow one another in steps of 512 bytes, and something readable is in front of the
// first, as on a GPU: programs that read a little outside of an array, and do not use what they
// get, are not rare. A read or write far outside is a fault.
constexpr MemoryLayout kLayout = {.base = kMemoryBase, .gap = 0, .queue_bytes = uint64_t{16} << 20};
constexpr uint64_t kStep = 512, kFront = uint64_t{64} << 10;
static_assert(MemoryLayout().base == kMemoryBase);
static_assert(kDefaultStackBytes == kStackBytes);

Device::Answer ErrorAnswer(int32_t error) {
  Device::Answer answer;
  answer.reply.error = error;
  return answer;
}

uint64_t RoundUp(uint64_t bytes) { return (bytes + kStep - 1) / kStep * kStep; }

void Say(const std::string& line) { fmt::print(stderr, "flagstone: {}\n", line); }

// The error that a program gets for a launch that failed.
int32_t CodeOf(FailureCause cause) {
  switch (cause) {
    case FailureCause::kAddress:
      return kIllegalAddress;
    case FailureCause::kMisaligned:
      return kMisaligned;
    case FailureCause::kAssertion:
      return kAssert;
    case FailureCause::kTimeout:
      return kTimeout;
    case FailureCause::kOther:
      break;
  }
  return kLaunchFailure;
}

bool IsGoodShape(const LaunchShape& shape) {
  const uint32_t* const g = shape.grid;
  const uint32_t* const b = shape.block;
  const auto zero = [](const uint32_t* d) { return d[0] == 0 || d[1] == 0 || d[2] == 0; };
  if (zero(g) || zero(b)) return false;
  if (b[0] > 1024 || b[1] > 1024 || b[2] > 64 || uint64_t{b[0]} * b[1] * b[2] > 1024) return false;
  return g[0] <= 0x7fffffff && g[1] <= 65535 && g[2] <= 65535;
}

// A cluster that the launch asks for divides the grid. False where it does not.
bool SetCluster(const LaunchShape& shape, KernelLaunch* launch) {
  const uint32_t* const c = shape.cluster;
  if (c[0] != 0 && c[1] != 0 && c[2] != 0) launch->cluster = {c[0], c[1], c[2]};
  const Dim3& cluster = launch->cluster;
  return cluster.Count() <= 16 && launch->grid.x % cluster.x == 0 &&
         launch->grid.y % cluster.y == 0 && launch->grid.z % cluster.z == 0;
}

bool RespectsBounds(const ptx::Kernel& kernel, const Dim3& block) {
  const auto& most = kernel.max_threads;
  const uint64_t bound =
      uint64_t{std::max(most[0], 1U)} * std::max(most[1], 1U) * std::max(most[2], 1U);
  return most[0] == 0 || block.Count() <= bound;
}

}  // namespace

Device::Device(const std::string& program, Launches* launches, Recorder* recorder)
    : mapping_(kMemoryBytes),
      memory_(mapping_.bytes(), kLayout),
      modules_(program),
      launches_(launches),
      recorder_(recorder) {
  memory_.Allocate("front", kFront, /*writable=*/false);
}

Device::Answer Device::Do(const Request& request, std::string_view payload) {
  try {
    return Dispatch(request, payload);
  } catch (const LaunchFailure& failure) {
    Say(failure.what());
    return ErrorAnswer(CodeOf(failure.cause()));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInternal) throw;
    Say(error.what());
    if (request.op == Op::kLoad || request.op == Op::kFunction) launches_->CountFailure();
    switch (request.op) {
      case Op::kLaunch:
        return ErrorAnswer(kLaunchFailure);
      case Op::kVariable:
        return ErrorAnswer(kInvalidSymbol);
      case Op::kFunction:
        return ErrorAnswer(kInvalidDeviceFunction);
      default:
        return ErrorAnswer(kInvalidPtx);
    }
  }
}

Device::Answer Device::Dispatch(const Request& request, std::string_view payload) {
  Answer answer;
  switch (request.op) {
    case Op::kHello:
      answer.reply.values[0] = recorder_ != nullptr;
      return answer;
    case Op::kModule:
      answer.reply.values[0] = modules_.Take(payload, request.a != 0);
      return answer;
    case Op::kManaged:
      modules_.SetManaged(request.a, std::string(payload));
      return answer;
    case Op::kLoad:
      modules_.Load(request.a, &memory_);
      if (recorder_ != nullptr) recorder_->Loaded(*modules_.all()[request.a], memory_);
      return answer;
    case Op::kFunction:
      return Function(request.a, std::string(payload));
    case Op::kVariable: {
      const VariablePlace place = modules_.VariableOf(request.a, std::string(payload));
      answer.reply.values[0] = place.address;
      answer.reply.values[1] = place.bytes;
      return answer;
    }
    case Op::kAllocate:
      return Allocate(request.a, static_cast<Kind>(request.b));
    case Op::kFree:
      if (recorder_ != nullptr) recorder_->Freed(request.a);
      memory_.Free(request.a);
      return answer;
    case Op::kLaunch:
      return Launch(request, payload);
    case Op::kPrinted:
      answer.payload = printed_.substr(0, kMostPayload);
      printed_.erase(0, answer.payload.size());
      return answer;
    case Op::kTime:
      answer.reply.values[0] = launches_->Picoseconds();
      return answer;
    case Op::kCopiedBack:
      if (recorder_ != nullptr) recorder_->CopiedBack(request.a, memory_);
      return answer;
    case Op::kTexture: {
      TextureShape shape;
      if (payload.size() != sizeof shape) return ErrorAnswer(kInvalidValue);
      std::memcpy(&shape, payload.data(), sizeof shape);
      return MakeTexture(shape);
    }
    case Op::kNoTexture:
      if (request.a - kTextureHandles < textures_.size()) {
        textures_[request.a - kTextureHandles].name.clear();
      }
      return answer;
    case Op::kBind:
      modules_.Bind(request.a, std::string(payload), request.b);
      return answer;
    case Op::kDevice: {
      DeviceFacts facts = FactsOf(launches_->options().machine);
      facts.capability = std::max(facts.capability, modules_.NewestTarget());
      answer.payload.assign(reinterpret_cast<const char*>(&facts), sizeof facts);
      return answer;
    }
    case Op::kOccupancy:
      return Occupancy(request);
    case Op::kHostTime:
      host_seconds_ += static_cast<double>(request.a) * 1e-9;
      return answer;
  }
  return ErrorAnswer(kNotSupported);
}

Device::Answer Device::Allocate(uint64_t bytes, Kind kind) {
  Answer answer;
  try {
    const uint64_t address = memory_.Allocate(fmt::format("allocation {}", ++allocations_),
                                              bytes > kMemoryBytes ? bytes : RoundUp(bytes));
    if (recorder_ != nullptr) recorder_->Allocated(address, kind);
    answer.reply.values[0] = address;
  } catch (const Error&) {
    // The program is told by the code, and may well go on.
    return ErrorAnswer(kMemoryAllocation);
  }
  return answer;
}

Device::Answer Device::Function(size_t module, const std::string& name) {
  Answer answer;
  const size_t number = modules_.FindKernel(module, name);
  const LoadedKernel& kernel = modules_.KernelAt(number);
  const FunctionFacts facts = FactsOf(kernel);
  answer.reply.values[0] = number;
  answer.payload.assign(reinterpret_cast<const char*>(&facts), sizeof facts);
  for (const auto& parameter : kernel.kernel->parameters) {
    const ParameterPlace place = {static_cast<uint32_t>(parameter->offset),
                                  static_cast<uint32_t>(parameter->SizeInBytes())};
    answer.payload.append(reinterpret_cast<const char*>(&place), sizeof place);
  }
  return answer;
}

KernelLaunch Device::LaunchOf(const LoadedKernel& kernel) const {
  KernelLaunch launch;
  launch.kernel = kernel.kernel;
  launch.module = kernel.module->module.get();
  launch.symbols = kernel.module->symbols;
  launch.textures = textures_;
  const std::optional<uint32_t>& most = kernel.module->registers;
  if (most && *most < kernel.registers) launch.registers = *most;
  launch.cluster = ClusterOf(*kernel.kernel);
  launch.heap = extras_.heap;
  launch.grid_barrier = extras_.grid_barrier;
  return launch;
}

Device::Answer Device::Launch(const Request& request, std::string_view payload) {
  host_seconds_ += static_cast<double>(request.b) * 1e-9;
  const LoadedKernel& kernel = modules_.KernelAt(request.a);
  LaunchShape shape;
  if (payload.size() != sizeof shape + kernel.kernel->parameter_bytes) {
    return ErrorAnswer(kInvalidValue);
  }
  std::memcpy(&shape, payload.data(), sizeof shape);
  if (!IsGoodShape(shape)) return ErrorAnswer(kInvalidConfiguration);
  AddExtras(*kernel.kernel, kDefaultHeapBytes, &memory_, &extras_);
  KernelLaunch launch = LaunchOf(kernel);
  launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
  launch.block = {shape.block[0], shape.block[1], shape.block[2]};
  if (!SetCluster(shape, &launch)) return ErrorAnswer(kInvalidConfiguration);
  if (!RespectsBounds(*kernel.kernel, launch.block)) return ErrorAnswer(kInvalidConfiguration);
  const uint64_t shared = launches_->options().machine.sm.shared_kib * uint64_t{1024};
  const uint64_t wanted = shape.shared + kernel.kernel->shared_bytes;
  if (wanted > shared) {
    Say(
        fmt::format("'{}' asks for {} bytes of shared memory, an SM of machine '{}' has {}: --set "
                    "sm.shared_kib={} has enough",
                    KernelName(kernel.kernel->name).substr(0, 40), wanted,
                    launches_->options().machine.name, shared, (wanted + 1023) / 1024));
    return ErrorAnswer(kInvalidValue);
  }
  launch.dynamic_shared_bytes = static_cast<uint32_t>(shape.shared);
  if (shape.stack > kMostStackBytes || shape.stack % 16 != 0) return ErrorAnswer(kInvalidValue);
  if (shape.stack != 0) launch.stack_bytes = static_cast<uint32_t>(shape.stack);
  const auto* bytes = reinterpret_cast<const std::byte*>(payload.data()) + sizeof shape;
  launch.parameters.assign(bytes, bytes + kernel.kernel->parameter_bytes);
  try {
    const MachineConfig& machine = launches_->options().machine;
    const uint64_t together =
        uint64_t{ComputeOccupancy(machine, launch).tbs_per_sm} * machine.sm.count;
    if (request.c != 0 && launch.TbCount() > together) return ErrorAnswer(kCooperativeTooLarge);
  } catch (const Error& error) {
    Say(error.what());
    return ErrorAnswer(kOutOfResources);
  }
  const bool selected = launches_->Selects(kernel.kernel->name);
  Recorder* const recorder = selected ? recorder_ : nullptr;
  if (recorder != nullptr) recorder->Before(launch, *kernel.module, &memory_);
  PrintTo(&printed_);
  const auto finish = [&] {
    PrintTo(nullptr);
    if (recorder != nullptr) recorder->After(memory_);
  };
  try {
    launches_->Run(std::move(launch), selected, &memory_);
  } catch (const Error&) {
    finish();
    throw;
  }
  finish();
  Answer answer;
  answer.reply.values[0] = printed_.size();
  return answer;
}

Device::Answer Device::MakeTexture(const TextureShape& shape) {
  std::optional<Texture> made = TextureOf(shape);
  if (!made) {
    Say("a texture of this format is not supported: expected 1, 2 or 4 channels of 8 to 32 bits");
    return ErrorAnswer(kNotSupported);
  }
  Texture& texture = *made;
  const uint64_t bytes = texture.Texels() * texture.channels * SizeInBytes(texture.type);
  if (memory_.Find(texture.base, bytes) == nullptr) return ErrorAnswer(kInvalidValue);
  static uint64_t count = 0;
  texture.name = fmt::format("t{}", count++);
  const auto free = std::find_if(textures_.begin(), textures_.end(),
                                 [](const Texture& t) { return t.name.empty(); });
  Answer answer;
  answer.reply.values[0] = TextureHandle(static_cast<size_t>(free - textures_.begin()));
  if (free == textures_.end()) {
    textures_.push_back(std::move(texture));
  } else {
    *free = std::move(texture);
  }
  return answer;
}

Device::Answer Device::Occupancy(const Request& request) {
  KernelLaunch launch = LaunchOf(modules_.KernelAt(request.a));
  launch.block = {static_cast<uint32_t>(request.b), 1, 1};
  launch.dynamic_shared_bytes = static_cast<uint32_t>(request.c);
  launch.parameters.resize(launch.kernel->parameter_bytes);
  Answer answer;
  if (request.b == 0 || request.b > 1024) return ErrorAnswer(kInvalidValue);
  try {
    answer.reply.values[0] = ComputeOccupancy(launches_->options().machine, launch).tbs_per_sm;
  } catch (const Error&) {
    answer.reply.values[0] = 0;  // not even one
  }
  return answer;
}

}  // namespace flagstone::cuda
