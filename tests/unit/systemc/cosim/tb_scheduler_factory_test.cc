#include "systemc/cosim/tb_scheduler_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace flagstone {
namespace tb_scheduler_factory_test {

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

TEST(TbSchedulerFactory, MakesBodiesThatAreOutOfReset) {
  for (const TbSchedulerDescriptor* kind : {FindTbScheduler("lrr"), FindTbScheduler("paver")}) {
    for (const Engine engine : {Engine::kModel, Engine::kRtl, Engine::kLockstep}) {
      for (const uint32_t sms : {2u, 3u, 15u}) {
        for (const uint32_t id_bytes : {2u, 4u}) {
          const auto scheduler = MakeTbScheduler(*kind, engine, {sms, id_bytes});
          EXPECT_FALSE(scheduler->Outputs().busy);
          EXPECT_TRUE(scheduler->Outputs().quiescent);
        }
      }
    }
  }
}

TEST(TbSchedulerFactory, RefusesParametersOutOfRange) {
  const auto expect_refused = [](Engine engine, const TbSchedulerSize& size, const char* text) {
    ExpectBadInput([&] { MakeTbScheduler(*FindTbScheduler("paver"), engine, size); }, text);
  };
  expect_refused(Engine::kModel, {257, 2}, "SMs: expected 1 to 256");
  expect_refused(Engine::kModel, {0, 2}, "SMs: expected 1 to 256");
  expect_refused(Engine::kRtl, {257, 2}, "SMs: expected 1 to 256");
  expect_refused(Engine::kRtl, {2, 3}, "expected 2 or 4");
  expect_refused(Engine::kRtl, {2, 2, 0}, "descriptors: expected 1 to 128");
  expect_refused(Engine::kRtl, {2, 2, 129}, "descriptors: expected 1 to 128");
}

TEST(TbSchedulerFactory, RefusesAWaveOfAModel) {
  BodyOptions options;
  options.rtl.wave.file = "w.fst";
  const TbSchedulerSize size = {2, 2};
  ExpectBadInput([&] { MakeTbScheduler(*FindTbScheduler("lrr"), Engine::kModel, size, options); },
                 "needs its RTL: expected --engine rtl or lockstep");
}

}  // namespace tb_scheduler_factory_test
}  // namespace flagstone
