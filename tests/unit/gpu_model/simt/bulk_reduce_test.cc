// Bulk copies that combine what they bring with what is there.
#include "gpu_model/simt/bulk_reduce.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::simt {
namespace bulk_reduce_test {

// What the reduction of the instruction's name makes of `to` and `from`, of 16 bytes each.
template <class T>
std::vector<T> Reduced(const std::string& operation, std::vector<T> to,
                       const std::vector<T>& from) {
  const auto module =
      ptx::Parse(KernelText("", "cp.reduce.async.bulk.global.shared::cta.bulk_group." + operation +
                                    " [%rd1], [%r1], %r2;\nret;"),
                 "k.ptx");
  const ptx::Instruction& reduction = module->kernels.at(0)->instructions.at(0);
  const BulkSlots::Reducer reducer = ReducerOf(reduction.modifiers.atomic_op, reduction.type);
  EXPECT_NE(reducer, nullptr) << operation;
  if (reducer == nullptr) return {};
  reducer(reinterpret_cast<std::byte*>(to.data()), reinterpret_cast<const std::byte*>(from.data()),
          to.size() * sizeof(T));
  return to;
}

TEST(BulkReduce, CombinesElementByElement) {
  using Words = std::vector<uint32_t>;
  using Signed = std::vector<int32_t>;
  using Wide = std::vector<uint64_t>;
  EXPECT_EQ(Reduced<uint32_t>("add.u32", {1, 2, 3, ~0U}, {10, 20, 30, 1}), (Words{11, 22, 33, 0}));
  EXPECT_EQ(Reduced<int32_t>("min.s32", {1, -2, 3, 4}, {-1, 2, 3, -4}), (Signed{-1, -2, 3, -4}));
  EXPECT_EQ(Reduced<uint32_t>("max.u32", {1, ~0U, 3, 4}, {2, 1, 3, 9}), (Words{2, ~0U, 3, 9}));
  EXPECT_EQ(Reduced<uint32_t>("inc.u32", {1, 2, 3, 0}, {2, 2, 9, 0}), (Words{2, 0, 4, 0}));
  EXPECT_EQ(Reduced<uint32_t>("dec.u32", {1, 0, 3, 9}, {2, 2, 9, 5}), (Words{0, 2, 2, 5}));
  EXPECT_EQ(Reduced<uint32_t>("and.b32", {12, 10, 7, 1}, {10, 6, 3, 2}), (Words{8, 2, 3, 0}));
  EXPECT_EQ(Reduced<uint32_t>("or.b32", {12, 10, 7, 1}, {10, 6, 3, 2}), (Words{14, 14, 7, 3}));
  EXPECT_EQ(Reduced<uint32_t>("xor.b32", {12, 10, 7, 1}, {10, 6, 3, 2}), (Words{6, 12, 4, 3}));
  EXPECT_EQ(Reduced<uint64_t>("add.u64", {~0ULL, 5}, {2, 1ULL << 40}), (Wide{1, 5 + (1ULL << 40)}));
  EXPECT_EQ(Reduced<double>("add.f64", {0.5, -1}, {0.25, 3}), (std::vector<double>{0.75, 2}));
}

TEST(BulkReduce, TakesSubnormalsOfSinglesForZerosOnEitherSideAndInTheSum) {
  // The least normal number, with and without what a subnormal would add to or take from it.
  constexpr uint32_t kLeast = 0x00800000, kMinus = 0x80000000;
  EXPECT_EQ(
      Reduced<uint32_t>("add.f32", {kLeast, 5, 1, kLeast + 1}, {5, kLeast, 2, kMinus | kLeast}),
      (std::vector<uint32_t>{kLeast, kLeast, 0, 0}));
}

}  // namespace bulk_reduce_test
}  // namespace flagstone::simt
