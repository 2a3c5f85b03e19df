// A run through the store: the same record whether it was computed or found.
#include "app/flow/run/stored_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/flow/run/result_key.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "base/file.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace stored_run_test {

using testing::HasSubstr;
using testing::IsEmpty;

RunOptions Vecadd() {
  RunOptions options;
  options.workload = "vecadd";
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  return options;
}

std::string NameOf(const RunOptions& options, uint64_t input = 1) {
  return ResultName(ResultIdentity(options, input));
}

class StoredRunTest : public testing::Test {
 protected:
  StoredRun Run(const RunOptions& options, bool fresh = false, const std::string& command = "c") {
    return RunThroughStore(
        options,
        {&store_, fresh, any_engine_, [this](const std::string& s) { said_.push_back(s); }}, "v",
        command);
  }
  // A record as it was computed: it differs from a stored one in one key.
  static Json Computed(Json record) {
    record["from_store"] = false;
    return record;
  }

  TemporaryFolder folder_;
  std::vector<std::string> said_;
  bool any_engine_ = false;
  ResultStore store_{folder_.path() / "results",
                     [this](const std::string& line) { said_.push_back(line); }};
};

TEST_F(StoredRunTest, ASecondRunIsFoundAndSaysTheSame) {
  const StoredRun computed = Run(Vecadd());
  EXPECT_FALSE(computed.from_store);
  EXPECT_EQ(store_.Names().size(), 1U);
  const StoredRun found = Run(Vecadd());
  EXPECT_TRUE(found.from_store);
  EXPECT_EQ(computed.record["from_store"], false);
  EXPECT_EQ(found.record["from_store"], true);
  EXPECT_EQ(Computed(found.record).dump(2), computed.record.dump(2));
  EXPECT_EQ(Run(Vecadd(), false, "another").record["command"], "another");
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(StoredRunTest, AFreshRunIsComputedAndKept) {
  EXPECT_FALSE(Run(Vecadd(), true).from_store);
  EXPECT_FALSE(Run(Vecadd(), true).from_store);
  EXPECT_TRUE(Run(Vecadd()).from_store);
}

TEST_F(StoredRunTest, ADamagedResultIsComputedAgain) {
  const StoredRun computed = Run(Vecadd());
  const auto path = store_.PathOf(store_.Names()[0]);
  const std::string bytes = ReadFile(path);
  WriteFileAtomically(path, bytes.substr(0, bytes.size() / 2));
  const StoredRun again = Run(Vecadd());
  EXPECT_FALSE(again.from_store);
  EXPECT_EQ(again.record["totals"], computed.record["totals"]);
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_THAT(said_[0], HasSubstr("set aside"));
  EXPECT_TRUE(Run(Vecadd()).from_store);
}

// Findings name the PTX file by the path that it had then.
TEST_F(StoredRunTest, AResultWithFindingsIsFoundForTheSameFileOnly) {
  Run(Vecadd());
  const std::string name = store_.Names()[0];
  StoredResult result = *store_.Get(name);
  result.record["findings"].push_back({{"kind", "shuffle"}, {"times", 1}, {"text", "a.ptx:1"}});
  store_.Put(name, result);
  EXPECT_TRUE(Run(Vecadd()).from_store);
  result.workload = "/elsewhere/workload.toml";
  store_.Put(name, result);
  EXPECT_FALSE(Run(Vecadd()).from_store);
}

TEST_F(StoredRunTest, AFailedRunLeavesNothing) {
  RunOptions options = Vecadd();
  options.max_cycles = 10;
  EXPECT_THROW(Run(options), Error);
  EXPECT_THAT(store_.Names(), IsEmpty());
}

// A limit that a stored result would break is met again.
TEST_F(StoredRunTest, ALimitIsNotForgotten) {
  Run(Vecadd());
  RunOptions options = Vecadd();
  options.max_cycles = 10;
  EXPECT_THROW(Run(options), Error);
}

TEST_F(StoredRunTest, AStoreThatCannotBeWrittenIsSaidAndTheResultGiven) {
  folder_.Write("results", "a file in the way");
  EXPECT_GT(Run(Vecadd()).record["totals"]["cycles"], 0);
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_THAT(said_[0], HasSubstr("results are not kept: cannot write in"));
}

// What models have computed is no result of the RTL.
TEST_F(StoredRunTest, RtlRunsWhereOnlyModelsHaveComputedTheResult) {
  const StoredRun model = Run(Vecadd());
  RunOptions options = Vecadd();
  options.engine = Engine::kRtl;
  const StoredRun rtl = Run(options);
  EXPECT_FALSE(rtl.from_store);
  EXPECT_EQ(rtl.record["engine"], "rtl");
  EXPECT_EQ(rtl.record["blocks"][0]["body"], "rtl");
  EXPECT_EQ(rtl.record["totals"], model.record["totals"]);
  EXPECT_EQ(store_.Names().size(), 2U);
  EXPECT_EQ(Run(options).record["engine"], "rtl");
  EXPECT_EQ(Run(Vecadd()).record["engine"], "model");
}

TEST_F(StoredRunTest, AnyEngineTakesTheOtherOnesResultUnderItsName) {
  Run(Vecadd());
  RunOptions options = Vecadd();
  options.engine = Engine::kRtl;
  any_engine_ = true;
  const StoredRun found = Run(options);
  EXPECT_EQ(found.from_store, RtlDifference().empty());
  EXPECT_EQ(found.record["engine"], RtlDifference().empty() ? "model" : "rtl");
}

// Also where its bytes are whole: somebody's script has written it under this name.
TEST_F(StoredRunTest, AResultOfAnotherRunIsSetAsideAndComputedAgain) {
  const StoredRun computed = Run(Vecadd());
  const std::string name = store_.Names()[0];
  const StoredResult good = *store_.Get(name);
  for (const char* key : {"workload", "input_hash", "size", "machine", "config_hash", "policy",
                          "warp_scheduler", "prefetcher"}) {
    StoredResult other = good;
    other.record[key] = "another";
    store_.Put(name, other);
    said_.clear();
    const StoredRun again = Run(Vecadd());
    EXPECT_FALSE(again.from_store) << key;
    EXPECT_EQ(again.record["totals"], computed.record["totals"]);
    ASSERT_EQ(said_.size(), 1U) << key;
    EXPECT_THAT(said_[0], HasSubstr(std::string("is of another run (") + key + " differs)"));
  }
  StoredResult other = good;
  other.code = "0123";
  store_.Put(name, other);
  EXPECT_FALSE(Run(Vecadd()).from_store);
}

TEST_F(StoredRunTest, WhatWritesFilesOrChecksWhileItRunsGoesPastTheStore) {
  const auto storable = [](auto change) {
    RunOptions options = Vecadd();
    change(&options);
    return IsStorable(options);
  };
  EXPECT_TRUE(IsStorable(Vecadd()));
  EXPECT_FALSE(storable([](RunOptions* o) { o->wave.file = "w.fst"; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->dumps.push_back({"a", "f"}); }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->checkpoint = "c"; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->resume = "c"; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->detail = true; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->load_logs = true; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->check_races = true; }));
  EXPECT_FALSE(storable([](RunOptions* o) { o->engine = Engine::kLockstep; }));
}

