#include "app/flow/sample/l2_replay.h"

#include <utility>

namespace flagstone {

L2Replay::L2Replay(const MachineConfig& machine, std::vector<TagArray> kept)
    : map_(machine), tags_(std::move(kept)) {
  while (tags_.size() < machine.l2.slices) {
    tags_.emplace_back(machine.l2.cache.size_kib * 1024, machine.l2.cache.ways);
  }
  for (const TagArray& slice : tags_) capacity_ += uint64_t{slice.sets()} * slice.associativity();
}

void L2Replay::Access(LineNumber line, SectorMask sectors, bool writes) {
  const AddressMap::SliceLine place = map_.Slice(line);
  if (tags_[place.slice].Enter(place.local, sectors, writes).brought) ++brought_;
}

void L2Replay::Warm(const DeviceMemory& memory) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.size == 0) continue;
    const LineNumber last = LineOf(region.address + region.size - 1);
    for (LineNumber line = LineOf(region.address); line <= last; ++line) {
      Access(line, kAllSectors, /*writes=*/false);
    }
  }
  brought_ = 0;
}

void L2Replay::Step(const Program& program, const StepResult& step) {
  if (step.space != MemorySpace::kGlobal || step.in_space == 0) return;
  const InstructionInfo& info = program.info(step.pc);
  const bool writes = info.is_store || info.is_atomic;
  LineNumber line = 0;  // that of the lanes before, whose sectors are gathered
  SectorMask sectors = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((step.in_space >> lane & 1) == 0) continue;
    const uint64_t first = (*step.addresses)[lane];
    const uint64_t last = first + std::max<uint64_t>(1, info.bytes) - 1;
    for (uint64_t sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) {
      constexpr uint64_t kPerLine = kLineBytes / kSectorBytes;
      const auto of = static_cast<LineNumber>(sector / kPerLine);
      if (sectors != 0 && of != line) {
        Access(line, sectors, writes);
        sectors = 0;
      }
      line = of;
      sectors |= static_cast<SectorMask>(1U << sector % kPerLine);
    }
  }
  if (sectors != 0) Access(line, sectors, writes);
}

void L2Replay::Execute(const KernelLaunch& launch, std::span<const uint32_t> tbs,
                       DeviceMemory* memory, const FunctionalControl& control) {
  if (tbs.empty()) return;
  struct Context {
    L2Replay* replay;
    const Program program;
  } context = {this, Program(launch)};
  FunctionalControl only = control;
  only.only = tbs;
  RunFunctionally(
      launch, memory,
      [](void* to, uint64_t /*tb*/, uint32_t /*warp*/, const StepResult& step) {
        auto* const replay = static_cast<Context*>(to);
        replay->replay->Step(replay->program, step);
      },
      &context, only);
}

}  // namespace flagstone
