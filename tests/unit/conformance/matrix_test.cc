// What a warp does together with matrices and copies: mma, ldmatrix, stmatrix, movmatrix, cp.async,
// and elect (PTX ISA, sections 9.7.9.25, 9.7.13.15 and 9.7.14). The places of elements in registers
// are those of the ISA's figures, written out here element by element.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "ptx/matrix_forms.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace matrix_test {

using ptx::MmaForm;
using ptx::Opcode;
using ptx::Type;

// A matrix element of small size, which sums of products hold exactly, as bits of its type.
uint64_t Element(Type type, SplitMix64* random, double* value) {
  const bool is_unsigned = type == Type::kU8 || type == Type::kU4;
  const uint64_t range = type == Type::kB1 ? 2 : type == Type::kU4 || type == Type::kS4 ? 16 : 17;
  const auto n = static_cast<int64_t>(random->Below(range)) - (range > 2 ? 8 : 0);
  const auto whole = static_cast<double>(is_unsigned ? n + 8 : n);
  *value = whole;
  switch (type) {
    case Type::kS8:
    case Type::kU8:
      return static_cast<uint64_t>(static_cast<int64_t>(whole)) & 0xff;
    case Type::kS4:
    case Type::kU4:
    case Type::kB1:
      return static_cast<uint64_t>(static_cast<int64_t>(whole)) & 0xf;
    case Type::kS32:
      return static_cast<uint32_t>(static_cast<int32_t>(whole));
    case Type::kF64:
      return std::bit_cast<uint64_t>(whole);
    case Type::kBf16:
      return std::bit_cast<uint32_t>(static_cast<float>(whole)) >> 16;
    case Type::kF16: {
      if (whole == 0) return 0;
      int exponent = 0;
      const double fraction = std::frexp(std::fabs(whole), &exponent);
      const auto mantissa = static_cast<uint64_t>((2 * fraction - 1) * 1024);
      return (whole < 0 ? 0x8000U : 0U) | static_cast<uint64_t>(exponent - 1 + 15) << 10 | mantissa;
    }
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(whole));
  }
}

double ValueOf(Type type, uint64_t bits) {
  switch (type) {
    case Type::kF64:
      return std::bit_cast<double>(bits);
    case Type::kS32:
      return static_cast<int32_t>(bits);
    case Type::kF16: {
      const auto magnitude = static_cast<int>(bits & 0x7fff);
      const double value = magnitude < 0x400
                               ? std::ldexp(magnitude, -24)
                               : std::ldexp(1024 + (magnitude & 0x3ff), (magnitude >> 10) - 25);
      return (bits & 0x8000) != 0 ? -value : value;
    }
    default:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
}

// The row and column of element i of lane `lane`, as the ISA gives them for each fragment.
struct At {
  uint32_t row = 0, column = 0;
};
At OfA(const MmaForm& f, uint32_t lane, uint32_t i) {
  const uint32_t per = MmaForm::PerRegister(f.a);
  const uint32_t reg = i / per;
  const bool two_halves = f.m == 16;
  const uint32_t row = lane / 4 + (two_halves && reg % 2 == 1 ? 8 : 0);
  const uint32_t group = two_halves ? reg / 2 : reg;
  return {row, lane % 4 * per + i % per + group * 4 * per};
}
At OfB(const MmaForm& f, uint32_t lane, uint32_t i) {
  const uint32_t per = MmaForm::PerRegister(f.b);
  return {lane % 4 * per + i % per + i / per * 4 * per, lane / 4};
}
At OfC(uint32_t lane, uint32_t i) { return {lane / 4 + (i >= 2 ? 8U : 0U), lane % 4 * 2 + i % 2}; }

// Registers of a fragment, 64 bits each, lane after lane.
template <class Place>
std::vector<uint64_t> Fragment(Type type, uint32_t elements, uint32_t columns, Place place,
                               const std::vector<uint64_t>& matrix) {
  const uint32_t per = MmaForm::PerRegister(type);
  const uint32_t registers = elements / 32 / per;
  std::vector<uint64_t> words(size_t{32} * registers);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < elements / 32; ++i) {
      const At at = place(lane, i);
      const uint64_t bits = matrix[at.row * columns + at.column];
      words[lane * registers + i / per] |= per == 1 ? bits : bits << (32 / per * (i % per));
    }
  }
  return words;
}

// Loads of the registers of a fragment from buffer `name`, and their list.
std::string Load(const std::string& name, const std::string& reg, const std::string& type,
                 size_t count, std::string* list) {
  std::string text = fmt::format(
      "ld.param.u64 %rd38, [{}]; mul.wide.u32 %rd39, %r9, {};\n"
      "add.s64 %rd38, %rd38, %rd39;\n",
      name, 8 * count);
  *list = "{";
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("ld.global.{} {}{}, [%rd38+{}];\n", type, reg, i, 8 * i);
    *list += fmt::format("{}{}{}", i == 0 ? "" : ", ", reg, i);
  }
  *list += "}";
  return text;
}

