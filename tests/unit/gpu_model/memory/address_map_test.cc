#include "gpu_model/memory/address_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace address_map_test {

MachineConfig Machine(uint32_t slices, uint32_t channels) {
  MachineConfig machine;
  machine.l2.slices = slices;
  machine.dram.channels = channels;
  return machine;
}

class EachSliceHash : public testing::TestWithParam<SliceHash> {};

TEST_P(EachSliceHash, NoTwoLinesShareASliceAndItsLocalNumber) {
  MachineConfig machine = Machine(12, 6);
  machine.l2.slice_hash = GetParam();
  const AddressMap map(machine);
  std::set<std::pair<uint32_t, LineNumber>> places;
  for (LineNumber line = 1 << 25; line < (1 << 25) + 10'000; ++line) {
    const auto place = map.Slice(line);
    ASSERT_LT(place.slice, 12U);
    ASSERT_TRUE(places.emplace(place.slice, place.local).second) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachSliceHash,
                         testing::Values(SliceHash::kRotated, SliceHash::kInterleaved,
                                         SliceHash::kIpoly, SliceHash::kScattered));

TEST(AddressMap, ScatteredLinesFillAllSlicesAlike) {
  MachineConfig machine = Machine(24, 12);
  machine.l2.slice_hash = SliceHash::kScattered;
  const AddressMap map(machine);
  for (const uint32_t stride : {1U, 4U, 24U, 64U, 1024U}) {
    std::vector<int> count(24, 0);
    for (LineNumber i = 0; i < 24'000; ++i) ++count[map.Slice((1U << 25) + i * stride).slice];
    EXPECT_GT(*std::min_element(count.begin(), count.end()), 800) << stride;
    EXPECT_LT(*std::max_element(count.begin(), count.end()), 1200) << stride;
  }
}

TEST(AddressMap, ChannelsTakeTurnsAndTheirSlicesFromTurnToTurnWhereInterleaved) {
  MachineConfig machine = Machine(12, 6);
  machine.l2.slice_hash = SliceHash::kInterleaved;
  const AddressMap map(machine);
  for (uint32_t piece = 0; piece < 100; ++piece) {
    EXPECT_EQ(map.Slice(piece * 2).slice, piece % 6 * 2 + piece / 6 % 2) << piece;
    EXPECT_EQ(map.Slice(piece * 2 + 1).slice, map.Slice(piece * 2).slice) << piece;
  }
}

// The remainders of t^6, t^7, ... by t^6 + t + 1, as in the ISCA 1991 paper's section on them.
TEST(AddressMap, IpolyPermutesATurnByTheRemainderOfItsNumber) {
  MachineConfig machine = Machine(64, 32);
  machine.l2.slice_hash = SliceHash::kIpoly;
  const AddressMap map(machine);
  const std::vector<uint32_t> remainders = {3, 6, 12, 24, 48, 35, 5, 10, 20, 40};
  for (uint32_t bit = 0; bit < remainders.size(); ++bit) {
    const LineNumber line = (32U << bit) * 2;  // first of turn 2^bit, in slice 2^bit % 2
    EXPECT_EQ(map.Slice(line).slice, remainders[bit] ^ (bit == 0 ? 1U : 0U)) << bit;
  }
}

TEST(AddressMap, IpolyTakesThePolynomialThatHasRoomForAllSlices) {
  struct Case {
    uint32_t slices, turn, remainder;
  };
  // Of t^11 by t^6 + t + 1, of t^10 and t^9 by t^5 + t^2 + 1, of t^8 by t^4 + t + 1.
  constexpr Case kCases[] = {{64, 32, 35}, {33, 32, 35}, {32, 32, 17}, {17, 16, 26}, {16, 16, 5}};
  for (const Case& row : kCases) {
    MachineConfig machine = Machine(row.slices, row.slices);
    machine.l2.slice_hash = SliceHash::kIpoly;
    const AddressMap map(machine);
    const LineNumber line = row.turn * row.slices * 2;  // the first of the turn
    EXPECT_EQ(map.Slice(line).slice, row.remainder % row.slices) << row.slices;
  }
}

TEST(AddressMap, IpolyTakesAsManyBitsOfATurnsNumberAsItsPolynomialHas) {
  for (const auto& [slices, bits] : {std::pair{16U, 13U}, {32U, 15U}, {64U, 19U}}) {
    MachineConfig machine = Machine(slices, slices);
    machine.l2.slice_hash = SliceHash::kIpoly;
    const AddressMap map(machine);
    EXPECT_NE(map.Slice((1U << (bits - 1)) * slices * 2).slice, map.Slice(0).slice) << slices;
    EXPECT_EQ(map.Slice((1U << bits) * slices * 2).slice, map.Slice(0).slice) << slices;
  }
}

TEST(AddressMap, IpolyGivesTheFirstSlicesTwiceAsMuchWhereTheyAreNoPowerOfTwo) {
  MachineConfig machine = Machine(48, 24);
  machine.l2.slice_hash = SliceHash::kIpoly;
  const AddressMap map(machine);
  std::vector<int> count(48, 0);
  for (LineNumber piece = 0; piece < 64 * 1000; ++piece) ++count[map.Slice(piece * 2).slice];
  for (uint32_t slice = 0; slice < 48; ++slice) {
    EXPECT_NEAR(count[slice], slice < 16 ? 2000 : 1000, 200) << slice;
  }
}

TEST(AddressMap, PowerOfTwoStridesUseAllSlices) {
  const AddressMap map(Machine(48, 24));
  for (uint32_t stride : {8U, 64U, 1024U}) {
    std::vector<int> count(48, 0);
    for (uint32_t i = 0; i < 4800; ++i) ++count[map.Slice(i * stride).slice];
    EXPECT_GT(*std::min_element(count.begin(), count.end()), 50) << stride;
    EXPECT_LT(*std::max_element(count.begin(), count.end()), 200) << stride;
  }
}

// Turn n of the twelve slices begins n ^ n >> 3 ^ n >> 7 ^ n >> 13 slices further.
TEST(AddressMap, TurnsAreRotatedByABitMix) {
  const AddressMap map(Machine(12, 6));
  struct Case {
    uint32_t turn, slice;
  };
  constexpr Case kCases[] = {
      {0, 0}, {1, 1}, {8, 9}, {128, (128 + 16 + 1) % 12}, {8192, (8192 + 1024 + 64 + 1) % 12}};
  for (const Case& row : kCases) {
    EXPECT_EQ(map.Slice(row.turn * 12 * 2).slice, row.slice) << row.turn;
    EXPECT_EQ(map.Slice((row.turn * 12 + 1) * 2).slice, (row.slice + 1) % 12) << row.turn;
  }
}

// Of several nodes, a line lies in the DRAM of its home as if the node were alone.
TEST_P(EachSliceHash, ANodesLinesLieInItsDramAsInThatOfAMachineOfOneNode) {
  MachineConfig machine = Machine(12, 6);
  machine.l2.slice_hash = GetParam();
  const AddressMap alone(machine);
  machine.numa.gpus = 4;
  const AddressMap map(machine);
  const auto dram_line = [](const AddressMap& of, LineNumber line) {
    const AddressMap::SliceLine place = of.Slice(line);
    return std::pair(place.slice, of.DramLine(place.slice, place.local));
  };
  for (const LineNumber line : {0U, 1U, 777U, kNodeLines / 2 + 5, kNodeLines - 1}) {
    for (const uint32_t home : {0U, 1U, 3U}) {
      EXPECT_EQ(dram_line(map, PhysicalLine(home, line)), dram_line(alone, line)) << line;
    }
  }
  for (const LineNumber line : {kPrivateLines, kPrivateLines + 12345}) {
    EXPECT_EQ(dram_line(map, line), dram_line(alone, line)) << line;
  }
}

TEST(AddressMap, LinesOfAChannelFillItsRowsBeforeTheNextBank) {
  const AddressMap map(Machine(12, 6));
  // 2,048 B rows = 16 lines, 8 of each of the channel's two slices.
  const auto first = map.Dram(0, 0);
  for (uint32_t slice = 0; slice < 2; ++slice) {
    for (LineNumber local = 0; local < 8; ++local) {
      EXPECT_EQ(map.Dram(slice, local).bank, first.bank);
      EXPECT_EQ(map.Dram(slice, local).row, first.row);
    }
  }
  EXPECT_NE(map.Dram(0, 8).bank, first.bank);
}

}  // namespace address_map_test
}  // namespace flagstone
