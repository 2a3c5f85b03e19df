// cp.async.bulk.tensor and multicasts (PTX ISA, sections 9.7.9.25.4 and 9.7.9.25.5) against loops
// over the box: all numbers of dimensions, edges of the tensor, steps, swizzles, and clusters.
#include "kernels/launch/tensor_map.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/tensor_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace tensor_map_test {

using Coordinates = std::array<int32_t, TensorMap::kMostDimensions>;
// A tensor of 20 x 7 x 5 x 3 x 4 elements, or of its first dimensions; rows are padded.
TensorMap MapOf(uint32_t dimensions, uint32_t element) {
  constexpr std::array<uint32_t, 5> kShape = {20, 7, 5, 3, 4};
  constexpr std::array<uint16_t, 5> kBox = {16, 5, 3, 2, 2};
  TensorMap map;
  map.dimensions = static_cast<uint8_t>(dimensions);
  map.strides[0] = element;
  for (uint32_t d = 0; d < dimensions; ++d) {
    map.shape[d] = kShape[d];
    map.box[d] = d == 0 ? static_cast<uint16_t>(32 / element) : kBox[d];
    if (d == 1) map.strides[d] = (map.shape[0] * element + 15) / 16 * 16 + 16;
    if (d > 1) map.strides[d] = map.strides[d - 1] * map.shape[d - 1] + 32;
  }
  return map;
}

// Where an element of the box lies in the tensor, or -1; `place`: its index in the box.
int64_t OffsetOf(const TensorMap& map, const Coordinates& at, uint64_t place) {
  int64_t offset = 0;
  for (uint32_t d = 0; d < map.dimensions; ++d) {
    const int64_t x = at[d] + static_cast<int64_t>(place % map.Copied(d)) * map.steps[d];
    place /= map.Copied(d);
    if (x < 0 || x >= map.shape[d]) return -1;
    offset += x * static_cast<int64_t>(map.strides[d]);
  }
  return offset;
}

TensorState Before(const TensorMap& map) {
  return {RandomBytes(TensorBytes(map), 1), RandomBytes(kTensorRoom, 2)};
}

TensorState Run(const TensorMap& map, const Coordinates& at, bool store, bool multicast) {
  const std::string name = fmt::format("cp.async.bulk.tensor.{}d", map.dimensions);
  const std::string place =
      "[%rd4, {" + CoordinateList({at.begin(), at.begin() + map.dimensions}) + "}]";
  const std::string load = fmt::format(
      "{}.shared::cluster.global.tile.mbarrier::complete_tx::bytes{} [%r10], {}, "
      "[%r11]{};",
      name, multicast ? ".multicast::cluster" : "", place, multicast ? ", %rs1" : "");
  const std::string stored = name + ".global.shared::cta.bulk_group " + place + ", [%r10];";
  return RunTensorCopy(map, store ? stored : load, store ? 0 : map.BoxBytes(), Before(map));
}

TensorState Expected(const TensorMap& map, const Coordinates& at, bool store) {
  TensorState expected = Before(map);
  const uint64_t width = map.ElementBytes();
  for (uint64_t place = 0; place < map.BoxBytes() / width; ++place) {
    const int64_t offset = OffsetOf(map, at, place);
    for (uint64_t byte = 0; byte < width; ++byte) {
      uint8_t& in_room = expected.room[SwizzledByte(place * width + byte, map.swizzle)];
      if (offset < 0) {
        const uint8_t nan = byte + 1 == width ? 0x7f : 0xff;
        if (!store) in_room = map.nan ? nan : 0;
        continue;
      }
      uint8_t& in_tensor = expected.tensor[static_cast<uint64_t>(offset) + byte];
      (store ? in_tensor : in_room) = store ? in_room : in_tensor;
    }
  }
  return expected;
}