void CheckMma(const Form& of) {
  const MmaForm& f = *ptx::FindMma(of.instruction);
  SplitMix64 random(7);
  std::vector<uint64_t> a(f.m * f.k), b(f.k * f.n), c(f.m * f.n);
  std::vector<double> av(a.size()), bv(b.size()), cv(c.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = Element(f.a, &random, &av[i]);
  for (size_t i = 0; i < b.size(); ++i) b[i] = Element(f.b, &random, &bv[i]);
  for (size_t i = 0; i < c.size(); ++i) c[i] = Element(f.c, &random, &cv[i]);
  const bool saturated = of.instruction.modifiers.finite;
  if (saturated) {  // sums that leave 32 bits
    c[0] = 0x7fffffff;
    cv[0] = 0x7fffffff;
    c[1] = 0x80000000;
    cv[1] = -0x1p31;
  }
  const auto place_a = [&](uint32_t lane, uint32_t i) { return OfA(f, lane, i); };
  const auto place_b = [&](uint32_t lane, uint32_t i) { return OfB(f, lane, i); };
  const std::vector<uint64_t> fa = Fragment(f.a, f.m * f.k, f.k, place_a, a);
  const std::vector<uint64_t> fb = Fragment(f.b, f.k * f.n, f.n, place_b, b);
  const std::vector<uint64_t> fc = Fragment(f.c, f.m * f.n, f.n, OfC, c);
  const bool wide = f.d == Type::kF64;
  const std::string sum_reg = wide ? "%fd" : f.d == Type::kF32 ? "%f" : "%r";
  const std::string sum_type = wide ? "f64" : f.d == Type::kF32 ? "f32" : "u32";
  const std::string ab_reg = wide ? "%fd" : "%r";
  const std::string ab_type = wide ? "f64" : "u32";
  std::string la, lb, lc;
  std::string body = "mov.u32 %r9, %tid.x;\n";
  body += Load("a", ab_reg + "1", ab_type, fa.size() / 32, &la);
  body += Load("b", ab_reg + "2", ab_type, fb.size() / 32, &lb);
  body += Load("c", sum_reg + "3", sum_type, fc.size() / 32, &lc);
  body += of.head + " " + lc + ", " + la + ", " + lb + ", " + lc + ";\n";
  const size_t count = fc.size() / 32;
  body += fmt::format(
      "ld.param.u64 %rd38, [d]; mul.wide.u32 %rd39, %r9, {};\n"
      "add.s64 %rd38, %rd38, %rd39;\n",
      8 * count);
  for (size_t i = 0; i < count; ++i) {
    body += fmt::format("st.global.{} [%rd38+{}], {}3{};\n", sum_type, 8 * i, sum_reg, i);
  }
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d", body + "ret;"));
  run.Buffer("a", fa).Buffer("b", fb).Buffer("c", fc);
  run.Buffer("d", std::vector<uint64_t>(fc.size()));
  CoverOpcodes(*run.launch().kernel, {Opcode::kMma});
  run.Run();
  const std::vector<uint64_t> got = run.Contents<uint64_t>("d");
  const uint32_t per = MmaForm::PerRegister(f.d);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < uint32_t{f.m} * f.n / 32; ++i) {
      const At at = OfC(lane, i);
      double expected = cv[at.row * f.n + at.column];
      for (uint32_t k = 0; k < f.k; ++k) {
        const double x = av[at.row * f.k + k];
        const double y = bv[k * f.n + at.column];
        const bool is_xor = of.instruction.modifiers.boolean_op == ptx::BooleanOp::kXor;
        expected += is_xor ? (x != y ? 1 : 0) : x * y;
      }
      if (saturated) expected = std::fmin(std::fmax(expected, -0x1p31), 0x1p31 - 1);
      const uint64_t word = got[lane * count + i / per];
      const uint64_t bits = per == 1 ? word : word >> (16 * (i % per)) & 0xffff;
      ASSERT_EQ(ValueOf(f.d, bits), expected) << of.head << " " << at.row << " " << at.column;
    }
  }
}

TEST(MatrixMultiply, GivesTheProductOfItsFragmentsForEveryShapeAndType) {
  for (const Form& form : FormsOf({Opcode::kMma})) CheckMma(form);
}

// One warp runs `body` on %r0 = lane and %rd0 = its 16 words of `in` and of `out` at %rd1.
std::vector<uint32_t> RunWarp(const std::string& body, const std::vector<uint32_t>& in,
                              const std::vector<Opcode>& covered) {
  const std::string text =
      "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n"
      "mul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n" +
      body + "ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out", ".shared .align 16 .b8 tile[1024];\n" + text));
  run.Buffer("in", in).Buffer("out", std::vector<uint32_t>(128));
  CoverOpcodes(*run.launch().kernel, covered);
  run.Run();
  return run.Contents<uint32_t>("out");
}

std::vector<uint32_t> RandomWords() {
  SplitMix64 random(3);
  std::vector<uint32_t> words(128);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random.Next());
  return words;
}

