// A run that is broken off between launches and taken up again gives the result of one that was
// not; a checkpoint that is damaged or of another run is refused in one line.
#include "app/flow/run/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "app/flow/run/run.h"
#include "app/results/run_json.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace checkpoint_test {

class Checkpoint : public testing::Test {
 protected:
  Checkpoint() {
    options_.workload = "hotspot";
    options_.machine = MachineConfig::Load("tiny", {});
    options_.policy = "rb";
    options_.engine = Engine::kModel;
    options_.version = "1";
  }
  ~Checkpoint() override { std::filesystem::remove(file_); }

  static std::string Bytes(const RunRecord& result) {
    Json json = ToJson(result, "1", "");
    json.erase("host");
    return json.dump();
  }

  // Ends the run as its second launch begins.
  void BreakOff() {
    RunOptions options = options_;
    options.checkpoint = file_;
    options.progress = [](const Progress& progress) {
      if (progress.launch == 1) throw Error(ErrorKind::kRunFailed, "broken off");
    };
    EXPECT_THROW(RunWorkload(options), Error);
    ASSERT_TRUE(std::filesystem::exists(file_));
  }

  std::string RefusalOf(RunOptions options) {
    options.resume = file_;
    try {
      RunWorkload(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  void ExpectRefusal(const RunOptions& options, const std::string& expected) {
    const std::string message = RefusalOf(options);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_NE(message.find(file_), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }

  RunOptions options_;
  const std::string file_ = testing::TempDir() + "/checkpoint-" + std::to_string(getpid());
};

TEST_F(Checkpoint, AResumedRunGivesTheSameBytes) {
  const std::string whole = Bytes(RunWorkload(options_));
  BreakOff();
  RunOptions options = options_;
  options.resume = file_;
  EXPECT_EQ(Bytes(RunWorkload(options)), whole);
  // Saved again after each further launch, also into the same file; the last one runs nothing more.
  options.checkpoint = file_;
  EXPECT_EQ(Bytes(RunWorkload(options)), whole);
  EXPECT_EQ(Bytes(RunWorkload(options)), whole);
}

TEST_F(Checkpoint, GoesOnWhereAFlagDecidesHowOftenALaunchIsRepeated) {
  options_.workload = "bfs";
  options_.policy = "lrr";
  const std::string whole = Bytes(RunWorkload(options_));
  BreakOff();
  options_.resume = file_;
  EXPECT_EQ(Bytes(RunWorkload(options_)), whole);
}

TEST_F(Checkpoint, KeepsThePagesOfTheNodesWhereTheyAre) {
  options_.machine = MachineConfig::Load("tiny_numa", {});
  options_.policy = "batch-ft:tbs=2";
  const std::string whole = Bytes(RunWorkload(options_));
  BreakOff();
  options_.resume = file_;
  EXPECT_EQ(Bytes(RunWorkload(options_)), whole);
}

// What each launch finds there takes part in its cycles: without it the figures would be others.
TEST_F(Checkpoint, HoldsTheCachesThatTheMachineKeeps) {
  for (const std::string key : {"l2.between_launches", "sm.read_only_caches"}) {
    options_.machine = MachineConfig::Load("fermi", {key + "=invalidate"});
    const uint64_t emptied = RunWorkload(options_).totals.cycles;
    options_.machine = MachineConfig::Load("fermi", {key + "=keep"});
    const RunRecord kept = RunWorkload(options_);
    EXPECT_NE(kept.totals.cycles, emptied) << key;
    BreakOff();
    RunOptions options = options_;
    options.resume = file_;
    EXPECT_EQ(Bytes(RunWorkload(options)), Bytes(kept)) << key;
  }
}

TEST_F(Checkpoint, OfAnotherRunIsRefused) {
  BreakOff();
  RunOptions other = options_;
  other.workload = "vecadd";
  ExpectRefusal(other, "another workload");
  other = options_;
  other.size = "paper";
  ExpectRefusal(other, "another workload, size or input");
  other = options_;
  other.policy = "lrr";
  ExpectRefusal(other, "another machine, policy");
  other = options_;
  other.machine = MachineConfig::Load("tiny", {"sm.l1.hit_latency=30"});
  ExpectRefusal(other, "another machine");
  other = options_;
  other.engine = Engine::kRtl;
  ExpectRefusal(other, "another engine");
  other = options_;
  other.version = "2";
  ExpectRefusal(other, "another version");
}

TEST_F(Checkpoint, ADamagedFileIsRefusedWhereverItIsCutOrChanged) {
  BreakOff();
  const std::string bytes = ReadFile(file_);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{100}, bytes.find('\n'),
                            bytes.find('\n') + 1, bytes.size() / 2, bytes.size() - 1}) {
    WriteFileAtomically(file_, bytes.substr(0, size));
    ExpectRefusal(options_, "is no whole checkpoint");
  }
  std::string changed = bytes;
  changed[bytes.size() / 2] = static_cast<char>(changed[bytes.size() / 2] ^ 1);
  WriteFileAtomically(file_, changed);
  ExpectRefusal(options_, "is no whole checkpoint");
  WriteFileAtomically(file_, bytes + "x");
  ExpectRefusal(options_, "is no whole checkpoint");
  changed = bytes;
  changed.replace(changed.find("checkpoint/3"), 12, "checkpoint/9");
  WriteFileAtomically(file_, changed);
  ExpectRefusal(options_, "expected flagstone.checkpoint/3");
  std::filesystem::remove(file_);
  ExpectRefusal(options_, "cannot read");
}

}  // namespace checkpoint_test
}  // namespace flagstone
