#include "systemc/cosim/lockstep_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gpu_model/blocks/tb_scheduler/fields.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"
#include "tests/unit/systemc/cosim/fst_file.h"

namespace flagstone {
namespace lockstep_body_test {

using testing::HasSubstr;
using testing::StartsWith;

// Passes everything on to a real body, and falsifies what it is told to.
class Faulty final : public TbScheduler {
 public:
  using Fault = std::function<void(uint64_t cycle, TbSchedulerOut*)>;

  Faulty(std::unique_ptr<TbScheduler> body, Fault fault)
      : body_(std::move(body)), fault_(std::move(fault)) {
    Show();
  }
  void Reset() override {
    body_->Reset();
    Show();
  }
  const TbSchedulerOut& Outputs() const override { return out_; }
  void Tick(const TbSchedulerIn& in) override {
    body_->Tick(in);
    ++cycle_;
    Show();
  }
  bool Idle(const TbSchedulerIn& in) const override { return body_->Idle(in); }

 private:
  void Show() {
    out_ = body_->Outputs();
    fault_(cycle_, &out_);
  }

  std::unique_ptr<TbScheduler> body_;
  Fault fault_;
  uint64_t cycle_ = 0;
  TbSchedulerOut out_;
};

using TbSchedulerLockstep = LockstepBody<TbSchedulerIn, TbSchedulerOut>;

constexpr uint32_t kSms = 2;

std::unique_ptr<TbScheduler> Body(Engine engine, const RtlBodyOptions& options = {}) {
  return MakeTbScheduler(*FindTbScheduler("paver"), engine, {kSms, 2}, {options, nullptr});
}

std::unique_ptr<TbSchedulerLockstep> Lockstep(std::unique_ptr<TbScheduler> model,
                                              std::unique_ptr<TbScheduler> rtl,
                                              LockstepReport* report) {
  return std::make_unique<TbSchedulerLockstep>(
      "gpu.tb_scheduler", std::move(model), std::move(rtl),
      TbSchedulerOutputs(*FindTbScheduler("paver"), kSms, 16), nullptr, report);
}

const Groups kGroups = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 11}, {12}};

KernelRecord RunKernel(TbScheduler* scheduler) {
  return TbSchedulerBench(scheduler, {}).RunGroups(kGroups);
}

// The message of the mismatch that running the kernel throws, or nothing.
std::string MismatchOf(TbScheduler* scheduler) {
  try {
    RunKernel(scheduler);
  } catch (const LockstepMismatch& mismatch) {
    return mismatch.what();
  }
  return "";
}

TEST(LockstepBody, ComparesEveryCycle) {
  LockstepReport report;
  const auto lockstep = Lockstep(Body(Engine::kModel), Body(Engine::kRtl), &report);
  const KernelRecord record = RunKernel(lockstep.get());
  EXPECT_TRUE(record.finished);
  EXPECT_EQ(report.compared_cycles, record.cycles);
}

TEST(LockstepBody, NamesCycleFieldAndBothValuesOfADifference) {
  auto model =
      std::make_unique<Faulty>(Body(Engine::kModel), [](uint64_t cycle, TbSchedulerOut* out) {
        if (cycle == 3) out->mem_req_addr ^= 0x10;
      });
  const auto lockstep = Lockstep(std::move(model), Body(Engine::kRtl), nullptr);
  EXPECT_EQ(MismatchOf(lockstep.get()),
            "lockstep: cycle 3, gpu.tb_scheduler.mem_req_addr: model 0x100010000, rtl 0x100010010");
}

TEST(LockstepBody, NamesTheSmOfADifference) {
  auto model = std::make_unique<Faulty>(Body(Engine::kModel), [](uint64_t, TbSchedulerOut* out) {
    if (TestBit(out->tb_valid, 1)) out->tb_id[1] = 77;
  });
  const auto lockstep = Lockstep(std::move(model), Body(Engine::kRtl), nullptr);
  EXPECT_THAT(MismatchOf(lockstep.get()), HasSubstr("gpu.tb_scheduler.tb_id[1]: model 0x4d, rtl "));
}

TEST(LockstepBody, ComparesAPayloadOnlyUnderItsValid) {
  auto model = std::make_unique<Faulty>(Body(Engine::kModel), [](uint64_t, TbSchedulerOut* out) {
    for (uint32_t sm = 0; sm < kSms; ++sm) {
      if (!TestBit(out->tb_valid, sm)) out->tb_id[sm] = 0xbad;
    }
    if (!out->mem_req_valid) out->mem_req_addr = 0xbad;
    if (!out->mem_req_valid) out->mem_req_size = 3;
    if (!out->steal_valid) out->steal_count = out->steal_donor = out->steal_thief = 9;
  });
  const auto lockstep = Lockstep(std::move(model), Body(Engine::kRtl), nullptr);
  EXPECT_EQ(MismatchOf(lockstep.get()), "");
}

TEST(LockstepBody, SeesAFaultInEachField) {
  for (const auto& field : TbSchedulerOutputs(*FindTbScheduler("paver"), kSms, 16)) {
    // The first time the field means something, its lowest bit is flipped.
    const FieldTable<TbSchedulerOut> table =
        TbSchedulerOutputs(*FindTbScheduler("paver"), kSms, 16);
    bool done = false;
    auto model =
        std::make_unique<Faulty>(Body(Engine::kModel), [&](uint64_t cycle, TbSchedulerOut* out) {
          if (done || cycle < 5 || !IsGoverned(table, field, *out, kSms == field.lanes ? 1 : 0)) {
            return;
          }
          const uint32_t lane = field.lanes - 1;
          FieldValue value = field.get(*out, lane);
          value[0] ^= 1;
          field.set(out, lane, value);
          done = true;
        });
    const auto lockstep = Lockstep(std::move(model), Body(Engine::kRtl), nullptr);
    EXPECT_THAT(MismatchOf(lockstep.get()),
                HasSubstr("gpu.tb_scheduler." + std::string(field.name)));
    EXPECT_TRUE(done) << field.name;
  }
}

