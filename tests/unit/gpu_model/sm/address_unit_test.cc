#include "gpu_model/sm/address_unit.h"

#include <gtest/gtest.h>

#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/address_spaces.h"
#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace address_unit_test {

class AddressUnitTest : public testing::Test {
 protected:
  // All lanes access four bytes, each those after its neighbour's.
  AddressUnitTest() {
    for (uint32_t lane = 0; lane < 32; ++lane) addresses_[lane] = 4 * lane;
    info_.is_load = true;
    info_.bytes = 4;
    step_.addresses = &addresses_;
    step_.in_space = step_.executed = ~LaneMask{0};
  }
  const LaneAddresses* Take(MemorySpace space) {
    step_.space = info_.space = space;
    return unit_.Take(info_, step_, &memory_);
  }

  SmKernel kernel_;
  AddressUnit unit_{kernel_.program(), 3};
  LaneAddresses addresses_ = {};
  InstructionInfo info_;
  StepResult step_;
  MemoryInstruction memory_;
};

TEST_F(AddressUnitTest, AGlobalLoadKeepsItsAddresses) {
  EXPECT_EQ(*Take(MemorySpace::kGlobal), addresses_);
  EXPECT_EQ(memory_.kind, MemoryInstruction::Kind::kLoad);
  EXPECT_TRUE(memory_.returns);
  EXPECT_FALSE(memory_.local);
  EXPECT_EQ(memory_.requests.count, 1U);
  EXPECT_EQ(memory_.requests.sectors[0], kAllSectors);
}

TEST_F(AddressUnitTest, ALaneOf32BytesTakesASector) {
  for (uint32_t lane = 0; lane < 32; ++lane) addresses_[lane] = 32 * lane;
  info_.bytes = 32;
  Take(MemorySpace::kGlobal);
  EXPECT_EQ(memory_.requests.count, 8U);
  EXPECT_EQ(memory_.requests.TotalSectors(), 32U);
}

TEST_F(AddressUnitTest, NobodyWaitsForAStore) {
  info_.is_load = false;
  info_.is_store = true;
  Take(MemorySpace::kGlobal);
  EXPECT_EQ(memory_.kind, MemoryInstruction::Kind::kStore);
  EXPECT_FALSE(memory_.returns);
}

TEST_F(AddressUnitTest, AtomicsOnOneAddressWaitForEachOther) {
  addresses_.fill(64);
  info_.is_atomic = true;
  Take(MemorySpace::kGlobal);
  EXPECT_EQ(memory_.kind, MemoryInstruction::Kind::kAtomic);
  EXPECT_EQ(memory_.conflicts[0], 31);
}

TEST_F(AddressUnitTest, LanesAtOneOffsetOfLocalMemoryShareALine) {
  addresses_.fill(8);
  memory_.warp = 5;
  EXPECT_EQ(Take(MemorySpace::kLocal), nullptr);
  EXPECT_TRUE(memory_.local);
  EXPECT_EQ(memory_.requests.count, 1U);
  EXPECT_EQ(memory_.requests.sectors[0], kAllSectors);
  EXPECT_GE(memory_.requests.lines[0], LineOf(kLocalBase));
}

TEST_F(AddressUnitTest, ParametersLieAboveLocalMemory) {
  EXPECT_EQ(Take(MemorySpace::kParam), nullptr);
  EXPECT_EQ(memory_.requests.count, 1U);
  EXPECT_EQ(memory_.requests.lines[0], LineOf(kParameterBase));
  EXPECT_EQ(memory_.requests.sectors[0], kAllSectors);
}

TEST_F(AddressUnitTest, SharedMemoryTakesACyclePerConflict) {
  EXPECT_EQ(Take(MemorySpace::kShared), nullptr);
  EXPECT_EQ(memory_.kind, MemoryInstruction::Kind::kShared);
  EXPECT_EQ(memory_.bank_cycles, 1U);
  for (uint32_t lane = 0; lane < 32; ++lane) addresses_[lane] = 256 * lane;
  Take(MemorySpace::kShared);
  EXPECT_EQ(memory_.bank_cycles, 32U);
}

}  // namespace address_unit_test
}  // namespace flagstone
