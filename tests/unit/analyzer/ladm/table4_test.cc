// LADM, Table IV: the paper's dominant locality type and scheduler beside what Algorithm 1 puts out
// for our kernels. Each difference has its reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/ladm/ladm_dump.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace table4_test {

struct Row {
  const char* workload;
  const char* entry;
  const char* size;  // the larger array decides: the paper's where the test's has other proportions
  const char* type;  // ours: of the array that decides
  const char* scheduler;
  const char* paper_type;  // NL, RCL, ITL, unclassified
  const char* paper_scheduler;
  const char* why;
};

const Row kTable4[] = {
    {"vecadd", "vecadd", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"srad", "srad_coefficients", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"srad", "srad_update", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"hotspot", "hotspot", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"scalarprod", "scalarprod", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"blackscholes", "blackscholes", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"histo", "histo_final", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"hotspot3d", "hotspot3d", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
    {"conv_separable", "conv_rows", "test", "no-locality", "align-aware", "RCL", "row-binding",
     "the kernel has no loop and its index has both block ids: line 3 of Algorithm 1 ends it"},
    {"histo", "histo_main", "test", "row-horizontal", "row-binding", "RCL", "col-binding",
     "our grid has the ranges of bins along y and the image along x, Parboil's the other way "
     "round"},
    {"fwt", "fwt_quarters", "test", "no-locality", "align-aware", "RCL", "col-binding",
     "the kernel has no loop and its index has both block ids: line 3 of Algorithm 1 ends it"},
    {"sgemm", "sgemm_16x16", "paper", "row-horizontal", "row-binding", "RCL", "row-binding", ""},
    {"matmul_tiled", "matmul_tiled", "test", "row-horizontal", "row-binding", "RCL", "row-binding",
     ""},
    {"sgemm_alexnet_fc2", "sgemm_32x4", "test", "col-vertical", "col-binding", "RCL", "col-binding",
     ""},
    {"sgemm_vgg_fc2", "sgemm_32x4", "test", "col-vertical", "col-binding", "RCL", "col-binding",
     ""},
    {"sgemm_resnet50_fc", "sgemm_32x4", "test", "col-vertical", "col-binding", "RCL", "col-binding",
     ""},
    {"sgemm_lstm1", "sgemm_32x4", "test", "col-vertical", "col-binding", "RCL", "col-binding", ""},
    {"sgemm_lstm2", "sgemm_32x4", "test", "col-vertical", "col-binding", "RCL", "col-binding", ""},
    {"transpose", "transpose_naive", "test", "no-locality", "align-aware", "RCL", "row-binding",
     "the kernel has no loop and its index has both block ids: line 3 of Algorithm 1 ends it"},
    {"random_loc", "random_loc", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide", ""},
    {"kmeans", "kmeans_transpose", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide", ""},
    {"spmv", "spmv", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide", ""},
    {"lbm", "lbm", "test", "no-locality", "align-aware", "unclassified", "kernel-wide",
     "our cells' arrays lie one behind the other, with a plain index of both block ids; Parboil's "
     "macros compute it per field"},
    {"streamcluster", "streamcluster", "test", "unclassified", "kernel-wide", "unclassified",
     "kernel-wide", ""},
    {"pagerank", "pagerank_multiply", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide",
     ""},
    {"bfs_relax", "bfs_relax", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide", ""},
    {"sssp", "sssp_multiply", "test", "intra-thread", "kernel-wide", "ITL", "kernel-wide", ""},
    {"spmv_jds", "spmv_jds", "test", "unclassified", "kernel-wide", "ITL", "kernel-wide",
     "in this format each turn loads its offset and adds the thread's number: no term is m. With "
     "rows in plain CSR (spmv) it is intra-thread"},
    {"btree_findk", "btree_findk", "test", "unclassified", "kernel-wide", "unclassified",
     "kernel-wide", ""},
    {"reduction_k6", "reduction_k6", "test", "no-locality", "align-aware", "NL", "align-aware", ""},
};

// The paper's name for a row of Table II.
std::string Family(const std::string& type) {
  if (type == "no-locality") return "NL";
  if (type == "intra-thread") return "ITL";
  return type == "unclassified" ? type : "RCL";
}

void PrintTo(const Row& row, std::ostream* out) { *out << row.workload << " " << row.entry; }

class Table4 : public testing::TestWithParam<Row> {};

TEST_P(Table4, IsMetOrItsDifferenceIsExplained) {
  const Row& row = GetParam();
  const Workload workload = Workload::Load(FindWorkload(row.workload), row.size);
  const BoundWorkload bound = Bind(workload);
  const auto launch =
      std::find_if(bound.launches.begin(), bound.launches.end(),
                   [&](const KernelLaunch& l) { return l.kernel->name == row.entry; });
  ASSERT_NE(launch, bound.launches.end());
  const LadmAnalysis analysis =
      AnalyzeLadm(AnalyzeAddresses(*launch, bound.memory), *launch, bound.memory);
  ASSERT_TRUE(analysis.scheduler.has_value());
  const auto decider =
      std::find_if(analysis.arguments.begin(), analysis.arguments.end(),
                   [&](const LadmArgument& a) { return a.name == analysis.decided_by; });
  ASSERT_NE(decider, analysis.arguments.end());
  EXPECT_EQ(ToString(decider->type), row.type) << Dump(analysis);
  EXPECT_EQ(ToString(*analysis.scheduler), row.scheduler) << Dump(analysis);
  const bool same =
      Family(row.type) == row.paper_type && std::string(row.scheduler) == row.paper_scheduler;
  EXPECT_EQ(same, std::string(row.why).empty());
}

INSTANTIATE_TEST_SUITE_P(Workloads, Table4, testing::ValuesIn(kTable4), [](const auto& row) {
  return std::string(row.param.workload) + "_" + row.param.entry;
});

}  // namespace table4_test
}  // namespace flagstone
