// ld, st, atom and red of every type, in every state space, against a host oracle (PTX ISA 9.7.9,
// 9.7.13).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace access_forms_test {

using ptx::AtomicOp;
using ptx::Opcode;
using ptx::Type;

std::string InSpace(const Form& form, const std::string& space) {
  std::string head = form.head;
  head.replace(head.find(".global"), 7, space == "generic" ? "" : "." + space);
  return head;
}

uint64_t Low(uint64_t value, int bytes) {
  return bytes == 8 ? value : value & ((uint64_t{1} << (8 * bytes)) - 1);
}

// %rd4: the thread's own 8 bytes of the space. %rd1, %rd2: of the buffers `in` and `out`.
std::string Place(const std::string& space) {
  std::string text =
      ".shared .align 8 .b8 tile[256];\n.local .align 8 .b8 own[8];\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"
      "ld.global.b64 %rd8, [%rd1];\n";
  if (space == "shared") text += "mov.u64 %rd4, tile;\nadd.s64 %rd4, %rd4, %rd3;\n";
  if (space == "local") text += "mov.u64 %rd4, own;\n";
  if (space == "global" || space == "generic") text += "mov.u64 %rd4, %rd2;\n";
  return text;
}

// Runs a body on 32 threads with 8 bytes each of `in`; returns `out`.
std::vector<uint64_t> Outputs(const std::string& body, const std::vector<uint64_t>& in) {
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 in, .param .u64 out", body + "ret;"));
  run.Buffer("in", in).Buffer("out", std::vector<uint64_t>(32)).Run();
  return run.Contents<uint64_t>("out");
}

std::vector<uint64_t> Patterns() {
  SplitMix64 random(5);
  std::vector<uint64_t> values = {0, ~uint64_t{0}, 0x8080808080808080U, 0x7f7f7f7f7f7f7f7fU};
  while (values.size() < 32) values.push_back(random.Next());
  return values;
}

const char* RegisterFor(Type type) {
  return type == Type::kF32 ? "%f4" : type == Type::kF64 ? "%fd4" : "%rd9";
}

TEST(AccessForms, LoadsExtendToTheRegisterAsTheirTypeSays) {
  const std::vector<uint64_t> in = Patterns();
  for (const Form& form : FormsOf({Opcode::kLd})) {
    if (form.instruction.modifiers.vector > 1) continue;  // wide_access_test.cc
    const Type type = form.instruction.type;
    const int bytes = ptx::SizeInBytes(type);
    for (const std::string space : {"global", "shared", "local", "generic"}) {
      const bool is_float = ptx::IsFloat(type);
      const std::string load = InSpace(form, space) + " " + RegisterFor(type) + ", [%rd4];\n";
      const std::string back = is_float ? fmt::format("st.global.{} [%rd2], {};\n",
                                                      ptx::ToString(type), RegisterFor(type))
                                        : std::string("st.global.b64 [%rd2], %rd9;\n");
      const std::string fill =
          std::string("st.") + (space == "generic" ? "global" : space) + ".b64 [%rd4], %rd8;\n";
      const std::vector<uint64_t> got = Outputs(Place(space) + fill + load + back, in);
      for (size_t i = 0; i < 32; ++i) {
        const int unused = 64 - 8 * bytes;
        const bool in_place = is_float && (space == "global" || space == "generic");
        uint64_t expected =
            ptx::IsSigned(type)
                ? static_cast<uint64_t>(static_cast<int64_t>(in[i] << unused) >> unused)
                : Low(in[i], bytes);
        // What lies behind a float in the same 8 bytes stays.
        if (in_place) expected = in[i];
        ASSERT_EQ(got[i], expected) << load << " of " << in[i];
      }
      Cover(form.instruction);
    }
  }
}

