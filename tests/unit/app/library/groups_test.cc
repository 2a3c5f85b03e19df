// TB groups through the C interface of the shared library, beside the analysis inside.
#include <flagstone/blocks.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/partition/partitioners.h"
#include "base/file.h"
#include "kernels/launch/tb_queue_image.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace library_groups_test {

using ::testing::HasSubstr;

constexpr uint32_t kSms = 15, kTbsPerSm = 6;

// The first launch of a workload, as the library takes it.
class Given {
 public:
  explicit Given(const std::string& workload, const std::string& size = "test")
      : workload_(Workload::Load("workloads/" + workload + "/workload.toml", size)),
        bound_(Bind(workload_)),
        ptx_(ReadFile(workload_.launches[0].ptx)) {
    const KernelLaunch& inside = bound_.launches[0];
    for (const auto& parameter : inside.kernel->parameters) {
      arguments_.push_back(inside.parameters.data() + parameter->offset);
    }
    launch_ = {.ptx = ptx_.c_str(),
               .entry = inside.kernel->name.c_str(),
               .grid = {inside.grid.x, inside.grid.y, inside.grid.z},
               .block = {inside.block.x, inside.block.y, inside.block.z},
               .shared_bytes = inside.dynamic_shared_bytes,
               .arguments = arguments_.data(),
               .argument_count = arguments_.size()};
  }

  flagstone_launch& launch() { return launch_; }

  // Of the launch with its buffers known by name.
  TbGroups Inside() const {
    const AddressAnalysis addresses = AnalyzeAddresses(bound_.launches[0], bound_.memory);
    const Footprints footprints = FindFootprints(addresses, bound_.launches[0]);
    const LocalityGraph graph = BuildGraph(FindSharers(footprints, Granularity::kByte));
    return PartitionByRecursiveBisection(graph, {.sms = kSms, .tbs_per_sm = kTbsPerSm});
  }

 private:
  Workload workload_;
  BoundWorkload bound_;
  std::string ptx_;
  std::vector<const void*> arguments_;
  flagstone_launch launch_ = {};
};

