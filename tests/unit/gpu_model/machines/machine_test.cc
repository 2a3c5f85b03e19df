#include "gpu_model/machines/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace machine_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Machine, ListsTheCheckedInMachines) {
  EXPECT_THAT(
      ListMachines(),
      testing::ElementsAre("a100", "a30", "b200_like", "caps_fermi", "dual_die", "fermi",
                           "fermi_48k", "h100", "ladm", "ladm_flat", "ladm_quarter",
                           "mapping_fermi", "mi300x_like", "pascal", "pascal_lines", "peer_gtx480",
                           "peer_titanv", "peer_titanx", "rtx4090", "tiny", "tiny_numa", "volta"));
  for (const std::string& name : ListMachines()) {
    EXPECT_EQ(MachineConfig::Load(name, {}).name, name);
  }
}

TEST(Machine, ThoseOfTodayHaveTheirDataSheetsSizesAndRates) {
  struct Sheet {
    const char* name;
    uint32_t sms, l2_mib;
    double gigabytes_per_second;
  };
  for (const Sheet& sheet :
       {Sheet{"a100", 108, 40, 2039}, Sheet{"a30", 56, 24, 933}, Sheet{"h100", 132, 50, 3350},
        Sheet{"b200_like", 148, 126, 8000}, Sheet{"rtx4090", 128, 72, 1008},
        Sheet{"mi300x_like", 256, 32, 5300.0 * 256 / 304}}) {
    const MachineConfig m = MachineConfig::Load(sheet.name, {});
    EXPECT_EQ(m.sm.count, sheet.sms) << sheet.name;
    EXPECT_EQ(m.l2.slices * m.l2.cache.size_kib, 1024 * sheet.l2_mib) << sheet.name;
    EXPECT_NEAR(1e-3 * m.dram.channels * m.dram.bus_bytes * m.clock.dram,
                sheet.gigabytes_per_second, 0.01 * sheet.gigabytes_per_second)
        << sheet.name;
  }
}

TEST(Machine, FermiPascalAndVoltaAreThoseOfPaversTable1) {
  const MachineConfig fermi = MachineConfig::Load("fermi", {});
  EXPECT_EQ(fermi.sm.count, 15U);
  EXPECT_EQ(fermi.sm.max_tbs, 8U);
  EXPECT_EQ(fermi.sm.max_warps, 48U);
  EXPECT_EQ(fermi.sm.max_threads, 1536U);
  EXPECT_EQ(fermi.sm.l1.size_kib, 16U);
  EXPECT_EQ(fermi.sm.shared_kib, 48U);
  EXPECT_EQ(fermi.l2.slices * fermi.l2.cache.size_kib, 768U);
  EXPECT_EQ(fermi.clock.core, 700U);
  EXPECT_EQ(fermi.sm.warp_scheduler, "gto");
  const MachineConfig pascal = MachineConfig::Load("pascal", {});
  EXPECT_EQ(pascal.sm.count, 28U);
  EXPECT_EQ(pascal.sm.max_tbs, 32U);
  EXPECT_EQ(pascal.sm.max_warps, 64U);
  EXPECT_EQ(pascal.sm.max_threads, 2048U);
  EXPECT_EQ(pascal.sm.l1.size_kib, 48U);
  EXPECT_EQ(pascal.sm.l1.global, L1Global::kCached);
  EXPECT_EQ(pascal.sm.shared_kib, 96U);
  EXPECT_EQ(pascal.l2.slices * pascal.l2.cache.size_kib, 3072U);
  EXPECT_EQ(pascal.clock.core, 1000U);
  EXPECT_EQ(pascal.sm.warp_scheduler, "gto");
  const MachineConfig volta = MachineConfig::Load("volta", {});
  EXPECT_EQ(volta.sm.count, 80U);
  EXPECT_EQ(volta.sm.max_tbs, 32U);
  EXPECT_EQ(volta.sm.max_warps, 64U);
  EXPECT_EQ(volta.sm.max_threads, 2048U);
  EXPECT_EQ(volta.sm.l1.size_kib, 32U);
  EXPECT_EQ(volta.sm.shared_kib, 96U);
  EXPECT_EQ(volta.l2.slices * volta.l2.cache.size_kib, 4608U);
  EXPECT_EQ(volta.clock.core, 1200U);
  EXPECT_EQ(volta.sm.warp_scheduler, "gto");
}

