// docs/own_kernel.md as a reader follows it: its kernel and its launch are taken from the page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace own_kernel_test {

using ::testing::HasSubstr;

// The first block of the page in a language.
std::string BlockOf(const std::string& page, const std::string& language) {
  const size_t fence = page.find("```" + language + "\n");
  if (fence == std::string::npos) return "";
  const size_t begin = page.find('\n', fence) + 1;
  return page.substr(begin, page.find("```", begin) - begin);
}

class OwnKernel : public testing::Test {
 protected:
  void SetUp() override {
    const char* const needs = "command -v clang++-14 && ls /usr/lib/clc/nvptx64--nvidiacl.bc";
    if (RunShell(needs).exit_code != 0) GTEST_SKIP() << "there is no clang++-14, or no libclc-14";
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_.File(name)) << text;
  }
  void Compile(const std::string& name) {
    const CommandResult result = RunShell("workloads/compile " + scratch_.File(name));
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  ScratchFolder scratch_;
};

TEST_F(OwnKernel, GoesFromCudaToAComparisonAsThePageSays) {
  const std::string page = ReadFile("docs/own_kernel.md");
  Write("stencil5.cu", BlockOf(page, "cuda"));
  Write("workload.toml", BlockOf(page, "toml") +
                             "[size.test]\nbuffer.in.count = 4096\nbuffer.out.count = 4096\n"
                             "[[size.test.launch]]\ngrid = [2, 8]\n"
                             "args = [\"in\", \"out\", { s32 = 64 }]\n");
  Compile("stencil5.cu");
  const std::string folder = scratch_.path().string();
  const std::string dump = " --dump-buffer out=" + scratch_.File("out.bin");
  const CommandResult run = RunFlagstone("run " + folder + " --functional" + dump);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(RunFlagstone("analyze " + folder).exit_code, 0);
  const CommandResult compared =
      RunFlagstone("compare " + folder +
                   " --policy lrr,rb --machine tiny --engine model -q --set sm.count=3 "
                   "--set 'sm.warp_scheduler=gto' --csv " +
                   scratch_.File("r.csv"));
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  const std::string csv = ReadFile(scratch_.File("r.csv"));
  EXPECT_THAT(csv, HasSubstr("size,machine,settings,policy"));
  EXPECT_THAT(csv, HasSubstr("test,tiny,sm.count=3 sm.warp_scheduler=gto,rb"));
}

// What the kit has beyond instructions, against the host's library.
TEST_F(OwnKernel, FindsDoubleFunctionsShufflesAndPrintfInTheKit) {
  Write("k.cu", R"(extern "C" __global__ void k(const double* a, double* d, double* sum) {
  const int i = threadIdx.x;
  const double x = __ldg(&a[i]);
  double* const row = d + 12 * i;
  row[0] = exp(x);
  row[1] = log(fabs(x));
  row[2] = pow(1.5, x);
  row[3] = sin(x);
  row[4] = cos(x);
  row[5] = tanh(x);
  row[6] = floor(x);
  row[7] = fmax(x, 1.0);
  row[8] = rsqrt(x * x);
  row[9] = __shfl_xor_sync(0xffffffff, x, 1);
  row[10] = __shfl_sync(0xffffffff, i, 3, 8);
  row[11] = __shfl_down_sync(0xffffffff, (long long)i << 33, 2, 16);
  atomicAdd(sum, 0.5);
  if (i == 7) printf("x[%d] is %.3f, %s\n", i, x, "as it was");
}
)");
  Write("workload.toml", R"(name = "k"
[buffer.a]
type = "f64"
count = 256
fill = "uniform"
min = -20.0
max = 20.0
[buffer.d]
type = "f64"
count = 3072
fill = "zero"
[buffer.sum]
type = "f64"
count = 1
fill = "zero"
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = [1]
block = [256]
args = ["a", "d", "sum"]
)");
  Compile("k.cu");
  const auto dump = [&](const char* name) {
    return std::string(" --dump-buffer ") + name + "=" + scratch_.File(name);
  };
  const CommandResult run = RunFlagstone("run " + scratch_.path().string() + " --functional" +
                                         dump("a") + dump("d") + dump("sum"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto doubles = [&](const char* name) {
    const std::string bytes = ReadFile(scratch_.File(name));
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const std::vector<double> a = doubles("a"), d = doubles("d");
  const auto near = [](double got, double expected, double units, const char* what) {
    EXPECT_LE(std::fabs(got - expected), units * 0x1p-52 * std::fabs(expected)) << what;
  };
  for (size_t i = 0; i < 256; ++i) {
    const double x = a[i];
    const double* const row = &d[12 * i];
    near(row[0], std::exp(x), 3, "exp");
    EXPECT_NEAR(row[1], std::log(std::fabs(x)), 9e-16) << x;
    near(row[2], std::pow(1.5, x), 12, "pow");
    EXPECT_NEAR(row[3], std::sin(x), 3e-16) << x;
    EXPECT_NEAR(row[4], std::cos(x), 3e-16) << x;
    EXPECT_NEAR(row[5], std::tanh(x), 4e-16) << x;
    EXPECT_EQ(row[6], std::floor(x));
    EXPECT_EQ(row[7], std::fmax(x, 1.0));
    near(row[8], 1 / std::fabs(x), 2, "rsqrt");
    EXPECT_EQ(row[9], a[i ^ 1]);
    EXPECT_EQ(row[10], static_cast<double>((i & ~size_t{7}) + 3));
    const size_t lane = i % 16 + 2 < 16 ? i + 2 : i;
    EXPECT_EQ(row[11], static_cast<double>(lane << 33));
  }
  EXPECT_EQ(doubles("sum")[0], 128.0);
  EXPECT_THAT(run.err, HasSubstr("x[7] is "));
}

}  // namespace own_kernel_test
}  // namespace flagstone
