#include "gpu_model/simt/faults.h"

#include <fmt/core.h>

#include <bit>

#include "kernels/ptx/instruction_text.h"

namespace flagstone::simt {
namespace {

const KernelLaunch& Launch(const Context& context) { return context.program->launch(); }

std::string Where(const Context& context, const Inst& inst) {
  const KernelLaunch& launch = Launch(context);
  return fmt::format("{}:{}", launch.module->file,
                     launch.kernel->instructions[inst.pc].location.line);
}

std::string Text(const Context& context, const Inst& inst) {
  return ptx::Shortened(Launch(context).kernel->instructions[inst.pc].text);
}

std::string TbName(const Context& context) {
  const Dim3 tb = TbCoordinates(context.tb, Launch(context).grid);
  return fmt::format("TB ({},{},{})", tb.x, tb.y, tb.z);
}

std::string ThreadName(const Context& context, uint32_t lane) {
  const Dim3 thread =
      TbCoordinates(uint64_t{context.warp} * kWarpSize + lane, Launch(context).block);
  return fmt::format("thread ({},{},{}) of {}", thread.x, thread.y, thread.z, TbName(context));
}

const char* Verb(const Inst& inst, const Context& context) {
  const ptx::Opcode opcode = Launch(context).kernel->instructions[inst.pc].opcode;
  if (opcode == ptx::Opcode::kAtom || opcode == ptx::Opcode::kRed) return "atomic";
  return opcode == ptx::Opcode::kSt ? "store" : "load";
}

// The memory that the address just missed.
std::string Neighbour(const Context& context, MemorySpace space, uint64_t address) {
  if (space == MemorySpace::kShared) {
    return fmt::format("; the TB has {} bytes of shared memory", context.shared.size);
  }
  if (space == MemorySpace::kLocal) {
    return fmt::format("; a thread has {} bytes of local memory", context.local.size);
  }
  if (space == MemorySpace::kParam) {
    return fmt::format("; the kernel has {} bytes of parameters", context.param.size);
  }
  const DeviceMemory::Region* below = nullptr;
  const DeviceMemory::Region* above = nullptr;
  for (const DeviceMemory::Region& region : context.memory->regions()) {
    if (region.address <= address) {
      below = &region;
    } else if (above == nullptr) {
      above = &region;
    }
  }
  const bool ends =
      below != nullptr &&
      (above == nullptr || address - below->address - below->size < above->address - address);
  if (ends) return fmt::format("; \"{}\" ends at {:#x}", below->name, below->address + below->size);
  if (above != nullptr) return fmt::format("; \"{}\" begins at {:#x}", above->name, above->address);
  return "; the launch has no buffers";
}

const char* SpaceName(MemorySpace space) {
  switch (space) {
    case MemorySpace::kShared:
      return "shared ";
    case MemorySpace::kLocal:
      return "local ";
    case MemorySpace::kParam:
      return "param ";
    default:
      return "";
  }
}

}  // namespace

void ThrowFault(const Context& context, const Inst& inst, uint32_t lane, Fault fault,
                MemorySpace space, uint64_t address) {
  const char* kind = fault == Fault::kOutOfBounds  ? "out-of-bounds"
                     : fault == Fault::kMisaligned ? "misaligned"
                                                   : "read-only memory:";
  const std::string neighbour =
      fault == Fault::kOutOfBounds ? Neighbour(context, space, address) : std::string();
  const FailureCause cause =
      fault == Fault::kMisaligned ? FailureCause::kMisaligned : FailureCause::kAddress;
  ThrowLaunchFailure(cause, "{}: {} {} of {} bytes at {}{:#x} by {}: {}{}", Where(context, inst),
                     kind, Verb(inst, context), inst.access_bytes, SpaceName(space), address,
                     ThreadName(context, lane), Text(context, inst), neighbour);
}

void ThrowTrap(const Context& context, const Inst& inst, uint32_t lane) {
  ThrowOfThread(context, inst, lane, "trap");
}

void ThrowOfThread(const Context& context, const Inst& inst, uint32_t lane, const std::string& what,
                   FailureCause cause) {
  ThrowLaunchFailure(cause, "{}: {} by {}: {}", Where(context, inst), what,
                     ThreadName(context, lane), Text(context, inst));
}

void ThrowDivergentBarrier(const Context& context, const Inst& inst, LaneMask arrived,
                           LaneMask live) {
  const auto absent = static_cast<uint32_t>(std::countr_zero(live & ~arrived));
  ThrowLaunchFailure(
      FailureCause::kOther,
      "{}: divergent barrier: {} of {} live threads of warp {} arrived, {} did not: {}",
      Where(context, inst), std::popcount(arrived), std::popcount(live), context.warp,
      ThreadName(context, absent), Text(context, inst));
}

void ThrowOfWarp(const Context& context, const Inst& inst, const std::string& what,
                 FailureCause cause) {
  ThrowLaunchFailure(cause, "{}: {} by warp {} of {}: {}", Where(context, inst), what, context.warp,
                     TbName(context), Text(context, inst));
}

}  // namespace flagstone::simt
