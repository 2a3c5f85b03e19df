// Runs the contract tests that are linked with it on mapped netlists in the RTL's place: alone, and
// in lockstep with the golden models.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "gpu_model/blocks/all/all_blocks.h"
#include "systemc/cosim/block_factory.h"
#include "tests/blocks/gate_level/netlists.h"

namespace flagstone {
namespace {

// Each block as a small netlist, for some of the parameters that the tests ask for; with the others
// it is run as RTL. With FLAGSTONE_NETLISTS=all, which takes hours, all are netlists, mapped as
// `flagstone synth` maps them. A RAM stands for the prefetcher's flip-flops, since it is made
// faster: nothing of it shows outside.
class GateLevelEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    const char* asked = std::getenv("FLAGSTONE_NETLISTS");
    all_ = asked != nullptr && std::string_view(asked) == "all";
    for (const BlockDescriptor* block : BlockDescriptors()) {
      if (block->netlist.empty()) continue;
      netlists_[fmt::format("{} {}", block->name, block->netlist)].ram = block->netlist_with_ram;
    }
    SubstituteRtl([this](const std::string& top, const RtlParameters& parameters) {
      return Find(top, parameters);
    });
  }
  void TearDown() override {
    SubstituteRtl(nullptr);
    for (const auto& [name, netlist] : netlists_) {
      std::printf("%s: %u times, made in %.1f s\n", name.c_str(), netlist.uses, netlist.seconds);
      if (testing::GTEST_FLAG(filter) == "*") {
        EXPECT_GT(netlist.uses, 0u) << name;
      }
    }
  }

 private:
  struct Made {
    bool ram = false;
    const BlockAbi* abi = nullptr;
    uint32_t uses = 0;
    double seconds = 0;
  };

  const BlockAbi* Find(const std::string& top, RtlParameters parameters) {
    const std::string name = fmt::format("{} {}", top, ToString(parameters));
    if (!all_ && !netlists_.contains(name)) return nullptr;
    Made& netlist = netlists_[name];
    ++netlist.uses;
    if (netlist.abi != nullptr) return netlist.abi;
    const auto start = std::chrono::steady_clock::now();
    if (netlist.ram && !all_) parameters.back().value = 2;  // Style
    netlist.abi = &VerilateNetlist(top, parameters, all_);
    netlist.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return netlist.abi;
  }

  bool all_ = false;
  std::map<std::string, Made> netlists_;
};

const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new GateLevelEnvironment);

}  // namespace
}  // namespace flagstone
