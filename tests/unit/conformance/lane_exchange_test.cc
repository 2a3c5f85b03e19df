// shfl, vote, match, activemask and redux against a host oracle that sees the whole warp (PTX ISA
// 9.7.9.6, 9.7.13).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {
namespace lane_exchange_test {

constexpr size_t kThreads = 1024;

// One warp: its threads' operands and which of them execute.
struct Warp {
  const Row* rows;
  uint32_t executed;
  bool Takes(uint32_t lane, uint32_t mask) const { return (executed & mask) >> lane & 1; }
};
using WarpOracle = std::function<uint64_t(const Warp&, uint32_t lane)>;

// Every thread's result must be the oracle's, in full warps and in partial ones.
void CheckWarps(const std::string& text, Kind result, const std::vector<Kind>& operands,
                const std::vector<Row>& rows, const WarpOracle& oracle) {
  for (const bool guarded : {false, true}) {
    const std::vector<uint64_t> got = Execute(text, result, operands, rows, guarded);
    for (size_t first = 0; first < rows.size(); first += 32) {
      Warp warp{&rows[first], 0};
      for (uint32_t lane = 0; lane < 32; ++lane) {
        if (!guarded || Guarded(first + lane)) warp.executed |= 1U << lane;
      }
      for (uint32_t lane = 0; lane < 32; ++lane) {
        if ((warp.executed >> lane & 1) == 0) continue;
        ASSERT_EQ(got[first + lane], oracle(warp, lane))
            << text << " in thread " << first + lane << (guarded ? " of a partial warp" : "");
      }
    }
  }
}

std::vector<Row> RandomRows(const std::vector<Kind>& operands, const std::string& text) {
  std::vector<Row> rows = Rows(operands, SeedOf(text));
  rows.erase(rows.begin(), rows.end() - 1000);
  const std::vector<Row> more(rows.begin(), rows.begin() + (kThreads - 1000));
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

// Every thread of a warp gets the warp's first value of operand k.
void MakeUniform(std::vector<Row>* rows, size_t k) {
  for (size_t i = 0; i < rows->size(); ++i) (*rows)[i][k] = (*rows)[i / 32 * 32][k];
}

struct Source {
  uint32_t lane;
  bool in_range;
};
// As the ISA writes it: operand c holds a clamp value and a segment mask.
Source ShuffleSource(const std::string& mode, uint32_t lane, uint32_t b, uint32_t c) {
  const int bval = b & 31;
  const uint32_t clamp = c & 31;
  const uint32_t segment = c >> 8 & 31;
  const int max_lane = static_cast<int>((lane & segment) | (clamp & ~segment));
  const int min_lane = static_cast<int>(lane & segment);
  const int self = static_cast<int>(lane);
  int j = 0;
  bool valid = false;
  if (mode == "up") {
    j = self - bval;
    valid = j >= max_lane;
  } else if (mode == "down") {
    j = self + bval;
    valid = j <= max_lane;
  } else if (mode == "bfly") {
    j = self ^ bval;
    valid = j <= max_lane;
  } else {
    j = min_lane | (bval & static_cast<int>(~segment));
    valid = j <= max_lane;
  }
  return {valid ? static_cast<uint32_t>(j) : lane, valid};
}

class ShuffleTest : public testing::TestWithParam<const char*> {};

TEST_P(ShuffleTest, ReadsTheLaneThatTheIsaNamesOrZeroWhereThatTakesNoPart) {
  const std::string mode = GetParam();
  const std::vector<Kind> operands = {Kind::kU32, Kind::kU32, Kind::kU32, Kind::kU32};
  const std::vector<Row> rows = RandomRows(operands, mode);
  for (const bool sync : {false, true}) {
    const std::string name = "shfl." + std::string(sync ? "sync." : "") + mode + ".b32 ";
    const std::string rest = std::string(", {a}, {b}, {c}") + (sync ? ", {d};" : ";");
    CheckWarps(name + "{r}" + rest, Kind::kU32, operands, rows,
               [&](const Warp& warp, uint32_t lane) {
                 const Row& row = warp.rows[lane];
                 const Source source = ShuffleSource(mode, lane, static_cast<uint32_t>(row[1]),
                                                     static_cast<uint32_t>(row[2]));
                 const auto mask = sync ? static_cast<uint32_t>(row[3]) : ~0U;
                 const bool defined = source.lane == lane || warp.Takes(source.lane, mask);
                 return defined ? warp.rows[source.lane][0] : 0;
               });
    CheckWarps(name + "%r21|{r}" + rest, Kind::kPred, operands, rows,
               [&](const Warp& warp, uint32_t lane) {
                 const Row& row = warp.rows[lane];
                 return ShuffleSource(mode, lane, static_cast<uint32_t>(row[1]),
                                      static_cast<uint32_t>(row[2]))
                                .in_range
                            ? 1U
                            : 0U;
               });
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, ShuffleTest, testing::Values("up", "down", "bfly", "idx"));

// Without the oracle's help: what the CUDA intrinsics give on a whole warp.
TEST(Shuffle, OfAWholeWarpMovesValuesAsCudaDoes) {
  std::vector<Row> rows(128);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {100 + i % 32, 0, 0, 0};
  const auto run = [&](const std::string& text) {
    return Execute(text, Kind::kU32, {Kind::kU32}, rows, false);
  };
  const auto down = run("shfl.sync.down.b32 {r}, {a}, 4, 31, -1;");
  const auto up = run("shfl.sync.up.b32 {r}, {a}, 1, 0, -1;");
  const auto bfly = run("shfl.sync.bfly.b32 {r}, {a}, 16, 31, -1;");
  const auto idx = run("shfl.sync.idx.b32 {r}, {a}, 7, 31, -1;");
  const auto halves = run("shfl.sync.idx.b32 {r}, {a}, 3, 0x101f, -1;");  // width 16
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(down[lane], 100 + (lane + 4 < 32 ? lane + 4 : lane));
    EXPECT_EQ(up[lane], 100 + (lane > 0 ? lane - 1 : 0));
    EXPECT_EQ(bfly[lane], 100 + (lane ^ 16));
    EXPECT_EQ(idx[lane], 107U);
    EXPECT_EQ(halves[lane], lane < 16 ? 103U : 119U);
  }
}

TEST(Vote, ReducesThePredicateOfTheLanesThatTakePart) {
  const std::vector<Kind> operands = {Kind::kPred, Kind::kU32};
  std::vector<Row> rows = RandomRows(operands, "vote");
  MakeUniform(&rows, 1);
  for (size_t warp = 0; warp < 8; ++warp) {  // all, none, and one of them
    for (size_t lane = 0; lane < 32; ++lane) {
      const bool holds[] = {true, false, lane == 9, lane != 9};
      rows[warp * 32 + lane][0] = holds[warp % 4] ? 1 : 0;
      rows[warp * 32 + lane][1] = 0xffffffff;
    }
  }
  const auto ballot = [](const Warp& warp, uint32_t mask, bool flip) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32; ++i) {
      if (warp.Takes(i, mask) && (warp.rows[i][0] != 0) != flip) bits |= 1U << i;
    }
    return bits;
  };
  for (const bool sync : {false, true}) {
    for (const bool flip : {false, true}) {
      const std::string rest =
          std::string(" {r}, ") + (flip ? "!" : "") + "{a}" + (sync ? ", {b};" : ";");
      const std::string name = sync ? "vote.sync." : "vote.";
      const auto mask_of = [&](const Warp& warp, uint32_t lane) {
        return sync ? static_cast<uint32_t>(warp.rows[lane][1]) : ~0U;
      };
      const auto members = [&](const Warp& warp, uint32_t lane) {
        return warp.executed & mask_of(warp, lane);
      };
      const auto held = [&](const Warp& warp, uint32_t lane) {
        return ballot(warp, mask_of(warp, lane), flip);
      };
      CheckWarps(name + "all.pred" + rest, Kind::kPred, operands, rows,
                 [&](const Warp& w, uint32_t i) { return held(w, i) == members(w, i); });
      CheckWarps(name + "any.pred" + rest, Kind::kPred, operands, rows,
                 [&](const Warp& w, uint32_t i) { return held(w, i) != 0; });
      CheckWarps(name + "uni.pred" + rest, Kind::kPred, operands, rows,
                 [&](const Warp& w, uint32_t i) {
                   return held(w, i) == 0 || held(w, i) == members(w, i);
                 });
      CheckWarps(name + "ballot.b32" + rest, Kind::kU32, operands, rows, held);
    }
  }
  CheckWarps("vote.ballot.sync.b32 {r}, {a}, {b};", Kind::kU32, operands, rows,
             [&](const Warp& w, uint32_t i) {
               return ballot(w, static_cast<uint32_t>(w.rows[i][1]), false);
             });
}

