// The kernels of the five papers, by the workloads that stand for them: none is missing, and each
// says which paper it is from.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/launch/workload.h"

namespace flagstone {
namespace paper_lists_test {

struct PaperList {
  const char* paper;  // what entries of `papers` begin with
  std::vector<const char*> workloads;
};

const PaperList kLists[] = {
    {"PAVER", {"syrk",        "syr2k",     "matmul",   "btree_findk", "btree_findrangek",
               "heartwall",   "hotspot",   "srad",     "bfs",         "tpacf",
               "dwt53",       "spmv",      "spmv_jds", "pathfinder",  "sha1",
               "md5",         "mergesort", "mummer",   "sad",         "backprop",
               "blackscholes"}},
    {"CAPS",
     {"cp", "laplace3d", "backprop", "hotspot", "mri_q", "stencil", "conv_separable", "histogram64",
      "histogram256", "jacobi1d", "fft512", "scan", "matmul_tiled", "pageviewrank",
      "connected_components", "bfs", "kmeans"}},
    {"CTA mapping",
     {"neighbour_sum", "matmul_naive", "conv", "demosaic", "imregionmax", "transpose"}},
    {"Coalescing",
     {"stride_32", "stride_4", "same_location", "coalescing", "btree_findk", "btree_findrangek",
      "conv3d", "conv2d", "bfs", "backprop", "gemm"}},
    {"LADM",
     {"vecadd", "scalarprod", "histo", "reduction_k6", "hotspot3d", "fwt", "pagerank", "bfs_relax",
      "sssp", "random_loc", "lbm", "streamcluster", "sgemm", "sgemm_alexnet_fc2", "sgemm_vgg_fc2",
      "sgemm_resnet50_fc", "sgemm_lstm1", "sgemm_lstm2"}},
};

TEST(PaperLists, HaveAWorkloadForEachKernel) {
  const std::vector<std::string> names = ListWorkloads();
  for (const PaperList& list : kLists) {
    for (const char* name : list.workloads) {
      EXPECT_TRUE(std::ranges::binary_search(names, std::string(name)))
          << list.paper << ": " << name;
    }
  }
  EXPECT_GE(names.size(), 45U);
}

TEST(PaperLists, AreNamedByTheWorkloads) {
  for (const PaperList& list : kLists) {
    for (const char* name : list.workloads) {
      const Workload workload = Workload::Load(FindWorkload(name), "test");
      EXPECT_TRUE(std::ranges::any_of(workload.papers,
                                      [&](const std::string& paper) {
                                        return paper.starts_with(std::string(list.paper) + " ");
                                      }))
          << name << " names no kernel of " << list.paper;
    }
  }
}

}  // namespace paper_lists_test
}  // namespace flagstone
