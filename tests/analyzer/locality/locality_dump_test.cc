#include "analyzer/locality/locality_dump.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace {

Footprints TwoArrays() {
  Footprints footprints;
  footprints.tb_count = 4;
  ArrayFootprints a;
  a.array = "a";
  a.element_bytes = 4;
  a.shapes = {{{0, 64}, {128, 192}}};
  a.classes = {{0, 0x1000, {0, 1, 3}}, {0, 0x1040, {2}}};
  footprints.arrays = {a};
  footprints.skipped = {{7, 30, "a loaded value (line 29)"}};
  return footprints;
}

TEST(LocalityDump, ShowsFootprintsByClass) {
  EXPECT_EQ(Dump(TwoArrays()),
            "array a, elements of 4 bytes\n"
            "  TBs 0-1,3: 128 bytes in 2 ranges [0x1000,0x1040) [0x1080,0x10c0)\n"
            "  TBs 2: 128 bytes in 2 ranges [0x1040,0x1080) [0x10c0,0x1100)\n"
            "skipped: load at pc 7 line 30: a loaded value (line 29)\n");
}

TEST(LocalityDump, ShowsSharersAndGraph) {
  EXPECT_EQ(Dump(FindSharers(TwoArrays(), Granularity::kElement)),
            "4 TBs, 64 units, 0 of them read by all, 1 loads skipped\n"
            "32 units: TBs 0-1,3\n32 units: TBs 2\n");
  EXPECT_EQ(Dump(FindSharers(TwoArrays(), Granularity::kLine)),
            "4 TBs, 2 units, 2 of them read by all, 1 loads skipped\n");
  const LocalityGraph graph = BuildGraph(FindSharers(TwoArrays(), Granularity::kElement));
  EXPECT_EQ(Dump(graph),
            "4 TBs, 3 edges, 0 units shared by all\n"
            "0: 1(32) 3(32)\n1: 0(32) 3(32)\n3: 0(32) 1(32)\n");
}

TEST(LocalityDump, ShowsTheColumnsOfTable2) {
  const SharerSets sharers = FindSharers(TwoArrays(), Granularity::kElement);
  EXPECT_EQ(Dump(Summarize(BuildGraph(sharers), sharers)),
            "TBs 4\nedges 3\nsparsity score 0.625000000\ntotal references 64\nshared TBs 3\n"
            "degree of sharing 0.500000\n");
}

}  // namespace
}  // namespace flagstone