TEST(LockstepBody, FollowsTheRtl) {
  auto rtl = std::make_unique<Faulty>(Body(Engine::kRtl), [](uint64_t, TbSchedulerOut* out) {
    out->steal_count = 1234;  // not under its valid: no difference
  });
  const auto lockstep = Lockstep(Body(Engine::kModel), std::move(rtl), nullptr);
  EXPECT_EQ(lockstep->Outputs().steal_count, 1234u);
}

TEST(LockstepBody, SeesARuleThatSkipsTooMuch) {
  auto type = TbSchedulerType(*FindTbScheduler("paver"), {kSms, 2});
  // It listens to the inputs alone, and not to what the block has left to do.
  type.events = {[](const TbSchedulerOut& out, const TbSchedulerIn& in, const TbSchedulerIn&) {
                   return !HasEvent(out, in);
                 },
                 /*compares_last=*/false};
  LockstepReport report;
  const auto lockstep = MakeBody(type, Engine::kLockstep, {{}, &report});
  EXPECT_FALSE(lockstep->Idle(TbSchedulerIn{}));
  EXPECT_THAT(MismatchOf(lockstep.get()), StartsWith("lockstep: cycle "));
}

// A block type that states no rule does not compile.
template <class Type>
concept NeedsNoRule = requires {
  Type{.name = {}, .parameters = {}, .inputs = {}, .outputs = {}};
};
template <class Type>
concept MadeWithARule = requires {
  Type{.name = {}, .parameters = {}, .inputs = {}, .outputs = {}, .events = kTbSchedulerEvents};
};
using TbSchedulerBlockType = BlockType<TbSchedulerIn, TbSchedulerOut>;
static_assert(!NeedsNoRule<TbSchedulerBlockType>);
static_assert(MadeWithARule<TbSchedulerBlockType>);

TEST(LockstepBody, NamesTheMachinesCycleWhereThereIsOne) {
  const uint64_t machine_cycle = 8000;
  auto model = std::make_unique<Faulty>(
      Body(Engine::kModel), [](uint64_t cycle, TbSchedulerOut* out) { out->busy ^= cycle == 2; });
  TbSchedulerLockstep lockstep("gpu.tb_scheduler", std::move(model), Body(Engine::kRtl),
                               TbSchedulerOutputs(*FindTbScheduler("paver"), kSms, 16),
                               &machine_cycle, nullptr);
  EXPECT_EQ(MismatchOf(&lockstep), "lockstep: cycle 8000, gpu.tb_scheduler.busy: model 0, rtl 1");
}

// A run that fails in cycle 260, to be repeated with a wave.
void FailingRun(const WaveRequest& wave) {
  uint64_t machine_cycle = 0;
  RtlBodyOptions options;
  options.wave = wave;
  options.cycle = &machine_cycle;
  auto model = std::make_unique<Faulty>(
      Body(Engine::kModel), [](uint64_t cycle, TbSchedulerOut* out) { out->busy ^= cycle == 260; });
  const auto lockstep = Lockstep(std::move(model), Body(Engine::kRtl, options), nullptr);
  TbSchedulerBench bench(lockstep.get(), {});
  bench.SetDisturbance([&](uint64_t cycle, TbSchedulerIn*) { machine_cycle = cycle; });
  bench.RunGroups(kGroups);
}

TEST(LockstepMismatch, IsRepeatedForAWaveOfItsLastCycles) {
  const auto file = std::filesystem::temp_directory_path() / "flagstone_lockstep_test.fst";
  std::filesystem::remove(file);
  try {
    try {
      FailingRun({});
      FAIL() << "the run must fail";
    } catch (const LockstepMismatch& mismatch) {
      EXPECT_EQ(mismatch.cycle(), 260u);
      RethrowWithWave(mismatch, file.string(), FailingRun);
    }
  } catch (const LockstepMismatch& mismatch) {
    EXPECT_EQ(mismatch.what(),
              "lockstep: cycle 260, gpu.tb_scheduler.busy: model 0, rtl 1; wave of cycles 61 to "
              "260: " +
                  file.string());
  }
  const FstFile wave(file);
  EXPECT_EQ(wave.FirstCycle(), 61u);
  EXPECT_EQ(wave.LastCycle(), 260u);
  std::filesystem::remove(file);
}

TEST(LockstepMismatch, ThatDoesNotRepeatIsAnInternalError) {
  try {
    RethrowWithWave(LockstepMismatch(5, "gpu.tb_scheduler", "lockstep: cycle 5, ..."), "unused.fst",
                    [](const WaveRequest&) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), HasSubstr("did not repeat"));
  }
}

TEST(LockstepMismatch, NearTheStartHasAShorterWave) {
  const WaveRequest wave = WaveOfMismatch(LockstepMismatch(17, "gpu.sm0.prefetcher", ""), "w.fst");
  EXPECT_EQ(wave.from, 0u);
  EXPECT_EQ(wave.to, 17u);
}

}  // namespace lockstep_body_test
}  // namespace flagstone