// Groups of the library; it fails the test where there are none.
class Made {
 public:
  explicit Made(const flagstone_launch& launch, const char* policy = "rb") {
    EXPECT_EQ(flagstone_group(&launch, policy, kSms, kTbsPerSm, &groups_), FLAGSTONE_OK)
        << flagstone_error();
  }
  ~Made() { flagstone_groups_destroy(groups_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  operator flagstone_groups*() const { return groups_; }

  std::vector<std::vector<uint32_t>> All() const {
    std::vector<std::vector<uint32_t>> all;
    for (size_t i = 0; i < flagstone_groups_count(groups_); ++i) {
      size_t count = 0;
      const uint32_t* tbs = flagstone_groups_tbs(groups_, i, &count);
      all.emplace_back(tbs, tbs + count);
    }
    return all;
  }

 private:
  flagstone_groups* groups_ = nullptr;
};

std::string ErrorOf(const flagstone_launch& launch, const char* policy = "rb",
                    uint32_t sms = kSms) {
  flagstone_groups* groups = nullptr;
  EXPECT_EQ(flagstone_group(&launch, policy, sms, kTbsPerSm, &groups), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(groups, nullptr);
  return flagstone_error();
}

TEST(LibraryGroups, AreThoseOfTheAnalysisThatKnowsBuffers) {
  for (const char* workload : {"syrk", "matmul", "hotspot", "stencil", "transpose", "vecadd"}) {
    Given given(workload);
    const Made groups(given.launch());
    EXPECT_EQ(groups.All(), given.Inside().groups) << workload;
    EXPECT_STREQ(flagstone_groups_left_out(groups), "") << workload;
  }
  Given paper("syrk", "paper");
  EXPECT_EQ(Made(paper.launch()).All().size(), 43U);  // 256 TBs, at most 6 in a group
}

TEST(LibraryGroups, NameTheLoadsThatHaveNoPartInThem) {
  Given given("spmv");
  const Made groups(given.launch());
  EXPECT_THAT(flagstone_groups_left_out(groups), HasSubstr("line "));
}

TEST(LibraryGroups, AreStolenFromAsThePolicySays) {
  Given given("syrk");
  EXPECT_EQ(flagstone_groups_steal_rule(Made(given.launch(), "rb")), 1U);
  EXPECT_EQ(flagstone_groups_steal_rule(Made(given.launch(), "rb:steal=when-idle")), 3U);
  EXPECT_EQ(flagstone_groups_steal_rule(Made(given.launch(), "rb:steal=never")), 0U);
  EXPECT_EQ(flagstone_groups_steal_rule(Made(given.launch(), "mst")), 0U);
}

TEST(LibraryGroups, MakeTheImageThatTheSimulationPutsIntoMemory) {
  Given given("syrk");
  const Made groups(given.launch());
  const TbGroups inside = given.Inside();
  for (const flagstone_layout layout : {FLAGSTONE_PACKED, FLAGSTONE_SECTORS}) {
    for (const uint32_t id_bits : {16U, 32U}) {
      const uint64_t size = flagstone_image_bytes(groups, id_bits, layout);
      std::vector<std::byte> bytes(size);
      ASSERT_EQ(flagstone_image(groups, 0x2000, id_bits, layout, bytes.data(), size), FLAGSTONE_OK)
          << flagstone_error();
      EXPECT_EQ(bytes, EncodeTbQueue(inside, 0x2000, id_bits / 8,
                                     layout == FLAGSTONE_PACKED ? TbQueueLayout::kPacked
                                                                : TbQueueLayout::kSectors)
                           .bytes);
    }
  }
  std::vector<std::byte> bytes(flagstone_image_bytes(groups, 16, FLAGSTONE_PACKED));
  const auto image = [&](uint64_t base, uint32_t id_bits, uint64_t size) {
    return flagstone_image(groups, base, id_bits, FLAGSTONE_PACKED, bytes.data(), size);
  };
  EXPECT_EQ(image(0x2010, 16, bytes.size()), FLAGSTONE_BAD_INPUT);
  EXPECT_STREQ(flagstone_error(), "a TB queue at 0x2010: expected a multiple of 32");
  EXPECT_EQ(image(0x2000, 16, bytes.size() - 1), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(image(0x2000, 8, bytes.size()), FLAGSTONE_BAD_INPUT);
  EXPECT_EQ(flagstone_image_bytes(groups, 8, FLAGSTONE_PACKED), 0U);
}

TEST(LibraryGroups, SayWhatIsWrongWithALaunch) {
  Given given("syrk");
  flagstone_launch launch = given.launch();
  EXPECT_THAT(ErrorOf(launch, "lrr"), HasSubstr("policy 'lrr': expected one whose groups wait"));
  EXPECT_THAT(ErrorOf(launch, "rbb"), HasSubstr("policy 'rbb' is unknown"));
  EXPECT_THAT(ErrorOf(launch, "rb", 0), HasSubstr("0 SMs of 6 TBs"));
  launch.argument_count = 2;
  EXPECT_STREQ(ErrorOf(launch).c_str(), "'syrk' is given 2 arguments: expected 6");
  launch = given.launch();
  launch.grid[1] = 0;
  EXPECT_STREQ(ErrorOf(launch).c_str(), "grid.y is 0: expected 1 to 65535");
  launch = given.launch();
  launch.block[0] = 512;
  EXPECT_THAT(ErrorOf(launch), HasSubstr("threads: expected at most 1024"));
  launch = given.launch();
  launch.entry = "syr";
  EXPECT_THAT(ErrorOf(launch), HasSubstr("no entry 'syr'; there are: syrk"));
  launch.ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }";
  EXPECT_THAT(ErrorOf(launch), HasSubstr("ptx:4:"));
  launch.ptx = nullptr;
  EXPECT_STREQ(ErrorOf(launch).c_str(), "a null pointer: expected the text of a PTX module");
}

TEST(LibraryGroups, FindWhatIsSharedOfAModulesVariables) {
  // TBs of even ids read one half of the table, the others the other half, and each four bytes of
  // its own, which lie elsewhere.
  constexpr const char* kPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .b8 table[64];
.visible .entry k(.param .u64 own) {
  .reg .u64 %rd<7>;
  .reg .u32 %r<6>;
  ld.param.u64 %rd1, [own];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  and.b32 %r3, %r1, 1;
  mul.wide.u32 %rd4, %r3, 32;
  mov.u64 %rd5, table;
  add.u64 %rd6, %rd5, %rd4;
  ld.global.u32 %r4, [%rd6];
  ret;
})";
  const uint64_t own = 0x7f0012340000;
  const void* arguments[] = {&own};
  const flagstone_launch launch = {.ptx = kPtx,
                                   .grid = {96, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 1};
  const Made groups(launch);
  EXPECT_EQ(groups.All().size(), 16U);
  for (const std::vector<uint32_t>& group : groups.All()) {
    for (const uint32_t tb : group) EXPECT_EQ(tb % 2, group[0] % 2);
  }
  EXPECT_STREQ(flagstone_groups_left_out(groups), "");
}

}  // namespace library_groups_test
}  // namespace flagstone
