// atom and red on vectors (PTX ISA, sections 9.7.13.5 and 9.7.13.7): every form, element by element
// against a host oracle. Values are such that each sum is exact in any order.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace vector_atomic_test {

using ptx::AtomicOp;
using ptx::Opcode;
using ptx::Type;

constexpr uint32_t kLanes = 64;

// Whole numbers of at most 8 bits: all types hold them.
uint32_t Bits(Type type, double value) {
  const auto single = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof(bits));
  if (type == Type::kF32) return bits;
  if (type == Type::kBf16 || type == Type::kBf16x2) return bits >> 16;
  if (value == 0) return 0;
  const uint32_t exponent = (bits >> 23 & 0xff) - 127 + 15;
  return (bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff);
}

// What lane `lane` brings for number `n` of the word that all lanes share.
double Operand(uint32_t lane, uint32_t n) {
  return static_cast<double>(static_cast<int>((lane * 7 + n * 5) % 5) - 2);
}

double Combined(AtomicOp op, double a, double b) {
  if (op == AtomicOp::kAdd) return a + b;
  return op == AtomicOp::kMin ? std::min(a, b) : std::max(a, b);
}

struct Layout {
  explicit Layout(const ptx::Instruction& form)
      : type(form.type),
        elements(form.modifiers.vector),
        bytes(static_cast<uint32_t>(ptx::SizeInBytes(form.type))),
        numbers(elements * (ptx::IsPacked(type) ? 2 : 1)) {}
  Type type;
  uint32_t elements, bytes, numbers;  // numbers: a packed element has two
  uint32_t Size() const { return elements * bytes; }

  std::vector<uint8_t> Image(const std::vector<double>& values) const {
    std::vector<uint8_t> image(Size());
    const uint32_t width = Size() / numbers;
    for (uint32_t n = 0; n < numbers; ++n) {
      const uint32_t bits = Bits(type, values[n]);
      std::memcpy(image.data() + n * width, &bits, width);
    }
    return image;
  }
};

std::string List(const Layout& layout, int first, bool sink_second) {
  std::string list = "{";
  for (uint32_t e = 0; e < layout.elements; ++e) {
    const char* reg = layout.type == Type::kF32 ? "%f" : layout.bytes == 4 ? "%r" : "%rs";
    list += e == 0 ? "" : ", ";
    list += sink_second && e == 1 ? "_" : fmt::format("{}{}", reg, first + static_cast<int>(e));
  }
  return list + "}";
}

// Loads or stores of the elements at [%rd3], one by one.
std::string Move(const Layout& layout, bool load, int first) {
  std::string text;
  for (uint32_t e = 0; e < layout.elements; ++e) {
    const char* reg = layout.type == Type::kF32 ? "%f" : layout.bytes == 4 ? "%r" : "%rs";
    const std::string type = layout.type == Type::kF32 ? "f32" : layout.bytes == 4 ? "b32" : "b16";
    const std::string name = fmt::format("{}{}", reg, first + static_cast<int>(e));
    const std::string at = fmt::format("[%rd3+{}]", e * layout.bytes);
    text += load ? "ld.global." + type + " " + name + ", " + at + ";\n"
                 : "st.global." + type + " " + at + ", " + name + ";\n";
  }
  return text;
}