TEST(AccessForms, StoresWriteTheLowBytesAndNoOthers) {
  const std::vector<uint64_t> in = Patterns();
  for (const Form& form : FormsOf({Opcode::kSt})) {
    if (form.instruction.modifiers.vector > 1) continue;
    const Type type = form.instruction.type;
    for (const std::string space : {"global", "shared", "local", "generic"}) {
      const char* own = space == "generic" ? "global" : space.c_str();
      std::string body = Place(space) + "mov.b64 %rd9, %rd8;\nmov.b64 %fd4, %rd8;\n" +
                         "cvt.u32.u64 %r9, %rd8;\nmov.b32 %f4, %r9;\nmov.b64 %rd10, -1;\n" +
                         fmt::format("st.{}.b64 [%rd4], %rd10;\n", own);
      const std::string store = InSpace(form, space) + " [%rd4], " + RegisterFor(type) + ";\n";
      body += store + fmt::format("ld.{}.b64 %rd11, [%rd4];\nst.global.b64 [%rd2], %rd11;\n", own);
      const std::vector<uint64_t> got = Outputs(body, in);
      const int bytes = ptx::SizeInBytes(type);
      for (size_t i = 0; i < 32; ++i) {
        ASSERT_EQ(got[i], Low(in[i], bytes) | ~Low(~uint64_t{0}, bytes)) << store;
      }
      Cover(form.instruction);
    }
  }
}

template <class T>
T As(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
template <class T>
uint64_t BitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return bits;
}

