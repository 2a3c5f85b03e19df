// mma.sp and mma with scales of blocks (PTX ISA, sections 9.7.14.3 and 9.7.14.6): every shape and
// type against the host's own product of the whole matrices.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/ptx/matrix_forms.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/matrix_elements.h"
#include "tests/unit/conformance/mma_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace sparse_mma_test {

using ptx::MmaForm;
using ptx::Opcode;
using ptx::ScaleType;
using ptx::Type;
using ::testing::HasSubstr;

std::vector<Form> NarrowForms() {
  std::vector<Form> forms;
  for (const Form& form : FormsOf({Opcode::kMma})) {
    if (form.instruction.modifiers.sparse || form.instruction.modifiers.block_scale) {
      forms.push_back(form);
    }
  }
  return forms;
}

// Elements that a row of A has in four units of metadata, and how many of them a unit has.
struct Granularity {
  uint32_t chunk = 4, unit = 1;
};
Granularity GranularityOf(Type type) {
  if (type == Type::kTf32) return {2, 1};
  return MmaForm::PerRegister(type) == 8 ? Granularity{8, 2} : Granularity{4, 1};
}

// Where the four bits of a chunk lie, as the figures of the ISA have it for each shape.
struct BitsPlace {
  uint32_t lane = 0, shift = 0;
};
BitsPlace PlaceOfBits(const MmaForm& f, uint32_t selector, uint32_t row, uint32_t chunk) {
  const uint32_t chunks = f.k / GranularityOf(f.a).chunk;
  const uint32_t group = row % 8 * 4;
  const bool lower = row >= 8;
  if (MmaForm::PerRegister(f.a) <= 2) {
    const uint32_t shift = chunk % 4 * 4 + (lower ? 16 : 0);
    return {group + (chunks == 4 ? selector : 2 * selector + chunk / 4), shift};
  }
  if (chunks == 8) return {group + 2 * selector + (lower ? 1 : 0), chunk * 4};
  return {group + (chunk < 8 ? 0 : 2) + (lower ? 1 : 0), chunk % 8 * 4};
}

uint32_t Selectors(const MmaForm& f) {
  const uint32_t chunks = f.k / GranularityOf(f.a).chunk;
  return chunks == 4 ? 4 : chunks == 8 ? 2 : 1;
}

double ValueOfScale(ScaleType type, uint32_t byte) {
  return type == ScaleType::kUe8m0 ? std::ldexp(1, static_cast<int>(byte) - 127)
                                   : NarrowValue(Type::kE4m3, byte);
}

struct Case {
  BitMatrix a, b, c;
  std::vector<double> av, bv, cv;  // A as a whole
  MmaExtras extras;
  std::vector<double> scales_a, scales_b;  // by row and block, by column and block
};

void MakeA(const MmaForm& f, bool ordered, uint32_t selector, SplitMix64* random, Case* of) {
  of->a.resize(f.ElementsOfA());
  of->av.assign(size_t{f.m} * f.k, 0);
  of->extras.metadata.assign(32, 0);
  const Granularity g = GranularityOf(f.a);
  for (uint32_t row = 0; row < f.m; ++row) {
    uint64_t* stored = &of->a[row * f.DepthOfA()];
    if (!f.sparse) {
      for (uint32_t k = 0; k < f.k; ++k) stored[k] = Element(f.a, random, &of->av[row * f.k + k]);
      continue;
    }
    for (uint32_t chunk = 0; chunk < f.k / g.chunk; ++chunk) {
      std::array<uint32_t, 2> at = {};
      do {
        at = {static_cast<uint32_t>(random->Below(4)), static_cast<uint32_t>(random->Below(4))};
      } while (at[0] == at[1] || (ordered && at[0] > at[1]));
      if (f.a == Type::kTf32) at = random->Below(2) == 0 ? std::array{0U, 1U} : std::array{2U, 3U};
      const BitsPlace bits = PlaceOfBits(f, selector, row, chunk);
      of->extras.metadata[bits.lane] |= (at[0] | at[1] << 2) << bits.shift;
      double* const whole = &of->av[row * f.k + chunk * g.chunk];
      if (f.a == Type::kTf32) {
        *stored++ = Element(f.a, random, &whole[at[0] / 2]);
        continue;
      }
      for (const uint32_t unit : at) {
        for (uint32_t i = 0; i < g.unit; ++i) {
          *stored++ = Element(f.a, random, &whole[unit * g.unit + i]);
        }
      }
    }
  }
}