TEST(ResultIdentity, ChangesWithAllThatChangesTheRecord) {
  std::set<std::string> names = {NameOf(Vecadd())};
  size_t count = 1;
  const auto differs = [&](auto change) {
    RunOptions options = Vecadd();
    change(&options);
    names.insert(NameOf(options));
    EXPECT_EQ(names.size(), ++count);
  };
  differs([](RunOptions* o) { o->size = "medium"; });
  differs([](RunOptions* o) { o->values = Values::kSlice; });
  differs([](RunOptions* o) { o->skip_checks = true; });
  differs([](RunOptions* o) { o->functional = true; });
  differs([](RunOptions* o) { o->engine = Engine::kRtl; });
  differs([](RunOptions* o) { o->machine.sm.l1.size_kib *= 2; });
  differs([](RunOptions* o) { o->machine.name = "other"; });
  differs([](RunOptions* o) { o->policy = "rb"; });
  differs([](RunOptions* o) { o->machine.sm.warp_scheduler = "ccws"; });
  differs([](RunOptions* o) { o->machine.sm.prefetcher = "caps"; });
  differs([](RunOptions* o) { o->cold_l2 = true; });
  differs([](RunOptions* o) { o->seed = 2; });
  differs([](RunOptions* o) { o->known_data = true; });
  differs([](RunOptions* o) { o->l1_fills = true; });
  differs([](RunOptions* o) { o->miss_classes = true; });
  differs([](RunOptions* o) { o->max_cycles = 5; });
  differs([](RunOptions* o) { o->max_instructions = 5; });
  differs([](RunOptions* o) { o->files["a"] = "x.bin"; });
  differs([](RunOptions* o) { o->files["b"] = "x.bin"; });
  EXPECT_NE(NameOf(Vecadd(), 2), NameOf(Vecadd(), 1));
}

TEST(ResultIdentity, IsTheSameForAllThreads) {
  RunOptions options = Vecadd();
  options.threads = 8;
  options.version = "another";
  EXPECT_EQ(NameOf(options), NameOf(Vecadd()));
}

}  // namespace stored_run_test
}  // namespace flagstone
