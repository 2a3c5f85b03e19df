// The addresses that each static access really touches, by running the kernel: the independent
// reference that analysed addresses are held against.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_EXECUTED_ACCESSES_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_EXECUTED_ACCESSES_H_

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "gpu_model/simt/executor.h"

namespace flagstone {

// By (pc, TB): the byte addresses of all lanes that executed it.
using ExecutedAccesses = std::map<std::pair<uint32_t, uint32_t>, std::set<uint64_t>>;

inline ExecutedAccesses RunAndRecord(const KernelLaunch& launch, DeviceMemory* memory) {
  ExecutedAccesses accesses;
  const auto observe = [](void* context, uint64_t tb, uint32_t, const StepResult& step) {
    if (step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
    std::set<uint64_t>& seen =
        (*static_cast<ExecutedAccesses*>(context))[{step.pc, static_cast<uint32_t>(tb)}];
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((step.executed >> lane & 1) != 0) seen.insert((*step.addresses)[lane]);
    }
  };
  RunFunctionally(launch, memory, observe, &accesses);
  return accesses;
}

// The units that `bytes` at each address touch.
inline std::set<uint64_t> UnitsOf(const std::set<uint64_t>& addresses, uint32_t bytes,
                                  uint64_t unit) {
  std::set<uint64_t> units;
  for (const uint64_t address : addresses) {
    for (uint64_t u = address / unit; u <= (address + bytes - 1) / unit; ++u) units.insert(u);
  }
  return units;
}

inline std::set<uint64_t> UnitsOf(const std::vector<Range>& ranges, uint64_t unit) {
  std::set<uint64_t> units;
  for (const Range& range : ranges) {
    const auto last = (static_cast<uint64_t>(range.end) - 1) / unit;
    for (uint64_t u = static_cast<uint64_t>(range.begin) / unit; u <= last; ++u) units.insert(u);
  }
  return units;
}

// Holds one analysed access against what was executed, TB by TB, at all three granularities.
// Returns how many TBs were compared: 0 for an access that the analysis leaves out.
inline uint32_t ExpectSameAddresses(const AddressAnalysis& analysis, const AddressForm& access,
                                    const KernelLaunch& launch, const ExecutedAccesses& executed) {
  AddressAnalysis alone = analysis;
  alone.accesses = {access};
  const Footprints footprints = FindFootprints(
      alone, launch, {.kind = access.is_store ? AccessKind::kStores : AccessKind::kLoads});
  if (!footprints.skipped.empty()) return 0;
  for (uint32_t tb = 0; tb < footprints.tb_count; ++tb) {
    std::vector<Range> bytes;
    for (const ArrayFootprints& array : footprints.arrays) {
      for (const Range& range : BytesOf(array, tb)) bytes.push_back(range);
    }
    const auto found = executed.find({access.pc, tb});
    const std::set<uint64_t> addresses =
        found == executed.end() ? std::set<uint64_t>{} : found->second;
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      const uint64_t unit = Bytes(granularity, access.bytes);
      const bool equal = UnitsOf(bytes, unit) == UnitsOf(addresses, access.bytes, unit);
      EXPECT_TRUE(equal) << "access in line " << access.line << ", TB " << tb << ", "
                         << ToString(granularity) << ": " << UnitsOf(bytes, unit).size()
                         << " units analysed, " << UnitsOf(addresses, access.bytes, unit).size()
                         << " executed\n"
                         << Dump(alone);
      if (!equal) return tb + 1;
    }
  }
  return footprints.tb_count;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_EXECUTED_ACCESSES_H_
