// ld and st of 32 bytes a thread, .v8 of 32 bits and .v4 of 64 bits (PTX ISA, sections 9.7.9.8,
// 9.7.9.9 and 9.7.9.11): every form, byte by byte against what memory holds.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace wide_access_test {

using ptx::Opcode;
using ptx::Type;
using ::testing::HasSubstr;

constexpr uint32_t kThreads = 64;
constexpr uint32_t kBytes = 32;  // of a thread
constexpr const char* kInOut = ".param .u64 in, .param .u64 out";
// %rd1, %rd2: the thread's bytes of `in` and `out`. %p1: two of three threads.
constexpr const char* kPlaces =
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 32;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"
    "rem.u32 %r2, %r1, 3;\nsetp.ne.u32 %p1, %r2, 1;\n";

std::vector<uint8_t> Image(uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint8_t> bytes(kThreads * kBytes);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
  return bytes;
}

// What lies in `out` behind the body, which finds Image(2) there.
std::vector<uint8_t> Outputs(const std::string& body) {
  KernelRun run = KernelRun::FromText(KernelText(kInOut, std::string(kPlaces) + body + "ret;"),
                                      {1, 1, 1}, {kThreads, 1, 1});
  run.Buffer("in", Image(1)).Buffer("out", Image(2)).Run();
  return run.Contents<uint8_t>("out");
}

// Where %p1 holds, the thread's bytes of `in`, else those of `out`.
std::vector<uint8_t> Expected() {
  const std::vector<uint8_t> in = Image(1);
  std::vector<uint8_t> out = Image(2);
  for (uint32_t i = 0; i < out.size(); ++i) {
    if (i / kBytes % 3 != 1) out[i] = in[i];
  }
  return out;
}

std::string Name(Type type, bool wide, uint32_t element) {
  const char* name = type == Type::kF32                    ? "%f"
                     : type == Type::kF64                  ? "%fd"
                     : wide || ptx::SizeInBytes(type) == 8 ? "%rd"
                                                           : "%r";
  return fmt::format("{}{}", name, 10 + element);
}

struct Access {
  explicit Access(const Form& form)
      : type(form.instruction.type),
        elements(form.instruction.modifiers.vector),
        bytes(static_cast<uint32_t>(ptx::SizeInBytes(type))) {}
  Type type;
  uint32_t elements, bytes;

  std::string List(bool wide) const {
    std::string list;
    for (uint32_t e = 0; e < elements; ++e) list += (e == 0 ? "{" : ", ") + Name(type, wide, e);
    return list + "}";
  }
  // The elements one by one.
  std::string Loads(bool wide) const {
    std::string text;
    for (uint32_t e = 0; e < elements; ++e) {
      text += fmt::format("ld.global.{} {}, [%rd1+{}];\n", ptx::ToString(type), Name(type, wide, e),
                          e * bytes);
    }
    return text;
  }
  std::string Stores(bool wide) const {
    std::string text;
    for (uint32_t e = 0; e < elements; ++e) {
      text += fmt::format("@%p1 st.global.{} [%rd2+{}], {};\n", ptx::ToString(type), e * bytes,
                          Name(type, wide, e));
    }
    return text;
  }
};

std::vector<Form> WideForms(Opcode opcode) {
  std::vector<Form> forms;
  for (const Form& form : FormsOf({opcode})) {
    if (Access(form).elements * Access(form).bytes == kBytes) forms.push_back(form);
  }
  EXPECT_EQ(forms.size(), 8U);
  return forms;
}

class WideAccess : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { simt::ForceBaselineHandlers(GetParam()); }
  void TearDown() override { simt::ForceBaselineHandlers(false); }
};
INSTANTIATE_TEST_SUITE_P(, WideAccess, testing::Bool(),
                         [](const auto& set) { return set.param ? "baseline" : "best"; });

TEST_P(WideAccess, LoadsBringAllElements) {
  for (const Form& form : WideForms(Opcode::kLd)) {
    const Access access(form);
    // Behind a guard the destinations stay, and so do they where nothing is stored.
    const std::string load = "@%p1 " + form.head + " " + access.List(false) + ", [%rd1];\n";
    EXPECT_EQ(Outputs(load + access.Stores(false)), Expected()) << load;
    Cover(form.instruction);
  }
}

