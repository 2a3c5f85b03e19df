#include "gpu_model/simt/lane_functions.h"

#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/program.h"

namespace flagstone::simt {
namespace {

constexpr uint32_t kRowBytes = kWarpSize * sizeof(uint64_t);  // of the widest registers

enum class Width : uint8_t { kNone, kMask, kNarrow, kWide };

Width WidthOf(const ptx::Kernel& kernel, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::kRegister) return Width::kNone;
  const ptx::Type type = kernel.registers[operand.reg].type;
  if (type == ptx::Type::kPred) return Width::kMask;
  return ptx::SizeInBytes(type) == 8 ? Width::kWide : Width::kNarrow;
}

// The result in the first row of scratch registers, each source in one behind it.
struct Prepared {
  Inst inst;
  Width result = Width::kNone;
  std::array<Width, LaneFunctions::kMostSources> sources = {};
};

// A run may leave out what decides nothing.
KernelLaunch WithAllValues(KernelLaunch launch) {
  launch.needed_values.clear();
  return launch;
}

}  // namespace

struct LaneFunctions::State {
  explicit State(const KernelLaunch& of)
      : launch(WithAllValues(of)), program(launch, {}, Program::For::kAnalysis) {
    rows.resize(LinesFor((kMostSources + 1) * kRowBytes));
    context.registers = Data(rows);
    context.base[static_cast<size_t>(Base::kRegisters)] = Data(rows);
    context.base[static_cast<size_t>(Base::kConstants)] = Data(program.code().constants);
    context.program = &program;
  }
  std::optional<Prepared> Prepare(uint32_t pc) const;

  const KernelLaunch launch;
  const Program program;
  LaneStorage rows;
  Context context;
  std::map<uint32_t, std::optional<Prepared>> prepared;  // by pc
};

std::optional<Prepared> LaneFunctions::State::Prepare(uint32_t pc) const {
  const ptx::Kernel& kernel = *launch.kernel;
  const ptx::Instruction& instruction = kernel.instructions[pc];
  Prepared result;
  result.inst = program.code().insts[pc];
  Inst& inst = result.inst;
  if (inst.action != Action::kCompute || inst.run == nullptr || instruction.destinations != 1 ||
      inst.matrices != nullptr || inst.inner != nullptr || inst.writes_memory) {
    return std::nullopt;
  }
  result.result = WidthOf(kernel, instruction.operands[0]);
  if (result.result == Width::kNone) return std::nullopt;
  inst.destination = 0;
  const auto sources = std::span(instruction.operands).subspan(1);
  if (sources.size() > kMostSources) return std::nullopt;
  for (size_t k = 0; k < kMostSources; ++k) {
    const bool given = k < sources.size();
    if (given != (inst.source[k] != kNoSlot)) return std::nullopt;
    if (!given) continue;
    result.sources[k] = WidthOf(kernel, sources[k]);
    const auto base = static_cast<Base>(inst.source[k] >> kBaseShift);
    if (result.sources[k] == Width::kNone) {
      if (base != Base::kConstants) return std::nullopt;
      continue;
    }
    if (base != Base::kRegisters) return std::nullopt;
    inst.source[k] = MakeSlot(Base::kRegisters, static_cast<uint32_t>(k + 1) * kRowBytes);
  }
  return result;
}

LaneFunctions::LaneFunctions(const KernelLaunch& launch) : state_(new State(launch)) {}
LaneFunctions::~LaneFunctions() = default;

bool LaneFunctions::Computes(uint32_t pc) {
  const auto [known, is_new] = state_->prepared.try_emplace(pc);
  if (is_new) known->second = state_->Prepare(pc);
  return known->second.has_value();
}

void LaneFunctions::Run(uint32_t pc, const Sources& sources, uint32_t lanes, uint64_t* result) {
  const Prepared& prepared = *state_->prepared.at(pc);
  std::byte* const rows = Data(state_->rows);
  for (size_t k = 0; k < kMostSources; ++k) {
    std::byte* const row = rows + (k + 1) * kRowBytes;
    LaneMask mask = 0;
    for (uint32_t lane = 0; lane < kWarpSize && prepared.sources[k] != Width::kNone; ++lane) {
      const uint64_t bits = sources[k][lane];
      const auto narrow = static_cast<uint32_t>(bits);
      mask |= static_cast<LaneMask>(bits & 1) << lane;
      if (prepared.sources[k] == Width::kWide) std::memcpy(row + 8 * lane, &bits, 8);
      if (prepared.sources[k] == Width::kNarrow) std::memcpy(row + 4 * lane, &narrow, 4);
    }
    if (prepared.sources[k] == Width::kMask) std::memcpy(row, &mask, sizeof(mask));
  }
  prepared.inst.run(state_->context, prepared.inst, lanes);
  LaneMask mask = 0;
  std::memcpy(&mask, rows, sizeof(mask));
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    uint32_t narrow = 0;
    std::memcpy(&narrow, rows + 4 * lane, 4);
    result[lane] = narrow;
    if (prepared.result == Width::kMask) result[lane] = mask >> lane & 1;
    if (prepared.result == Width::kWide) std::memcpy(&result[lane], rows + 8 * lane, 8);
  }
}

}  // namespace flagstone::simt
