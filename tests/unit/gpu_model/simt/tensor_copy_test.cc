// Tensor copies step by step: which sectors each issue takes, and what waits for a commit.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/launch/tensor_map.h"
#include "tests/unit/gpu_model/simt/stepped_launch.h"

namespace flagstone {
namespace tensor_copy_test {

using Halves = std::vector<uint16_t>;

struct Parameter {
  TensorMap map;
  std::array<uint8_t, TensorMap::kBytes - sizeof(TensorMap)> rest = {};
};

constexpr uint32_t kRoom = 2048;  // bytes of shared memory for the box

// 58 x 9 x 3 elements of 2 bytes, of which a box takes 64 x 3 x 4, of each second row.
TensorMap Map() {
  TensorMap map;
  map.dimensions = 3;
  map.strides = {2, 128, 2048, 0, 0};
  map.shape = {58, 9, 3, 1, 1};
  map.box = {64, 5, 4, 1, 1};
  map.steps = {1, 2, 1, 1, 1};
  map.swizzle = TensorSwizzle::k128;
  map.nan = true;
  return map;
}
constexpr std::array<int32_t, 3> kAt = {-4, 5, 0};  // row 9 and plane 3 are outside

Halves Counting(size_t count) {
  Halves halves(count);
  std::iota(halves.begin(), halves.end(), uint16_t{100});
  return halves;
}

// Calls visit(place in the box's memory, place in the tensor or -1) for each element, in halves.
template <class Visit>
void ForElements(const TensorMap& map, Visit visit) {
  uint32_t place = 0;
  for (uint32_t z = 0; z < map.Copied(2); ++z) {
    for (uint32_t y = 0; y < map.Copied(1); ++y) {
      for (uint32_t x = 0; x < map.Copied(0); ++x, ++place) {
        const int64_t at[] = {kAt[0] + int64_t{x} * map.steps[0],
                              kAt[1] + int64_t{y} * map.steps[1],
                              kAt[2] + int64_t{z} * map.steps[2]};
        int64_t in_tensor = 0;
        for (int d = 0; d < 3; ++d) {
          if (at[d] < 0 || at[d] >= map.shape[static_cast<size_t>(d)]) in_tensor = -1;
        }
        for (size_t d = 0; d < 3 && in_tensor >= 0; ++d) {
          in_tensor += at[d] * static_cast<int64_t>(map.strides[d] / 2);
        }
        // Of each row of 128 bytes the units of 16 change places.
        const uint32_t unit =
            place / 8 % 8 ^ (map.swizzle == TensorSwizzle::kNone ? 0 : place / 64 % 8);
        visit(place / 64 * 64 + unit * 8 + place % 8, in_tensor);
      }
    }
  }
}

// The sectors that the rows of the box touch, in order.
std::vector<uint64_t> SectorsOf(const TensorMap& map, uint64_t base) {
  std::vector<uint64_t> sectors;
  int64_t last = -1;
  ForElements(map, [&](uint32_t, int64_t in_tensor) {
    if (in_tensor < 0) return;
    const int64_t sector = in_tensor * 2 / 32;
    if (sector != last) sectors.push_back(base + static_cast<uint64_t>(sector) * 32);
    last = sector;
  });
  return sectors;
}

// Two TBs of a cluster; the first one's thread 0 copies by the map at %rd4, whose box begins at
// shared memory's place %r10. Before and after, the memory is what `room` and `out` hold.
std::string Kernel(const std::string& map, const std::string& copy, bool waits) {
  return KernelText(
      ".param .u64 tensor, .param .u64 room, .param .u64 maps, .param .align 64 .b8 map[128]",
      fmt::format(".shared .align 1024 .b8 box[{0}];\n.shared .align 8 .b64 bar;\n", kRoom) +
          "ld.param.u64 %rd2, [room];\nld.param.u64 %rd8, [maps];\nmov.u32 %r10, box;\n"
          "mov.u32 %r11, bar;\nmov.u16 %rs1, 3;\nmov.u32 %r1, %laneid;\nmov.u32 %r3, %ctaid.x;\n"
          "shl.b32 %r4, %r1, 2;\nadd.u32 %r5, %r10, %r4;\n" +
          fmt::format("mul.lo.u32 %r6, %r3, {};\n", kRoom) +
          "add.u32 %r6, %r6, %r4;\ncvt.u64.u32 %rd3, %r6;\nadd.s64 %rd3, %rd2, %rd3;\n"
          "mov.u32 %r7, 0;\nmov.u64 %rd5, %rd3;\nmov.u32 %r8, %r5;\n"
          "IN: ld.global.u32 %r9, [%rd5];\nst.shared.u32 [%r8], %r9;\nadd.u32 %r8, %r8, 128;\n"
          "add.s64 %rd5, %rd5, 128;\nadd.u32 %r7, %r7, 128;\n" +
          fmt::format("setp.lt.u32 %p1, %r7, {};\n@%p1 bra IN;\n", kRoom) +
          "setp.eq.u32 %p2, %r1, 0;\n@%p2 mbarrier.init.shared.b64 [%r11], 1;\n" +
          fmt::format("@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r11], {};\n",
                      Map().BoxBytes()) +
          "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
          "setp.ne.u32 %p3, %r3, 0;\n@%p3 bra WAIT;\n@!%p2 bra WAIT;\n" +
          map + fmt::format("{}\nWAIT:\n", copy) +
          (waits ? "TRY: mbarrier.try_wait.parity.shared.b64 %p4, [%r11], 0;\n@!%p4 bra TRY;\n"
                 : "") +
          "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 %r7, 0;\n"
          "OUT: ld.shared.u32 %r9, [%r5];\nst.global.u32 [%rd3], %r9;\nadd.u32 %r5, %r5, 128;\n"
          "add.s64 %rd3, %rd3, 128;\nadd.u32 %r7, %r7, 128;\n" +
          fmt::format("setp.lt.u32 %p1, %r7, {};\n@%p1 bra OUT;\nret;", kRoom));
}

constexpr char kParamMap[] = "mov.b64 %rd4, map;\ncvta.param.u64 %rd4, %rd4;\n";
constexpr char kGlobalMap[] = "add.s64 %rd4, %rd8, 128;\n";

KernelRun RunOf(const std::string& text, const TensorMap& map, const Halves& tensor,
                const Halves& room) {
  KernelRun run = KernelRun::FromText(text, {2, 1, 1});
  run.Cluster({2, 1, 1}).Buffer("tensor", tensor).Buffer("room", room);
  Parameter parameter{map};
  parameter.map.base = run.memory().Named("tensor").address;
  run.Buffer("maps", std::vector<Parameter>{{}, parameter}).Scalar(parameter);
  return run;
}

constexpr size_t kTensor = 3 * 1024, kRooms = kRoom;  // in halves

TEST(TensorCopy, LoadsABoxAcrossTheEdgesIntoAllTbsOfAMulticast) {
  for (const char* const from : {kParamMap, kGlobalMap}) {
    const TensorMap map = Map();
    const Halves tensor = Counting(kTensor);
    KernelRun run =
        RunOf(Kernel(from,
                     "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes.multicast::cluster [%r10], [%rd4, {-4, 5, 0}], [%r11], %rs1;",
                     true),
              map, tensor, Halves(kRooms, 7));
    SteppedLaunch launch(run);
    launch.Run();
    Halves expected(kRooms, 7);
    ForElements(map, [&](uint32_t place, int64_t in_tensor) {
      for (const uint32_t tb : {0U, 1U}) {
        expected[tb * kRoom / 2 + place] =
            in_tensor < 0 ? 0x7fff : tensor[static_cast<size_t>(in_tensor)];
      }
    });
    EXPECT_EQ(run.Contents<uint16_t>("room"), expected) << from;

    const auto issues = launch.TrafficOf("cp.async.bulk.tensor");
    std::vector<uint64_t> touched;
    for (const auto& issue : issues) {
      EXPECT_EQ(issue.space, MemorySpace::kGlobal);
      EXPECT_EQ(issue.lanes, (1U << issue.addresses.size()) - 1);
      EXPECT_LE(issue.addresses.size(), 16U);
      touched.insert(touched.end(), issue.addresses.begin(), issue.addresses.end());
    }
    EXPECT_EQ(touched, SectorsOf(map, run.memory().Named("tensor").address));
    EXPECT_EQ(issues.size(), (touched.size() + 15) / 16);
  }
}

TEST(TensorCopy, StoresWhatLiesInsideTheTensorAtTheCommit) {
  TensorMap map = Map();
  map.steps = {2, 2, 1, 1, 1};
  map.swizzle = TensorSwizzle::kNone;
  const Halves room = Counting(kRooms);
  KernelRun run = RunOf(Kernel(kParamMap,
                               "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%rd4, {-4, "
                               "5, 0}], [%r10];\ncp.async.bulk.commit_group;\n"
                               "cp.async.bulk.wait_group 0;",
                               false),
                        map, Halves(kTensor), room);
  SteppedLaunch launch(run);
  launch.Run();
  Halves expected(kTensor);
  uint32_t inside = 0;
  // Without swizzling the rows, of 32 elements now, follow one another.
  ForElements(map, [&](uint32_t place, int64_t in_tensor) {
    if (in_tensor < 0) return;
    expected[static_cast<size_t>(in_tensor)] = room[place];
    ++inside;
  });
  EXPECT_EQ(run.Contents<uint16_t>("tensor"), expected);
  EXPECT_EQ(inside, 29U * 2 * 3);
}

// The sectors are those of a load; the room stays as it is.
TEST(TensorCopy, PrefetchesTheSectorsOfItsBox) {
  const TensorMap map = Map();
  const Halves room = Counting(kRooms);
  KernelRun run = RunOf(Kernel(kParamMap,
                               "cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%rd4, {-4, 5, "
                               "0}];",
                               false),
                        map, Counting(kTensor), room);
  SteppedLaunch launch(run);
  launch.Run();
  std::vector<uint64_t> touched;
  for (const auto& issue : launch.TrafficOf("cp.async.bulk.prefetch")) {
    EXPECT_EQ(issue.space, MemorySpace::kGlobal);
    touched.insert(touched.end(), issue.addresses.begin(), issue.addresses.end());
  }
  EXPECT_EQ(touched, SectorsOf(map, run.memory().Named("tensor").address));
  EXPECT_EQ(run.Contents<uint16_t>("room"), room);
}

// Sums reach global memory once, at the commit of each issue.
TEST(TensorCopy, ReducesAtTheCommit) {
  TensorMap map = Map();
  map.type = TensorType::kU32;
  map.strides[0] = 4;
  map.shape[0] = 29;
  map.box = {32, 5, 4, 1, 1};
  map.swizzle = TensorSwizzle::kNone;
  map.nan = false;
  const Halves tensor = Counting(kTensor), room = Counting(kRooms);
  KernelRun run = RunOf(Kernel(kParamMap,
                               "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.bulk_group "
                               "[%rd4, {-2, 5, 0}], [%r10];\ncp.async.bulk.commit_group;",
                               false),
                        map, tensor, room);
  const auto before = run.Contents<uint32_t>("tensor"), added = run.Contents<uint32_t>("room");
  SteppedLaunch launch(run);
  do {
    launch.Commit();
    launch.StepAll();
  } while (launch.TrafficOf("cp.reduce").empty());
  EXPECT_EQ(run.Contents<uint32_t>("tensor"), before);
  launch.Commit();
  launch.Run();
  auto expected = before;
  for (uint32_t i = 0; i < 32 * 3 * 4; ++i) {
    const int32_t x = static_cast<int32_t>(i % 32) - 2;
    const uint32_t y = 5 + i / 32 % 3 * 2, z = i / 96;
    if (x < 0 || x >= 29 || y >= 9 || z >= 3) continue;
    expected[z * 512 + y * 32 + static_cast<uint32_t>(x)] += added[i];
  }
  EXPECT_EQ(run.Contents<uint32_t>("tensor"), expected);
}

TEST(TensorCopy, FailsOffItsAlignmentAndWithoutAMapOfItsDimensions) {
  const auto message = [](const std::string& from, const std::string& operands, int dimensions) {
    return MessageOf(ErrorKind::kRunFailed, [&] {
      KernelRun run =
          RunOf(Kernel(from,
                       fmt::format("cp.async.bulk.tensor.{}d.global.shared::cta.bulk_group {};",
                                   dimensions, operands),
                       false),
                Map(), Halves(kTensor), Halves(kRooms));
      SteppedLaunch(run).Run();
    });
  };
  EXPECT_NE(message(kParamMap, "[%rd4, {0, 0, 0}], [%r10+64]", 3).find("a multiple of 128"),
            std::string::npos);
  EXPECT_NE(message(kParamMap, "[%rd4, {0, 0}], [%r10]", 2).find("no tensor map of 2 dimensions"),
            std::string::npos);
  EXPECT_NE(message("mov.b64 %rd4, map;\ncvta.param.u64 %rd4, %rd4;\nadd.s64 %rd4, %rd4, 16;\n",
                    "[%rd4, {0, 0, 0}], [%r10]", 3)
                .find("no tensor map of 3 dimensions"),
            std::string::npos)
      << "a map that ends outside of the parameters";
  EXPECT_NE(message(kGlobalMap, "[%rd8, {0, 0}], [%r10]", 2).find("no tensor map"),
            std::string::npos);
  EXPECT_NE(message(kParamMap, "[%rd4, {0, 0, 0}], [%r10+1024]", 3).find("out-of-bounds bulk copy"),
            std::string::npos)
      << "a box that ends outside of shared memory";
}

}  // namespace tensor_copy_test
}  // namespace flagstone