double ValueOfHalf(Type type, uint64_t bits) {
  const bool brain = type == Type::kBf16 || type == Type::kBf16x2;
  if (brain) return static_cast<double>(As<float>((bits & 0xffff) << 16));
  const auto magnitude = static_cast<int>(bits & 0x7fff);
  const double value = magnitude < 0x400
                           ? std::ldexp(magnitude, -24)
                           : std::ldexp(1024 + (magnitude & 0x3ff), (magnitude >> 10) - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}
// Found by search, so that it owes nothing to the rounding of the code under test: the values of
// these tests are exact.
uint64_t HalfOf(Type type, double value) {
  uint64_t bits = 0;
  while (bits < 0x10000 && ValueOfHalf(type, bits) != value) ++bits;
  EXPECT_LT(bits, 0x10000U) << value;
  return bits;
}
uint64_t SumOfHalves(Type type, uint64_t a, uint64_t b) {
  const auto sum = [&](int shift) {
    return HalfOf(type, ValueOfHalf(type, a >> shift) + ValueOfHalf(type, b >> shift)) << shift;
  };
  return ptx::IsPacked(type) ? sum(0) | sum(16) : sum(0);
}

// The new value of the word.
uint64_t Updated(AtomicOp op, Type type, uint64_t old, uint64_t b, uint64_t c) {
  const int bytes = ptx::SizeInBytes(type);
  const int unused = 64 - 8 * bytes;
  const auto less = [&](uint64_t x, uint64_t y) {
    if (!ptx::IsSigned(type)) return x < y;
    return static_cast<int64_t>(x << unused) < static_cast<int64_t>(y << unused);
  };
  switch (op) {
    case AtomicOp::kAdd:
      if (type == Type::kF32) return BitsOf(As<float>(old) + As<float>(b));
      if (type == Type::kF64) return BitsOf(As<double>(old) + As<double>(b));
      if (ptx::IsHalf(type)) return SumOfHalves(type, old, b);
      return Low(old + b, bytes);
    case AtomicOp::kAnd:
      return old & b;
    case AtomicOp::kOr:
      return old | b;
    case AtomicOp::kXor:
      return old ^ b;
    case AtomicOp::kExch:
      return b;
    case AtomicOp::kCas:
      return old == b ? c : old;
    case AtomicOp::kMin:
      return less(old, b) ? old : b;
    case AtomicOp::kMax:
      return less(old, b) ? b : old;
    case AtomicOp::kInc:
      return old >= b ? 0 : old + 1;
    default:
      return old == 0 || old > b ? b : old - 1;
  }
}

// The operand of a lane: any bits, or a limit to count to, a number to compare with, a float.
uint64_t OperandOf(AtomicOp op, Type type, uint64_t lane) {
  if (op == AtomicOp::kCas) return lane;
  if (op == AtomicOp::kInc || op == AtomicOp::kDec) return 5 + lane % 3;
  if (type == Type::kF32) return BitsOf(static_cast<float>(lane) * 0.3F - 2);
  if (type == Type::kF64) return BitsOf(static_cast<double>(lane) * 0.3 - 2);
  if (ptx::IsHalf(type)) {  // quarters, whose sums both formats hold
    const uint64_t low = HalfOf(type, 0.25 * static_cast<double>(1 + lane % 3));
    const uint64_t high = HalfOf(type, -0.25 * static_cast<double>(lane % 4 + 1));
    return ptx::IsPacked(type) ? low | high << 16 : low;
  }
  return Low(SplitMix64(lane).Next(), ptx::SizeInBytes(type));
}

// All lanes of a warp update the first word of the space, in lane order.
void CheckAtomic(const Form& form, const std::string& space) {
  const Type type = form.instruction.type;
  const AtomicOp op = form.instruction.modifiers.atomic_op;
  const bool returns = form.instruction.opcode == Opcode::kAtom;
  const int bytes = ptx::SizeInBytes(type);
  const char* name = type == Type::kF32   ? "%f"
                     : type == Type::kF64 ? "%fd"
                     : bytes == 8         ? "%rd"
                     : bytes == 4         ? "%r"
                                          : "%rs";
  const char* move = bytes == 8 ? "b64" : bytes == 4 ? "b32" : "b16";
  const uint64_t first = op == AtomicOp::kCas   ? 3
                         : op == AtomicOp::kMin ? Low(~uint64_t{0} >> 1, bytes)
                                                : 2;
  const bool is_float = ptx::IsFloat(type);
  // Floats go through integer registers: %r or %rd 20 to 23 hold old, b, c and the new value.
  const char* bits = bytes == 8 ? "%rd" : bytes == 4 ? "%r" : "%rs";
  std::string body =
      ".shared .align 8 .b8 tile[8];\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u64 %rd12, [word];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd1, %rd1, %rd3;\n"
      "mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd2, %rd2, %rd3;\n";
  body += fmt::format("ld.global.{0} {1}21, [%rd1];\nld.global.{0} {1}22, [%rd1+8];\n", move, bits);
  if (is_float) body += fmt::format("mov.{0} {1}21, {2}21;\n", move, name, bits);
  const bool in_shared = space != "global";
  body += in_shared ? "mov.u64 %rd4, tile;\n" : "mov.u64 %rd4, %rd12;\n";
  if (in_shared) {
    body +=
        fmt::format("ld.global.{0} {1}23, [%rd12];\nst.shared.{0} [%rd4], {1}23;\n", move, bits);
  }
  if (space == "generic") body += "cvta.shared.u64 %rd5, %rd4;\n";
  const std::string address = space == "generic" ? "[%rd5]" : "[%rd4]";
  std::string update = InSpace(form, space) + " ";
  if (returns) update += std::string(name) + "20, ";
  update +=
      address + ", " + name + "21" + (op == AtomicOp::kCas ? ", " + std::string(name) + "22" : "");
  body += update + ";\n";
  if (returns) {
    if (is_float) body += fmt::format("mov.{0} {2}20, {1}20;\n", move, name, bits);
    body += fmt::format("st.global.{} [%rd2], {}20;\n", move, bits);
  }
  if (in_shared) {
    body +=
        fmt::format("ld.shared.{0} {1}23, [%rd4];\nst.global.{0} [%rd12], {1}23;\n", move, bits);
  }
  std::vector<uint64_t> in;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    in.push_back(OperandOf(op, type, lane));
    in.push_back(lane + 1);
  }
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out, .param .u64 word", body + "ret;"));
  run.Buffer("in", in).Buffer("out", std::vector<uint64_t>(32));
  run.Buffer("word", std::vector<uint64_t>{is_float ? 0 : first}).Run();
  uint64_t word = is_float ? 0 : first;
  const auto got = run.Contents<uint64_t>("out");
  for (size_t lane = 0; lane < 32; ++lane) {
    if (returns) {
      ASSERT_EQ(got[lane], word) << update << ", lane " << lane;
    }
    word = Updated(op, type, word, in[2 * lane], in[2 * lane + 1]);
  }
  ASSERT_EQ(run.Contents<uint64_t>("word")[0], word) << update;
  Cover(form.instruction);
}

TEST(AccessForms, AtomicsUpdateInLaneOrderAndReturnTheOldValue) {
  for (const Form& form : FormsOf({Opcode::kAtom, Opcode::kRed})) {
    if (form.instruction.modifiers.vector > 1) continue;  // vector_atomic_test.cc
    for (const std::string space : {"global", "shared", "generic"}) CheckAtomic(form, space);
  }
}

}  // namespace access_forms_test
}  // namespace flagstone::conformance