void CheckMatch(const char* type, Kind kind) {
  const std::vector<Kind> operands = {kind, Kind::kU32};
  std::vector<Row> rows = RandomRows(operands, type);
  MakeUniform(&rows, 1);
  for (size_t i = 0; i < rows.size(); ++i) {  // few different values, and warps that agree
    rows[i][0] = i / 32 % 3 == 0 ? i / 32 : rows[i][0] % 5 << (kind == Kind::kU64 ? 40 : 0);
    if (i / 32 % 2 == 0) rows[i][1] = 0xffffffff;
  }
  const auto same = [](const Warp& warp, uint32_t lane) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32; ++i) {
      const bool takes_part = warp.Takes(i, static_cast<uint32_t>(warp.rows[lane][1]));
      if (takes_part && warp.rows[i][0] == warp.rows[lane][0]) bits |= 1U << i;
    }
    return bits;
  };
  const auto agree = [=](const Warp& warp, uint32_t lane) {
    return same(warp, lane) == (warp.executed & static_cast<uint32_t>(warp.rows[lane][1]));
  };
  CheckWarps(fmt::format("match.any.sync.{} {{r}}, {{a}}, {{b}};", type), Kind::kU32, operands,
             rows, same);
  const std::string all = fmt::format("match.all.sync.{} ", type);
  CheckWarps(all + "{r}, {a}, {b};", Kind::kU32, operands, rows,
             [&](const Warp& w, uint32_t i) { return agree(w, i) ? same(w, i) : 0; });
  CheckWarps(all + "%r21|{r}, {a}, {b};", Kind::kPred, operands, rows, agree);
}

