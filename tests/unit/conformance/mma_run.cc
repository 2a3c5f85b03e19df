#include "tests/unit/conformance/mma_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

using ptx::MmaForm;
using ptx::Type;

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

// Of m8n8k4 of f16: in which of the four products a lane takes part, and where.
uint32_t ProductOf(uint32_t lane) { return lane % 16 / 4; }
At OfQuadA(bool by_rows, uint32_t lane, uint32_t i) {
  const uint32_t high = lane < 16 ? 0 : 4;
  return by_rows ? At{lane % 4 + high, i} : At{i % 4 + high, lane % 4};
}
At OfQuadB(bool by_rows, uint32_t lane, uint32_t i) {
  const uint32_t high = lane < 16 ? 0 : 4;
  return by_rows ? At{lane % 4, i + high} : At{i, lane % 4 + high};
}
At OfQuadC(Type type, uint32_t lane, uint32_t i) {
  const uint32_t high = lane < 16 ? 0 : 4;
  if (type == Type::kF16) return {lane % 4 + high, i};
  return {(lane & 0b1) + (i & 0b10) + high, (i & 0b100) + (lane & 0b10) + (i & 0b1)};
}

// Registers of a fragment, 64 bits each, lane after lane.
template <class Place>
std::vector<uint64_t> Fragment(Type type, uint32_t columns, Place place, const BitMatrix& matrix) {
  const uint32_t per = MmaForm::PerRegister(type);
  const auto elements = static_cast<uint32_t>(matrix.size()) / 32;  // of a lane
  const uint32_t registers = elements / per;
  std::vector<uint64_t> words(size_t{32} * registers);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < elements; ++i) {
      const At at = place(lane, i);
      const uint64_t bits = matrix[at.row * columns + at.column];
      words[lane * registers + i / per] |= per == 1 ? bits : bits << (32 / per * (i % per));
    }
  }
  return words;
}

// The other way round.
template <class Place>
BitMatrix Matrix(Type type, size_t size, uint32_t columns, Place place,
                 const std::vector<uint64_t>& words) {
  const uint32_t per = MmaForm::PerRegister(type);
  const auto elements = static_cast<uint32_t>(size) / 32;
  BitMatrix matrix(size);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < elements; ++i) {
      const uint64_t word = words[lane * (elements / per) + i / per];
      const At at = place(lane, i);
      matrix[at.row * columns + at.column] =
          per == 1 ? word : word >> (32 / per * (i % per)) & ((1U << (32 / per)) - 1);
    }
  }
  return matrix;
}

// The registers of a matrix: their names, and what moves them between a buffer and a lane.
struct Registers {
  Registers(std::string buffer_name, const char* number, Type type, size_t words)
      : buffer(std::move(buffer_name)), count(words / 32) {
    word = type == Type::kF64 ? "f64" : type == Type::kF32 ? "f32" : "u32";
    name = std::string(type == Type::kF64 ? "%fd" : type == Type::kF32 ? "%f" : "%r") + number;
  }
  std::string Address() const {
    return fmt::format(
        "ld.param.u64 %rd38, [{}]; mul.wide.u32 %rd39, %r9, {};\n"
        "add.s64 %rd38, %rd38, %rd39;\n",
        buffer, 8 * count);
  }
  std::string Load() const {
    std::string text = Address();
    for (size_t i = 0; i < count; ++i) {
      text += fmt::format("ld.global.{} {}{}, [%rd38+{}];\n", word, name, i, 8 * i);
    }
    return text;
  }
  std::string Store() const {
    std::string text = Address();
    for (size_t i = 0; i < count; ++i) {
      text += fmt::format("st.global.{} [%rd38+{}], {}{};\n", word, 8 * i, name, i);
    }
    return text;
  }
  std::string List() const {
    std::string text = "{";
    for (size_t i = 0; i < count; ++i) text += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, i);
    return text + "}";
  }

  std::string buffer, word, name;
  size_t count;
};

// C and D may be of f32 and f64; f32 is never the type of a factor.
Registers OfFactor(const char* buffer, const char* number, Type type, size_t words) {
  return {buffer, number, type == Type::kF64 ? type : Type::kB32, words};
}

}  // namespace

BitMatrix RunMma(const std::string& head, const MmaForm& f, const BitMatrix& a, const BitMatrix& b,
                 const BitMatrix& c, const MmaExtras& extras) {
  const bool a_by_rows = head.find("k4.row") != std::string::npos;
  const bool b_by_rows = head.find(".row.f") != std::string::npos;
  // The matrices of the second product lie below those of the first, and so on.
  const auto below = [](uint32_t lane, uint32_t rows, At at) {
    return At{ProductOf(lane) * rows + at.row, at.column};
  };
  const auto place_a = [&](uint32_t lane, uint32_t i) {
    return f.quads ? below(lane, f.m, OfQuadA(a_by_rows, lane, i)) : OfA(f, lane, i);
  };
  const auto place_b = [&](uint32_t lane, uint32_t i) {
    return f.quads ? below(lane, f.k, OfQuadB(b_by_rows, lane, i)) : OfB(f, lane, i);
  };
  const auto place_sum = [&](Type type) {
    return [&below, &f, type](uint32_t lane, uint32_t i) {
      return f.quads ? below(lane, f.m, OfQuadC(type, lane, i)) : OfC(lane, i);
    };
  };
  const std::vector<uint64_t> fa = Fragment(f.a, f.DepthOfA(), place_a, a);
  const std::vector<uint64_t> fb = Fragment(f.b, f.n, place_b, b);
  const std::vector<uint64_t> fc = Fragment(f.c, f.n, place_sum(f.c), c);
  const size_t words = c.size() / MmaForm::PerRegister(f.d);
  const Registers ra = OfFactor("a", "1", f.a, fa.size());
  const Registers rb = OfFactor("b", "2", f.b, fb.size());
  const Registers rc("c", "3", f.c, fc.size());
  const Registers rd("d", f.c == f.d ? "3" : "2", f.d, words);
  std::vector<uint32_t> words_of_extras(3 * 32);
  const std::vector<uint32_t>* const each[] = {&extras.metadata, &extras.scales_a,
                                               &extras.scales_b};
  for (size_t i = 0; i < 3; ++i) {
    std::copy(each[i]->begin(), each[i]->end(), &words_of_extras[32 * i]);
  }
  const std::string load =
      "ld.param.u64 %rd38, [extras]; mul.wide.u32 %rd39, %r9, 4;\nadd.s64 %rd38, %rd38, %rd39;\n"
      "ld.global.u32 %r5, [%rd38]; ld.global.u32 %r6, [%rd38+128]; ld.global.u32 %r7, "
      "[%rd38+256];\n";
  const std::string body = "mov.u32 %r9, %tid.x;\n" + load + ra.Load() + rb.Load() + rc.Load() +
                           head + " " + rd.List() + ", " + ra.List() + ", " + rb.List() + ", " +
                           rc.List() + extras.operands + ";\n" + rd.Store() + "ret;";
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 extras", body));
  run.Buffer("a", fa).Buffer("b", fb).Buffer("c", fc);
  run.Buffer("d", std::vector<uint64_t>(words)).Buffer("extras", words_of_extras);
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kMma});
  run.Run();
  return Matrix(f.d, c.size(), f.n, place_sum(f.d), run.Contents<uint64_t>("d"));
}

}  // namespace flagstone::conformance
