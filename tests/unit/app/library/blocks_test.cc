// Blocks through the C interface of the shared library, beside the same blocks inside.
#include <flagstone/blocks.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "systemc/cosim/block_registry.h"
#include "systemc/cosim/stimulus.h"

namespace flagstone {
namespace library_blocks_test {

using ::testing::HasSubstr;

// A block of the library; it fails the test where there is none.
class Made {
 public:
  explicit Made(const char* name, const char* parameters = "",
                flagstone_body body = FLAGSTONE_MODEL) {
    EXPECT_EQ(flagstone_create(name, parameters, body, &block_), FLAGSTONE_OK) << flagstone_error();
  }
  ~Made() { flagstone_destroy(block_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  operator flagstone_block*() const { return block_; }

 private:
  flagstone_block* block_ = nullptr;
};

// "NumSm=2 IdWidth=16" of a stimulus that says "# --param NumSm=2 --param IdWidth=16 --drain 2".
std::string ParametersOf(const std::string& stimulus) {
  std::istringstream words(stimulus.substr(0, stimulus.find('\n')));
  std::string parameters;
  for (std::string word; words >> word;) {
    if (word == "--param" && words >> word) parameters += word + " ";
  }
  return parameters;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// All lanes of a port in one word or several, as the library has them.
std::vector<uint64_t> WordsOfPort(const flagstone_port& port) {
  return std::vector<uint64_t>((port.width * port.lanes + 63) / 64, ~uint64_t{0});
}

// Bits [lane * width, + width) of a port's words, at most 64 of them.
uint64_t LaneOf(const std::vector<uint64_t>& words, const flagstone_port& port, uint32_t lane) {
  uint64_t value = 0;
  for (uint32_t bit = 0; bit < std::min(port.width, 64U); ++bit) {
    const uint32_t at = lane * port.width + bit;
    value |= (words[at / 64] >> (at % 64) & 1) << bit;
  }
  return value;
}

// Gives the block's inputs to the library, even ports by lanes, odd ones and wide lanes as words.
void CopyInputs(const AnyBlock& from, flagstone_block* to) {
  size_t count = 0;
  const flagstone_port* ports = flagstone_inputs(to, &count);
  ASSERT_EQ(count, from.inputs().size());
  for (uint32_t i = 0; i < count; ++i) {
    const flagstone_port& port = ports[i];
    if (i % 2 == 0 && port.width <= 64) {
      for (uint32_t lane = 0; lane < port.lanes; ++lane) {
        ASSERT_EQ(flagstone_set_lane(to, static_cast<int>(i), lane, from.Input(i, lane)[0]),
                  FLAGSTONE_OK);
      }
      continue;
    }
    std::vector<uint64_t> words = WordsOfPort(port);  // bits beyond the port are ignored
    for (uint32_t at = 0; at < port.width * port.lanes; ++at) {
      const uint32_t bit = at % port.width;
      const uint64_t value = from.Input(i, at / port.width)[bit / 64] >> (bit % 64) & 1;
      words[at / 64] = (words[at / 64] & ~(uint64_t{1} << (at % 64))) | value << (at % 64);
    }
    ASSERT_EQ(flagstone_set(to, static_cast<int>(i), words.data()), FLAGSTONE_OK);
  }
}

void ExpectOutputs(const AnyBlock& inside, const flagstone_block* block, const std::string& where) {
  size_t count = 0;
  const flagstone_port* ports = flagstone_outputs(block, &count);
  ASSERT_EQ(count, inside.outputs().size());
  for (uint32_t i = 0; i < count; ++i) {
    const flagstone_port& port = ports[i];
    std::vector<uint64_t> words = WordsOfPort(port);
    ASSERT_EQ(flagstone_get(block, static_cast<int>(i), words.data()), FLAGSTONE_OK);
    const uint32_t end = port.width * port.lanes % 64;
    if (end != 0) {
      EXPECT_EQ(words.back() >> end, 0U) << where << " " << port.name;
    }
    for (uint32_t lane = 0; lane < port.lanes; ++lane) {
      const uint64_t value = inside.Output(i, lane)[0];
      EXPECT_EQ(flagstone_lane(block, static_cast<int>(i), lane), value)
          << where << " " << port.name << " " << lane;
      EXPECT_EQ(LaneOf(words, port, lane), value) << where << " " << port.name << " " << lane;
    }
  }
}

TEST(LibraryBlocks, AnswerRecordedStimuliAsInside) {
  int blocks = 0;
  for (const BlockRow& row : BlockRows()) {
    const std::filesystem::path folder = std::filesystem::path("waves") / row.name;
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() != ".csv") continue;
      ++blocks;
      const std::string name(row.name), text = ReadFile(file.path());
      const std::string parameters = ParametersOf(text);
      const Made block(name.c_str(), parameters.c_str());
      const auto inside = row.make(ChooseParameters(row, Words(parameters)), Engine::kModel, {});
      const Stimulus stimulus = ParseStimulus(text, file.path().string(), inside->inputs());
      for (size_t cycle = 0; cycle < stimulus.rows + 4; ++cycle) {
        ApplyRow(stimulus, cycle, inside.get());
        CopyInputs(*inside, block);
        inside->Settle();
        ASSERT_EQ(flagstone_settle(block), FLAGSTONE_OK);
        ExpectOutputs(*inside, block, fmt::format("{} {}", file.path().string(), cycle));
        EXPECT_EQ(flagstone_idle(block) != 0, inside->Idle());
        inside->Tick();
        ASSERT_EQ(flagstone_tick(block), FLAGSTONE_OK);
      }
    }
  }
  EXPECT_GE(blocks, 20);
}

TEST(LibraryBlocks, AreThoseOfTheRegistryWithTheirParameters) {
  size_t count = 0;
  const flagstone_kind* kinds = flagstone_kinds(&count);
  ASSERT_EQ(count, BlockRows().size());
  for (size_t i = 0; i < count; ++i) {
    const BlockRow& row = BlockRows()[i];
    EXPECT_EQ(kinds[i].name, row.name);
    EXPECT_EQ(kinds[i].summary, row.summary);
    ASSERT_EQ(kinds[i].parameter_count, row.parameters.size());
    for (size_t p = 0; p < row.parameters.size(); ++p) {
      const flagstone_parameter& parameter = kinds[i].parameters[p];
      EXPECT_EQ(parameter.name, row.parameters[p].name);
      EXPECT_EQ(parameter.standard, row.parameters[p].standard);
      EXPECT_EQ(parameter.high, row.parameters[p].high);
      EXPECT_EQ(std::vector<uint32_t>(parameter.only, parameter.only + parameter.only_count),
                row.parameters[p].only);
    }
  }
}

TEST(LibraryBlocks, ShowARegistersOutputsAfterTheEdgeAndForgetThemInReset) {
  const Made fifo("fifo", "Width=8 Depth=4");
  const int push = flagstone_input(fifo, "push_i"), data = flagstone_input(fifo, "data_i");
  const int valid = flagstone_output(fifo, "valid_o"), front = flagstone_output(fifo, "data_o");
  flagstone_set_lane(fifo, push, 0, 1);
  flagstone_set_lane(fifo, data, 0, 0x1ff);  // of eight bits
  EXPECT_EQ(flagstone_lane(fifo, valid, 0), 0U);
  ASSERT_EQ(flagstone_tick(fifo), FLAGSTONE_OK);
  EXPECT_EQ(flagstone_lane(fifo, valid, 0), 1U);
  EXPECT_EQ(flagstone_lane(fifo, front, 0), 0xffU);
  ASSERT_EQ(flagstone_reset(fifo), FLAGSTONE_OK);
  EXPECT_EQ(flagstone_lane(fifo, valid, 0), 0U);
  ASSERT_EQ(flagstone_tick(fifo), FLAGSTONE_OK);  // inputs are zero again
  EXPECT_EQ(flagstone_lane(fifo, valid, 0), 0U);
}

TEST(LibraryBlocks, SayWhatIsWrongAndWhatWasExpected) {
  flagstone_block* block = nullptr;
  EXPECT_EQ(flagstone_create("fif", "", FLAGSTONE_MODEL, &block), FLAGSTONE_BAD_INPUT);
  EXPECT_THAT(flagstone_error(), HasSubstr("unknown block 'fif': expected one of paver"));
  EXPECT_EQ(flagstone_create("fifo", "Height=3", FLAGSTONE_MODEL, &block), FLAGSTONE_BAD_INPUT);
  EXPECT_THAT(
      flagstone_error(),
      HasSubstr("parameter 'Height=3': fifo has no such parameter, expected one of Width, Depth"));
  EXPECT_EQ(flagstone_create("fifo", "Depth=0", FLAGSTONE_MODEL, &block), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(flagstone_create(nullptr, "", FLAGSTONE_MODEL, &block), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(flagstone_create("fifo", "", static_cast<flagstone_body>(3), &block),
            FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(block, nullptr);
  const Made fifo("fifo");
  EXPECT_EQ(flagstone_input(fifo, "valid_o"), -1);
  EXPECT_STREQ(flagstone_error(), "no port 'valid_o': expected one of push_i data_i pop_i");
  uint64_t word = 0;
  EXPECT_EQ(flagstone_set(fifo, -1, &word), FLAGSTONE_BAD_INPUT);
  EXPECT_THAT(flagstone_error(), HasSubstr("port -1: expected 0 to 2"));
  EXPECT_EQ(flagstone_get(fifo, 2, &word), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(flagstone_set_lane(fifo, 1, 1, 0), FLAGSTONE_BAD_INPUT);
  EXPECT_STREQ(flagstone_error(), "lane 1 of data_i: expected 0 to 0");
  EXPECT_EQ(flagstone_lane(fifo, 0, 9), 0U);
  EXPECT_STREQ(flagstone_error(), "lane 9 of valid_o: expected 0 to 0");
}

TEST(LibraryBlocks, KeepATextForEachThread) {
  const Made fifo("fifo");
  flagstone_input(fifo, "here");
  std::thread([&] {
    EXPECT_STREQ(flagstone_error(), "");
    flagstone_input(fifo, "there");
    EXPECT_THAT(flagstone_error(), HasSubstr("'there'"));
  }).join();
  EXPECT_THAT(flagstone_error(), HasSubstr("'here'"));
}

TEST(LibraryBlocks, RunAsRtlAndInLockstepAndSayWhichAssertionsFail) {
  for (const flagstone_body body : {FLAGSTONE_RTL, FLAGSTONE_LOCKSTEP}) {
    const Made fifo("fifo", "Width=8 Depth=2", body);
    const int push = flagstone_input(fifo, "push_i");
    flagstone_set_lane(fifo, push, 0, 1);
    EXPECT_EQ(flagstone_tick(fifo), FLAGSTONE_OK);
    EXPECT_EQ(flagstone_lane(fifo, flagstone_output(fifo, "valid_o"), 0), 1U);
    EXPECT_EQ(flagstone_tick(fifo), FLAGSTONE_OK);
    EXPECT_EQ(flagstone_tick(fifo), FLAGSTONE_RUN_FAILED);  // a third one for two places
    EXPECT_STREQ(flagstone_error(), "fifo: an RTL assertion failed in cycle 2");
    EXPECT_EQ(flagstone_reset(fifo), FLAGSTONE_OK);
    flagstone_set_lane(fifo, push, 0, 1);
    EXPECT_EQ(flagstone_tick(fifo), FLAGSTONE_OK);
  }
}

TEST(LibraryBlocks, NeedVerilatorForTheirRtlAlone) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  flagstone_block* block = nullptr;
  EXPECT_EQ(flagstone_create("fifo", "Depth=3", FLAGSTONE_RTL, &block), FLAGSTONE_INTERNAL);
  EXPECT_THAT(flagstone_error(), HasSubstr("install the package 'verilator'"));
  const Made model("fifo", "Depth=3");
  setenv("PATH", path.c_str(), 1);
}

TEST(LibraryBlocks, SayWhichInterfaceTheyHave) {
  EXPECT_EQ(flagstone_abi(), FLAGSTONE_BLOCKS_ABI);
  EXPECT_THAT(flagstone_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace library_blocks_test
}  // namespace flagstone
