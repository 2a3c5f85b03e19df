#include "analyzer/locality/locality_dump.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace locality_dump_test {

Footprints TwoArrays() {
  Footprints footprints;
  footprints.tb_count = 4;
  ArrayFootprints a;
  a.array = "a";
  a.element_bytes = 4;
  a.grid = {4, 1, 1};
  a.shapes = {{{0x1000, 0x1040}, {0x1080, 0x10c0}}, {{0xfe0, 0x1000}}};
  // TBs 0 and 1 read the same, TBs 2 and 3 each what lies 32 bytes after the one before.
  a.classes = {{0, {{0, 0, 0}, {2, 1, 1}}, {}}, {1, {{2, 0, 0}, {2, 1, 1}}, {32, 0, 0}}};
  footprints.arrays = {a};
  footprints.skipped = {{7, 30, "a loaded value (line 29)"}};
  return footprints;
}

TEST(LocalityDump, ShowsFootprintsByClass) {
  EXPECT_EQ(Dump(TwoArrays()),
            "array a, elements of 4 bytes\n"
            "  TBs 0-1: 128 bytes in 2 ranges [0x1000,0x1040) [0x1080,0x10c0)\n"
            "  TBs 2-3: 32 bytes in 1 ranges [0x1020,0x1040), +32 per ctaid.x\n"
            "skipped: load at pc 7 line 30: a loaded value (line 29)\n");
}

TEST(LocalityDump, ShowsFourRangesAndTheAxesThatMoveThem) {
  Footprints footprints;
  footprints.tb_count = 6;
  ArrayFootprints a;
  a.array = "a";
  a.element_bytes = 4;
  a.grid = {2, 3, 1};
  a.shapes = {{{0x10, 0x14}, {0x20, 0x24}, {0x30, 0x34}, {0x40, 0x44}, {0x50, 0x54}},
              {{0x10, 0x14}, {0x20, 0x24}, {0x30, 0x34}, {0x40, 0x44}}};
  a.classes = {{0, {{0, 0, 0}, {2, 3, 1}}, {32, -8, 4}}, {1, {{0, 1, 0}, {2, 1, 1}}, {0, 8, 0}}};
  footprints.arrays = {a};
  EXPECT_EQ(Dump(footprints),
            "array a, elements of 4 bytes\n"
            "  TBs 0-5: 20 bytes in 5 ranges [0x10,0x14) [0x20,0x24) [0x30,0x34) [0x40,0x44) ..., "
            "+32 per ctaid.x, -8 per ctaid.y\n"
            "  TBs 2-3: 16 bytes in 4 ranges [0x18,0x1c) [0x28,0x2c) [0x38,0x3c) [0x48,0x4c)\n");
}

TEST(LocalityDump, ShowsHowOftenAFamilyRepeatsAndFoldsRunsOfIds) {
  SharerSets sharers;
  sharers.tb_count = 300;
  sharers.Add(std::vector<uint32_t>{2, 3, 5, 7, 8, 9}, 4);
  sharers.families.back().count = {3, 1, 2};
  sharers.families.back().step = {10, 0, 100};
  sharers.Add(std::vector<uint32_t>{1, 3}, 6);
  EXPECT_EQ(Dump(sharers),
            "300 TBs, 0 units, 0 of them read by all, 0 loads skipped\n"
            "4 units: TBs 2-3,5,7-9, 3 times by 10, 2 times by 100\n6 units: TBs 1,3\n");
}

TEST(LocalityDump, ShowsTheEdgesOfTbsThatHaveSome) {
  SharerSets sharers;
  sharers.tb_count = 5;
  sharers.Add(std::vector<uint32_t>{1, 3}, 6);
  sharers.Add(std::vector<uint32_t>{1, 4}, 2);
  EXPECT_EQ(Dump(BuildGraph(sharers)),
            "5 TBs, 2 edges, 0 units shared by all\n1: 3(6) 4(2)\n3: 1(6)\n4: 1(2)\n");
}

TEST(LocalityDump, ShowsSharersAndGraph) {
  EXPECT_EQ(Dump(FindSharers(TwoArrays(), Granularity::kElement)),
            "4 TBs, 40 units, 0 of them read by all, 1 loads skipped\n"
            "24 units: TBs 0-1\n8 units: TBs 0-2\n8 units: TBs 3\n");
  EXPECT_EQ(Dump(FindSharers(TwoArrays(), Granularity::kLine)),
            "4 TBs, 2 units, 1 of them read by all, 1 loads skipped\n"
            "1 units: TBs 0-1\n");
  const LocalityGraph graph = BuildGraph(FindSharers(TwoArrays(), Granularity::kElement));
  EXPECT_EQ(Dump(graph),
            "4 TBs, 3 edges, 0 units shared by all\n"
            "0: 1(32) 2(8)\n1: 0(32) 2(8)\n2: 0(8) 1(8)\n");
}

TEST(LocalityDump, ShowsTheColumnsOfTable2) {
  const SharerSets sharers = FindSharers(TwoArrays(), Granularity::kElement);
  EXPECT_EQ(Dump(Summarize(sharers)),
            "TBs 4\nedges 3\nsparsity score 0.625000000\ntotal references 40\nshared TBs 3\n"
            "degree of sharing 0.500000\n");
}

}  // namespace locality_dump_test
}  // namespace flagstone
