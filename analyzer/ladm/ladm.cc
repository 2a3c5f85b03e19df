#include "analyzer/ladm/ladm.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/address/bulk_accesses.h"
#include "analyzer/ladm/classify.h"
#include "analyzer/ladm/extents.h"
#include "analyzer/ladm/reroll.h"
#include "analyzer/locality/strided_box.h"

namespace flagstone {
namespace {

uint64_t CeilDivide(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// What a TB touches in one turn of the outermost loop around the access.
uint64_t DatablockOf(const AddressForm& access, const AddressAnalysis& addresses,
                     const KernelLaunch& launch) {
  constexpr uint64_t kMaxRanges = uint64_t{1} << 20;
  const uint64_t at_most = (access.is_copy ? 1 : launch.block.Count()) * access.bytes;
  if (access.pattern != AddressClass::kAffine) return at_most;
  StridedBox box;
  box.run = access.bytes;
  const std::array<uint32_t, 3> block = {launch.block.x, launch.block.y, launch.block.z};
  for (size_t d = 0; d < 3; ++d) box.dimensions.push_back({access.form.tid[d], block[d]});
  for (size_t l = 1; l < access.loops.size(); ++l) {
    const uint32_t loop = access.loops[l];
    const CountedLoop& counted = addresses.loops[loop];
    if (loop >= access.form.loops.size() || (!counted.known && !counted.bounded)) continue;
    box.dimensions.push_back({access.form.loops[loop], static_cast<int64_t>(counted.trip_count)});
  }
  box.Simplify();
  if (box.RangeCount() > kMaxRanges) return at_most;
  std::vector<Range> ranges;
  box.AppendRanges(ranges);
  Normalize(ranges);
  uint64_t bytes = 0;
  for (const Range& range : ranges) bytes += static_cast<uint64_t>(range.end - range.begin);
  return bytes;
}

// The order in which types win where sizes are equal: sharing first, rows before columns.
int Rank(LocalityType type) {
  switch (SchedulerOf(type)) {
    case TbPlacement::kRowBinding:
      return 0;
    case TbPlacement::kColBinding:
      return 1;
    case TbPlacement::kKernelWide:
      return type == LocalityType::kIntraThread ? 2 : 4;
    case TbPlacement::kAlignAware:
      return 3;
  }
  return 4;
}

bool IsShared(LocalityType type) { return Rank(type) <= 1; }

std::vector<LadmArgument> Arguments(const std::vector<LadmAccess>& table,
                                    const KernelLaunch& launch, const DeviceMemory& memory,
                                    const LadmMachine& machine) {
  std::map<std::string, const LadmAccess*> chosen;  // by array: its innermost, then by rank
  const auto better = [](const LadmAccess& a, const LadmAccess& b) {
    return std::tuple(-static_cast<int>(a.loop_depth), Rank(a.type)) <
           std::tuple(-static_cast<int>(b.loop_depth), Rank(b.type));
  };
  for (const LadmAccess& access : table) {
    if (access.array == "?") continue;
    const auto [entry, is_new] = chosen.try_emplace(access.array, &access);
    if (!is_new && better(access, *entry->second)) entry->second = &access;
  }
  std::vector<LadmArgument> arguments;
  for (const auto& [name, access] : chosen) {
    const DeviceMemory::Region& region = memory.Named(name);
    LadmArgument argument;
    argument.name = name;
    argument.address = region.address;
    argument.bytes = region.size;
    argument.pages = CeilDivide(region.size, machine.page_bytes);
    argument.type = access->type;
    argument.stride = access->stride;
    argument.stride_bytes = access->stride_bytes;
    argument.datablock_bytes = access->datablock_bytes;
    argument.element_bytes = access->bytes;
    argument.extents = access->extents;
    argument.placement = PlacementOf(access->type);
    // Column-based placement interleaves by the width of a row (section III.D.1).
    const bool by_column = argument.placement == PagePlacement::kColBased;
    if (by_column || argument.placement == PagePlacement::kStrideAware) {
      const uint64_t row = uint64_t{launch.grid.x} * launch.block.x * access->bytes;
      const int64_t stride = argument.stride_bytes.value_or(0);
      const uint64_t step = by_column ? row : static_cast<uint64_t>(stride < 0 ? -stride : stride);
      argument.interleave_bytes =
          CeilDivide(std::max<uint64_t>(1, CeilDivide(step, machine.nodes)), machine.page_bytes) *
          machine.page_bytes;
    }
    arguments.push_back(std::move(argument));
  }
  std::sort(arguments.begin(), arguments.end(),
            [](const LadmArgument& a, const LadmArgument& b) { return a.address < b.address; });
  return arguments;
}

using LargerFirst = std::tuple<uint64_t, int>;
LargerFirst KeyOf(const LadmArgument& a) { return {~a.bytes, Rank(a.type)}; }

// Shared rows and columns beat none; among the rest the larger array's wish wins.
const LadmArgument* PublishedWinner(const std::vector<LadmArgument>& arguments) {
  const bool shared = std::any_of(arguments.begin(), arguments.end(),
                                  [](const LadmArgument& a) { return IsShared(a.type); });
  const LadmArgument* winner = nullptr;
  for (const LadmArgument& argument : arguments) {
    if (shared && argument.type == LocalityType::kNoLocality) continue;
    if (winner == nullptr || KeyOf(argument) < KeyOf(*winner)) winner = &argument;
  }
  return winner;
}

// Without its wish each node would fetch all of a shared array; what others move is what lies
// elsewhere, about all of it once.
uint64_t BytesMovedWithout(const LadmArgument& argument, const LadmMachine& machine) {
  return argument.bytes * (IsShared(argument.type) ? machine.nodes : 1);
}

// The published winner, unless more would move of another array.
const LadmArgument* Winner(const std::vector<LadmArgument>& arguments, const LadmMachine& machine) {
  const LadmArgument* winner = PublishedWinner(arguments);
  if (winner == nullptr) return nullptr;
  for (const LadmArgument& argument : arguments) {
    if (BytesMovedWithout(argument, machine) > BytesMovedWithout(*winner, machine)) {
      winner = &argument;
    }
  }
  return winner;
}

LadmDecision DecisionOf(const LadmArgument* winner, const LadmMachine& machine) {
  LadmDecision decision;
  if (winner == nullptr) return decision;
  decision.scheduler = SchedulerOf(winner->type);
  decision.decided_by = winner->name;
  decision.batch_tbs = std::max<uint64_t>(
      1, CeilDivide(machine.page_bytes, std::max<uint64_t>(1, winner->datablock_bytes)));
  decision.caching = CachingOf(winner->type);
  return decision;
}

}  // namespace

LadmAnalysis AnalyzeLadm(const AddressAnalysis& addresses, const KernelLaunch& launch,
                         const DeviceMemory& memory, const LadmMachine& machine) {
  LadmAnalysis analysis;
  if (addresses.accesses.empty()) return analysis;
  const KernelStructure structure(*launch.kernel);
  ValueAnalysis values(launch, memory, structure.flow, structure.forest, structure.ssa);
  PrimeExpansion expansion(launch, structure, values);
  std::vector<ExpandedAccess> expanded;
  for (const AddressForm& access : addresses.accesses) {
    // A tensor's box has no index, and nothing can be said in elements of an unknown size.
    const bool indexed = GlobalAddress(launch.kernel->instructions[access.pc]) != nullptr;
    if (!indexed || access.bytes == 0) continue;
    expanded.push_back(Expand(access, launch, memory, expansion));
  }
  const std::vector<uint32_t> copies = Reroll(expanded, addresses.loops, launch, expansion);
  for (size_t i = 0; i < expanded.size(); ++i) {
    const AddressForm& access = *expanded[i].access;
    const uint32_t element = access.ElementBytes();
    LadmAccess row;
    row.pc = access.pc;
    row.line = access.line;
    row.is_store = access.is_store;
    row.array = access.array;
    row.type = Classify(expanded[i], launch, expansion);
    row.invariant = expansion.ToString(expanded[i].invariant, element);
    const Polynomial stride =
        StrideOf(expanded[i].variant, StridingLoop(expanded[i], launch, expansion));
    if (!expanded[i].variant.terms().empty()) {
      row.variant = expansion.ToString(expanded[i].variant, element);
    }
    if (!stride.terms().empty()) {
      row.stride = expansion.ToString(stride, element);
      row.stride_bytes = 0;
      for (const auto& [monomial, coefficient] : stride.terms()) {
        const std::optional<int64_t> value = expansion.ValueOf(monomial);
        if (!value) row.stride_bytes.reset();
        if (row.stride_bytes) *row.stride_bytes += *value * coefficient;
      }
    }
    row.unrolled = copies[i];
    row.datablock_bytes = DatablockOf(access, addresses, launch);
    row.bytes = element;
    row.loop_depth = static_cast<uint32_t>(access.loops.size());
    row.extents = ExtentsOf(expanded[i], addresses.loops, launch, expansion);
    analysis.table.push_back(std::move(row));
  }
  analysis.arguments = Arguments(analysis.table, launch, memory, machine);
  static_cast<LadmDecision&>(analysis) = DecisionOf(Winner(analysis.arguments, machine), machine);
  analysis.published = DecisionOf(PublishedWinner(analysis.arguments), machine);
  return analysis;
}

}  // namespace flagstone