TEST(Match, NamesTheLanesWithTheSameValue) {
  CheckMatch("b32", Kind::kU32);
  CheckMatch("b64", Kind::kU64);
}

TEST(ActiveMask, IsTheLanesThatExecute) {
  CheckWarps("activemask.b32 {r};", Kind::kU32, {}, std::vector<Row>(kThreads),
             [](const Warp& warp, uint32_t) { return warp.executed; });
}

TEST(Redux, CombinesTheValuesOfTheLanesThatTakePart) {
  const std::vector<Kind> operands = {Kind::kU32, Kind::kU32};
  std::vector<Row> rows = RandomRows(operands, "redux");
  MakeUniform(&rows, 1);
  for (Row& row : rows) row[1] = 0xffffffff;
  using Combine = std::function<uint32_t(uint32_t, uint32_t)>;
  const auto check = [&](const std::string& op, const Combine& combine) {
    CheckWarps("redux.sync." + op + " {r}, {a}, {b};", Kind::kU32, operands, rows,
               [&](const Warp& warp, uint32_t) {
                 auto lane = static_cast<uint32_t>(std::countr_zero(warp.executed));
                 auto value = static_cast<uint32_t>(warp.rows[lane][0]);
                 for (++lane; lane < 32; ++lane) {
                   if (!warp.Takes(lane, ~0U)) continue;
                   value = combine(value, static_cast<uint32_t>(warp.rows[lane][0]));
                 }
                 return value;
               });
  };
  const auto as_signed = [](uint32_t a) { return static_cast<int32_t>(a); };
  check("add.u32", [](uint32_t a, uint32_t b) { return a + b; });
  check("add.s32", [](uint32_t a, uint32_t b) { return a + b; });
  check("min.u32", [](uint32_t a, uint32_t b) { return std::min(a, b); });
  check("max.u32", [](uint32_t a, uint32_t b) { return std::max(a, b); });
  check("min.s32", [=](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b) ? a : b; });
  check("max.s32", [=](uint32_t a, uint32_t b) { return as_signed(a) > as_signed(b) ? a : b; });
  check("and.b32", [](uint32_t a, uint32_t b) { return a & b; });
  check("or.b32", [](uint32_t a, uint32_t b) { return a | b; });
  check("xor.b32", [](uint32_t a, uint32_t b) { return a ^ b; });
}

// All threads of a TB of 128 hand in a predicate and get one answer.
TEST(BarrierReduction, CombinesThePredicatesOfTheTb) {
  std::vector<Row> rows(kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    const size_t tb = i / 128;
    const bool holds[] = {true, false, i % 128 == 70, i % 128 != 70};
    rows[i][0] = tb < 4 ? holds[tb] : SeedOf(std::to_string(i)) & 1;
  }
  const auto check = [&](const std::string& text, Kind result, uint64_t (*oracle)(uint64_t held)) {
    const std::vector<uint64_t> got = Execute(text, result, {Kind::kPred}, rows, false);
    for (size_t first = 0; first < kThreads; first += 128) {
      uint64_t held = 0;
      for (size_t i = first; i < first + 128; ++i) held += rows[i][0];
      for (size_t i = first; i < first + 128; ++i) ASSERT_EQ(got[i], oracle(held)) << text;
    }
  };
  const auto all = [](uint64_t held) -> uint64_t { return held == 128 ? 1 : 0; };
  const auto any = [](uint64_t held) -> uint64_t { return held != 0 ? 1 : 0; };
  check("bar.red.and.pred {r}, 0, {a};", Kind::kPred, all);
  check("barrier.red.or.pred {r}, 5, 128, {a};", Kind::kPred, any);
  check("bar.red.popc.u32 {r}, 15, {a};", Kind::kU32, [](uint64_t held) { return held; });
}

}  // namespace lane_exchange_test
}  // namespace flagstone::conformance
