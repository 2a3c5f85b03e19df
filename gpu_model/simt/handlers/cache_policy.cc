// createpolicy (PTX ISA, section 9.7.9.18): what accesses with a cache hint take. The ISA leaves
// the 64 bits of a policy open; here they are laid out as NVIDIA's CCCL headers describe them, so
// that kernels that bring a constant and those that make a policy agree.
#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Eviction;

// Where the fields of a policy begin.
constexpr int kCount = 37;   // of a range: blocks of the primary part, 7 bits
constexpr int kStart = 44;   // its first block, 7 bits
constexpr int kDetail = 52;  // the fraction, or the size of a block, 4 bits
constexpr int kSecondary = 56;
constexpr int kPrimary = 57;
constexpr int kMode = 59;
constexpr uint64_t kFractionMode = 2, kRangeMode = 3;
constexpr uint64_t kMostBlocks = 127;
constexpr int kSmallestBlock = 12;        // log2 of its bytes
constexpr int kSmallestLog2OfTotal = 19;  // of which 128 smallest blocks are made

uint64_t PriorityBits(const ptx::Modifiers& m) {
  const auto code = [](Eviction priority) {
    return priority == Eviction::kNone ? 0 : static_cast<uint64_t>(priority) - 1;
  };
  return code(m.secondary) << kSecondary | code(m.primary) << kPrimary;
}

// Of sixteenths, at least one.
uint64_t FractionPolicy(const ptx::Modifiers& m, float fraction) {
  const float sixteenths = std::ceil(fraction * 16);
  const auto steps = static_cast<uint64_t>(sixteenths >= 1 ? std::min(sixteenths, 16.0F) : 1.0F);
  return (steps - 1) << kDetail | kFractionMode << kMode | PriorityBits(m);
}

// Blocks as small as 128 of them hold all bytes.
uint64_t RangePolicy(const ptx::Modifiers& m, uint64_t address, uint32_t primary, uint32_t total) {
  const int log2_total = total <= 1 ? 0 : static_cast<int>(std::bit_width(total - 1));
  const int detail = std::max(log2_total - kSmallestLog2OfTotal, 0);
  const int log2_block = kSmallestBlock + detail;
  const uint64_t start = address >> log2_block;
  const uint64_t end = (address + primary + (uint64_t{1} << log2_block) - 1) >> log2_block;
  return std::clamp<uint64_t>(end - start, 1, kMostBlocks) << kCount |
         (start & kMostBlocks) << kStart | static_cast<uint64_t>(detail) << kDetail |
         kRangeMode << kMode | PriorityBits(m);
}

void Fractional(Context& c, const Inst& inst, LaneMask mask) {
  const bool given = inst.source[0] != kNoSlot;
  const uint32_t* fraction = given ? Source<uint32_t>(c, inst.source[0]) : nullptr;
  ForLanes(Destination<uint64_t>(c, inst.destination), mask, [&](uint32_t i) {
    return FractionPolicy(inst.modifiers, given ? FromLane<float>(fraction[i]) : 1.0F);
  });
}

template <class A>
void RangeOfWidth(Context& c, const Inst& inst, LaneMask mask) {
  const A* base = Source<A>(c, inst.source[0]);
  const uint32_t* primary = Source<uint32_t>(c, inst.source[1]);
  const uint32_t* total = Source<uint32_t>(c, inst.source[2]);
  ForLanes(Destination<uint64_t>(c, inst.destination), mask, [&](uint32_t i) {
    const A address = base[i] + static_cast<A>(inst.offset);
    return RangePolicy(inst.modifiers, address, primary[i], total[i]);
  });
}

// An access property of the CUDA runtime is laid out as a policy is.
void Converted(Context& c, const Inst& inst, LaneMask mask) {
  const uint64_t* property = Source<uint64_t>(c, inst.source[0]);
  ForLanes(Destination<uint64_t>(c, inst.destination), mask,
           [&](uint32_t i) { return property[i]; });
}

void Range(Context& c, const Inst& inst, LaneMask mask) {
  if (inst.wide_address) return RangeOfWidth<uint64_t>(c, inst, mask);
  RangeOfWidth<uint32_t>(c, inst, mask);
}

}  // namespace

Handler SelectCachePolicy(const ptx::Instruction& instruction) {
  switch (instruction.modifiers.policy_kind) {
    case ptx::PolicyKind::kFractional:
      return Fractional;
    case ptx::PolicyKind::kRange:
      return Range;
    case ptx::PolicyKind::kConverted:
      return Converted;
    case ptx::PolicyKind::kNone:
      break;
  }
  return nullptr;
}

}  // namespace flagstone::simt
