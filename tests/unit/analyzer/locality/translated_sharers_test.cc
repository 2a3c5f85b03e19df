// Sharer sets in closed form, on a stencil: the kind of kernel they are for.
#include "analyzer/locality/translated_sharers.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/locality/brute_force.h"

namespace flagstone {
namespace translated_sharers_test {

// A five-point stencil over `grid` blocks of 8 x 4 cells of 4 bytes; cells beyond the rim are not
// read.
class Stencil {
 public:
  explicit Stencil(Dim3 grid) {
    launch_.kernel = &kernel_;
    launch_.grid = grid;
    launch_.block = {8, 4, 1};
    width_ = 8 * int64_t{grid.x};
    height_ = 4 * int64_t{grid.y};
    for (const auto& [x, y] : {std::pair{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}) Add(x, y);
  }
  const AddressAnalysis& analysis() const { return analysis_; }
  const KernelLaunch& launch() const { return launch_; }
  Footprints Find() const { return FindFootprints(analysis_, launch_); }

 private:
  void Add(int64_t x, int64_t y) {
    AddressForm access;
    access.address_class = AddressClass::kAffine;
    access.pattern = AddressClass::kAffine;
    access.bytes = 4;
    access.array = "cells";
    access.form.constant = 1 << 20;
    access.form.constant += 4 * (y * width_ + x);
    access.form.tid = {4, 4 * width_, 0};
    access.form.ctaid = {32, 16 * width_, 0};
    AffineForm column;
    column.constant = x;
    column.tid = {1, 0, 0};
    column.ctaid = {8, 0, 0};
    AffineForm row;
    row.constant = y;
    row.tid = {0, 1, 0};
    row.ctaid = {0, 4, 0};
    if (x < 0) access.guards.push_back({column});
    if (y < 0) access.guards.push_back({row});
    if (x > 0) access.guards.push_back({Mirrored(column, width_)});
    if (y > 0) access.guards.push_back({Mirrored(row, height_)});
    analysis_.accesses.push_back(access);
  }
  // form >= 0 -> form < extent
  static AffineForm Mirrored(AffineForm form, int64_t extent) {
    form.constant = extent - 1 - form.constant;
    for (int64_t& c : form.tid) c = -c;
    for (int64_t& c : form.ctaid) c = -c;
    return form;
  }

  ptx::Kernel kernel_;
  KernelLaunch launch_;
  AddressAnalysis analysis_;
  int64_t width_ = 0;
  int64_t height_ = 0;
};

SharerSets InClosedForm(const Footprints& footprints, Granularity granularity) {
  SharerSets sharers;
  sharers.tb_count = footprints.tb_count;
  SharerTable table(sharers);
  for (const ArrayFootprints& array : footprints.arrays) {
    EXPECT_TRUE(AddTranslated(array, Bytes(granularity, array.element_bytes), 1 << 24, table));
  }
  return sharers;
}

TEST(TranslatedSharers, OfAStencilEqualBruteForceAtEveryGranularity) {
  for (const Dim3 grid : {Dim3{9, 7, 1}, Dim3{5, 1, 1}, Dim3{1, 6, 1}, Dim3{3, 3, 1}}) {
    const Stencil stencil(grid);
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      const SharerSets sharers = InClosedForm(stencil.Find(), granularity);
      const brute_force::Result found = brute_force::Of(sharers, BuildGraph(sharers));
      const brute_force::Result expected =
          brute_force::Share(stencil.analysis(), stencil.launch(), granularity);
      EXPECT_EQ(found.sets, expected.sets) << grid.x << " x " << grid.y;
      EXPECT_EQ(found.pairs, expected.pairs) << grid.x << " x " << grid.y;
    }
  }
}

TEST(TranslatedSharers, DoNotGrowWithTheGrid) {
  const SharerSets small = InClosedForm(Stencil({40, 30, 1}).Find(), Granularity::kElement);
  const SharerSets large = InClosedForm(Stencil({1200, 900, 1}).Find(), Granularity::kElement);
  EXPECT_EQ(small.families.size(), large.families.size());
  EXPECT_LT(large.families.size(), 200U);
  uint64_t references = 0;
  for (const SharerFamily& family : large.families) references += family.weight * family.Sets();
  EXPECT_EQ(references, uint64_t{1200} * 900 * 32);
}

TEST(TranslatedSharers, AreLeftToTheSweepWhereThatGoesThroughLess) {
  const Footprints footprints = Stencil({3, 3, 1}).Find();
  SharerSets sharers;
  sharers.tb_count = footprints.tb_count;
  SharerTable table(sharers);
  EXPECT_FALSE(AddTranslated(footprints.arrays.at(0), 4, 100, table));
  EXPECT_TRUE(sharers.families.empty());
}

// One class of TBs in a row, each `stride` bytes after the one before it.
ArrayFootprints Row(std::vector<Range> shape, uint32_t tbs, int64_t stride) {
  ArrayFootprints array;
  array.element_bytes = 4;
  array.grid = {tbs, 1, 1};
  array.shapes = {std::move(shape)};
  array.classes = {{0, {{0, 0, 0}, {tbs, 1, 1}}, {stride, 0, 0}}};
  return array;
}

TEST(TranslatedSharers, GoThroughAsManyRangesAsAllowedAndNoMore) {
  struct Case {
    ArrayFootprints array;
    uint64_t needed;
  };
  // The shape's ranges, twice as many for each TB that may share, and once for each that does at
  // each kind of place; TBs that fall into each other's gaps need no look.
  for (const auto& [array, needed] :
       {Case{Row({{64, 68}}, 1, 0), 1 + 2 + 1}, Case{Row({{64, 68}}, 2, 4), 1 + 3 * 2 + 3 * 2},
        Case{Row({{64, 68}, {164, 168}}, 2, 48), 2 + 4 + 2}}) {
    for (uint64_t ranges = 0; ranges <= needed; ++ranges) {
      SharerSets sharers;
      sharers.tb_count = array.grid.x;
      SharerTable table(sharers);
      EXPECT_EQ(AddTranslated(array, 4, ranges, table), ranges == needed) << ranges;
      EXPECT_EQ(sharers.families.empty(), ranges != needed) << ranges;
    }
  }
}

TEST(TranslatedSharers, ShareAUnitOfWhichTheyReadTheFirstAndTheLastByte) {
  SharerSets sharers;
  sharers.tb_count = 3;
  SharerTable table(sharers);
  ASSERT_TRUE(AddTranslated(Row({{64, 65}}, 3, 31), 32, 1 << 20, table));
  const brute_force::Result found = brute_force::Of(sharers, BuildGraph(sharers));
  EXPECT_EQ(found.sets, (std::map<std::vector<uint32_t>, uint64_t>{{{0, 1}, 1}, {{2}, 1}}));
}

TEST(TranslatedSharers, TakeTbsThatJustMissEachOtherAsOneFamily) {
  // The second range of a TB ends where the first one of the next TB begins.
  SharerSets sharers;
  sharers.tb_count = 4;
  SharerTable table(sharers);
  ASSERT_TRUE(AddTranslated(Row({{0, 4}, {8, 12}, {100, 104}}, 4, 12), 1, 1 << 20, table));
  ASSERT_EQ(sharers.families.size(), 1U);
  EXPECT_EQ(sharers.families[0].Sets(), 4U);
  EXPECT_EQ(sharers.families[0].weight, 12U);
}

TEST(TranslatedSharers, NeedClassesThatMoveAlikeAndDoNotOverlap) {
  ArrayFootprints array;
  array.element_bytes = 4;
  array.grid = {4, 1, 1};
  array.shapes = {{{0, 8}}};
  array.classes = {{0, {{0, 0, 0}, {2, 1, 1}}, {8, 0, 0}}, {0, {{2, 0, 0}, {2, 1, 1}}, {4, 0, 0}}};
  SharerSets sharers;
  sharers.tb_count = 4;
  SharerTable table(sharers);
  EXPECT_FALSE(AddTranslated(array, 4, 1 << 20, table));
  array.classes[1].strides = {8, 0, 0};
  EXPECT_TRUE(AddTranslated(array, 4, 1 << 20, table));
  array.disjoint = false;
  EXPECT_FALSE(AddTranslated(array, 4, 1 << 20, table));
}

}  // namespace translated_sharers_test
}  // namespace flagstone