// Scales in the bytes from `byte` on of the lanes that `thread` says.
void MakeScales(const ptx::Instruction& instruction, uint32_t byte, uint32_t thread_a,
                uint32_t thread_b, SplitMix64* random, Case* of) {
  const uint32_t count = ptx::ScalesOfRow(instruction.modifiers);
  const ScaleType type = instruction.modifiers.scale_type;
  const auto scale = [&] {
    constexpr uint32_t kWide[] = {126, 127, 128, 129}, kNarrow[] = {0x30, 0x38, 0x3c, 0x40};
    return (type == ScaleType::kUe8m0 ? kWide : kNarrow)[random->Below(4)];
  };
  of->extras.scales_a.assign(32, 0xffffffff);
  of->extras.scales_b.assign(32, 0xffffffff);
  const auto put = [&](uint32_t* word, std::vector<double>* values) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t bits = scale();
      *word &= ~(0xffU << (8 * (byte + i)));
      *word |= bits << (8 * (byte + i));
      values->push_back(ValueOfScale(type, bits));
    }
  };
  for (uint32_t row = 0; row < 16; ++row) {
    put(&of->extras.scales_a[row % 8 * 4 + 2 * thread_a + row / 8], &of->scales_a);
  }
  for (uint32_t column = 0; column < 8; ++column) {
    put(&of->extras.scales_b[column * 4 + thread_b], &of->scales_b);
  }
  of->extras.operands +=
      fmt::format(", %r6, {{{0}, {1}}}, %r7, {{{0}, {2}}}", byte, thread_a, thread_b);
}

void Check(const Form& form, uint32_t selector, uint32_t byte, uint32_t thread_a,
           uint32_t thread_b) {
  const ptx::Instruction& instruction = form.instruction;
  const MmaForm& f = *ptx::FindMma(instruction);
  SplitMix64 random(11);
  Case of;
  MakeA(f, instruction.modifiers.ordered_metadata, selector, &random, &of);
  if (f.sparse) of.extras.operands = fmt::format(", %r5, {}", selector);
  const bool scaled = instruction.modifiers.block_scale;
  if (scaled) MakeScales(instruction, byte, thread_a, thread_b, &random, &of);
  of.b.resize(f.ElementsOfB());
  of.bv.resize(of.b.size());
  of.c.resize(f.ElementsOfC());
  of.cv.resize(of.c.size());
  for (size_t i = 0; i < of.b.size(); ++i) of.b[i] = Element(f.b, &random, &of.bv[i]);
  for (size_t i = 0; i < of.c.size(); ++i) of.c[i] = Element(f.c, &random, &of.cv[i]);
  if (instruction.modifiers.finite) {
    of.c[0] = 0x7fffffff;
    of.cv[0] = 0x7fffffff;
    of.c[1] = 0x80000000;
    of.cv[1] = -0x1p31;
  }
  const BitMatrix d = RunMma(form.head, f, of.a, of.b, of.c, of.extras);
  const uint32_t count = ptx::ScalesOfRow(instruction.modifiers);
  for (uint32_t row = 0; row < f.m; ++row) {
    for (uint32_t column = 0; column < f.n; ++column) {
      double expected = of.cv[row * f.n + column];
      for (uint32_t k = 0; k < f.k; ++k) {
        const uint32_t block = k / (f.k / count);
        const double scale =
            scaled ? of.scales_a[row * count + block] * of.scales_b[column * count + block] : 1;
        expected += of.av[row * f.k + k] * of.bv[k * f.n + column] * scale;
      }
      if (instruction.modifiers.finite) {
        expected = std::fmin(std::fmax(expected, -0x1p31), 0x1p31 - 1);
      }
      ASSERT_EQ(ValueOf(f.d, d[row * f.n + column]), expected)
          << form.head << of.extras.operands << ", row " << row << ", column " << column;
    }
  }
}