TEST_P(WideAccess, StoresWriteAllElements) {
  for (const Form& form : WideForms(Opcode::kSt)) {
    const Access access(form);
    const std::string store = "@%p1 " + form.head + " [%rd2], " + access.List(false) + ";\n";
    EXPECT_EQ(Outputs(access.Loads(false) + store), Expected()) << store;
    Cover(form.instruction);
  }
}

TEST_P(WideAccess, TakesRegistersThatAreWiderThanTheType) {
  for (const char* type : {"u32", "s32"}) {
    std::string body = fmt::format("ld.global.v8.{} ", type);
    body += "{%rd10, %rd11, %rd12, %rd13, %rd14, %rd15, %rd16, %rd17}, [%rd1];\n";
    // The upper half of element 2, then of element 5, in the place of elements 0 and 1.
    body +=
        "shr.u64 %rd10, %rd12, 32;\nshr.u64 %rd11, %rd15, 32;\nst.global.v8.b32 [%rd2], "
        "{%rd10, %rd11, %rd12, %rd13, %rd14, %rd15, %rd16, %rd17};\n";
    const std::vector<uint8_t> got = Outputs(body), in = Image(1);
    for (uint32_t i = 0; i < got.size(); ++i) {
      const uint32_t at = i % kBytes;
      const uint32_t sign = i - at + (at < 4 ? 11 : 23);  // the uppermost byte of that element
      const bool negative = type[0] == 's' && in[sign] >= 0x80;
      ASSERT_EQ(got[i], at >= 8 ? in[i] : negative ? 0xff : 0) << type << " " << i;
    }
  }
}

TEST_P(WideAccess, LeavesOutWhatNobodyKeeps) {
  EXPECT_EQ(Outputs("mov.u32 %r11, 0;\n"
                    "ld.global.nc.v8.b32 {%r10, _, %r12, %r13, %r14, %r15, %r16, %r17}, [%rd1];\n"
                    "ld.global.u32 %r11, [%rd1+4];\n@%p1 st.global.v8.u32 [%rd2], "
                    "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17};\n"),
            Expected());
  EXPECT_EQ(Outputs("ld.global.v4.u64 {_, %rd11, %rd12, %rd13}, [%rd1];\n"
                    "ld.global.u64 %rd10, [%rd1];\n"
                    "@%p1 st.global.v4.u64 [%rd2], {%rd10, %rd11, %rd12, %rd13};\n"),
            Expected());
}

// What the ISA lets stand before the vector: priorities, sizes of prefetches, orders.
TEST(WideAccessWords, AreTaken) {
  for (const char* words :
       {".L2::evict_last", ".L1::no_allocate.L2::evict_first.L2::256B", ".nc.L1::evict_last"}) {
    const std::string load = std::string("ld.global") + words;
    EXPECT_EQ(Outputs(load + ".v4.b64 {%rd10, %rd11, %rd12, %rd13}, [%rd1];\n"
                             "@%p1 st.global.v4.b64 [%rd2], {%rd10, %rd11, %rd12, %rd13};\n"),
              Expected())
        << words;
  }
  EXPECT_EQ(Outputs("ld.relaxed.gpu.global.v8.b32 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17},"
                    " [%rd1];\n@%p1 st.release.sys.global.L2::evict_normal.v8.b32 [%rd2], "
                    "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17};\n"),
            Expected());
}

TEST(WideAccessFault, NeedsAnAddressOf32Bytes) {
  const auto fault = [](const std::string& body) {
    return MessageOf(ErrorKind::kRunFailed, [&] { Outputs(body); });
  };
  EXPECT_THAT(fault("ld.global.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1+16];\n"),
              HasSubstr("misaligned"));
  EXPECT_THAT(fault("st.global.v8.f32 [%rd2+2048], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};\n"),
              HasSubstr("out-of-bounds"));
}

}  // namespace wide_access_test
}  // namespace flagstone::conformance
