#include "gpu_model/sm/issue_units.h"

#include <algorithm>

namespace flagstone {
namespace {

struct UnitTiming {
  Unit unit;
  uint32_t latency;
  uint32_t interval;
};

UnitTiming Of(const PipeConfig& pipe) {
  static_assert(static_cast<Unit>(PipeUnit::kSfu) == Unit::kSfu);  // both in one order
  return {static_cast<Unit>(pipe.unit), pipe.latency, pipe.interval};
}

// Null where no pipe of a scheduler executes the class.
const PipeConfig* ConfigOf(Pipe pipe, const SmConfig& config) {
  switch (pipe) {
    case Pipe::kLogic:
      return &config.logic;
    case Pipe::kIntAdd:
      return &config.int_add;
    case Pipe::kIntMinMax:
      return &config.int_minmax;
    case Pipe::kIntMul:
      return &config.int_mul;
    case Pipe::kIntMad:
      return &config.int_mad;
    case Pipe::kIntDiv:
      return &config.int_div;
    case Pipe::kShuffle:
      return &config.shuffle;
    case Pipe::kF32:
      return &config.f32;
    case Pipe::kF32MinMax:
      return &config.f32_minmax;
    case Pipe::kF32Fma:
      return &config.f32_fma;
    case Pipe::kF32Div:
      return &config.f32_div;
    case Pipe::kF64:
      return &config.f64;
    case Pipe::kF64MinMax:
      return &config.f64_minmax;
    case Pipe::kF64Div:
      return &config.f64_div;
    case Pipe::kSfu:
      return &config.sfu;
    case Pipe::kTensor:
      return &config.tensor;
    case Pipe::kControl:
    case Pipe::kBarrier:
    case Pipe::kLoadStore:
      break;
  }
  return nullptr;
}

UnitTiming TimingOf(const InstructionInfo& info, const SmConfig& config) {
  if (info.pipe == Pipe::kTensor) {
    UnitTiming timing = Of(config.tensor);
    const uint32_t whole = timing.interval;
    // That of a product for all schedulers is for four of them.
    const uint32_t work =
        info.by_descriptor ? info.tensor_work * 4U / config.schedulers : info.tensor_work;
    timing.interval = std::max(1U, whole * work / 16);
    if (timing.interval > whole) timing.latency += timing.interval - whole;
    return timing;
  }
  if (const PipeConfig* pipe = ConfigOf(info.pipe, config)) return Of(*pipe);
  if (info.pipe != Pipe::kLoadStore) {
    return {Unit::kControl, config.control.latency, config.control.interval};
  }
  if (info.space == MemorySpace::kConst || info.space == MemorySpace::kParam) {
    return {Unit::kConst, config.const_latency, 1};
  }
  if (info.is_texture && config.texture_cache.size_kib > 0) {
    return {Unit::kTexture, config.texture_latency, 1};
  }
  return {Unit::kLoadStore, config.shared_latency, 1};
}

LaneWork WorkOf(Pipe pipe) {
  switch (pipe) {
    case Pipe::kLogic:
    case Pipe::kIntAdd:
    case Pipe::kIntMinMax:
    case Pipe::kShuffle:
    case Pipe::kLoadStore:
      return LaneWork::kInteger;
    case Pipe::kIntMul:
    case Pipe::kIntMad:
      return LaneWork::kIntMul;
    case Pipe::kF32:
    case Pipe::kF32MinMax:
      return LaneWork::kF32;
    case Pipe::kF32Fma:
      return LaneWork::kF32Fma;
    case Pipe::kF64:
    case Pipe::kF64MinMax:
    case Pipe::kF64Div:
      return LaneWork::kF64;
    case Pipe::kIntDiv:
    case Pipe::kF32Div:
    case Pipe::kSfu:
      return LaneWork::kSpecial;
    case Pipe::kTensor:
      return LaneWork::kTensor;
    case Pipe::kControl:
    case Pipe::kBarrier:
      break;
  }
  return LaneWork::kNone;
}

}  // namespace

std::vector<IssueInfo> MakeIssueInfos(const Program& program, const SmConfig& config) {
  std::vector<IssueInfo> infos(program.size());
  for (uint32_t pc = 0; pc < program.size(); ++pc) {
    const InstructionInfo& info = program.info(pc);
    const auto [unit, latency, interval] = TimingOf(info, config);
    IssueInfo& issue = infos[pc];
    issue.unit = unit;
    issue.latency = static_cast<uint16_t>(latency);
    issue.interval = static_cast<uint16_t>(interval);
    issue.writes = info.destination_count > 0;
    issue.work = WorkOf(info.pipe);
    issue.operands = static_cast<uint8_t>(info.source_count + info.destination_count);
    if (info.pipe == Pipe::kTensor) issue.operations = info.tensor_work;
    issue.by_descriptor = info.by_descriptor;
    if (info.by_descriptor) {
      issue.interval = 1;
      issue.operations = 0;
    }
    issue.to_memory = unit == Unit::kLoadStore || unit == Unit::kTexture ||
                      (unit == Unit::kConst && config.const_cache.size_kib > 0);
    issue.wants_load =
        (unit == Unit::kLoadStore && info.space != MemorySpace::kShared) || unit == Unit::kTexture;
  }
  return infos;
}

uint32_t LongestLatency(const SmConfig& config, std::span<const IssueInfo> infos) {
  uint32_t longest = std::max({config.control.latency, config.const_latency, config.texture_latency,
                               config.shared_latency, config.l1.hit_latency});
  for (uint32_t i = 0; i < static_cast<uint32_t>(Pipe::kLoadStore); ++i) {
    longest = std::max(longest, ConfigOf(static_cast<Pipe>(i), config)->latency);
  }
  longest += config.tensor.interval;  // mma of f64 take twice as long as others
  // A wgmma is many mma.
  for (const IssueInfo& info : infos) longest = std::max(longest, uint32_t{info.latency});
  return longest + config.writeback_latency - 1;
}

}  // namespace flagstone