void Check(const TensorMap& map, const Coordinates& at, bool store, bool multicast = false) {
  const TensorState got = Run(map, at, store, multicast);
  const TensorState expected = Expected(map, at, store);
  const std::string what =
      fmt::format("{}d of {} bytes at {}{}", map.dimensions, map.ElementBytes(),
                  CoordinateList({at.begin(), at.end()}), store ? ", stored" : "");
  EXPECT_EQ(got.tensor, expected.tensor) << what;
  EXPECT_EQ(got.room, expected.room) << what;
}

TEST(TensorMaps, CopyBoxesOfOneToFiveDimensionsInsideAndAcrossTheEdges) {
  for (uint32_t dimensions = 1; dimensions <= 5; ++dimensions) {
    for (const uint32_t element : {1U, 2U, 4U, 8U}) {
      const TensorMap map = MapOf(dimensions, element);
      for (const bool store : {false, true}) {
        Check(map, {1, 1, 1, 1, 1}, store);
        Check(map, {-3, -2, -1, -1, 0}, store);
        Check(map, {17, 4, 3, 2, 3}, store);
        Check(map, {100, 0, 0, 0, 0}, store);  // outside
      }
      Check(map, {0, 3, -1, 1, 1}, false, true);
    }
  }
}

TEST(TensorMaps, TakeEachSoManiethElement) {
  for (const uint32_t element : {2U, 4U}) {
    TensorMap map = MapOf(2, element);
    map.box = {static_cast<uint16_t>(element == 2 ? 31 : 15), 5, 1, 1, 1};
    map.steps = {2, 3, 1, 1, 1};
    for (const bool store : {false, true}) {
      Check(map, {0, 0}, store);
      Check(map, {-5, 2}, store);
    }
  }
}

TEST(TensorMaps, SwizzleUnitsOfSixteenBytes) {
  for (const TensorSwizzle swizzle :
       {TensorSwizzle::k32, TensorSwizzle::k64, TensorSwizzle::k128}) {
    TensorMap map = MapOf(2, 2);
    map.shape = {70, 20, 1, 1, 1};
    map.strides[1] = 160;
    map.swizzle = swizzle;
    map.box = {static_cast<uint16_t>(8U << static_cast<unsigned>(swizzle)), 17, 1, 1, 1};
    for (const bool store : {false, true}) {
      Check(map, {3, 1}, store);
      Check(map, {-1, 5}, store);
    }
  }
}

TEST(TensorMaps, ReadNansOutsideWhereTheyAreToldSo) {
  for (const uint32_t element : {2U, 4U, 8U}) {
    TensorMap map = MapOf(2, element);
    map.nan = true;
    Check(map, {-2, 5}, false);
  }
}

// What one thread's store by the map says, where it fails.
std::string MessageOfStore(const TensorMap& map, const std::string& copy) {
  return MessageOf(ErrorKind::kRunFailed, [&] {
    KernelRun run = KernelRun::FromText(
        KernelText(".param .align 64 .b8 map[128]",
                   ".shared .align 128 .b8 box[1024]; mov.b64 %rd4, map; cvta.param.u64 %rd4, "
                   "%rd4; mov.u32 %r1, box;\n" +
                       copy + " ret;"),
        {1, 1, 1}, {1, 1, 1});
    run.Scalar(MapParameter{map}).Run();
  });
}

TEST(TensorMaps, AreCheckedWhereTheyAreUsed) {
  const std::string store =
      "cp.async.bulk.tensor.{}d.global.shared::cta.bulk_group [%rd4, {{{}}}], ";
  const TensorMap map = MapOf(2, 4);
  EXPECT_NE(MessageOfStore(map, fmt::format(fmt::runtime(store), 2, "0, 5") + "[%r1];")
                .find("out-of-bounds bulk copy"),
            std::string::npos);
  EXPECT_NE(MessageOfStore(map, fmt::format(fmt::runtime(store), 3, "0, 5, 1") + "[%r1];")
                .find("no tensor map of 3 dimensions"),
            std::string::npos);
  EXPECT_NE(MessageOfStore(map, fmt::format(fmt::runtime(store), 2, "0, 5") + "[%r1+16];")
                .find("expected a multiple of 128"),
            std::string::npos);
}

