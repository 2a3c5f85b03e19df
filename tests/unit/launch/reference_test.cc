// ReferenceData: what a CPU reference is told of the launches and symbols.
#include "launch/reference.h"

#include <gtest/gtest.h>

#include <string>

#include "launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace reference_test {

// One launch for each of `keys`; a launch's only argument is its index.
Workload WithLaunches(const std::vector<std::string>& keys) {
  std::string text =
      "name = 'demo'\n"
      "[buffer.flag]\ntype = 'u8'\ncount = 1\nfill = 'zero'\n"
      "[symbol.table]\ntype = 's16'\ncount = 3\nfill = 'iota'\nstart = 5\n";
  for (size_t i = 0; i < keys.size(); ++i) {
    text +=
        "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[{ s32 = " + std::to_string(i) +
        " }]\n" + keys[i] + "\n";
  }
  return Workload::Parse(text, "w.toml", "test");
}

std::vector<int64_t> Launches(const Workload& workload) {
  const ReferenceData data(workload);
  std::vector<int64_t> indices;
  for (size_t i = 0; i < data.LaunchCount(); ++i) indices.push_back(data.Integer(i, 0));
  return indices;
}

TEST(ReferenceData, UnrollsLoopsWithANumberOfRounds) {
  EXPECT_EQ(Launches(WithLaunches({"repeat = 2", "loop = 'l'", "loop = 'l'\nrepeat = 2"})),
            (std::vector<int64_t>{0, 0, 1, 2, 1, 2}));
}

TEST(ReferenceData, CountsTheLaunchesOfALoopThatEndsByAFlagOnce) {
  EXPECT_EQ(Launches(WithLaunches({"loop = 'l'", "loop = 'l'\nuntil_zero = 'flag'\nrepeat = 9"})),
            (std::vector<int64_t>{0, 1}));
}

TEST(ReferenceData, GivesTheContentsOfSymbols) {
  const Workload workload = WithLaunches({""});
  const ReferenceData data(workload);
  const auto table = data.Symbol<int16_t>("table", 2);
  EXPECT_EQ(std::vector<int16_t>(table.begin(), table.end()), (std::vector<int16_t>{5, 6}));
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int16_t>("table", 4); }),
            "w.toml:6:1: [symbol.table] has 3 s16: the reference expected 4 of 2 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int32_t>("table", 1); }),
            "w.toml:6:1: [symbol.table] has 3 s16: the reference expected 1 of 4 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int16_t>("tabel", 1); }),
            "w.toml: the reference reads [symbol.tabel]: expected this table");
}

}  // namespace reference_test
}  // namespace flagstone
