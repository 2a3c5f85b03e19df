#include "systemc/bodies/tb_scheduler_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace flagstone {
namespace {

using testing::HasSubstr;

void ExpectBadInput(const std::function<void()>& action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(TbSchedulerFactory, HasTheListedMachinesBuiltIn) {
  for (const Dispatcher dispatcher : {Dispatcher::kLrr, Dispatcher::kPaver}) {
    for (const uint32_t sms : {2u, 15u, 28u, 80u}) {
      EXPECT_TRUE(IsPrebuilt(dispatcher, sms, 2));
    }
    EXPECT_FALSE(IsPrebuilt(dispatcher, 27, 2));
  }
}

TEST(TbSchedulerFactory, MakesBodiesThatAreOutOfReset) {
  for (const Dispatcher dispatcher : {Dispatcher::kLrr, Dispatcher::kPaver}) {
    for (const Engine engine : {Engine::kModel, Engine::kRtl, Engine::kLockstep}) {
      for (const uint32_t sms : {1u, 2u, 3u, 15u, 80u}) {
        for (const uint32_t id_bytes : {2u, 4u}) {
          // Others are Verilated on first use: verilate_on_demand_test.
          if (!IsPrebuilt(dispatcher, sms, id_bytes)) continue;
          const auto scheduler = MakeTbScheduler(dispatcher, engine, sms, id_bytes);
          EXPECT_FALSE(scheduler->Outputs().busy);
          EXPECT_TRUE(scheduler->Outputs().quiescent);
        }
      }
    }
  }
}

TEST(TbSchedulerFactory, RefusesParametersOutOfRange) {
  ExpectBadInput([] { MakeTbScheduler(Dispatcher::kLrr, Engine::kModel, 0, 2); },
                 "expected 1 to 128");
  ExpectBadInput([] { MakeTbScheduler(Dispatcher::kLrr, Engine::kRtl, 129, 2); },
                 "expected 1 to 128");
  ExpectBadInput([] { MakeTbScheduler(Dispatcher::kPaver, Engine::kRtl, 2, 3); },
                 "expected 2 or 4");
}

TEST(TbSchedulerFactory, RefusesAWaveOfAModel) {
  BodyOptions options;
  options.rtl.wave.file = "w.fst";
  ExpectBadInput([&] { MakeTbScheduler(Dispatcher::kLrr, Engine::kModel, 2, 2, options); },
                 "needs its RTL: expected --engine rtl or lockstep");
}

}  // namespace
}  // namespace flagstone