TEST(NarrowMultiply, GivesTheProductOfTheWholeMatricesForEveryShapeAndType) {
  const std::vector<Form> forms = NarrowForms();
  EXPECT_EQ(forms.size(), 196U);
  for (const Form& form : forms) Check(form, 0, 0, 0, 0);
}

TEST(NarrowMultiply, TakesMetadataAndScalesOfTheLanesAndBytesThatItNames) {
  for (const Form& form : NarrowForms()) {
    const MmaForm& f = *ptx::FindMma(form.instruction);
    for (uint32_t selector = 1; f.sparse && selector < Selectors(f); ++selector) {
      Check(form, selector, 0, 0, 0);
    }
    if (!form.instruction.modifiers.block_scale) continue;
    for (uint32_t byte = 0; byte < 4; byte += ptx::ScalesOfRow(form.instruction.modifiers)) {
      for (uint32_t thread = 0; thread < 4; ++thread) Check(form, 0, byte, thread / 2, thread);
    }
  }
}

// Every code of 4 and 6 bits, one in each element of D: rows of B are those of a unit matrix.
TEST(NarrowMultiply, KnowsEveryFloatOf4And6Bits) {
  for (const Form& of : FormsOf({Opcode::kMma})) {
    const MmaForm& f = *ptx::FindMma(of.instruction);
    const bool narrow = f.a == Type::kE3m2 || f.a == Type::kE2m3 || f.a == Type::kE2m1;
    if (f.sparse || f.kind != ptx::MatrixKind::kF8f6f4 || !narrow) continue;
    BitMatrix a(f.m * f.k), b(f.k * f.n);
    for (uint32_t i = 0; i < 8; ++i) {
      b[i * f.n + i] = NarrowBits(NarrowOf(f.b), 1) << (f.b == Type::kE2m1 ? 2 : 0);
    }
    const uint32_t codes = f.a == Type::kE2m1 ? 16 : 64;
    for (uint32_t row = 0; row < f.m; ++row) {
      for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t code = (row * 8 + i) % codes;
        a[row * f.k + i] = f.a == Type::kE2m1 ? code << 2 : code | 0xc0;  // bits without meaning
      }
    }
    const BitMatrix d = RunMma(of.head, f, a, b, BitMatrix(f.m * f.n));
    for (uint32_t i = 0; i < d.size(); ++i) {
      const uint32_t code = i % codes;
      EXPECT_EQ(ValueOf(f.d, d[i]), NarrowValue(f.a, code)) << of.head << ", code " << code;
    }
  }
  constexpr double kOf4Bits[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(NarrowValue(Type::kE2m1, i), kOf4Bits[i]);
  EXPECT_EQ(NarrowValue(Type::kE2m3, 0x1f), 7.5);
  EXPECT_EQ(NarrowValue(Type::kE3m2, 0x1f), 28);
}

std::string MessageOfRun(const std::string& head, const MmaExtras& extras) {
  return MessageOf(ErrorKind::kRunFailed, [&] {
    for (const Form& form : NarrowForms()) {
      if (form.head != head) continue;
      const MmaForm& f = *ptx::FindMma(form.instruction);
      RunMma(head, f, BitMatrix(f.ElementsOfA()), BitMatrix(f.ElementsOfB()),
             BitMatrix(f.ElementsOfC()), extras);
    }
  });
}

