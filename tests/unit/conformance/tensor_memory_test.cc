// Loads, stores, copies and shifts of tensor memory (PTX ISA, sections 9.7.16.2, 9.7.16.8 and
// 9.7.16.9) against loops of the host over the cells of each shape.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/canonical_layout.h"
#include "tests/unit/conformance/float_oracles.h"
#include "tests/unit/conformance/tensor_memory_run.h"

namespace flagstone::conformance {
namespace tensor_memory_test {

constexpr uint32_t kThreads = 128;

struct Cell {
  uint32_t lane = 0, column = 0;
};

// The cells of a shape, row by row, in the order of the threads and registers that have them: of 32
// bits, and what a row of 64, 128 and 256 bits is made of.
struct Shape {
  std::string name;
  uint32_t lanes = 32;
  uint32_t words = 1;      // of a row, once
  uint32_t registers = 1;  // of a thread, once
};
const std::vector<Shape>& Shapes() {
  static const std::vector<Shape> shapes = {{"32x32b", 32, 1, 1},
                                            {"16x64b", 16, 2, 1},
                                            {"16x128b", 16, 4, 2},
                                            {"16x256b", 16, 8, 4},
                                            {"16x32bx2", 16, 1, 1}};
  return shapes;
}

// Of a row's word, which thread and which of its registers has it.
struct Owner {
  uint32_t thread = 0, reg = 0;
};
Owner OwnerOf(const Shape& shape, uint32_t row, uint32_t word, uint32_t repeat) {
  const uint32_t first = repeat * shape.registers;
  switch (shape.words) {
    case 1:
      return {row, first};
    case 2:  // eight rows, then those below: odd threads
      return {row % 8 * 4 + word * 2 + row / 8, first};
    case 4:
      return {row % 8 * 4 + word, first + row / 8};
    default:
      return {row % 8 * 4 + word / 2, first + row / 8 * 2 + word % 2};
  }
}

constexpr uint32_t kHalfOffset = 256;

// Calls visit(thread, register, lane, column) for all four warps.
template <class Visit>
void ForEachWord(const Shape& shape, uint32_t count, uint32_t first_lane, uint32_t first_column,
                 uint32_t scale, Visit visit) {
  for (uint32_t warp = 0; warp < 4; ++warp) {
    for (uint32_t repeat = 0; repeat < count; ++repeat) {
      for (uint32_t row = 0; row < shape.lanes; ++row) {
        for (uint32_t word = 0; word < shape.words; ++word) {
          const uint32_t lane = warp * 32 + first_lane + row;
          const uint32_t column = first_column + scale * (repeat * shape.words + word);
          const Owner owner = OwnerOf(shape, row, word, repeat);
          visit(warp * 32 + owner.thread, owner.reg, lane, column);
          if (shape.name != "16x32bx2") continue;
          visit(warp * 32 + owner.thread + 16, owner.reg, lane, column + kHalfOffset);
        }
      }
    }
  }
}

// Calls check(shape, count, packed) for all forms.
template <class Check>
void ForEachForm(Check check) {
  for (const Shape& shape : Shapes()) {
    for (uint32_t count = 1; count * shape.registers <= 128; count *= 2) {
      for (const bool packed : {false, true}) {
        check(shape, count, packed);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

std::string Address(uint32_t lane, uint32_t column) {
  return fmt::format("[%own+{}]", lane << 16 | column);
}

TEST(TensorMemory, LoadsOfAllShapesGiveEachThreadItsCells) {
  ForEachForm([](const Shape& shape, uint32_t count, bool packed) {
    TensorMemoryState before = RandomTensorMemory(count);
    const uint32_t lane = shape.lanes == 16 && count % 3 != 1 ? 16 : 0, column = packed ? 2 : 5;
    const bool halves = shape.name == "16x32bx2";
    const uint32_t columns = shape.words * count * (packed ? 2 : 1) + (halves ? kHalfOffset : 0);
    const uint32_t first = columns + column > kTensorColumns ? 0 : column;
    const TensorMemoryState after = RunTensorMemory(
        fmt::format("tcgen05.ld.sync.aligned.{}.x{}{}.b32 {}, {}{};", shape.name, count,
                    packed ? ".pack::16b" : "", WordList(count * shape.registers),
                    Address(lane, first), halves ? fmt::format(", {}", kHalfOffset) : ""),
        "", before, {});
    std::vector<uint32_t> expected = before.words;
    ForEachWord(shape, count, lane, first, packed ? 2 : 1,
                [&](uint32_t thread, uint32_t reg, uint32_t at, uint32_t where) {
                  uint32_t& word = expected[thread * kThreadWords + reg];
                  word = CellOf(before.cells, at, where);
                  if (packed) {
                    word = (word & 0xffff) | CellOf(before.cells, at, where + 1) << 16;
                  }
                });
    ASSERT_EQ(after.words, expected) << shape.name << " x" << count << " " << packed;
    ASSERT_EQ(after.cells, before.cells);
  });
}

TEST(TensorMemory, StoresOfAllShapesPutEachThreadsWordsIntoItsCells) {
  ForEachForm([](const Shape& shape, uint32_t count, bool packed) {
    TensorMemoryState before = RandomTensorMemory(100 + count);
    const uint32_t lane = shape.lanes == 16 && count % 3 == 1 ? 16 : 0;
    const bool halves = shape.name == "16x32bx2";
    const TensorMemoryState after =
        RunTensorMemory(fmt::format("tcgen05.st.sync.aligned.{}.x{}{}.b32 {}{}, {};", shape.name,
                                    count, packed ? ".unpack::16b" : "", Address(lane, 0),
                                    halves ? fmt::format(", {}", kHalfOffset) : "",
                                    WordList(count * shape.registers)),
                        "", before, {});
    TensorCells expected = before.cells;
    ForEachWord(shape, count, lane, 0, packed ? 2 : 1,
                [&](uint32_t thread, uint32_t reg, uint32_t at, uint32_t where) {
                  const uint32_t word = before.words[thread * kThreadWords + reg];
                  CellOf(expected, at, where) = packed ? word & 0xffff : word;
                  if (packed) CellOf(expected, at, where + 1) = word >> 16;
                });
    ASSERT_EQ(after.cells, expected) << shape.name << " x" << count << " " << packed;
  });
}

// One word of a column, or of what is there before it.
uint32_t Chosen(bool most, const std::string& type, bool absolute, bool nan, uint32_t a,
                uint32_t b) {
  if (type == "u32") return most ? std::max(a, b) : std::min(a, b);
  if (type == "s32") {
    const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    return static_cast<uint32_t>(most ? std::max(x, y) : std::min(x, y));
  }
  const auto value = [&](uint32_t bits) {
    const auto number = FromBits<float>(bits);
    return absolute ? std::fabs(number) : number;
  };
  const float x = value(a), y = value(b);
  if (x != x || y != y) {
    if (nan || (x != x && y != y)) return 0x7fffffff;
    return static_cast<uint32_t>(ToBits(x != x ? y : x));
  }
  return static_cast<uint32_t>(ToBits(most ? std::max(x, y) : std::min(x, y)));
}

TEST(TensorMemory, LoadsReduceTheColumnsOfEachLane) {
  for (const Shape& shape : {Shapes()[0], Shapes()[4]}) {
    const bool halves = shape.name == "16x32bx2";
    for (uint32_t count = 2; count <= 128; count *= 2) {
      for (const std::string words :
           {"min.u32", "max.u32", "min.s32", "max.s32", "min.f32", "max.f32", "min.abs.f32",
            "max.abs.f32", "min.NaN.f32", "max.NaN.f32", "min.abs.NaN.f32", "max.abs.NaN.f32"}) {
        TensorMemoryState before = RandomTensorMemory(7 * count);
        CellOf(before.cells, 3, 1) = CellOf(before.cells, 40, 0) = 0x7fc00001;
        // The result goes beside the list: of 128 words into the last one.
        const std::string result = count == 128 ? "%v0" : "%w127";
        const TensorMemoryState after =
            RunTensorMemory(fmt::format("tcgen05.ld.red.sync.aligned.{}.x{}.{} {}, {}, [%own]{};{}",
                                        shape.name, count, words, WordList(count), result,
                                        halves ? fmt::format(", {}", kHalfOffset) : "",
                                        count == 128 ? " mov.b32 %w127, %v0;" : ""),
                            "", before, {});
        const bool most = words.starts_with("max");
        const std::string type = words.substr(words.rfind('.') + 1);
        std::vector<uint32_t> reduced(kThreads);
        std::vector<bool> begun(kThreads);
        ForEachWord(
            shape, count, 0, 0, 1, [&](uint32_t thread, uint32_t reg, uint32_t at, uint32_t where) {
              const uint32_t cell = CellOf(before.cells, at, where);
              const uint32_t so_far = begun[thread] ? reduced[thread] : cell;
              reduced[thread] = Chosen(most, type, words.find("abs") != std::string::npos,
                                       words.find("NaN") != std::string::npos, so_far, cell);
              begun[thread] = true;
              if (reg < 127) {
                ASSERT_EQ(after.words[thread * kThreadWords + reg], cell);
              }
            });
        for (uint32_t thread = 0; thread < kThreads; ++thread) {
          ASSERT_EQ(after.words[thread * kThreadWords + 127], reduced[thread])
              << shape.name << " x" << count << " " << words << " " << thread;
        }
      }
    }
  }
}

struct CopyCase {
  std::string name;
  uint32_t rows = 128, bits = 256;
  std::vector<std::vector<uint32_t>> lanes;  // of each row
};
std::vector<CopyCase> Copies() {
  std::vector<CopyCase> copies(6);
  copies[0] = {"128x256b", 128, 256, {}};
  copies[1] = {"128x128b", 128, 128, {}};
  copies[2] = {"4x256b", 4, 256, {}};
  copies[3] = {"64x128b.warpx2::02_13", 64, 128, {}};
  copies[4] = {"64x128b.warpx2::01_23", 64, 128, {}};
  copies[5] = {"32x128b.warpx4", 32, 128, {}};
  for (CopyCase& copy : copies) copy.lanes.resize(copy.rows);
  for (uint32_t row = 0; row < 128; ++row) copies[0].lanes[row] = copies[1].lanes[row] = {row};
  for (uint32_t row = 0; row < 4; ++row) copies[2].lanes[row] = {32 * row + 31};
  for (uint32_t row = 0; row < 64; ++row) {
    copies[3].lanes[row] = {row, row + 64};
    copies[4].lanes[row] =
        row < 32 ? std::vector<uint32_t>{row, row + 32} : std::vector<uint32_t>{row + 32, row + 64};
  }
  for (uint32_t row = 0; row < 32; ++row)
    copies[5].lanes[row] = {row, row + 32, row + 64, row + 96};
  return copies;
}

TEST(TensorMemory, CopiesTakeRowsFromSharedMemoryToTheirLanes) {
  for (const CopyCase& copy : Copies()) {
    for (const uint32_t width : {16U, 32U, 64U, 128U}) {
      for (const uint32_t packed : {0U, 4U, 6U}) {
        const uint32_t bits = packed == 0 ? 8 : packed;
        Layout layout;
        layout.width = width;
        const CanonicalLayout canonical(layout, bits, 32);
        std::vector<uint8_t> image(96 * 1024, 0xa5);
        TensorMemoryState before = RandomTensorMemory(width + packed);
        TensorCells expected = before.cells;
        SplitMix64 random(width);
        for (uint32_t row = 0; row < copy.rows; ++row) {
          for (uint32_t i = 0; i < copy.bits / 8; ++i) {
            const uint64_t value = random.Next() & ((1U << bits) - 1);
            PutBits(&image, canonical.Place(row, i), bits, value);
            const auto byte = static_cast<uint32_t>(packed == 4 ? value << 2 : value);
            for (const uint32_t lane : copy.lanes[row]) {
              uint32_t& cell = CellOf(expected, lane, 40 + i / 4);
              cell = (cell & ~(0xffU << (8 * (i % 4)))) | byte << (8 * (i % 4));
            }
          }
        }
        const std::string name = fmt::format("tcgen05.cp.cta_group::1.{}{}", copy.name,
                                             packed == 0   ? ""
                                             : packed == 4 ? ".b8x16.b4x16_p64"
                                                           : ".b8x16.b6x16_p32");
        const uint32_t lane = copy.rows == 4 ? 31 : 0;
        const std::string one =
            fmt::format("or.b64 %rd11, %rd10, {}; {} [%taddr+{}], %rd11;\n",
                        canonical.Strides() | canonical.TensorMemoryMode(), name, lane << 16 | 40);
        const TensorMemoryState after = RunTensorMemory("", one, before, image);
        ASSERT_EQ(after.cells, expected) << name << " of width " << width;
      }
    }
  }
}

TEST(TensorMemory, AShiftMovesTheRowsOfAWarpDownExceptTheLastOne) {
  TensorMemoryState before = RandomTensorMemory(9);
  TensorCells expected = before.cells;
  for (uint32_t lane = 64; lane < 95; ++lane) {
    for (uint32_t column = 16; column < 24; ++column) {
      CellOf(expected, lane, column) = CellOf(before.cells, lane + 1, column);
    }
  }
  const std::string one =
      fmt::format("tcgen05.shift.cta_group::1.down [%taddr+{}];\n", 64 << 16 | 16);
  EXPECT_EQ(RunTensorMemory("", one, before, {}).cells, expected);
  EXPECT_EQ(RunTensorMemory("", one, before, {}, /*multicast=*/true).cells, expected);
}

}  // namespace tensor_memory_test
}  // namespace flagstone::conformance
