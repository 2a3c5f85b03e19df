// Loops of launches: which launches run, in which order, until when.
#include "kernels/launch/launch_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels/ptx/kernel.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace launch_sequence_test {

constexpr std::string_view kPtx = R"(.version 3.2
.target sm_35
.address_size 64
.visible .entry a() { ret; }
.visible .entry b() { ret; }
.visible .entry c() { ret; }
)";

constexpr std::string_view kHead = R"(name = "demo"
[buffer.data]
type = "f32"
count = 4
fill = "zero"
[buffer.flag]
type = "u16"
count = 2
fill = "constant"
value = 5
)";

// A [[launch]] of kernel `entry` with further keys.
std::string Launch(const std::string& entry, const std::string& keys = "") {
  return "[[launch]]\nptx = 'k.ptx'\nentry = '" + entry +
         "'\ngrid = [1]\nblock = [1]\nargs = []\n" + keys + "\n";
}

class LaunchSequenceTest : public testing::Test {
 protected:
  LaunchSequenceTest() { folder_.Write("k.ptx", kPtx); }

  Workload Load(const std::string& launches) {
    return Workload::Load(folder_.Write("w.toml", std::string(kHead) + launches), "test");
  }
  // The kernels that run, where each run of `setter` sets the flag, the first `rounds` times.
  std::string Order(const std::string& launches, char setter = 0, int rounds = 0) {
    const Workload workload = Load(launches);
    BoundWorkload bound = Bind(workload);
    LaunchSequence sequence(&bound);
    std::string order;
    while (const KernelLaunch* launch = sequence.Next()) {
      order += launch->kernel->name;
      flags_ += Flag(bound) == 0 ? '0' : '1';
      if (launch->kernel->name[0] == setter && rounds-- > 0) SetFlag(bound);
    }
    EXPECT_EQ(sequence.Next(), nullptr) << "the end is final";
    return order;
  }
  std::string Message(const std::string& launches) {
    std::string message = BadInputMessage([&] { Load(launches); });
    const std::string folder = folder_.path().string() + "/";
    EXPECT_TRUE(message.starts_with(folder)) << message;
    return message.substr(std::min(folder.size(), message.size()));
  }

  static uint16_t Flag(const BoundWorkload& bound) {
    uint16_t flag = 0;
    std::memcpy(&flag, bound.memory.At(bound.memory.Named("flag").address), sizeof(flag));
    return flag;
  }
  static void SetFlag(BoundWorkload& bound) {
    const uint16_t flag = 0x100;  // not 0 only in its second byte
    std::memcpy(bound.memory.At(bound.memory.Named("flag").address), &flag, sizeof(flag));
  }

  TemporaryFolder folder_;
  std::string flags_;  // what the flag was when each launch began
};

TEST_F(LaunchSequenceTest, RunsLaunchesInOrderAndRepeatsEach) {
  EXPECT_EQ(Order(Launch("a") + Launch("b", "repeat = 3") + Launch("c")), "abbbc");
}

TEST_F(LaunchSequenceTest, RepeatsTheLaunchesOfALoopInTurn) {
  EXPECT_EQ(Order(Launch("c") + Launch("a", "loop = 'l'") + Launch("b", "loop = 'l'\nrepeat = 2") +
                  Launch("c")),
            "cababc");
}

TEST_F(LaunchSequenceTest, RepeatsUntilTheFlagIsZeroAfterALaunch) {
  EXPECT_EQ(Order(Launch("a", "until_zero = 'flag'") + Launch("b"), 'a', 3), "aaaab");
  EXPECT_EQ(flags_, "00000") << "set to 0 before each round";
}

TEST_F(LaunchSequenceTest, RepeatsALoopUntilTheFlagIsZeroAfterItsLastLaunch) {
  const std::string loop =
      Launch("a", "loop = 'l'") + Launch("b", "loop = 'l'\nuntil_zero = 'flag'");
  EXPECT_EQ(Order(loop, 'b', 2), "ababab");
  EXPECT_EQ(flags_, "000000");
  flags_.clear();
  EXPECT_EQ(Order(loop, 'a', 1), "abab");
  EXPECT_EQ(flags_, "0100") << "set to 0 before a round, not before each launch of it";
}

TEST_F(LaunchSequenceTest, SetsOnlyTheFlagsFirstElementToZero) {
  const Workload workload = Load(Launch("a", "until_zero = 'flag'"));
  BoundWorkload bound = Bind(workload);
  LaunchSequence sequence(&bound);
  sequence.Next();
  uint16_t flags[2];
  std::memcpy(flags, bound.memory.At(bound.memory.Named("flag").address), sizeof(flags));
  EXPECT_EQ(flags[0], 0);
  EXPECT_EQ(flags[1], 5);
}