TEST(NarrowMultiply, FailsOnMetadataAndSelectorsWithoutAMeaning) {
  const std::string plain = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
  const std::string ordered = "mma.sp::ordered_metadata" + plain.substr(6);
  const auto all = [](uint32_t word) { return std::vector<uint32_t>(32, word); };
  EXPECT_THAT(MessageOfRun(plain, {all(0x44444454), {}, {}, ", %r5, 0"}),
              HasSubstr("sparse product with metadata 0b0101 in row 0: expected two places, by "
                        "warp 0 of TB (0,0,0)"));
  EXPECT_THAT(MessageOfRun(ordered, {all(0x4444441), {}, {}, ", %r5, 1"}),
              HasSubstr("metadata 0b0001 in row 0: expected two places in ascending order"));
  EXPECT_THAT(MessageOfRun("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                           {all(0x44444448), {}, {}, ", %r5, 3"}),
              HasSubstr("expected 0b0100 or 0b1110"));
  EXPECT_THAT(MessageOfRun(ordered, {all(0x44444444), {}, {}, ", %r5, 2"}),
              HasSubstr("sparsity selector 2: expected at most 1"));
  const std::string scaled =
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
  EXPECT_THAT(MessageOfRun(scaled, {{}, all(0), all(0), ", %r6, {1, 0}, %r7, {0, 0}"}),
              HasSubstr("scales of A in byte 1 of thread 0: expected a multiple of 2 below 4"));
  EXPECT_THAT(MessageOfRun(scaled, {{}, all(0), all(0), ", %r6, {0, 2}, %r7, {0, 0}"}),
              HasSubstr("and a thread below 2"));
  EXPECT_THAT(MessageOfRun(scaled, {{}, all(0), all(0), ", %r6, {0, 0}, %r7, {2, 4}"}),
              HasSubstr("scales of B in byte 2 of thread 4"));
}

TEST(NarrowMultiply, IsReadAndRefusedWhereTheIsaHasNoSuchForm) {
  const auto refusal = [](const std::string& text) {
    const auto module = ptx::Parse(KernelText("", text + "\nret;"), "k.ptx");
    const auto& refusals = module->kernels[0]->refusals;
    return refusals.empty() ? "" : refusals[0].reason;
  };
  const std::string matrices =
      " {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}";
  const std::string scales = ", %r7, {0, 0}, %r8, {0, 0};";
  const auto scaled = [&](const std::string& words, const std::string& types) {
    return refusal("mma.sync.aligned." + words + types + matrices + scales);
  };
  const std::string narrow = ".f32.e2m1.e2m1.f32";
  EXPECT_THAT(scaled("m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X", narrow + ".ue8m0"),
              "");
  EXPECT_THAT(scaled("m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::4X", narrow + ".ue8m0"),
              HasSubstr("'.scale_vec::2X' and '.ue8m0'"));
  EXPECT_THAT(scaled("m16n8k64.row.col.kind::mxf4nvf4.block_scale", narrow + ".ue4m3"),
              HasSubstr("'.scale_vec::4X'"));
  EXPECT_THAT(scaled("m16n8k64.row.col.kind::mxf4.block_scale", narrow),
              HasSubstr("'.ue8m0' or '.ue4m3'"));
  EXPECT_THAT(scaled("m16n8k64.row.col.kind::mxf4", narrow), HasSubstr("'.block_scale'"));
  EXPECT_THAT(scaled("m16n8k32.row.col.kind::mxf8f6f4.block_scale", narrow + ".ue4m3"),
              HasSubstr("'.scale_vec::1X' and '.ue8m0'"));
  EXPECT_THAT(scaled("m16n8k32.row.col.kind::mxf4.block_scale", narrow + ".ue8m0"),
              HasSubstr("a shape and types of mma that are executed"));
  EXPECT_THAT(refusal("mma.sp.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32 "
                      "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, "
                      "%f2, %f3, %f4}, %r9, 0;"),
              HasSubstr("'.sp::ordered_metadata'"));
  EXPECT_THAT(refusal("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale" + narrow +
                      ".ue8m0" + matrices + ", %r7, 0, %r8, {0, 0};"),
              HasSubstr("a vector of the number of a byte and that of a thread"));
}

}  // namespace sparse_mma_test
}  // namespace flagstone::conformance
