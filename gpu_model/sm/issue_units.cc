#include "gpu_model/sm/issue_units.h"

#include <algorithm>

namespace flagstone {
namespace {

struct UnitTiming {
  Unit unit;
  PipeConfig timing;
};

UnitTiming TimingOf(const InstructionInfo& info, const SmConfig& config) {
  switch (info.pipe) {
    case Pipe::kIntAdd:
      return {Unit::kIntAdd, config.int_add};
    case Pipe::kIntMul:
      return {Unit::kIntMul, config.int_mul};
    case Pipe::kIntDiv:
      return {Unit::kIntDiv, config.int_div};
    case Pipe::kF32:
      return {Unit::kF32, config.f32};
    case Pipe::kF32Div:
      return {Unit::kF32Div, config.f32_div};
    case Pipe::kF64:
      return {Unit::kF64, config.f64};
    case Pipe::kF64Div:
      return {Unit::kF64Div, config.f64_div};
    case Pipe::kSfu:
      return {Unit::kSfu, config.sfu};
    case Pipe::kControl:
    case Pipe::kBarrier:
      return {Unit::kControl, config.control};
    case Pipe::kLoadStore:
      break;
  }
  if (info.space == MemorySpace::kConst || info.space == MemorySpace::kParam) {
    return {Unit::kConst, {config.const_latency, 1}};
  }
  if (info.is_texture && config.texture_cache.size_kib > 0) {
    return {Unit::kTexture, {config.texture_latency, 1}};
  }
  return {Unit::kLoadStore, {config.shared_latency, 1}};
}

}  // namespace

std::vector<IssueInfo> MakeIssueInfos(const Program& program, const SmConfig& config) {
  std::vector<IssueInfo> infos(program.size());
  for (uint32_t pc = 0; pc < program.size(); ++pc) {
    const InstructionInfo& info = program.info(pc);
    const UnitTiming timing = TimingOf(info, config);
    infos[pc] = {timing.unit, static_cast<uint16_t>(timing.timing.latency),
                 static_cast<uint16_t>(timing.timing.interval), info.destination_count > 0,
                 (timing.unit == Unit::kLoadStore && info.space != MemorySpace::kShared) ||
                     timing.unit == Unit::kTexture};
  }
  return infos;
}

uint32_t LongestLatency(const SmConfig& config) {
  return std::max({config.int_add.latency, config.int_mul.latency, config.int_div.latency,
                   config.f32.latency, config.f32_div.latency, config.f64.latency,
                   config.f64_div.latency, config.sfu.latency, config.control.latency,
                   config.const_latency, config.texture_latency, config.shared_latency,
                   config.l1.hit_latency});
}

}  // namespace flagstone
