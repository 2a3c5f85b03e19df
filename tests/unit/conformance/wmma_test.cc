// wmma (PTX ISA, section 9.7.14.4): all shapes, types and layouts against the host's own product.
// Elements are small whole numbers, so that sums are exact in any order.
#include "kernels/ptx/wmma.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace wmma_test {

using ptx::Type;

uint64_t BitsOf(Type type, int value) {
  switch (type) {
    case Type::kF64:
      return std::bit_cast<uint64_t>(static_cast<double>(value));
    case Type::kF32:
    case Type::kTf32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case Type::kBf16:
      return std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16;
    case Type::kF16: {  // -2047 to 2047
      if (value == 0) return 0;
      const auto magnitude = static_cast<uint32_t>(value < 0 ? -value : value);
      const auto exponent = static_cast<uint32_t>(std::bit_width(magnitude)) - 1;
      const uint32_t mantissa = (magnitude << (10 - exponent)) & 0x3ff;
      return (value < 0 ? 0x8000U : 0U) | (exponent + 15) << 10 | mantissa;
    }
    default:
      return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

bool IsBelowByte(Type type) { return type == Type::kS4 || type == Type::kU4 || type == Type::kB1; }

size_t WidthOf(Type type) {  // in bits
  if (type == Type::kB1) return 1;
  return IsBelowByte(type) ? 4 : static_cast<size_t>(ptx::SizeInBytes(type)) * 8;
}

uint64_t Masked(Type type, uint64_t bits) {
  const size_t width = WidthOf(type);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

struct Shape {
  int m, n, k;
  std::string Name() const { return fmt::format("m{}n{}k{}", m, n, k); }
};

struct Types {
  Type a, c, d;
  std::string bits_by;  // of b1: "xor" or "and"
};

// A matrix of random numbers in memory: rows or columns `stride` elements apart.
struct Matrix {
  Matrix(Type element, int row_count, int column_count, bool rows_first, int more, uint64_t seed)
      : type(element), rows(row_count), columns(column_count), by_rows(rows_first) {
    stride = (by_rows ? columns : rows) + more;
    bytes.assign(static_cast<size_t>((by_rows ? rows : columns) * stride) * WidthOf(type) / 8, 0);
    SplitMix64 random(seed);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const bool from_zero = type == Type::kU8 || type == Type::kU4 || type == Type::kB1;
        const uint64_t count = type == Type::kB1 ? 2 : 11;
        values.push_back(static_cast<int>(random.Below(count)) - (from_zero ? 0 : 5));
        Set(r, c, Masked(type, BitsOf(type, values.back())));
      }
    }
  }
  // The bit at which an element begins.
  size_t At(int r, int c) const {
    return static_cast<size_t>(by_rows ? r * stride + c : c * stride + r) * WidthOf(type);
  }
  void Set(int r, int c, uint64_t bits) {
    const size_t at = At(r, c);
    for (size_t i = 0; i < WidthOf(type); ++i) {
      if ((bits >> i & 1) != 0) bytes[(at + i) / 8] |= static_cast<uint8_t>(1U << (at + i) % 8);
    }
  }
  // Of one of `contents` instead of these bytes.
  uint64_t Get(int r, int c, const std::vector<uint8_t>& contents) const {
    const size_t at = At(r, c);
    uint64_t bits = 0;
    for (size_t i = 0; i < WidthOf(type); ++i) {
      bits |= uint64_t{contents[(at + i) / 8] >> (at + i) % 8 & 1U} << i;
    }
    return bits;
  }
  int Value(int r, int c) const { return values[static_cast<size_t>(r * columns + c)]; }

  Type type;
  int rows, columns;
  bool by_rows;
  int stride = 0;
  std::vector<uint8_t> bytes;
  std::vector<int> values;
};

std::string Registers(const char* name, Type type, uint32_t count) {
  std::string list = "{";
  for (uint32_t i = 0; i < count; ++i) {
    list += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", type == Type::kF64 ? "%fd" : "%r", name, i);
  }
  return list + "}";
}

ptx::WmmaForm FormOfText(const std::string& dotted) {
  std::vector<std::string_view> words;
  std::string_view rest = dotted;
  while (!rest.empty()) {
    const size_t dot = rest.find('.');
    words.push_back(rest.substr(0, dot));
    rest = dot == std::string_view::npos ? "" : rest.substr(dot + 1);
  }
  const auto form = ptx::FindWmma(words);
  EXPECT_TRUE(form.has_value()) << dotted;
  return form.value_or(ptx::WmmaForm{});
}

struct Layouts {
  bool a, b, c, d;  // by rows
};

// How strides are written: as a register, as a number, not at all.
enum class Stride : uint8_t { kRegister, kNumber, kNone };

void CheckProduct(const Shape& shape, const Types& types, const Layouts& by_rows, Stride how,
                  bool finite = false) {
  const int more = how == Stride::kNone ? 0 : IsBelowByte(types.a) ? 128 : 16;
  const Matrix a(types.a, shape.m, shape.k, by_rows.a, more, 1);
  const Matrix b(types.a, shape.k, shape.n, by_rows.b, more, 2);
  Matrix c(types.c, shape.m, shape.n, by_rows.c, more, 3);
  if (finite) {  // a sum that leaves 32 bits
    const int32_t largest = 0x7fffffff;
    std::memcpy(c.bytes.data(), &largest, sizeof(largest));
  }
  const Matrix d(types.d, shape.m, shape.n, by_rows.d, more, 4);
  const auto name = [](Type type) { return std::string(ptx::ToString(type)); };
  const auto order = [](bool rows) { return rows ? "row" : "col"; };
  const auto stride = [&](const Matrix& of, const char* reg) {
    if (how == Stride::kNone) return std::string();
    if (how == Stride::kNumber) return fmt::format(", {}", of.stride);
    return std::string(", ") + reg;
  };
  const std::string s = shape.Name();
  const std::string load_a =
      fmt::format("load.a.sync.aligned.{}.{}.global.{}", order(by_rows.a), s, name(types.a));
  const std::string load_b =
      fmt::format("load.b.sync.aligned.{}.{}.{}", order(by_rows.b), s, name(types.a));
  const std::string load_c =
      fmt::format("load.c.sync.aligned.{}.{}.global.{}", order(by_rows.c), s, name(types.c));
  const std::string short_types = fmt::format("{}.{}", name(types.d), name(types.c));
  const std::string all_types =
      fmt::format("{0}.{1}.{1}.{2}", name(types.d), name(types.a), name(types.c));
  const std::string bits_by = types.bits_by.empty() ? "" : types.bits_by + ".popc.";
  const std::string product =
      fmt::format("mma.{}sync.aligned.{}.{}.{}.{}{}", bits_by, order(by_rows.a), order(by_rows.b),
                  s, types.a == Type::kF16 ? short_types : all_types, finite ? ".satfinite" : "");
  const std::string store =
      fmt::format("store.d.sync.aligned.{}.{}.global.{}", order(by_rows.d), s, name(types.d));
  const ptx::WmmaForm form = FormOfText(product);
  const auto list = [&](const char* reg, char matrix) {
    return Registers(reg, form.RegisterType(matrix), form.Registers(matrix));
  };
  std::string body =
      ".reg .b32 %ra<8>, %rb<8>, %rc<8>, %rz<8>; .reg .f64 %fda<8>, %fdb<8>, %fdc<8>, %fdz<8>;\n";
  for (int i = 0; i < 4; ++i) {
    body += fmt::format("ld.param.u64 %rd{}, [{}];\n", i, "abcd"[i]);
    const Matrix* const all[] = {&a, &b, &c, &d};
    body += fmt::format("mov.u32 %r{}, {};\n", i, all[i]->stride);
  }
  body += fmt::format("wmma.{} {}, [%rd0]{};\n", load_a, list("a", 'a'), stride(a, "%r0"));
  body += fmt::format("wmma.{} {}, [%rd1]{};\n", load_b, list("b", 'b'), stride(b, "%r1"));
  body += fmt::format("wmma.{} {}, [%rd2]{};\n", load_c, list("c", 'c'), stride(c, "%r2"));
  body += fmt::format("wmma.{} {}, {}, {}, {};\n", product, list("z", 'd'), list("a", 'a'),
                      list("b", 'b'), list("c", 'c'));
  body += fmt::format("wmma.{} [%rd3], {}{};\nret;", store, list("z", 'd'), stride(d, "%r3"));
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d", body));
  run.Buffer("a", a.bytes).Buffer("b", b.bytes).Buffer("c", c.bytes);
  run.Buffer("d", std::vector<uint8_t>(d.bytes.size()));
  run.Run();
  const std::vector<uint8_t> got = run.Contents<uint8_t>("d");
  for (int r = 0; r < shape.m; ++r) {
    for (int n = 0; n < shape.n; ++n) {
      int sum = c.Value(r, n);
      for (int k = 0; k < shape.k; ++k) {
        const int x = a.Value(r, k), y = b.Value(k, n);
        sum += types.bits_by == "xor" ? x ^ y : x * y;
      }
      uint64_t expected = BitsOf(types.d, sum);
      if (finite && r == 0 && n == 0) {
        const int64_t whole = int64_t{sum} - c.Value(0, 0) + 0x7fffffff;
        expected = static_cast<uint64_t>(whole > 0x7fffffff ? 0x7fffffff : whole);
      }
      ASSERT_EQ(d.Get(r, n, got), Masked(types.d, expected))
          << product << " row " << r << " column " << n;
    }
  }
}

const std::vector<std::pair<Shape, Types>>& Products() {
  static const std::vector<std::pair<Shape, Types>> products = [] {
    std::vector<std::pair<Shape, Types>> all;
    for (const Shape& shape : {Shape{16, 16, 16}, Shape{32, 8, 16}, Shape{8, 32, 16}}) {
      for (const Type c : {Type::kF16, Type::kF32}) {
        for (const Type d : {Type::kF16, Type::kF32}) {
          all.push_back({shape, {Type::kF16, c, d, ""}});
        }
      }
      all.push_back({shape, {Type::kBf16, Type::kF32, Type::kF32, ""}});
      all.push_back({shape, {Type::kS8, Type::kS32, Type::kS32, ""}});
      all.push_back({shape, {Type::kU8, Type::kS32, Type::kS32, ""}});
    }
    all.push_back({{16, 16, 8}, {Type::kTf32, Type::kF32, Type::kF32, ""}});
    all.push_back({{8, 8, 32}, {Type::kS4, Type::kS32, Type::kS32, ""}});
    all.push_back({{8, 8, 32}, {Type::kU4, Type::kS32, Type::kS32, ""}});
    all.push_back({{8, 8, 128}, {Type::kB1, Type::kS32, Type::kS32, "xor"}});
    all.push_back({{8, 8, 128}, {Type::kB1, Type::kS32, Type::kS32, "and"}});
    all.push_back({{8, 8, 4}, {Type::kF64, Type::kF64, Type::kF64, ""}});
    return all;
  }();
  return products;
}

TEST(Wmma, MultipliesMatricesOfEveryShapeTypeAndLayout) {
  for (const auto& [shape, types] : Products()) {
    for (uint32_t bits = 0; bits < 16; ++bits) {
      const Layouts by_rows = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
      if (IsBelowByte(types.a) && (!by_rows.a || by_rows.b)) continue;  // there is no such layout
      CheckProduct(shape, types, by_rows, bits % 3 == 0 ? Stride::kNumber : Stride::kRegister);
    }
  }
}

TEST(Wmma, TakesTheMatrixsOwnSizeAsTheStrideWhereNoneIsGiven) {
  for (const auto& [shape, types] : Products()) {
    if (IsBelowByte(types.a)) {
      CheckProduct(shape, types, {true, false, true, false}, Stride::kNone);
      continue;
    }
    CheckProduct(shape, types, {true, true, true, true}, Stride::kNone);
    CheckProduct(shape, types, {false, false, false, false}, Stride::kNone);
  }
}

TEST(Wmma, SaturatesWholeNumbers) {
  const Layouts by_rows = {true, false, true, true};
  const Types bytes = {Type::kS8, Type::kS32, Type::kS32, ""};
  CheckProduct({16, 16, 16}, bytes, by_rows, Stride::kRegister, true);
  const Types halves_of_bytes = {Type::kU4, Type::kS32, Type::kS32, ""};
  CheckProduct({8, 8, 32}, halves_of_bytes, by_rows, Stride::kRegister, true);
}

// D may be the registers of a factor: its parts are computed before any is written.
TEST(Wmma, MayWriteTheRegistersThatItReads) {
  const std::string body =
      "ld.param.u64 %rd0, [a]; mov.u32 %r20, 16;\n"
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, "
      "[%rd0], %r20;\n"
      "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%r8, %r9, %r10, %r11, %r12, %r13, %r14, "
      "%r15}, [%rd0], %r20;\n"
      "mov.b32 %r30, 0;\n"
      "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16 {%r0, %r1, %r8, %r9}, {%r0, %r1, %r2, %r3, "
      "%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, {%r30, %r30, %r30, "
      "%r30};\n"
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd0], {%r0, %r1, %r8, %r9}, 16;\nret;";
  Matrix a(Type::kF16, 16, 16, true, 0, 5);
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 a", body));
  run.Buffer("a", a.bytes).Run();
  const std::vector<uint16_t> got = run.Contents<uint16_t>("a");
  for (int r = 0; r < 16; ++r) {
    for (int n = 0; n < 16; ++n) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += a.Value(r, k) * a.Value(k, n);
      ASSERT_EQ(got[static_cast<size_t>(16 * r + n)], BitsOf(Type::kF16, sum)) << r << " " << n;
    }
  }
}

