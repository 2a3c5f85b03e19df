// Every instruction of tests/unit/kernels/ptx/data/instruction_tiers.txt, which lists what real
// kernels use: those of tiers 1 to 4 are decoded for execution, those of tier 5 are read and
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace instruction_tiers_test {

struct Listed {
  int tier = 0;
  std::string text;  // "add.f32 %f1, %f2, %f3;"
};

std::vector<Listed> ReadList() {
  std::istringstream lines(ReadFile("tests/unit/kernels/ptx/data/instruction_tiers.txt"));
  std::vector<Listed> list;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Listed listed;
    std::array<int, 3> kernels = {};  // that hold it: of the papers, of the suites, of all
    fields >> listed.tier >> kernels[0] >> kernels[1] >> kernels[2] >> std::ws;
    std::getline(fields, listed.text);
    list.push_back(listed);
  }
  return list;
}

std::unique_ptr<ptx::Module> ModuleWith(const std::string& instruction) {
  return ptx::Parse(
      ".version 8.0 .target sm_90 .address_size 64 .global .texref image; .const .b64 table[4];\n"
      ".func f { ret; } .entry k(.param .align 8 .b64 buffer) { .reg .pred %p<8>; .reg .b16 %rs<8>;"
      ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>; .shared .align 16 .b8 "
      "tile[64]; .local .align 16 .b8 depot[64]; .param .b64 argument;\nL:\n" +
          instruction + "\nret; }",
      "k.ptx");
}

TEST(InstructionTiers, AreAllListed) {
  std::array<int, 6> count = {};
  for (const Listed& listed : ReadList()) ++count.at(static_cast<size_t>(listed.tier));
  EXPECT_EQ(count, (std::array<int, 6>{0, 256, 149, 39, 16, 23}));
}

TEST(InstructionTiers, AreExecuted) {
  std::array<int, 6> supported = {};
  std::array<int, 6> listed_in = {};
  for (const Listed& listed : ReadList()) {
    const auto tier = static_cast<size_t>(listed.tier);
    ++listed_in.at(tier);
    try {
      const auto module = ModuleWith(listed.text);
      KernelLaunch launch;
      launch.module = module.get();
      launch.kernel = module->kernels[0].get();
      launch.parameters.resize(launch.kernel->parameter_bytes);
      launch.symbols = {{"table", MemoryLayout().base}, {"image", MemoryLayout().base}};
      const Program program(launch);
      EXPECT_EQ(program.size(), launch.kernel->instructions.size());
      ++supported.at(tier);
    } catch (const Error& error) {
      ADD_FAILURE() << listed.text << "\n  " << error.what();
    }
  }
  for (size_t tier = 1; tier < 6; ++tier) {
    std::printf("tier %zu: %d of %d supported\n", tier, supported.at(tier), listed_in.at(tier));
  }
}

}  // namespace instruction_tiers_test
}  // namespace flagstone