TEST(Machine, CapsFermiIsThatOfTableIII) {
  const MachineConfig caps = MachineConfig::Load("caps_fermi", {});
  EXPECT_EQ(caps.sm.count, 15U);
  EXPECT_EQ(caps.sm.max_warps, 48U);
  EXPECT_EQ(caps.sm.max_tbs, 8U);
  EXPECT_EQ(caps.sm.registers * 4, 128U * 1024);
  EXPECT_EQ(caps.sm.shared_kib, 48U);
  EXPECT_EQ(caps.sm.warp_scheduler, "two-level");
  EXPECT_EQ(caps.sm.scheduling.two_level_ready, 8U);
  EXPECT_EQ(caps.sm.schedulers, 1U) << "a warp of 32 lanes a cycle";
  EXPECT_EQ(caps.sm.issue_width, 1U);
  EXPECT_EQ(caps.sm.prefetcher, "none") << "the baseline";
  EXPECT_EQ(caps.sm.prefetching.caps_threshold, 128U);
  EXPECT_EQ(caps.sm.instruction_cache.size_kib, 2U);
  EXPECT_EQ(caps.sm.instruction_cache.ways, 4U);
  EXPECT_EQ(caps.sm.l1.size_kib, 16U);
  EXPECT_EQ(caps.sm.l1.ways, 4U);
  EXPECT_EQ(caps.sm.l1.mshrs, 32U);
  EXPECT_EQ(caps.l2.slices, 12U);
  EXPECT_EQ(caps.l2.cache.size_kib, 64U);
  EXPECT_EQ(caps.l2.cache.ways, 8U);
  EXPECT_EQ(caps.l2.cache.mshrs, 32U);
  EXPECT_EQ(caps.dram.channels, 6U);
  EXPECT_EQ(caps.dram.queue, 16U);
  EXPECT_EQ(caps.dram.t_cl, 12U);
  EXPECT_EQ(caps.dram.t_rp, 12U);
  EXPECT_EQ(caps.dram.t_rc, 40U);
  EXPECT_EQ(caps.dram.t_ras, 28U);
  EXPECT_EQ(caps.dram.t_rcd, 12U);
  EXPECT_EQ(caps.dram.t_rrd, 6U);
  EXPECT_EQ(caps.dram.t_cdlr, 5U);
  EXPECT_EQ(caps.dram.t_wr, 12U);
  EXPECT_EQ(caps.clock.core, 1400U);
  EXPECT_EQ(caps.clock.dram, 924U);
}

TEST(Machine, ABaseGivesWhatTheFileLeavesOut) {
  const MachineConfig fermi = MachineConfig::Load("fermi", {});
  MachineConfig small = MachineConfig::Load("fermi_48k", {});
  EXPECT_EQ(small.sm.l1.size_kib, 48U);
  EXPECT_EQ(small.sm.shared_kib, 16U);
  small.name = fermi.name;
  small.description = fermi.description;
  small.sm.l1.size_kib = fermi.sm.l1.size_kib;
  small.sm.l1.ways = fermi.sm.l1.ways;
  small.sm.shared_kib = fermi.sm.shared_kib;
  EXPECT_EQ(small.Canonical(), fermi.Canonical());
}

TEST(Machine, TheMappingsBaselineHasTheL2OfItsPaper) {
  const MachineConfig mapping = MachineConfig::Load("mapping_fermi", {});
  EXPECT_EQ(mapping.l2.slices * mapping.l2.cache.size_kib, 512U);
  EXPECT_EQ(mapping.l2.cache.ways, 8U);
  EXPECT_EQ(mapping.sm.count, 15U);
  EXPECT_EQ(mapping.sm.l1.size_kib, 16U);
  EXPECT_EQ(mapping.sm.l1.ways, 4U);
  EXPECT_EQ(mapping.sm.shared_kib, 48U);
}

TEST(Machine, SettingsGoOnTop) {
  const MachineConfig machine =
      MachineConfig::Load("fermi", {"sm.l1.size_kib=48", "sm.warp_scheduler=lrr"});
  EXPECT_EQ(machine.sm.l1.size_kib, 48U);
  EXPECT_EQ(machine.sm.warp_scheduler, "lrr");
  EXPECT_NE(machine.Canonical(), MachineConfig::Load("fermi", {}).Canonical());
}

