#include "tests/unit/conformance/conformance.h"

#include <fmt/core.h>

#include <cstring>

#include "base/random.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

struct KindText {
  const char* reg;   // register name without its number
  const char* load;  // ld and st type
  int bytes;
};

KindText TextOf(Kind kind) {
  switch (kind) {
    case Kind::kU8:
      return {"%rs", "u8", 1};
    case Kind::kS8:
      return {"%rs", "s8", 1};
    case Kind::kU16:
      return {"%rs", "u16", 2};
    case Kind::kS16:
      return {"%rs", "s16", 2};
    case Kind::kU32:
      return {"%r", "u32", 4};
    case Kind::kS32:
      return {"%r", "s32", 4};
    case Kind::kU64:
      return {"%rd", "u64", 8};
    case Kind::kS64:
      return {"%rd", "s64", 8};
    case Kind::kF32:
      return {"%f", "f32", 4};
    case Kind::kF64:
      return {"%fd", "f64", 8};
    case Kind::kPred:
      return {"%p", "u32", 4};
    case Kind::kB8:
      return {"%b", "b8", 1};
  }
  return {};
}

constexpr std::array<uint64_t, 9> kEdgeIntegers = {
    0, 1, 2, 31, 0x7f, 0x8000, 0x7fffffff, 0xffffffff80000000U, ~uint64_t{0}};
constexpr std::array<uint64_t, 5> kMoreIntegers = {0x80, 0xffff, 0x8000000000000000U,
                                                   0x7fffffffffffffffU, 0x100000001U};
constexpr std::array<uint32_t, 14> kEdgeFloats = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001,
    0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc12345, 0x4b000001};
constexpr std::array<uint64_t, 14> kEdgeDoubles = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
    0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000001, 0x400921fb54442d18,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000012345, 0x4330000000000001};

std::vector<uint64_t> Edges(Kind kind, size_t operands) {
  switch (kind) {
    case Kind::kF32:
      return {kEdgeFloats.begin(), kEdgeFloats.end()};
    case Kind::kF64:
      return {kEdgeDoubles.begin(), kEdgeDoubles.end()};
    case Kind::kPred:
      return {0, 1};
    default:
      break;
  }
  std::vector<uint64_t> edges(kEdgeIntegers.begin(), kEdgeIntegers.end());
  if (operands < 3) edges.insert(edges.end(), kMoreIntegers.begin(), kMoreIntegers.end());
  return edges;
}

// Floats of moderate size as well as arbitrary bits; small integers as well as large ones.
uint64_t RandomValue(Kind kind, SplitMix64& random) {
  const uint64_t bits = random.Next();
  const bool moderate = random.Below(2) == 0;
  if (kind == Kind::kF32 && moderate) {
    return std::bit_cast<uint32_t>(static_cast<float>((random.Unit() - 0.5) * 2000));
  }
  if (kind == Kind::kF64 && moderate) {
    return std::bit_cast<uint64_t>((random.Unit() - 0.5) * 2000);
  }
  if (kind == Kind::kPred) return bits & 1;
  return moderate ? bits >> random.Below(64) : bits;
}

std::string LoadOperand(Kind kind, size_t k) {
  const KindText text = TextOf(kind);
  if (kind == Kind::kPred) {
    return fmt::format("ld.global.u32 %r{0}, [%rd0+{1}];\nsetp.ne.u32 %p{0}, %r{0}, 0;\n", k + 1,
                       8 * k);
  }
  return fmt::format("ld.global.{} {}{}, [%rd0+{}];\n", text.load, text.reg, k + 1, 8 * k);
}

// `snippet` takes the text as it stands in the body.
std::string Body(const std::string& text, Kind result, const std::vector<Kind>& operands,
                 bool guarded, std::string* snippet) {
  std::string body =
      "ld.param.u64 %rd30, [rows];\nld.param.u64 %rd31, [results];\n"
      "ld.param.u64 %rd33, [guards];\n"
      "mov.u32 %r30, %ctaid.x;\nmov.u32 %r31, %ntid.x;\nmov.u32 %r32, %tid.x;\n"
      "mad.lo.s32 %r30, %r30, %r31, %r32;\n"
      "mul.wide.u32 %rd32, %r30, 32;\nadd.s64 %rd0, %rd30, %rd32;\n"
      "mul.wide.u32 %rd32, %r30, 8;\nadd.s64 %rd31, %rd31, %rd32;\nadd.s64 %rd33, %rd33, %rd32;\n"
      "ld.global.u32 %r33, [%rd33];\nsetp.ne.u32 %p30, %r33, 0;\n";
  for (size_t k = 0; k < operands.size(); ++k) body += LoadOperand(operands[k], k);
  const KindText r = TextOf(result);
  const std::string destination = std::string(r.reg) + "20";
  // The result buffer already holds kUntouched.
  if (result == Kind::kPred) {
    body += "setp.eq.u32 %p20, 0, 1;\n";
  } else {
    body += fmt::format("ld.global.{} {}, [%rd31];\n", r.load, destination);
  }
  std::array<std::string, 4> names;
  for (size_t k = 0; k < operands.size(); ++k) {
    names[k] = TextOf(operands[k]).reg + std::to_string(k + 1);
  }
  *snippet = (guarded ? "@%p30 " : "") +
             fmt::format(fmt::runtime(text), fmt::arg("r", destination), fmt::arg("a", names[0]),
                         fmt::arg("b", names[1]), fmt::arg("c", names[2]), fmt::arg("d", names[3]));
  body += *snippet;
  if (result == Kind::kPred) {
    body += "\nselp.u32 %r20, 1, 0, %p20;\nst.global.u32 [%rd31], %r20;\nret;";
  } else {
    body += fmt::format("\nst.global.{} [%rd31], {};\nret;", r.load, destination);
  }
  return body;
}

