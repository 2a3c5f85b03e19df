// cp.reduce.async.bulk.tensor (PTX ISA, section 9.7.9.27.1.3): every operation on every type of
// element that it takes, in one to five dimensions, element by element against a host oracle.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/conformance/reduction_oracle.h"
#include "tests/unit/conformance/tensor_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace tensor_reduce_test {

using ptx::AtomicOp;
using ptx::Type;
using ::testing::HasSubstr;

struct Operation {
  std::string name;
  AtomicOp op;
  std::vector<TensorType> types;
};
const std::vector<Operation>& Operations() {
  using enum TensorType;
  static const std::vector<Operation> operations = {
      {"add", AtomicOp::kAdd, {kU32, kS32, kU64, kF32, kF32Ftz, kF16, kBf16}},
      {"min", AtomicOp::kMin, {kU32, kS32, kU64, kS64, kF16, kBf16}},
      {"max", AtomicOp::kMax, {kU32, kS32, kU64, kS64, kF16, kBf16}},
      {"inc", AtomicOp::kInc, {kU32}},
      {"dec", AtomicOp::kDec, {kU32}},
      {"and", AtomicOp::kAnd, {kU32, kS32, kU64, kS64}},
      {"or", AtomicOp::kOr, {kU32, kS32, kU64, kS64}},
      {"xor", AtomicOp::kXor, {kU32, kS32, kU64, kS64}},
  };
  return operations;
}

Type ElementOf(TensorType type) {
  constexpr std::array<Type, 14> kTypes = {
      Type::kNone, Type::kU8,  Type::kU16, Type::kU32, Type::kS32,  Type::kU64, Type::kS64,
      Type::kF16,  Type::kF32, Type::kF32, Type::kF64, Type::kBf16, Type::kF32, Type::kF32};
  return kTypes[static_cast<size_t>(type)];
}

// 9 x 6 x 3 x 2 x 3 elements, or the first dimensions of these.
TensorMap MapOf(uint32_t dimensions, TensorType type) {
  constexpr std::array<uint32_t, 5> kShape = {9, 6, 3, 2, 3};
  constexpr std::array<uint16_t, 5> kBox = {0, 4, 2, 2, 2};
  TensorMap map;
  map.dimensions = static_cast<uint8_t>(dimensions);
  map.type = type;
  map.strides[0] = SizeOf(type);
  for (uint32_t d = 0; d < dimensions; ++d) {
    map.shape[d] = kShape[d];
    map.box[d] = d == 0 ? static_cast<uint16_t>(32 / SizeOf(type)) : kBox[d];
    if (d > 0) map.strides[d] = d == 1 ? 96 : map.strides[d - 1] * kShape[d - 1];
  }
  return map;
}

Bytes Elements(AtomicOp op, TensorType type, uint64_t bytes, uint32_t seed) {
  Bytes elements = RandomBytes(bytes, seed);
  const uint64_t width = SizeOf(type);
  const Type element = ElementOf(type);
  for (uint64_t at = 0; at + width <= bytes; at += width) {
    uint64_t value = 0;
    std::memcpy(&value, elements.data() + at, width);
    if (op == AtomicOp::kInc || op == AtomicOp::kDec) value %= 4;
    if (ptx::IsFloat(element)) {
      value = BitsOf(element, 0.25 * (static_cast<double>(value % 255) - 127));
    }
    std::memcpy(elements.data() + at, &value, width);
  }
  return elements;
}

