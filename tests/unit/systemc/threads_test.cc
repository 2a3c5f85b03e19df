// The number of threads that the SMs are split over, and the order in which SMs sample, change
// nothing: statistics, memory, text and errors are those of one thread.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace threads_test {

// With barriers and shared memory (matmul, reduction_k6), atomics (histo, tpacf, bfs_relax), data
// that SMs race to read and write (bfs_relax), several launches (hotspot).
const char* const kWorkloads[] = {"matmul",       "syrk",  "spmv",  "hotspot",
                                  "reduction_k6", "histo", "tpacf", "bfs_relax"};

void ExpectSame(const RunOutcome& expected, const RunOutcome& actual) {
  EXPECT_EQ(Difference(actual.statistics, expected.statistics), "");
  EXPECT_EQ(actual.memory_hash, expected.memory_hash);
}

class Threads : public testing::TestWithParam<const char*> {};

TEST_P(Threads, GiveTheSameStatisticsAndMemoryWhateverTheirNumber) {
  for (const char* machine : {"fermi", "volta"}) {
    for (const TbSchedulerDescriptor* tb_scheduler :
         {FindTbScheduler("lrr"), FindTbScheduler("paver")}) {
      TestOptions options;
      options.machine_name = machine;
      options.tb_scheduler = tb_scheduler;
      options.engine = Engine::kModel;
      const RunOutcome one = RunOn(GetParam(), options);
      for (const CheckResult& check : one.checks) EXPECT_TRUE(check.passed) << check.buffer;
      for (const uint32_t threads : {2U, 3U, 5U}) {
        SCOPED_TRACE(std::string(machine) + ", threads: " + std::to_string(threads));
        options.threads = threads;
        ExpectSame(one, RunOn(GetParam(), options));
      }
    }
  }
}

TEST_P(Threads, TheOrderInWhichSmsSampleChangesNothing) {
  TestOptions options;
  options.machine_name = "fermi";
  const RunOutcome forward = RunOn(GetParam(), options);
  options.force_reverse_samples = true;
  ExpectSame(forward, RunOn(GetParam(), options));
}

INSTANTIATE_TEST_SUITE_P(Workloads, Threads, testing::ValuesIn(kWorkloads),
                         [](const auto& workload) { return std::string(workload.param); });

TEST(ThreadsOfAMachine, GiveTheSameWithoutSkippingAndWithRtl) {
  TestOptions options;
  options.machine_name = "fermi";
  const RunOutcome one = RunOn("syrk", options);
  options.threads = 2;
  options.force_every_tick = true;
  ExpectSame(one, RunOn("syrk", options));
  options.force_every_tick = false;
  options.engine = Engine::kRtl;
  ExpectSame(one, RunOn("syrk", options));
}

// Kernels of 60 TBs on 15 SMs, so that several SMs fail or print in the same cycle.
class ThreadsOfAKernel : public testing::Test {
 protected:
  struct Outcome {
    std::string error;
    std::string printed;
    bool operator==(const Outcome&) const = default;
  };

  static Outcome Run(const std::string& body, uint32_t threads) {
    KernelRun run = KernelRun::FromText(
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
        ".param .b64 c);\n"
        ".global .b8 format[7] = {84, 66, 32, 37, 100, 10};\n"
        ".global .b8 small[6] = {105, 32, 60, 32, 52};\n"
        ".entry k(.param .u64 out) {\n"
        ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; .local .b32 args[1];\n"
        "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
        "st.local.u32 [args], %r1;\nsetp.ne.u32 %p1, %r2, 0;\n"
        "mov.u64 %rd2, format;\ncvta.global.u64 %rd2, %rd2;\nmov.u64 %rd3, args;\n"
        "cvta.local.u64 %rd3, %rd3;\nmov.u64 %rd4, small;\ncvta.global.u64 %rd4, %rd4;\n" +
            body + "\nret;\n}\n",
        {60, 1, 1}, {64, 1, 1});
    run.Buffer("out", std::vector<uint32_t>(64));
    // With ideal fetch of constants all SMs are at the same place in the same cycle.
    SimulateOptions options;
    options.machine = MachineConfig::Load(
        "fermi", {"sm.const_cache.size_kib=0", "sm.instruction_cache.size_kib=0"});
    options.engine = Engine::kModel;
    options.threads = threads;
    LaunchRequest request;
    request.launch = &run.launch();
    request.memory = &run.memory();
    Outcome outcome;
    testing::internal::CaptureStderr();
    try {
      Simulate(options, request);
    } catch (const Error& error) {
      outcome.error = error.what();
    }
    outcome.printed = testing::internal::GetCapturedStderr();
    return outcome;
  }

  static Outcome SameForAll(const std::string& body) {
    const Outcome one = Run(body, 1);
    for (const uint32_t threads : {2U, 3U, 5U}) {
      for (int i = 0; i < 5; ++i) {
        const Outcome other = Run(body, threads);
        EXPECT_EQ(other.error, one.error) << threads;
        EXPECT_EQ(other.printed, one.printed) << threads;
      }
    }
    return one;
  }
};

TEST_F(ThreadsOfAKernel, PrintInTheOrderOfTheSms) {
  const Outcome outcome = SameForAll("@%p1 bra END;\ncall (%r3), vprintf, (%rd2, %rd3);\nEND:");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(std::count(outcome.printed.begin(), outcome.printed.end(), '\n'), 60);
}

TEST_F(ThreadsOfAKernel, TheFaultOfTheFirstSmEndsTheRun) {
  const Outcome outcome = SameForAll("st.global.u32 [%rd1+256], %r2;");
  EXPECT_NE(outcome.error.find("out-of-bounds store of 4 bytes"), std::string::npos)
      << outcome.error;
  // lrr has dealt the TBs round the 15 SMs: those of SM 0 have multiples of 15.
  const size_t tb = outcome.error.find("of TB (");
  ASSERT_NE(tb, std::string::npos) << outcome.error;
  EXPECT_EQ(std::stoul(outcome.error.substr(tb + 7)) % 15, 0U) << outcome.error;
}

TEST_F(ThreadsOfAKernel, TheFailedAssertionOfTheFirstSmEndsTheRunAfterItsText) {
  const Outcome outcome = SameForAll(
      "call (%r3), vprintf, (%rd2, %rd3);\ncall __assertfail, (%rd4, %rd4, 4, %rd4, 1);");
  EXPECT_NE(outcome.error.find("assertion 'i < 4' failed"), std::string::npos) << outcome.error;
  EXPECT_TRUE(outcome.printed.starts_with("TB 0\n")) << outcome.printed;
}

}  // namespace threads_test
}  // namespace flagstone
