// Forms of the compiled workloads' loads, at paper size.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace address_workloads_test {

struct Analyzed {
  Workload workload;  // owns the kernels
  BoundWorkload bound;
  AddressAnalysis analysis;
};

Analyzed Analyze(const std::string& name) {
  Analyzed result{Workload::Load(FindWorkload(name), "paper"), {}, {}};
  result.bound = Bind(result.workload);
  result.analysis = AnalyzeAddresses(result.bound.launches.at(0), result.bound.memory);
  return result;
}

// Affine loads of an array that happen at all, relative to it.
std::vector<AffineForm> Loads(const Analyzed& analyzed, const std::string& array) {
  std::vector<AffineForm> forms;
  for (const AddressForm& access : analyzed.analysis.accesses) {
    const bool never =
        !access.guards.empty() && access.guards[0].form == AffineForm{.constant = -1};
    if (access.is_store || access.array != array || never) continue;
    EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
    forms.push_back(access.form);
    forms.back().constant -= static_cast<int64_t>(analyzed.bound.memory.Named(array).address);
  }
  return forms;
}

TEST(WorkloadAddresses, OfMatmulWalkARowOfAAndAColumnOfB) {
  const Analyzed matmul = Analyze("matmul");
  for (const AffineForm& form : Loads(matmul, "a")) {
    EXPECT_EQ(form.tid, (std::array<int64_t, 3>{0, 832, 0}));
    EXPECT_EQ(form.ctaid, (std::array<int64_t, 3>{0, 13312, 0}));
  }
  for (const AffineForm& form : Loads(matmul, "b")) {
    EXPECT_EQ(form.tid, (std::array<int64_t, 3>{4, 0, 0}));
    EXPECT_EQ(form.ctaid, (std::array<int64_t, 3>{64, 0, 0}));
  }
  EXPECT_FALSE(Loads(matmul, "a").empty());
  EXPECT_FALSE(Loads(matmul, "b").empty());
}

TEST(WorkloadAddresses, OfHotspotAreGuardedOnAllFourSides) {
  const Analyzed hotspot = Analyze("hotspot");
  uint32_t loads = 0;
  for (const AddressForm& access : hotspot.analysis.accesses) {
    if (access.is_store) continue;
    ++loads;
    EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
    EXPECT_EQ(access.guards.size(), 4U);
  }
  EXPECT_EQ(loads, 2U);
}

TEST(WorkloadAddresses, OfSpmvAreIndirectInTheRowLoopAndAffineOutside) {
  const Analyzed spmv = Analyze("spmv");
  for (const AddressForm& access : spmv.analysis.accesses) {
    const bool outside = access.array == "row_start" || access.array == "y";
    EXPECT_EQ(access.address_class, outside ? AddressClass::kAffine : AddressClass::kIndirect)
        << access.line;
    EXPECT_EQ(access.reason.empty(), outside);
  }
}

TEST(WorkloadAddresses, AreThePrintedOnes) {
  const Analyzed vecadd = Analyze("vecadd");
  const auto base = static_cast<int64_t>(vecadd.bound.memory.Named("a").address);
  const std::string text = Dump(vecadd.analysis);
  EXPECT_NE(text.find("of a: affine, " + std::to_string(base) + " + 4*tid.x + 1024*ctaid.x\n"),
            std::string::npos)
      << text;
}

}  // namespace address_workloads_test
}  // namespace flagstone