// Each lane brings its numbers to one word; with `spread`, to a word of its own, so that the old
// values are known.
void CheckVectorAtomic(const Form& form, const std::string& space, bool spread) {
  const Layout layout(form.instruction);
  const bool is_atom = form.instruction.opcode == Opcode::kAtom;
  const AtomicOp op = form.instruction.modifiers.atomic_op;
  std::string head = form.head;
  head.replace(head.find(".global"), 7, space);
  std::string body =
      "ld.param.u64 %rd1, [words];\nld.param.u64 %rd2, [in];\nld.param.u64 %rd4, [out];\n"
      "mov.u32 %r0, %tid.x;\n";
  body += fmt::format("mul.wide.u32 %rd5, %r0, {};\nadd.s64 %rd3, %rd2, %rd5;\n", layout.Size());
  if (spread) body += "add.s64 %rd1, %rd1, %rd5;\n";
  body += Move(layout, true, 10) + Move(layout, true, 20);
  body += head + " " + (is_atom ? List(layout, 20, false) + ", " : "") + "[%rd1], " +
          List(layout, 10, false) + ";\nadd.s64 %rd3, %rd4, %rd5;\n" + Move(layout, false, 20) +
          "ret;";
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 words, .param .u64 in, .param .u64 out", body),
                          {1, 1, 1}, {kLanes, 1, 1});
  std::vector<uint8_t> in, words, expected;
  std::vector<double> sum(layout.numbers);
  for (uint32_t n = 0; n < layout.numbers; ++n) sum[n] = n % 2 == 0 ? 1 : -1;
  const std::vector<double> first = sum;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    std::vector<double> values, own = first;
    for (uint32_t n = 0; n < layout.numbers; ++n) {
      values.push_back(Operand(lane, n));
      own[n] = Combined(op, own[n], values[n]);
      sum[n] = Combined(op, sum[n], values[n]);
    }
    const auto append = [](std::vector<uint8_t>* to, const std::vector<uint8_t>& more) {
      to->insert(to->end(), more.begin(), more.end());
    };
    append(&in, layout.Image(values));
    append(&words, layout.Image(first));
    append(&expected, layout.Image(own));
  }
  if (!spread) {
    words = layout.Image(first);
    expected = layout.Image(sum);
  }
  run.Buffer("words", words).Buffer("in", in).Buffer("out", std::vector<uint8_t>(in.size()));
  CoverOpcodes(*run.launch().kernel, {Opcode::kAtom, Opcode::kRed});
  run.Run();
  EXPECT_EQ(run.Contents<uint8_t>("words"), expected) << head << (spread ? ", spread" : "");
  if (!spread) return;
  const std::vector<uint8_t> old = is_atom ? words : in;
  EXPECT_EQ(run.Contents<uint8_t>("out"), old) << head;
}

TEST(VectorAtomic, CombinesEachElementByItself) {
  int forms = 0;
  for (const Form& form : FormsOf({Opcode::kAtom, Opcode::kRed})) {
    if (form.instruction.modifiers.vector == 1) continue;
    ++forms;
    for (const char* space : {".global", ""}) {
      CheckVectorAtomic(form, space, true);
      CheckVectorAtomic(form, space, false);
    }
  }
  // f32: 2 lengths; halves: 3 lengths, pairs 2, of 2 types and with 3 operations; of atom and red.
  EXPECT_EQ(forms, 2 * (2 + 2 * 3 * 3 + 2 * 2 * 3));
}

TEST(VectorAtomic, MayDropAResultOrAll) {
  for (const char* result : {"{%r20, _, %r21, _}", "_"}) {
    KernelRun run = KernelRun::FromText(KernelText(
        ".param .u64 words, .param .u64 out",
        std::string(
            "ld.param.u64 %rd1, [words];\nld.param.u64 %rd2, [out];\nmov.u32 %r0, %tid.x;\n"
            "setp.eq.u32 %p1, %r0, 3;\nmov.u32 %r20, 7;\nmov.u32 %r21, 7;\nmov.u32 %r9, 0;\n"
            "@%p1 atom.global.relaxed.gpu.add.noftz.v4.f16x2 ") +
            result +
            ", [%rd1], {%r0, %r0, %r0, %r9};\nst.global.u32 [%rd2], %r20;\n"
            "st.global.u32 [%rd2+4], %r21;\nret;"));
    // Subnormals: 3 ulp and more.
    run.Buffer("words", std::vector<uint32_t>{1, 2, 0x50003, 4})
        .Buffer("out", std::vector<uint32_t>(2));
    run.Run();
    EXPECT_EQ(run.Contents<uint32_t>("words"), (std::vector<uint32_t>{4, 5, 0x50006, 4}));
  }
}

}  // namespace vector_atomic_test
}  // namespace flagstone::conformance
