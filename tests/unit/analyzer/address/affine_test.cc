#include "analyzer/address/affine.h"

#include <gtest/gtest.h>

#include "analyzer/address/condition.h"

namespace flagstone {
namespace affine_test {

AffineForm Form(int64_t constant, int64_t tid_x, int64_t ctaid_x = 0, std::vector<int64_t> l = {}) {
  AffineForm form;
  form.constant = constant;
  form.tid[0] = tid_x;
  form.ctaid[0] = ctaid_x;
  form.loops = std::move(l);
  return form;
}

SymbolRanges Ranges() {
  SymbolRanges ranges;
  ranges.block = {16, 1, 1};
  ranges.grid = {4, 1, 1};
  ranges.counters = {{0, 9}, {0, Interval::kMax}};
  return ranges;
}

TEST(Affine, SumsCoefficientsAndDropsTrailingZeroLoops) {
  AffineForm form = Form(1, 2, 3, {4, 5});
  ASSERT_TRUE(AddScaled(form, Form(10, 1, 0, {0, 5}), -1));
  EXPECT_EQ(form, Form(-9, 1, 3, {4}));
}

TEST(Affine, ReportsACoefficientBeyond64Bits) {
  AffineForm form = Form(0, int64_t{1} << 62);
  EXPECT_FALSE(AddScaled(form, form, 2));
}

TEST(SymbolRanges, BoundsAFormByItsCorners) {
  EXPECT_EQ(Ranges().Of(Form(5, -2, 10)), (Interval{-25, 35}));
  EXPECT_EQ(Ranges().Of(Form(0, 0, 0, {3})), (Interval{0, 27}));
}

TEST(SymbolRanges, HasNoUpperBoundForACounterWithoutOne) {
  EXPECT_EQ(Ranges().Of(Form(7, 0, 0, {0, 2})), (Interval{7, Interval::kMax}));
  EXPECT_EQ(Ranges().Of(Form(7, 0, 0, {0, -2})), (Interval{Interval::kMin, 7}));
}

TEST(SymbolRanges, UsesGuardsToBoundAForm) {
  // tid - 1 >= 0 and 10 - tid >= 0.
  const std::vector<Guard> guards = {{Form(-1, 1)}, {Form(10, -1)}};
  EXPECT_EQ(Ranges().Of(Form(-1, 1), guards), (Interval{0, 9}));
  EXPECT_EQ(Ranges().Of(Form(0, 4), guards), (Interval{4, 40}));
}

TEST(Condition, FoldsWhatTheRangesDecide) {
  EXPECT_EQ(AtLeastZero(Form(0, 1), Ranges())->kind, Condition::Kind::kTrue);
  EXPECT_EQ(AtLeastZero(Form(-16, 1), Ranges())->kind, Condition::Kind::kFalse);
  EXPECT_EQ(AtLeastZero(Form(-15, 1), Ranges())->kind, Condition::Kind::kAtLeastZero);
}

TEST(Condition, NegatesByDeMorgan) {
  const ConditionPtr low = AtLeastZero(Form(-3, 1), Ranges());   // tid >= 3
  const ConditionPtr high = AtLeastZero(Form(8, -1), Ranges());  // tid <= 8
  const ConditionPtr outside = Not(And(low, high));
  ASSERT_EQ(outside->kind, Condition::Kind::kOr);
  EXPECT_EQ(outside->children[0]->form, Form(2, -1));
  EXPECT_EQ(outside->children[1]->form, Form(-9, 1));
  EXPECT_TRUE(Equal(*Not(outside), *And(low, high)));
}

TEST(Condition, LeavesOutADisjunctionThatAnAtomImplies) {
  const ConditionPtr five = AtLeastZero(Form(-5, 1), Ranges());
  const ConditionPtr three = AtLeastZero(Form(-3, 1), Ranges());
  const ConditionPtr block = AtLeastZero(Form(-1, 0, 1), Ranges());
  EXPECT_TRUE(Flatten(And(five, Or(three, block)), Ranges()).rest.empty());
  EXPECT_EQ(Flatten(And(three, Or(five, block)), Ranges()).rest.size(), 1U);
}

TEST(Condition, StaysUnknownUnlessTheOtherSideDecides) {
  const ConditionPtr unknown = UnknownCondition("loaded");
  EXPECT_EQ(Not(unknown)->kind, Condition::Kind::kUnknown);
  EXPECT_EQ(And(unknown, Never())->kind, Condition::Kind::kFalse);
  EXPECT_EQ(Or(unknown, Always())->kind, Condition::Kind::kTrue);
  EXPECT_EQ(Flatten(And(unknown, Always()), Ranges()).rest.front()->reason, "loaded");
}

}  // namespace affine_test
}  // namespace flagstone
