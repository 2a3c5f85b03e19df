// Where the pointers of a kernel may lead in one launch.
#include "gpu_model/simt/points_to.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::simt {
namespace points_to_test {

using Names = std::vector<std::string>;

// A kernel whose arguments point to the buffers x and y, of 64 words each.
KernelRun RunOf(const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 x, .param .u64 y, .param .u32 n",
                 ".shared .align 8 .b8 tile[64];\n.local .align 8 .b8 mine[64];\n"
                 "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\n" +
                     body + "\nret;"));
  run.Buffer("x", std::vector<uint32_t>(64)).Buffer("y", std::vector<uint32_t>(64)).Scalar(7U);
  return run;
}

// The places that the last access of the kernel may touch.
Names PlacesOf(const KernelRun& run, const DeviceMemory& memory) {
  const PointsTo points_to(run.launch(), memory);
  const std::vector<ptx::Instruction>& instructions = run.launch().kernel->instructions;
  const PlaceSet places = points_to.OfAccess(instructions[instructions.size() - 2]);
  Names names;
  const size_t regions = memory.regions().size();
  for (size_t i = 0; i < regions + kOwnPlaces; ++i) {
    PlaceSet one = points_to.Nothing();
    one.Add(i);
    if (places.Meets(one))
      names.push_back(i < regions ? memory.regions()[i].name : i == regions ? "shared" : "local");
  }
  return names;
}

Names Places(const std::string& body) {
  KernelRun run = RunOf(body);
  return PlacesOf(run, run.memory());
}

TEST(PointsTo, FollowsAnArgumentToItsBufferAloneAlsoFromTheBuffersEnd) {
  EXPECT_EQ(Places("add.s64 %rd3, %rd1, 8;\nst.global.u32 [%rd3+4], 1;"), Names{"x"});
  EXPECT_EQ(Places("st.global.u32 [%rd2], 1;"), Names{"y"});
  EXPECT_EQ(Places("selp.b64 %rd3, %rd1, %rd2, %p1;\nst.global.u32 [%rd3], 1;"), (Names{"x", "y"}));
  // A pointer that is one past the last element belongs to the buffer.
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 x, .param .u64 end",
                 "ld.param.u64 %rd1, [end];\nst.global.u32 [%rd1+-4], 1;\nret;"));
  run.Buffer("x", std::vector<uint32_t>(64)).Buffer("y", std::vector<uint32_t>(64));
  std::vector<std::byte> arguments(16);
  const uint64_t end = run.memory().Named("x").address + 256;
  KernelLaunch launch = run.launch();
  std::memcpy(launch.parameters.data() + 8, &end, sizeof(end));
  const PointsTo points_to(launch, run.memory());
  PlaceSet x = points_to.Nothing(), y = points_to.Nothing();
  x.Add(0);
  y.Add(1);
  const PlaceSet places = points_to.OfAccess(launch.kernel->instructions[1]);
  EXPECT_TRUE(places.Meets(x));
  EXPECT_FALSE(places.Meets(y));
}

TEST(PointsTo, TakesEachPointerOfAVectorOfArguments) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .align 16 .b8 pointers[24]",
                 "ld.param.v2.u64 {%rd1, %rd2}, [pointers];\nst.global.u32 [%rd1], 1;\nret;"));
  const uint64_t x = run.memory().Allocate("x", 256), y = run.memory().Allocate("y", 256),
                 z = run.memory().Allocate("z", 256);
  run.Scalar(std::array<uint64_t, 3>{x, y, z});
  EXPECT_EQ(PlacesOf(run, run.memory()), (Names{"x", "y"})) << "but not the third one";
  KernelRun last = KernelRun::FromText(
      KernelText(".param .align 16 .b8 pointers[24]",
                 "ld.param.u64 %rd1, [pointers+16];\nst.global.u32 [%rd1], 1;\nret;"));
  last.memory().Allocate("x", 256);
  last.memory().Allocate("y", 256);
  last.memory().Allocate("z", 256);
  last.Scalar(std::array<uint64_t, 3>{x, y, z});
  EXPECT_EQ(PlacesOf(last, last.memory()), Names{"z"});
}

TEST(PointsTo, TakesWhatIsAsWideAsAPointerFromMemoryAtomicsAndHalvesToLeadAnywhere) {
  const Names anywhere = {"x", "y"};
  const auto through = [](const std::string& value) {
    return Places(value + "selp.b64 %rd4, %rd3, %rd1, %p1;\nst.global.u32 [%rd4], 1;");
  };
  EXPECT_EQ(through("ld.global.u64 %rd3, [%rd1];\n"), anywhere);
  EXPECT_EQ(through("atom.global.exch.b64 %rd3, [%rd1], 0;\n"), anywhere);
  EXPECT_EQ(through("mov.b64 %rd3, {%r1, %r2};\n"), anywhere);
  // Numbers that are narrower than a pointer are none.
  EXPECT_EQ(through("ld.global.u32 %r1, [%rd1];\ncvt.u64.u32 %rd3, %r1;\n"), Names{"x"});
  EXPECT_EQ(through("atom.global.add.u32 %r1, [%rd1], 1;\ncvt.u64.u32 %rd3, %r1;\n"), Names{"x"});
  EXPECT_EQ(through("mov.b32 %r1, {%rs1, %rs2};\ncvt.u64.u32 %rd3, %r1;\n"), Names{"x"});
  EXPECT_EQ(through("ld.param.u32 %r1, [n];\ncvt.u64.u32 %rd3, %r1;\n"), Names{"x"});
}

TEST(PointsTo, KnowsSharedAndLocalMemoryByTheirSpaceAndByTheirAddresses) {
  EXPECT_EQ(Places("st.shared.u32 [tile], 1;"), Names{"shared"});
  EXPECT_EQ(Places("ld.local.u32 %r1, [mine];"), Names{"local"});
  EXPECT_EQ(Places("mov.u64 %rd3, tile;\ncvta.shared.u64 %rd3, %rd3;\nst.u32 [%rd3], 1;"),
            Names{"shared"});
  EXPECT_EQ(Places("mov.u64 %rd3, mine;\ncvta.local.u64 %rd3, %rd3;\n"
                   "selp.b64 %rd3, %rd3, %rd2, %p1;\nst.u32 [%rd3], 1;"),
            (Names{"y", "local"}));
  EXPECT_EQ(Places("ld.param.u32 %r1, [n];"), Names{});
}

TEST(PointsTo, TakesAnAddressFromNowhereToLeadAnywhereInItsSpace) {
  EXPECT_EQ(Places("mov.u64 %rd3, 64;\nst.global.u32 [%rd3], 1;"), (Names{"x", "y"}));
  EXPECT_EQ(Places("mov.u64 %rd3, 64;\nst.u32 [%rd3], 1;"), (Names{"x", "y", "shared", "local"}));
}

}  // namespace points_to_test
}  // namespace flagstone::simt