TEST(Machine, CanonicalHoldsEveryKeyOfTheFile) {
  const std::string canonical = MachineConfig::Load("tiny", {}).Canonical();
  EXPECT_THAT(canonical, StartsWith("name = \"tiny\"\n"));
  EXPECT_THAT(canonical, HasSubstr("\nsm.l1.write_policy = \"write-through-evict\"\n"));
  EXPECT_THAT(canonical, HasSubstr("\ndram.t_rc = 40\n"));
  EXPECT_THAT(canonical, EndsWith("\nenergy.prefetcher_cycle = 20430\n"));
}

TEST(Machine, RejectsBadSettings) {
  const auto message = [](const std::string& setting) {
    return BadInputMessage([&] { MachineConfig::Load("tiny", {setting}); });
  };
  EXPECT_EQ(message("sm.l1.size_kb=48"),
            "--set sm.l1.size_kb=48: unknown key 'sm.l1.size_kb': nearest known keys are "
            "sm.l1.size_kib, l2.size_kib, sm.l1.line_bytes");
  EXPECT_THAT(message("sm.prefetching.caps_plus_look_ahead=1"), HasSubstr("is gone: caps+ does"));
  EXPECT_EQ(message("sm.count"),
            "--set sm.count: expected KEY=VALUE, for example sm.l1.size_kib=48");
  EXPECT_EQ(message("sm.count=two"),
            "--set sm.count=two: value is 'two': expected an integer from 1 to 256");
  EXPECT_EQ(message("sm.count=0"),
            "--set sm.count=0: key 'sm.count' is 0: expected an integer from 1 to 256");
  EXPECT_THAT(message("sm.warp_scheduler=best"), HasSubstr("expected one of lrr, gto"));
  EXPECT_THAT(message("sm.l1.write_policy=back"),
              HasSubstr("expected one of write-through-evict, write-through, "));
  EXPECT_THAT(message("dram.bank_groups=3"), EndsWith("expected a divisor of dram.banks (4)"));
  EXPECT_THAT(message("l2.slice_hash=ipoly"), EndsWith("expected 9 to 64 slices (l2.slices is 2)"));
  EXPECT_THAT(message("dram.write_queue=8"), HasSubstr("expected more than write_low (0)"));
  EXPECT_THAT(message("sm.l1.ways=5"), HasSubstr("do not divide"));
  // Fewer would leave a request for a whole line waiting for ever.
  EXPECT_THAT(BadInputMessage([] { MachineConfig::Load("fermi", {"l2.mshrs=3"}); }),
              EndsWith("l2.mshrs is 3: expected at least 4, with l2.mshr_unit = \"sector\""));
  EXPECT_NO_THROW(MachineConfig::Load("fermi", {"l2.mshrs=4"}));
  EXPECT_THAT(
      message("sm.l1.size_kib=17"),
      EndsWith("sm.l1.size_kib is 17: 34 sets of 4 lines: expected a power of two, or three "
               "times one"));
  EXPECT_THAT(message("l2.size_kib=20"), HasSubstr("l2.size_kib is 20: 20 sets of 8 lines"));
  EXPECT_THAT(message("sm.const_cache.size_kib=5"), HasSubstr("20 sets of 2 lines"));
  EXPECT_THAT(message("dram.channels=3"),
              EndsWith("l2.slices is 2: expected a multiple of dram.channels (3)"));
}

TEST(Machine, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT(BadInputMessage([] { MachineConfig::Load("kepler", {}); }),
              StartsWith("unknown machine 'kepler': expected one of a100, a30, b200_like,"));
}