// 16-bit element of row r, column c of matrix m, where each lane has a row of four words.
uint32_t Half(const std::vector<uint32_t>& words, uint32_t matrix, uint32_t row, uint32_t column) {
  return words[(matrix * 8 + row) * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
}

constexpr const char* kRowAddress =
    "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r1, %r1, %r2;\n";

TEST(LoadMatrix, SpreadsTheRowsThatLanesPointTo) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kLdmatrix})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    const char* const list = m.matrices == 1   ? "{%r10}"
                             : m.matrices == 2 ? "{%r10, %r11}"
                                               : "{%r10, %r11, %r12, %r13}";
    const std::vector<uint32_t> out = RunWarp(
        std::string("mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;\n"
                    "ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd0];\n") +
            kRowAddress + "st.shared.v4.u32 [%r1], {%r20, %r21, %r22, %r23};\nbar.sync 0;\n" +
            form.head + " " + list + ", [%r1];\n" +
            "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
        in, {Opcode::kLdmatrix});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t matrix = 0; matrix < 4; ++matrix) {
        uint32_t expected = 0;
        for (uint32_t part = 0; part < 2; ++part) {
          const uint32_t row = m.transposed ? lane % 4 * 2 + part : lane / 4;
          const uint32_t column = m.transposed ? lane / 4 : lane % 4 * 2 + part;
          if (matrix < m.matrices) expected |= Half(in, matrix, row, column) << (16 * part);
        }
        ASSERT_EQ(out[lane * 4 + matrix], expected) << form.head << " lane " << lane;
      }
    }
  }
}

TEST(StoreMatrix, IsTheInverseOfLoadMatrix) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kStmatrix})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    const char* const list = m.matrices == 1   ? "{%r20}"
                             : m.matrices == 2 ? "{%r20, %r21}"
                                               : "{%r20, %r21, %r22, %r23}";
    const std::vector<uint32_t> out =
        RunWarp(std::string("ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd0];\n") + kRowAddress +
                    form.head + " [%r1], " + list + ";\nbar.sync 0;\n" +
                    "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];\n" +
                    "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
                in, {Opcode::kStmatrix});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t matrix = 0; matrix < m.matrices; ++matrix) {
        for (uint32_t part = 0; part < 2; ++part) {
          const uint32_t row = m.transposed ? lane % 4 * 2 + part : lane / 4;
          const uint32_t column = m.transposed ? lane / 4 : lane % 4 * 2 + part;
          ASSERT_EQ(Half(out, matrix, row, column), in[lane * 4 + matrix] >> (16 * part) & 0xffff)
              << form.head << " lane " << lane;
        }
      }
    }
  }
}

TEST(MoveMatrix, Transposes) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kMovmatrix})) {
    const std::vector<uint32_t> out = RunWarp(
        "ld.global.u32 %r20, [%rd0];\n" + form.head + " %r10, %r20;\nst.global.u32 [%rd1], %r10;\n",
        in, {Opcode::kMovmatrix});
    const auto element = [&](uint32_t row, uint32_t column) {
      return in[(row * 4 + column / 2) * 4] >> (16 * (column % 2)) & 0xffff;
    };
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t row = lane / 4, column = lane % 4 * 2;
      EXPECT_EQ(out[lane * 4], element(column, row) | element(column + 1, row) << 16);
    }
  }
}

// Groups and waits change nothing here: the copy is there at once.
TEST(AsynchronousCopy, BringsBytesToSharedMemoryAndZerosAfterThem) {
  const std::vector<uint32_t> in = RandomWords();
  for (const int bytes : {4, 8, 16}) {
    for (const int given : {bytes, 0, bytes / 2}) {
      const std::string size = given == bytes ? "" : fmt::format(", {}", given);
      const std::vector<uint32_t> out = RunWarp(
          std::string(kRowAddress) +
              fmt::format("st.shared.v4.u32 [%r1], {{9, 9, 9, 9}};\n"
                          "cp.async.{}.shared.global [%r1], [%rd0], {}{};\n",
                          bytes == 16 ? "cg" : "ca", bytes, size) +
              "cp.async.commit_group;\ncp.async.wait_group 0;\ncp.async.wait_all;\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];\n"
              "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
          in, {Opcode::kCpAsync});
      for (uint32_t i = 0; i < 128; ++i) {
        const int at = static_cast<int>(i % 4) * 4;
        const uint32_t mask = given - at >= 4 ? ~0U : given > at ? 0xffff : 0;
        ASSERT_EQ(out[i], at < bytes ? in[i] & mask : 9U) << bytes << " " << given << " " << i;
      }
    }
  }
}

TEST(Election, ChoosesTheLowestLaneOfTheMask) {
  const std::vector<uint32_t> out = RunWarp(
      "setp.gt.u32 %p2, %r0, 4;\n@%p2 elect.sync %r10|%p1, 0xfffff0ff;\nselp.u32 %r11, 1, 0, %p1;\n"
      "@!%p2 mov.u32 %r10, 77;\n@!%p2 mov.u32 %r11, 0;\n"
      "st.global.v2.u32 [%rd1], {%r10, %r11};\n",
      RandomWords(), {Opcode::kElect});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane * 4], lane > 4 ? 5U : 77U);
    EXPECT_EQ(out[lane * 4 + 1], lane == 5 ? 1U : 0U);
  }
}

}  // namespace matrix_test
}  // namespace flagstone::conformance