void Check(const Operation& of, const TensorMap& map, const std::vector<int32_t>& at) {
  const uint64_t width = map.ElementBytes();
  const TensorState before = {Elements(of.op, map.type, TensorBytes(map), 1),
                              Elements(of.op, map.type, kTensorRoom, 2)};
  TensorState expected = before;
  for (uint64_t place = 0; place < map.BoxBytes() / width; ++place) {
    uint64_t left = place, offset = 0;
    bool inside = true;
    for (uint32_t d = 0; d < map.dimensions; ++d) {
      const int64_t x = at[d] + static_cast<int64_t>(left % map.box[d]);
      left /= map.box[d];
      inside &= x >= 0 && x < int64_t{map.shape[d]};
      offset += static_cast<uint64_t>(x) * map.strides[d];
    }
    if (!inside) continue;
    uint64_t old = 0, operand = 0;
    std::memcpy(&old, before.tensor.data() + offset, width);
    std::memcpy(&operand, before.room.data() + SwizzledByte(place * width, map.swizzle), width);
    const uint64_t result = Reduced(of.op, ElementOf(map.type), old, operand);
    std::memcpy(expected.tensor.data() + offset, &result, width);
  }
  const std::string copy = fmt::format(
      "cp.reduce.async.bulk.tensor.{}d.global.shared::cta.{}.tile.bulk_group [%rd4, "
      "{{{}}}], [%r10];",
      map.dimensions, of.name, CoordinateList(at));
  const TensorState got = RunTensorCopy(map, copy, 0, before);
  EXPECT_EQ(got.tensor, expected.tensor) << copy << " of type " << static_cast<int>(map.type);
  EXPECT_EQ(got.room, before.room) << copy;
}

TEST(TensorReduce, CombinesEveryTypeThatTheOperationTakes) {
  for (const Operation& of : Operations()) {
    for (const TensorType type : of.types) {
      Check(of, MapOf(2, type), {1, 1});
      Check(of, MapOf(2, type), {-2, 4});
      TensorMap swizzled = MapOf(2, type);
      swizzled.swizzle = TensorSwizzle::k32;
      Check(of, swizzled, {3, -1});
    }
  }
}

TEST(TensorReduce, TakesBoxesOfOneToFiveDimensions) {
  for (const Operation& of : Operations()) {
    for (uint32_t dimensions = 1; dimensions <= 5; ++dimensions) {
      const TensorMap map = MapOf(dimensions, TensorType::kU32);
      for (const int32_t first : {0, -3}) {
        const std::array<int32_t, 5> at = {first, 1, -1, 0, 1};
        Check(of, map, {at.begin(), at.begin() + dimensions});
      }
    }
  }
}

TEST(TensorReduce, FailsOnElementsThatTheOperationDoesNotTake) {
  const auto message = [](const std::string& operation, TensorType type) {
    return MessageOf(ErrorKind::kRunFailed, [&] {
      RunTensorCopy(MapOf(1, type),
                    "cp.reduce.async.bulk.tensor.1d.global.shared::cta." + operation +
                        ".bulk_group [%rd4, {0}], [%r10];",
                    0, {Bytes(256), Bytes(kTensorRoom)});
    });
  };
  const std::string rule = "reduction of a tensor whose elements the operation does not take";
  for (const std::string operation : {"add", "inc", "xor"}) {
    EXPECT_THAT(message(operation, TensorType::kU8), HasSubstr(rule));
    EXPECT_THAT(message(operation, TensorType::kF64), HasSubstr(rule));
  }
  EXPECT_THAT(message("add", TensorType::kS64), HasSubstr(rule));
  EXPECT_THAT(message("dec", TensorType::kS32), HasSubstr(rule));
  EXPECT_THAT(message("min", TensorType::kF32), HasSubstr(rule));
  EXPECT_THAT(message("and", TensorType::kF16), HasSubstr(rule));
  TensorMap untyped = MapOf(1, TensorType::kU32);
  untyped.type = TensorType::kUnknown;
  EXPECT_THAT(MessageOf(ErrorKind::kRunFailed,
                        [&] {
                          RunTensorCopy(untyped,
                                        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.or."
                                        "bulk_group [%rd4, {0}], [%r10];",
                                        0, {Bytes(256), Bytes(kTensorRoom)});
                        }),
              HasSubstr(rule));
}

}  // namespace tensor_reduce_test
}  // namespace flagstone::conformance