// Four TBs of a cluster; the first of them copies for those whose bit the mask has. The others wait
// for their own barrier.
std::vector<uint32_t> Multicast(uint32_t mask, const std::string& copy) {
  const std::string body =
      ".shared .align 128 .b8 box[256]; .shared .align 8 .b64 bar;\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
      "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %cluster_ctarank; mov.u32 %r10, box; mov.u32 %r11, "
      "bar;\n"
      "shl.b32 %r5, %r1, 3; add.u32 %r6, %r10, %r5; mov.u64 %rd9, 0; st.shared.u64 [%r6], %rd9;\n"
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra READY;\nmbarrier.init.shared.b64 [%r11], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 256;\n"
      "READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p2, %r3, 0; or.pred %p2, %p2, %p1; @%p2 bra WAIT;\n"
      "mov.b64 %rd4, map; cvta.param.u64 %rd4, %rd4; mov.u32 %r7, 256;\n" +
      fmt::format("mov.u16 %rs1, {0};\n{1}\nWAIT: shr.u32 %r8, {0}, %r3; and.b32 %r8, %r8, 1;\n",
                  mask, copy) +
      "setp.eq.u32 %p3, %r8, 0; @%p3 bra DONE;\n"
      "TRY: mbarrier.try_wait.parity.shared.b64 %p4, [%r11], 0; @!%p4 bra TRY;\n"
      "DONE: ld.shared.u64 %rd5, [%r6]; mad.lo.u32 %r9, %r2, 32, %r1; mul.wide.u32 %rd6, %r9, 8;\n"
      "add.s64 %rd7, %rd2, %rd6; st.global.u64 [%rd7], %rd5;\n"
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out, .param .align 64 .b8 map[128]", body), {8, 1, 1},
      {32, 1, 1});
  std::vector<uint32_t> in(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = 1000 + i;
  run.Cluster({4, 1, 1}).Buffer("in", in).Buffer("out", std::vector<uint32_t>(8 * 64));
  MapParameter parameter;
  parameter.map.base = run.memory().Named("in").address;
  parameter.map.strides[0] = 4;
  parameter.map.shape[0] = parameter.map.box[0] = 64;
  run.Scalar(parameter);
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kCpAsync});
  run.Run();
  return run.Contents<uint32_t>("out");
}

// From global memory to the TB's own, and from there to another TB's.
TEST(Multicast, IsNotNeededToReachOneOtherTb) {
  const std::vector<uint32_t> out = Multicast(
      0x5,
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd1], %r7, "
      "[%r11];\nmapa.shared::cluster.u32 %r20, %r10, 2; mapa.shared::cluster.u32 %r21, %r11, 2;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r20], [%r10], %r7, "
      "[%r21];");
  for (uint32_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], i / 64 % 2 == 0 ? 1000 + i % 64 : 0);
  }
}

TEST(Multicast, ReachesTheTbsOfItsMaskAndTheirBarriers) {
  const std::string tensor =
      "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes."
      "multicast::cluster [%r10], [%rd4, {0}], [%r11], %rs1;";
  const std::string plain =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r10], [%rd1], %r7, [%r11], %rs1;";
  for (const std::string& copy : {tensor, plain}) {
    for (const uint32_t mask : {0xfU, 0x6U, 0x9U}) {
      const std::vector<uint32_t> out = Multicast(mask, copy);
      for (uint32_t i = 0; i < out.size(); ++i) {
        const bool reached = (mask >> (i / 64 % 4) & 1) != 0;
        ASSERT_EQ(out[i], reached ? 1000 + i % 64 : 0) << copy << ", mask " << mask;
      }
    }
    EXPECT_NE(MessageOf(ErrorKind::kRunFailed, [&] { Multicast(0x10, copy); })
                  .find("multicast to TBs 0x10 of a cluster of 4"),
              std::string::npos);
  }
}

}  // namespace tensor_map_test
}  // namespace flagstone::conformance
