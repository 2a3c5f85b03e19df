// The class of each workload's load addresses, beside what the papers' own kernels have. A workload
// without a row in workload_classes.h fails.
#include "tests/unit/analyzer/workload_classes.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace workload_classes_test {

// Classes of addresses, however the loads are guarded.
Classes Count(const AddressAnalysis& analysis) {
  Classes counts;
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store) continue;
    if (access.pattern == AddressClass::kIndirect) {
      ++counts.indirect;
    } else if (access.pattern == AddressClass::kDeterministic) {
      ++counts.deterministic;
    } else {
      ++(access.IsUniform() ? counts.uniform : counts.affine);
    }
  }
  return counts;
}

std::string ToString(const Classes& c) {
  return fmt::format("{}, {}, {}, {}", c.uniform, c.affine, c.deterministic, c.indirect);
}

// Which classes there are. Uniform addresses are affine ones.
std::tuple<bool, bool, bool> Kinds(const Classes& c) {
  return {c.uniform + c.affine > 0, c.deterministic > 0, c.indirect > 0};
}

class WorkloadClasses : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadClasses, AreThoseOfThePapersKernelOrTheDifferenceIsExplained) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  const BoundWorkload bound = Bind(workload);
  std::map<std::string, const KernelLaunch*> launches;  // the first of each entry
  for (const KernelLaunch& launch : bound.launches) {
    launches.try_emplace(launch.kernel->name, &launch);
  }
  for (const auto& [entry, launch] : launches) {
    const Classes found = Count(AnalyzeAddresses(*launch, bound.memory));
    const auto* const row = std::find_if(
        std::begin(kWorkloadClasses), std::end(kWorkloadClasses),
        [&](const ClassRow& r) { return r.workload == GetParam() && r.entry == entry; });
    if (row == std::end(kWorkloadClasses)) {
      ADD_FAILURE() << "no row for " << entry << ": add to tests/unit/analyzer/workload_classes.h\n"
                    << fmt::format(R"({{"{}", "{}", {{{}}}, kNone, "source", "why"}},)", GetParam(),
                                   entry, ToString(found));
      continue;
    }
    EXPECT_EQ(ToString(found), ToString(row->ours)) << entry;
    if (row->paper == kOurs) continue;
    if (Kinds(row->ours) != Kinds(row->paper)) {
      EXPECT_FALSE(row->why.empty()) << entry << ": no reason for another set of classes than "
                                     << row->source << ", " << ToString(row->paper);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryWorkload, WorkloadClasses, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) { return workload.param; });

TEST(WorkloadClassesTable, HasEachRowOnceAndNoneOfAnUnknownWorkload) {
  const std::vector<std::string> names = ListWorkloads();
  std::set<std::pair<std::string, std::string>> rows;
  for (const ClassRow& row : kWorkloadClasses) {
    EXPECT_NE(std::find(names.begin(), names.end(), row.workload), names.end()) << row.workload;
    EXPECT_TRUE(rows.emplace(row.workload, row.entry).second) << row.workload << " " << row.entry;
  }
}

}  // namespace workload_classes_test
}  // namespace flagstone
