#include "gpu_model/energy/launch_energy.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace launch_energy_test {

MachineConfig Machine() { return MachineConfig::Load("fermi", {}); }

LaunchStatistics SomeLaunch() {
  LaunchStatistics launch;
  launch.cycles = 7000;
  launch.warp_instructions = 1000;
  launch.sm.operations.fill(320);
  launch.sm.operands = 96'000;
  launch.sm.shared_cycles = 50;
  launch.l1.accesses = 400;
  launch.l1.misses = 100;
  launch.noc.request.flits = 100;
  launch.noc.reply.flits = 500;
  launch.l2.accesses = 400;
  launch.dram.reads = 200;
  launch.dram.writes = 40;
  launch.dram.activations = 20;
  return launch;
}

uint64_t SumOfParts(const EnergyStatistics& energy) {
  return energy.instructions + energy.operations + energy.registers + energy.shared + energy.l1 +
         energy.noc + energy.l2 + energy.dram.activate + energy.dram.read + energy.dram.write +
         energy.dram.refresh + energy.dram.idle + energy.blocks + energy.leakage;
}

TEST(LaunchEnergy, IsTheSumOfItsParts) {
  const EnergyStatistics energy = EnergyOf(SomeLaunch(), Machine(), true);
  EXPECT_EQ(energy.total, SumOfParts(energy));
  for (const uint64_t part :
       {energy.instructions, energy.operations, energy.registers, energy.shared, energy.l1,
        energy.noc, energy.l2, energy.dram.activate, energy.dram.read, energy.dram.write,
        energy.dram.refresh, energy.dram.idle, energy.blocks, energy.leakage}) {
    EXPECT_GT(part, 0U);
  }
}

TEST(LaunchEnergy, OfEventsIsTheirNumberTimesTheEnergyOfOne) {
  MachineConfig machine = Machine();
  machine.energy.instruction = 3'000;
  machine.energy.operand = 500;
  machine.energy.shared = 7'000;
  machine.energy.dram_read = 11'000;
  machine.energy.dram_write = 13'000;
  machine.energy.dram_activate = 17'000;
  const EnergyStatistics energy = EnergyOf(SomeLaunch(), machine, false);
  EXPECT_EQ(energy.instructions, 3'000U);
  EXPECT_EQ(energy.registers, 48'000U);
  EXPECT_EQ(energy.shared, 350U);
  EXPECT_EQ(energy.dram.read, 2'200U);
  EXPECT_EQ(energy.dram.write, 520U);
  EXPECT_EQ(energy.dram.activate, 340U);
}

TEST(LaunchEnergy, OfTheLinesOfAnL1IsThatOfTheirSectors) {
  MachineConfig machine = Machine();  // lines of 128 B without sectors
  machine.energy.l1_sector = 1'000;
  EXPECT_EQ(EnergyOf(SomeLaunch(), machine, false).l1, 4U * 500);
  machine.sm.l1.sector_bytes = 32;
  EXPECT_EQ(EnergyOf(SomeLaunch(), machine, false).l1, 500U);
}

TEST(LaunchEnergy, OfTwiceTheReadsIsTwiceThatPartAndNoOther) {
  LaunchStatistics launch = SomeLaunch();
  const EnergyStatistics once = EnergyOf(launch, Machine(), false);
  launch.dram.reads *= 2;
  const EnergyStatistics twice = EnergyOf(launch, Machine(), false);
  EXPECT_EQ(twice.dram.read, 2 * once.dram.read);
  EXPECT_EQ(twice.dram.write, once.dram.write);
  EXPECT_EQ(twice.total - once.total, once.dram.read + twice.l2 - once.l2);
}

TEST(LaunchEnergy, OfLeakageRefreshAndOpenRowsGoesByTheTime) {
  LaunchStatistics launch = SomeLaunch();
  MachineConfig machine = Machine();
  machine.clock.core = 700;
  const EnergyStatistics once = EnergyOf(launch, machine, false);
  // 10 us of 15 SMs and the rest of the chip; mW * ns is pJ.
  EXPECT_EQ(once.leakage,
            10'000U * (15 * machine.energy.sm_static_mw + machine.energy.chip_static_mw));
  EXPECT_EQ(once.dram.idle, 10'000U * machine.dram.channels * machine.energy.dram_static_mw);
  launch.cycles *= 2;
  const EnergyStatistics twice = EnergyOf(launch, machine, false);
  EXPECT_EQ(twice.leakage, 2 * once.leakage);
  EXPECT_NEAR(static_cast<double>(twice.dram.refresh), 2.0 * static_cast<double>(once.dram.refresh),
              1.0);
  EXPECT_EQ(twice.operations, once.operations);
}

TEST(LaunchEnergy, OfThePrefetchersIsPaidOnlyWhereThereAreSome) {
  MachineConfig machine = Machine();
  machine.energy.tb_scheduler_cycle = 1'000;
  machine.energy.prefetcher_cycle = 2'000;
  EXPECT_EQ(EnergyOf(SomeLaunch(), machine, false).blocks, 7'000U);
  EXPECT_EQ(EnergyOf(SomeLaunch(), machine, true).blocks, 7'000U + 15 * 14'000U);
}

TEST(LaunchEnergy, OnTheChipFollowsTheProcessAndThatOfTheDramDoesNot) {
  MachineConfig machine = Machine();
  const EnergyStatistics whole = EnergyOf(SomeLaunch(), machine, false);
  machine.energy.process_percent = 50;
  const EnergyStatistics half = EnergyOf(SomeLaunch(), machine, false);
  EXPECT_EQ(half.registers, whole.registers / 2);
  EXPECT_EQ(half.noc, whole.noc / 2);
  EXPECT_EQ(half.dram.read, whole.dram.read);
  EXPECT_EQ(half.leakage, whole.leakage);
}

}  // namespace launch_energy_test
}  // namespace flagstone