TEST_F(LaunchSequenceTest, FailsARunWhoseFlagNeverFalls) {
  try {
    Order(Launch("a", "until_zero = 'flag'\nrepeat = 7"), 'a', 1000);
    FAIL() << "should not end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_EQ(
        std::string(error.what()),
        (folder_.path() / "w.toml").string() +
            ":11:1: 'a' repeats without end: the first element of 'flag' is still not 0 after "
            "7 rounds (key 'repeat' sets how many there may be)");
  }
  EXPECT_EQ(flags_.size(), 7U);
}

TEST_F(LaunchSequenceTest, SaysWhetherSeveralLaunchesMayRun) {
  EXPECT_FALSE(Bind(Load(Launch("a"))).RunsSeveral());
  EXPECT_TRUE(Bind(Load(Launch("a", "repeat = 2"))).RunsSeveral());
  EXPECT_TRUE(Bind(Load(Launch("a", "until_zero = 'flag'"))).RunsSeveral());
  EXPECT_TRUE(Bind(Load(Launch("a") + Launch("b"))).RunsSeveral());
}

TEST_F(LaunchSequenceTest, RejectsLoopsThatHaveNoMeaning) {
  EXPECT_EQ(Message(Launch("a", "until_zero = 'flg'")),
            "w.toml:11:1: until_zero names the unknown buffer 'flg': expected one of data, flag");
  EXPECT_EQ(
      Message(Launch("a", "until_zero = 'data'")),
      "w.toml:11:1: until_zero names buffer 'data' of 4 f32: expected integers, at least one");
  EXPECT_EQ(
      Message(Launch("a", "loop = 'l'")),
      "w.toml:11:1: loop 'l' has no end: expected 'repeat' or 'until_zero' in its last launch");
  EXPECT_EQ(
      Message(Launch("a", "loop = 'l'\nrepeat = 2") + Launch("b", "loop = 'l'\nrepeat = 2")),
      "w.toml:11:1: key 'repeat' in a launch of loop 'l' that is not its last: expected it in "
      "the last");
  EXPECT_EQ(Message(Launch("a", "loop = 'l'\nrepeat = 2") + Launch("b") +
                    Launch("c", "loop = 'l'\nrepeat = 2")),
            "w.toml:26:1: loop 'l' goes on after other launches: expected its launches together");
}

// A buffer that comes before the second launch, in the place of one that goes, and what the host
// writes.
constexpr std::string_view kComesAndGoes = R"([buffer.early]
type = "u8"
count = 256
fill = "zero"
address = 0x110000000
until = 1
[buffer.late]
type = "u8"
count = 100
fill = "constant"
value = 9
address = 0x110000000
from = 1
)";

TEST_F(LaunchSequenceTest, BuffersComeAndGoAndTheHostWritesBetweenLaunches) {
  folder_.Write("two.bin", "ab");
  const Workload workload =
      Load(std::string(kComesAndGoes) + Launch("a") +
           Launch("b", "write = [{ to = 'late', offset = 3, file = 'two.bin' }]"));
  BoundWorkload bound = Bind(workload);
  LaunchSequence sequence(&bound);
  ASSERT_NE(sequence.Next(), nullptr);
  EXPECT_EQ(bound.memory.Named("early").size, 256U);
  EXPECT_THROW(bound.memory.Named("late"), Error);
  ASSERT_NE(sequence.Next(), nullptr);
  EXPECT_THROW(bound.memory.Named("early"), Error);
  const auto late = bound.memory.Bytes(bound.memory.Named("late"));
  EXPECT_EQ(late[2], std::byte{9});
  EXPECT_EQ(late[3], std::byte{'a'});
  EXPECT_EQ(late[4], std::byte{'b'});
  EXPECT_EQ(late[5], std::byte{9});

  // Where a checkpoint goes on, the buffers are those of that place.
  BoundWorkload again = Bind(workload);
  LaunchSequence resumed(&again);
  resumed.Resume({1, 1, 0});
  EXPECT_EQ(again.memory.Named("late").address, 0x110000000U);
  EXPECT_EQ(resumed.Next(), nullptr);
}

TEST_F(LaunchSequenceTest, WrongStepsOfTheHostAreNamed) {
  const std::string buffers(kComesAndGoes);
  EXPECT_THAT(Message(buffers + Launch("a")), testing::HasSubstr("[buffer.early] is there from"));
  EXPECT_THAT(Message(buffers + Launch("a") + Launch("b", "repeat = 2")),
              testing::HasSubstr("no launch that repeats"));
  folder_.Write("two.bin", "ab");
  EXPECT_THAT(
      Message(buffers + Launch("a", "write = [{ to = 'late', file = 'two.bin' }]") + Launch("b")),
      testing::HasSubstr("when buffer 'late' is not there"));
}

}  // namespace launch_sequence_test
}  // namespace flagstone
