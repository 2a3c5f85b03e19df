#include "tests/unit/conformance/wgmma_run.h"

#include <fmt/core.h>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

using ptx::Type;

constexpr uint32_t kRows = 64, kThreads = 128;
constexpr uint32_t kRoom = 128 * 1024;  // of each matrix

struct WgmmaPlace {
  uint32_t row = 0, column = 0;
};

// Element i of A in a thread's registers.
WgmmaPlace OfFactorA(uint32_t per, uint32_t thread, uint32_t i) {
  const uint32_t lane = thread % 32;
  return {thread / 32 * 16 + lane / 4 + i / per % 2 * 8,
          lane % 4 * per + i % per + i / (2 * per) * 4 * per};
}
// Of D.
WgmmaPlace OfSum(uint32_t thread, uint32_t i) {
  const uint32_t lane = thread % 32;
  return {thread / 32 * 16 + lane / 4 + i % 4 / 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

std::string ListOf(const char* name, size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, i);
  return text + "}";
}

// Moves a thread's words between a buffer and registers.
std::string MoveWords(const char* buffer, const char* name, size_t count, bool store) {
  std::string text = fmt::format("ld.param.u64 %rd8, [{}]; mad.wide.u32 %rd8, %r9, {}, %rd8;\n",
                                 buffer, 4 * count);
  for (size_t i = 0; i < count; ++i) {
    text += store ? fmt::format("st.global.b32 [%rd8+{}], {}{};\n", 4 * i, name, i)
                  : fmt::format("ld.global.b32 {}{}, [%rd8+{}];\n", name, i, 4 * i);
  }
  return text;
}

std::string Operands(const WgmmaCase& of, size_t words) {
  std::string text = ListOf("%sum", words) + ", " +
                     (of.a_in_registers ? ListOf("%factor", 4) : std::string("%rd1")) + ", %rd2, " +
                     (of.keeps ? "1" : "0");
  if (of.d != Type::kS32) text += fmt::format(", {}, {}", of.sign_a, of.sign_b);
  if (of.a == Type::kF16 || of.a == Type::kBf16) {
    if (!of.a_in_registers) text += of.a_layout.transposed ? ", 1" : ", 0";
    text += of.b_layout.transposed ? ", 1" : ", 0";
  }
  return text;
}

// %rd: a descriptor whose matrix begins `offset` bytes behind the room's beginning.
std::string Descriptor(const char* name, const CanonicalLayout& canonical, uint32_t offset) {
  return fmt::format(
      "mov.u32 %r1, room; add.u32 %r1, %r1, {1}; shr.u32 %r1, %r1, 4; cvt.u64.u32 {0}, %r1;\n"
      "mov.b64 %rd9, {2}; or.b64 {0}, {0}, %rd9;\n",
      name, offset, canonical.Strides() | canonical.WgmmaMode());
}

}  // namespace

uint32_t BitsOf(Type type) {
  switch (type) {
    case Type::kB1:
      return 1;
    case Type::kF16:
    case Type::kBf16:
      return 16;
    case Type::kTf32:
      return 32;
    default:
      return 8;
  }
}

std::string NameOf(const WgmmaCase& of) {
  return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}{}.{}.{}.{}{}", of.n, of.k,
                     of.saturates ? ".satfinite" : "", ptx::ToString(of.d), ptx::ToString(of.a),
                     ptx::ToString(of.b), of.a == Type::kB1 ? ".and.popc" : "");
}

WgmmaMatrix RunWgmma(const WgmmaCase& of, const WgmmaMatrix& a, const WgmmaMatrix& b,
                     const WgmmaMatrix& d) {
  const uint32_t bits = BitsOf(of.a);
  const CanonicalLayout in_a(of.a_layout, bits, of.k), in_b(of.b_layout, bits, of.k);
  const uint32_t begin_a = 128 * of.a_layout.first_row;
  const uint32_t begin_b = kRoom + 128 * of.b_layout.first_row;
  std::vector<uint8_t> image(2 * kRoom, 0xa5);
  std::vector<uint32_t> factors(kThreads * 4), sums;
  for (uint32_t row = 0; row < kRows && !of.a_in_registers; ++row) {
    for (uint32_t k = 0; k < of.k; ++k) {
      PutBits(&image, uint64_t{8} * begin_a + in_a.Place(row, k), bits, a[row * of.k + k]);
    }
  }
  for (uint32_t column = 0; column < of.n; ++column) {
    for (uint32_t k = 0; k < of.k; ++k) {
      PutBits(&image, uint64_t{8} * begin_b + in_b.Place(column, k), bits, b[k * of.n + column]);
    }
  }
  const uint32_t per_a = 32 / bits;
  const uint32_t per_d = of.d == Type::kF16 ? 2 : 1;
  const size_t words = of.n / 2 / per_d;
  sums.resize(kThreads * words);
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    for (uint32_t i = 0; i < 4 * per_a; ++i) {
      const WgmmaPlace at = OfFactorA(per_a, thread, i);
      factors[thread * 4 + i / per_a] |=
          static_cast<uint32_t>(a[at.row * of.k + at.column] << (bits * (i % per_a)));
    }
    for (uint32_t i = 0; i < of.n / 2; ++i) {
      const WgmmaPlace at = OfSum(thread, i);
      sums[thread * words + i / per_d] |=
          static_cast<uint32_t>(d[at.row * of.n + at.column] << (16 * (i % per_d)));
    }
  }
  const std::string body =
      fmt::format(".shared .align 1024 .b8 room[{}];\n.reg .b32 %sum<128>, %factor<4>;\n",
                  2 * kRoom) +
      "mov.u32 %r9, %tid.x;\n" + MoveWords("sums", "%sum", words, false) +
      MoveWords("factors", "%factor", 4, false) +
      "ld.param.u64 %rd3, [image]; mul.wide.u32 %rd4, %r9, 16; add.u64 %rd3, %rd3, %rd4;\n"
      "mov.u32 %r2, room; mad.lo.u32 %r2, %r9, 16, %r2; mov.u32 %r3, 0;\n"
      "COPY: ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];\n"
      "st.shared.v4.u32 [%r2], {%r4, %r5, %r6, %r7};\n"
      "add.u64 %rd3, %rd3, 2048; add.u32 %r2, %r2, 2048; add.u32 %r3, %r3, 2048;\n" +
      fmt::format("setp.lt.u32 %p1, %r3, {}; @%p1 bra COPY;\n", 2 * kRoom) +
      "fence.proxy.async; bar.sync 0;\n" + Descriptor("%rd1", in_a, begin_a + of.a_layout.offset) +
      Descriptor("%rd2", in_b, begin_b + of.b_layout.offset) + "wgmma.fence.sync.aligned;\n" +
      NameOf(of) + " " + Operands(of, words) +
      ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
      MoveWords("sums", "%sum", words, true) + "ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 image, .param .u64 factors, .param .u64 sums", body), {1, 1, 1},
      {kThreads, 1, 1});
  run.Buffer("image", image).Buffer("factors", factors).Buffer("sums", sums);
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kWgmma});
  run.Run();
  sums = run.Contents<uint32_t>("sums");
  WgmmaMatrix result(size_t{kRows} * of.n);
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    for (uint32_t i = 0; i < of.n / 2; ++i) {
      const WgmmaPlace at = OfSum(thread, i);
      const uint32_t word = sums[thread * words + i / per_d];
      result[at.row * of.n + at.column] = per_d == 1 ? word : word >> (16 * (i % 2)) & 0xffff;
    }
  }
  return result;
}

}  // namespace flagstone::conformance