std::string Describe(const std::vector<Kind>& operands, const Row& row) {
  std::string text;
  for (size_t k = 0; k < operands.size(); ++k) text += fmt::format(" {:#x}", row[k]);
  return text;
}

class ScopedBaseline {
 public:
  explicit ScopedBaseline(bool baseline) { simt::ForceBaselineHandlers(baseline); }
  ~ScopedBaseline() { simt::ForceBaselineHandlers(false); }
};

}  // namespace

bool Guarded(size_t thread) { return (SplitMix64(thread).Next() & 1) != 0; }

std::vector<uint64_t> Execute(const std::string& text, Kind result,
                              const std::vector<Kind>& operands, const std::vector<Row>& rows,
                              bool guarded) {
  const auto tbs = static_cast<uint32_t>((rows.size() + 127) / 128);
  std::vector<Row> padded = rows;
  padded.resize(size_t{tbs} * 128);
  std::vector<uint64_t> guards(padded.size());
  for (size_t i = 0; i < guards.size(); ++i) guards[i] = Guarded(i) ? 1 : 0;
  std::string snippet;
  const std::string body = Body(text, result, operands, guarded, &snippet);
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 rows, .param .u64 results, .param .u64 guards", body), {tbs, 1, 1},
      {128, 1, 1});
  for (const ptx::Instruction& instruction : run.launch().kernel->instructions) {
    if (snippet.find(instruction.text) != std::string::npos) Cover(instruction);
  }
  run.Buffer("rows", padded)
      .Buffer("results", std::vector<uint64_t>(padded.size(), kUntouched))
      .Buffer("guards", guards);
  run.Run();
  std::vector<uint64_t> results = run.Contents<uint64_t>("results");
  results.resize(rows.size());
  const int bytes = TextOf(result).bytes;
  if (bytes < 8) {
    for (uint64_t& value : results) value &= (uint64_t{1} << (8 * bytes)) - 1;
  }
  return results;
}

std::vector<Row> Rows(const std::vector<Kind>& operands, uint64_t seed) {
  std::vector<Row> rows(1);
  for (size_t k = 0; k < operands.size(); ++k) {
    std::vector<Row> crossed;
    for (const Row& row : rows) {
      for (const uint64_t edge : Edges(operands[k], operands.size())) {
        crossed.push_back(row);
        crossed.back()[k] = edge;
      }
    }
    rows = std::move(crossed);
  }
  SplitMix64 random(seed);
  for (int i = 0; i < 1000; ++i) {
    Row row = {};
    for (size_t k = 0; k < operands.size(); ++k) row[k] = RandomValue(operands[k], random);
    rows.push_back(row);
  }
  // As the registers hold them.
  for (Row& row : rows) {
    for (size_t k = 0; k < operands.size(); ++k) {
      const int bytes = TextOf(operands[k]).bytes;
      if (bytes < 8) row[k] &= (uint64_t{1} << (8 * bytes)) - 1;
    }
  }
  return rows;
}

uint64_t SeedOf(const std::string& text) {
  uint64_t seed = 0;
  for (const char c : text) seed = SplitMix64(seed ^ static_cast<uint8_t>(c)).Next();
  return seed;
}

void Check(const std::string& text, Kind result, const std::vector<Kind>& operands,
           const std::vector<Row>& rows, const Oracle& oracle, const Judge& judge) {
  std::vector<uint64_t> best;
  for (const bool baseline : {false, true}) {
    const ScopedBaseline scope(baseline);
    const std::vector<uint64_t> got = Execute(text, result, operands, rows, false);
    if (!baseline) {
      best = got;
    } else {
      ASSERT_EQ(got, best) << text << ": the sets of handlers differ";
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t expected = oracle(rows[i]);
      ASSERT_TRUE(judge(got[i], expected, rows[i]))
          << text << " of" << Describe(operands, rows[i])
          << fmt::format(" gave {:#x}, expected {:#x}", got[i], expected);
    }
    const std::vector<uint64_t> partial = Execute(text, result, operands, rows, true);
    const uint64_t untouched = result == Kind::kPred ? 0
                               : TextOf(result).bytes == 8
                                   ? kUntouched
                                   : kUntouched & ((uint64_t{1} << (8 * TextOf(result).bytes)) - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(partial[i], Guarded(i) ? got[i] : untouched)
          << text << " in a partial warp, thread " << i << " of" << Describe(operands, rows[i]);
    }
  }
}

}  // namespace flagstone::conformance