// What elements a lane holds is open, but the same for C and D and for each register of one matrix.
TEST(Wmma, LetsLanesChangeTheElementsOfTheirFragments) {
  const std::string body =
      ".shared .align 32 .b8 tile[1024];\n"
      "ld.param.u64 %rd0, [a]; mov.u32 %r20, tile;\n"
      "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, "
      "[%rd0], 16;\n"
      "add.f32 %f0, %f0, %f0; add.f32 %f1, %f1, %f1; add.f32 %f2, %f2, %f2; add.f32 %f3, %f3, "
      "%f3;\nadd.f32 %f4, %f4, %f4; add.f32 %f5, %f5, %f5; add.f32 %f6, %f6, %f6; add.f32 %f7, "
      "%f7, "
      "%f7;\n"
      "wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [tile], {%f0, %f1, %f2, %f3, %f4, %f5, "
      "%f6, %f7}, 16;\nbar.warp.sync -1;\n"
      "wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, "
      "[%r20], 16;\n"
      "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%rd0], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, "
      "%f7}, 16;\nret;";
  std::vector<float> a(256);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 a", body));
  run.Buffer("a", a).Run();
  const std::vector<float> got = run.Contents<float>("a");
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(got[i], 2 * a[i]) << i;
}

TEST(Wmma, RefusesWhatItDoesNotHave) {
  for (const char* const text :
       {"wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r0}, [%rd0], %r1;",
        "wmma.load.b.sync.aligned.row.m8n8k128.global.b1 {%r0}, [%rd0], %r1;",
        "wmma.load.a.sync.aligned.row.m8n8k32.global.b1 {%r0}, [%rd0], %r1;",
        "wmma.load.c.sync.aligned.row.m8n8k32.global.f32 {%f0, %f1}, [%rd0], %r1;",
        "wmma.mma.sync.aligned.row.row.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};",
        "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.u4.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};",
        "wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, "
        "%r1};",
        "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32.satfinite {%r0, %r1}, "
        "{%r2}, "
        "{%r3}, {%r0, %r1};",
        "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r2}, {%r3}, "
        "{%r0, %r1};",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1}, [%rd0], %r1;",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, "
        "%rd7}, [%rd0], %r1;",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, "
        "%r7}, %rd0, %r1;",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd0], {%r0, %r1, %r2, %r3}, %rd1;",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.s32 {%r0}, {%r0}, {%r0}, {%r0};"}) {
    const KernelRun run = KernelRun::FromText(KernelText("", std::string(text) + "\nret;"));
    EXPECT_FALSE(run.launch().kernel->refusals.empty()) << text;
  }
}

}  // namespace wmma_test
}  // namespace flagstone::conformance