class MachineFile : public testing::Test {
 protected:
  // tiny.toml with one text replaced by another.
  std::string LoadChanged(const std::string& from, const std::string& to) {
    std::string text = ReadFile("gpu_model/machines/tiny.toml");
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    WriteFileAtomically(path_, text);
    return BadInputMessage([&] { MachineConfig::Load(path_.string(), {}); });
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "m.toml";
};

TEST_F(MachineFile, ErrorsNameFileLineAndKey) {
  const std::string tiny = ReadFile("gpu_model/machines/tiny.toml");
  const std::string before = tiny.substr(0, tiny.find("max_tbs = 4"));
  const std::string at =
      fmt::format("m.toml:{}:", 1 + std::count(before.begin(), before.end(), '\n'));
  EXPECT_THAT(LoadChanged("max_tbs = 4", "max_tb = 4"),
              HasSubstr(at + "1: unknown key 'sm.max_tb': nearest known keys are sm.max_tbs"));
  EXPECT_THAT(LoadChanged("max_tbs = 4", "max_tbs = \"4\""),
              HasSubstr(at + "11: key 'sm.max_tbs' is a string: expected an integer from"));
  EXPECT_THAT(LoadChanged("max_tbs = 4\n", ""), EndsWith("m.toml: missing key 'sm.max_tbs'"));
  EXPECT_THAT(LoadChanged("[sm.l1]", "[sm.l3]"), HasSubstr("unknown key 'sm.l3'"));
  EXPECT_THAT(LoadChanged("max_tbs = 4", "max_tbs = = 4"), HasSubstr(at));
}

TEST_F(MachineFile, ABadBaseNamesItsLine) {
  const auto load = [&](const std::string& text) {
    WriteFileAtomically(path_, text);
    return BadInputMessage([&] { MachineConfig::Load(path_.string(), {}); });
  };
  EXPECT_THAT(load("name = \"m\"\nbase = \"kepler\"\n"),
              HasSubstr("m.toml:2:8: unknown machine 'kepler': expected one of a100"));
  EXPECT_THAT(load("base = \"fermi\"\n"), EndsWith("m.toml: missing key 'name'"));
  EXPECT_THAT(load("base = 3\n"), EndsWith("m.toml:1:8: key 'base' is an integer: expected the "
                                           "name of a machine"));
  EXPECT_THAT(load("base = \"" + path_.string() + "\"\n"), EndsWith("more than 8 bases"));
}

TEST(Machine, LadmIsThatOfTable3) {
  const MachineConfig ladm = MachineConfig::Load("ladm", {});
  EXPECT_EQ(ladm.numa.gpus * ladm.numa.chiplets, 16U);
  EXPECT_EQ(ladm.sm.count, 256U);
  EXPECT_EQ(ladm.l2.slices * ladm.l2.cache.size_kib, 16U * 1024);
  EXPECT_EQ(ladm.clock.core, 1400U);
  const MachineConfig node = ladm.OfNode();
  EXPECT_EQ(node.sm.count, 16U);
  EXPECT_EQ(node.l2.slices, 16U);
  EXPECT_EQ(node.dram.channels, 8U);
  // 180 GB/s.
  EXPECT_NEAR(node.dram.channels * node.dram.bus_bytes * 0.703, 180, 0.1);
  const MachineConfig quarter = MachineConfig::Load("ladm_quarter", {});
  EXPECT_EQ(quarter.sm.count, 64U);
  EXPECT_EQ(4 * quarter.numa.ring_bytes, ladm.numa.ring_bytes);
  const MachineConfig one =
      MachineConfig::Load("ladm", {"numa.gpus=1", "numa.chiplets=1", "l2.between_launches=keep"});
  EXPECT_EQ(one.OfNode().Canonical(), one.Canonical());
}

TEST(Machine, RefusesNodesThatDoNotAddUp) {
  const auto refusal = [](std::vector<std::string> settings) {
    return BadInputMessage([&] { MachineConfig::Load("tiny_numa", settings); });
  };
  EXPECT_THAT(refusal({"sm.count=6"}),
              EndsWith("sm.count is 6: expected a multiple of the 4 nodes"));
  EXPECT_THAT(refusal({"l2.slices=5", "dram.channels=5"}),
              EndsWith("l2.slices is 5: expected a multiple of the 4 nodes"));
  EXPECT_THAT(refusal({"dram.channels=2"}),
              EndsWith("dram.channels is 2: expected a multiple of the 4 nodes"));
  EXPECT_THAT(refusal({"numa.page_bytes=3000"}),
              EndsWith("numa.page_bytes is 3000: expected a power of two"));
  EXPECT_THAT(refusal({"numa.gpus=16", "numa.chiplets=4"}),
              EndsWith("numa.gpus * numa.chiplets is 64: expected at most 32 nodes"));
  EXPECT_THAT(refusal({"l2.between_launches=warm"}),
              HasSubstr("l2.between_launches is \"warm\": expected \"invalidate\" or \"keep\""));
  EXPECT_THAT(refusal({"numa.remote_mshrs=16"}),
              EndsWith("numa.remote_mshrs is 16: expected less than l2.mshrs (16)"));
  EXPECT_THAT(refusal({"l2.mshr_unit=sector"}), HasSubstr("l2.mshr_unit is \"sector\""));
}

}  // namespace machine_test
}  // namespace flagstone
