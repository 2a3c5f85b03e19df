#include "app/flow/run/perturbation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/flow/run/result_key.h"
#include "app/flow/run/run.h"
#include "app/flow/run/stored_run.h"
#include "base/error.h"

namespace flagstone {
namespace perturbation_test {

RunOptions Options() {
  RunOptions options;
  options.workload = "vecadd";
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  return options;
}

TEST(Perturbation, TheFirstSettingIsTheRunAsItIs) {
  const RunOptions options = Options();
  EXPECT_EQ(ResultIdentity(Perturbed(options, 0), 0), ResultIdentity(options, 0));
}

TEST(Perturbation, NoTwoSettingsAreTheSameResult) {
  std::set<std::string> identities, names;
  for (size_t i = 0; i < kPerturbations; ++i) {
    identities.insert(ResultIdentity(Perturbed(Options(), i), 0));
    names.insert(std::string(PerturbationName(i)));
  }
  EXPECT_EQ(identities.size(), kPerturbations);
  EXPECT_EQ(names.size(), kPerturbations);
}

TEST(Perturbation, ALatencyThatCannotBeShorterIsLonger) {
  RunOptions options = Options();
  for (const uint32_t latency : {0U, 1U}) {
    options.machine.interconnect.latency = latency;
    EXPECT_EQ(Perturbed(options, 9).machine.interconnect.latency, latency + 2);
  }
  options.machine.interconnect.latency = 2;
  EXPECT_EQ(Perturbed(options, 9).machine.interconnect.latency, 1U);
}

TEST(Perturbation, SettingsAndASingleRunHaveNamesOfTheirOwnInTheStore) {
  RunOptions options = Options();
  const std::string once = ResultIdentity(options, 0);
  options.perturb = 3;
  const std::string three = ResultIdentity(options, 0);
  options.perturb = 4;
  EXPECT_NE(three, once);
  EXPECT_NE(ResultIdentity(options, 0), three);
}

TEST(Perturbation, EachSettingIsARunOfItsOwn) {
  RunOptions options = Options();
  options.perturb = kPerturbations;
  const Json record = RunThroughStore(options, StoreUse(), "", "").record;
  const Json& runs = record["perturbed"]["runs"];
  ASSERT_EQ(runs.size(), kPerturbations);
  options.perturb = 0;
  std::set<uint64_t> cycles;
  for (size_t i = 0; i < kPerturbations; ++i) {
    const uint64_t alone = RunWorkload(Perturbed(options, i)).totals.cycles;
    EXPECT_EQ(runs[i]["totals"]["cycles"], alone) << PerturbationName(i);
    cycles.insert(alone);
  }
  EXPECT_GT(cycles.size(), 1U);
  EXPECT_EQ(record["totals"]["cycles"], runs[0]["totals"]["cycles"]);
}

TEST(Perturbation, OfALongRunThereIsOneSettingWhereThatIsAskedFor) {
  RunOptions options = Options();
  options.perturb = 2;
  options.perturb_up_to = 1;
  EXPECT_TRUE(RunThroughStore(options, StoreUse(), "", "").record["perturbed"]["runs"].empty());
  options.perturb_up_to = 1'000'000;
  EXPECT_EQ(RunThroughStore(options, StoreUse(), "", "").record["perturbed"]["settings"], 2);
}

TEST(Perturbation, IsRefusedWithWhatOnlyOneRunHas) {
  RunOptions options = Options();
  options.perturb = 2;
  EXPECT_NO_THROW(RequirePerturbable(options));
  RunOptions wave = options, dump = options, saved = options, resumed = options, detail = options;
  wave.wave.file = "a.fst";
  dump.dumps = {{"a", "a.bin"}};
  saved.checkpoint = resumed.resume = "a.checkpoint";
  detail.detail = true;
  for (const RunOptions& refused : {wave, dump, saved, resumed, detail}) {
    EXPECT_THROW(RequirePerturbable(refused), Error);
  }
}

}  // namespace perturbation_test
}  // namespace flagstone
