#include "app/flow/run/worker_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"

namespace flagstone {
namespace worker_pool_test {

TEST(WorkerPool, OutcomesComeInIndexOrderWhateverTheOrderOfCompletion) {
  size_t calls = 0;
  const auto outcomes = RunWorkers(
      6, 3,
      [](size_t i) {
        usleep(static_cast<useconds_t>((6 - i) * 5000));
        return Json(i * 10);
      },
      [&](size_t done) { EXPECT_EQ(done, ++calls); });
  ASSERT_EQ(outcomes.size(), 6U);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(outcomes[i].result, i * 10);
}

TEST(WorkerPool, ResultsLargerThanAPipeArriveWhole) {
  const auto outcomes = RunWorkers(
      2, 2, [](size_t i) { return Json(std::string(3'000'000, i == 0 ? 'a' : 'b')); },
      [](size_t) {});
  EXPECT_EQ(outcomes[1].result.get<std::string>(), std::string(3'000'000, 'b'));
}

TEST(WorkerPool, AnErrorKeepsItsKindAndMessage) {
  const auto outcomes = RunWorkers(
      2, 1,
      [](size_t i) -> Json {
        if (i == 0) ThrowRunFailed("warp {} is lost", 7);
        return "fine";
      },
      [](size_t) {});
  EXPECT_EQ(outcomes[0].exit_code, 1);
  EXPECT_EQ(outcomes[0].message, "warp 7 is lost");
  EXPECT_EQ(outcomes[1].exit_code, 0);
}

TEST(WorkerPool, AWorkerThatDiesIsAnInternalError) {
  const auto outcomes = RunWorkers(
      1, 1,
      [](size_t) -> Json {
        std::raise(SIGKILL);
        return nullptr;
      },
      [](size_t) {});
  EXPECT_EQ(outcomes[0].exit_code, 3);
  EXPECT_NE(outcomes[0].message.find("signal 9"), std::string::npos);
}

}  // namespace worker_pool_test
}  // namespace flagstone
