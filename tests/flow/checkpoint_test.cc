// A run that is broken off between launches and taken up again gives the result of one that was
// not; a checkpoint that is damaged or of another run is refused in one line.
#include "flow/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "flow/json.h"

namespace flagstone {
namespace {

class Checkpoint : public testing::Test {
 protected:
  Checkpoint() {
    request_.workload = "hotspot";
    request_.machine = MachineConfig::Load("tiny", {});
    request_.policy = &FindPolicy("rb");
    request_.engine = Engine::kModel;
    request_.version = "1";
  }
  ~Checkpoint() override { std::filesystem::remove(file_); }

  static std::string Bytes(const RunResult& result) {
    Json json = ToJson(result, "1", "");
    json.erase("host");
    return json.dump();
  }

  // Ends the run as its second launch begins.
  void BreakOff() {
    RunRequest request = request_;
    request.checkpoint = file_;
    request.progress = [](const Progress& progress) {
      if (progress.launch == 1) throw Error(ErrorKind::kRunFailed, "broken off");
    };
    EXPECT_THROW(RunWorkload(request), Error);
    ASSERT_TRUE(std::filesystem::exists(file_));
  }

  std::string RefusalOf(RunRequest request) {
    request.resume = file_;
    try {
      RunWorkload(request);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  void ExpectRefusal(const RunRequest& request, const std::string& expected) {
    const std::string message = RefusalOf(request);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_NE(message.find(file_), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }

  RunRequest request_;
  const std::string file_ = testing::TempDir() + "/checkpoint-" + std::to_string(getpid());
};

TEST_F(Checkpoint, AResumedRunGivesTheSameBytes) {
  const std::string whole = Bytes(RunWorkload(request_));
  BreakOff();
  RunRequest request = request_;
  request.resume = file_;
  EXPECT_EQ(Bytes(RunWorkload(request)), whole);
  // Saved again after each further launch, also into the same file; the last one runs nothing more.
  request.checkpoint = file_;
  EXPECT_EQ(Bytes(RunWorkload(request)), whole);
  EXPECT_EQ(Bytes(RunWorkload(request)), whole);
}

TEST_F(Checkpoint, GoesOnWhereAFlagDecidesHowOftenALaunchIsRepeated) {
  request_.workload = "bfs";
  request_.policy = &FindPolicy("lrr");
  const std::string whole = Bytes(RunWorkload(request_));
  BreakOff();
  request_.resume = file_;
  EXPECT_EQ(Bytes(RunWorkload(request_)), whole);
}

TEST_F(Checkpoint, OfAnotherRunIsRefused) {
  BreakOff();
  RunRequest other = request_;
  other.workload = "vecadd";
  ExpectRefusal(other, "another workload");
  other = request_;
  other.size = "paper";
  ExpectRefusal(other, "another workload, size or input");
  other = request_;
  other.policy = &FindPolicy("lrr");
  ExpectRefusal(other, "another machine, policy");
  other = request_;
  other.machine = MachineConfig::Load("tiny", {"sm.l1.hit_latency=30"});
  ExpectRefusal(other, "another machine");
  other = request_;
  other.engine = Engine::kRtl;
  ExpectRefusal(other, "another engine");
  other = request_;
  other.version = "2";
  ExpectRefusal(other, "another version");
}

TEST_F(Checkpoint, ADamagedFileIsRefusedWhereverItIsCutOrChanged) {
  BreakOff();
  const std::string bytes = ReadFile(file_);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{100}, bytes.find('\n'),
                            bytes.find('\n') + 1, bytes.size() / 2, bytes.size() - 1}) {
    WriteFileAtomically(file_, bytes.substr(0, size));
    ExpectRefusal(request_, "is no whole checkpoint");
  }
  std::string changed = bytes;
  changed[bytes.size() / 2] = static_cast<char>(changed[bytes.size() / 2] ^ 1);
  WriteFileAtomically(file_, changed);
  ExpectRefusal(request_, "is no whole checkpoint");
  WriteFileAtomically(file_, bytes + "x");
  ExpectRefusal(request_, "is no whole checkpoint");
  changed = bytes;
  changed.replace(changed.find("checkpoint/1"), 12, "checkpoint/9");
  WriteFileAtomically(file_, changed);
  ExpectRefusal(request_, "expected flagstone.checkpoint/1");
  std::filesystem::remove(file_);
  ExpectRefusal(request_, "cannot read");
}

}  // namespace
}  // namespace flagstone
