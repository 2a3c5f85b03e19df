// What copies of many bytes count as in a timed run: the lines, sectors and energy of a kernel that
// moves the same bytes by loads and stores.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/launch/tensor_map.h"
#include "systemc/simulation.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace bulk_traffic_test {

constexpr uint32_t kTbs = 16;      // 64 KiB in all, twice the L2 of tiny
constexpr uint32_t kBytes = 4096;  // of a TB's part of the buffer
constexpr uint32_t kLines = kTbs * kBytes / 128, kSectors = kTbs * kBytes / 32;

// The argument of a kernel: the buffer as rows of 128 bytes, of which a box takes so many as a TB's
// part has, from the first words on.
struct Parameter {
  TensorMap map;
  std::array<uint8_t, TensorMap::kBytes - sizeof(TensorMap)> rest = {};
};
Parameter Map(uint64_t base, uint16_t words) {
  Parameter parameter;
  parameter.map.dimensions = 2;
  parameter.map.type = TensorType::kU32;
  parameter.map.base = base;
  parameter.map.strides = {4, 128, 0, 0, 0};
  parameter.map.shape = {32, kTbs * kBytes / 128, 1, 1, 1};
  parameter.map.box = {words, kBytes / 128, 1, 1, 1};
  return parameter;
}

// %rd2: the TB's part of the buffer; %rd3: the thread's 16 bytes of it; %r2: the TB's shared
// memory.
std::string Kernel(const std::string& body) {
  return KernelText(
      ".param .u64 a, .param .align 64 .b8 map[128]",
      fmt::format(".shared .align 128 .b8 tile[{0}];\n.shared .align 8 .b64 bar;\n"
                  "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd2, %r1, {0};\n"
                  "add.s64 %rd2, %rd1, %rd2;\nmov.u32 %r2, tile;\nmov.u32 %r3, %tid.x;\n"
                  "mul.wide.u32 %rd3, %r3, 16;\nadd.s64 %rd3, %rd2, %rd3;\n"
                  "setp.ne.u32 %p1, %r3, 0;\nmov.b64 %rd4, map;\ncvta.param.u64 %rd4, "
                  "%rd4;\nmov.u32 %r4, 0;\n"
                  "shl.b32 %r5, %r1, 5;\n",
                  kBytes) +
          body + "ret;");
}
// Thread 0 copies to shared memory, and all wait.
std::string In(const std::string& copy, uint32_t bytes = kBytes, const std::string& before = "") {
  return Kernel(fmt::format("@%p1 bra WAIT;\nmbarrier.init.shared.b64 [bar], 1;\n"
                            "mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};\nWAIT:\n{}"
                            "@%p1 bra TRY;\n",
                            bytes, before) +
                copy + "TRY: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra TRY;\n");
}
std::string Out(const std::string& copy) {
  return Kernel("@%p1 bra DONE;\n" + copy +
                "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nDONE:\n");
}
// The warp's threads move 512 bytes with each turn.
std::string Plain(const std::string& move) {
  return Kernel(
      fmt::format("LOOP: {}add.s64 %rd3, %rd3, 512;\nadd.u32 %r4, %r4, 1;\n"
                  "setp.lt.u32 %p2, %r4, {};\n@%p2 bra LOOP;\n",
                  move, kBytes / 512));
}

struct RunOptions {
  uint16_t words = 32;  // of a row of the box
  std::vector<std::string> settings;
  Dim3 cluster = {1, 1, 1};
  uint32_t bytes = kTbs * kBytes + 128;  // of the buffer
};
LaunchStatistics StatisticsOf(const std::string& text, const RunOptions& of = {}) {
  KernelRun run = KernelRun::FromText(text, {kTbs, 1, 1});
  run.Cluster(of.cluster).Buffer("a", std::vector<uint8_t>(of.bytes));
  run.Scalar(Map(run.memory().Named("a").address, of.words));
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", of.settings);
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &run.launch();
  request.memory = &run.memory();
  return Simulate(options, request).launch.statistics;
}

// What moves: in lines to the L1, in sectors behind it.
std::vector<std::pair<std::string, uint64_t>> TrafficOf(const LaunchStatistics& s) {
  return {{"L1 loads", s.l1.loads},           {"L1 stores", s.l1.stores},
          {"L1 misses", s.l1.misses},         {"request flits", s.noc.request.flits},
          {"reply flits", s.noc.reply.flits}, {"L2 reads", s.l2.reads},
          {"L2 writes", s.l2.writes},         {"L2 accesses", s.l2.accesses},
          {"DRAM reads", s.dram.reads},       {"DRAM writes", s.dram.writes}};
}
std::vector<uint64_t> EnergyOfTraffic(const LaunchStatistics& s) {
  return {s.energy.l1, s.energy.noc, s.energy.l2, s.energy.dram.read, s.energy.dram.write};
}

const std::string kLoads = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n";
const std::string kStores = "st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};\n";
const std::string kBulkIn =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2], 4096, "
    "[bar];\n";
const std::string kTensorIn =
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd4, "
    "{%r4, %r5}], [bar];\n";
const std::string kTensorPrefetch =
    "cp.async.bulk.prefetch.tensor.2d.L2.global [%rd4, {%r4, %r5}];\n";
const std::string kTensorOut =
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd4, {%r4, %r5}], [%r2];\n";
const std::vector<std::string> kIn = {
    In(kBulkIn), In(kTensorIn),
    Kernel("@%p1 bra DONE;\ncp.async.bulk.prefetch.L2.global [%rd2], 4096;\nDONE:\n"),
    Kernel("@%p1 bra DONE;\n" + kTensorPrefetch + "DONE:\n")};
const std::vector<std::string> kOut = {
    Out("cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 4096;\n"), Out(kTensorOut),
    Out("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 4096;\n"),
    Out("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd4, {%r4, %r5}], "
        "[%r2];\n")};

TEST(BulkTraffic, CountsInLinesAndSectorsAsThatOfLoadsAndStores) {
  const LaunchStatistics loads = StatisticsOf(Plain(kLoads)), stores = StatisticsOf(Plain(kStores));
  EXPECT_EQ(loads.l1.loads, kLines);
  EXPECT_EQ(loads.l2.reads, kSectors);
  EXPECT_EQ(loads.dram.reads, kSectors);
  EXPECT_EQ(stores.l1.stores, kLines);
  EXPECT_EQ(stores.l2.writes, kSectors);
  EXPECT_GT(stores.dram.writes, 0U);
  for (const std::string& text : kIn) {
    EXPECT_EQ(TrafficOf(StatisticsOf(text)), TrafficOf(loads)) << text;
  }
  for (const std::string& text : kOut) {
    EXPECT_EQ(TrafficOf(StatisticsOf(text)), TrafficOf(stores)) << text;
  }
}

TEST(BulkTraffic, CostsTheEnergyOfLoadsAndStoresAndLessForInstructions) {
  const auto expect = [](const std::vector<std::string>& texts, const std::string& move) {
    const LaunchStatistics plain = StatisticsOf(Plain(move));
    for (const std::string& text : texts) {
      const LaunchStatistics bulk = StatisticsOf(text);
      EXPECT_EQ(EnergyOfTraffic(bulk), EnergyOfTraffic(plain)) << text;
      EXPECT_GT(bulk.energy.l1 + bulk.energy.l2, 0U);
      EXPECT_LT(bulk.energy.registers, plain.energy.registers) << text;
      EXPECT_LT(bulk.energy.operations, plain.energy.operations) << text;
    }
  };
  expect(kIn, kLoads);
  expect(kOut, kStores);
}

// An issue takes 32 sectors of a bulk copy: one that begins in the second sector of a line touches
// nine lines with each of four issues, and the 129th sector makes another.
TEST(BulkTraffic, IsCoalescedByIssue) {
  const LaunchStatistics statistics = StatisticsOf(In("add.s64 %rd2, %rd2, 48;\n" + kBulkIn));
  EXPECT_EQ(statistics.l1.loads, kTbs * (4 * 9 + 1));
}

// A row of 32 bytes is a sector of a line of its own.
TEST(BulkTraffic, OfABoxIsThatOfItsRows) {
  RunOptions narrow;
  narrow.words = 8;
  narrow.settings = {"sm.l1.sector_bytes=32"};
  const LaunchStatistics statistics = StatisticsOf(In(kTensorIn, kBytes / 4), narrow);
  EXPECT_EQ(statistics.l1.loads, kLines);
  EXPECT_EQ(statistics.l2.reads, kLines);
  EXPECT_EQ(statistics.dram.reads, kLines);
}

// The barrier hears of all bytes of the box, and nothing is read or written.
TEST(BulkTraffic, OfABoxOutsideOfTheTensorIsNone) {
  const std::string beyond = "add.u32 %r5, %r5, 4096;\n";
  for (const std::string& text :
       {In(beyond + kTensorIn), Out(beyond + kTensorOut),
        Kernel("@%p1 bra DONE;\n" + beyond + kTensorPrefetch + "DONE:\n")}) {
    const LaunchStatistics statistics = StatisticsOf(text);
    for (const auto& [name, count] : TrafficOf(statistics)) EXPECT_EQ(count, 0U) << name << text;
    EXPECT_GT(statistics.cycles, 0U);
  }
}

// A map that the TB has made in shared memory is in global memory when its copies name it.
TEST(BulkTraffic, OfAMapThatTheKernelMakesIsThatOfTheMap) {
  std::string words;
  for (int at = 0; at < 128; at += 16) {
    words += fmt::format(
        "ld.param.v4.u32 {{%r9, %r10, %r11, %r12}}, [map+{0}];\n"
        "st.shared.v4.u32 [mine+{0}], {{%r9, %r10, %r11, %r12}};\n",
        at);
  }
  const std::string copy =
      ".shared .align 128 .b8 mine[128];\nmul.wide.u32 %rd5, %r1, 128;\nadd.s64 %rd5, %rd1, %rd5;\n"
      "add.s64 %rd5, %rd5, 65664;\n" +
      words +
      "bar.warp.sync -1;\nmov.u32 %r8, mine;\n"
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%rd5], [%r8], 128;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128;\nmov.b64 %rd4, %rd5;\n";
  RunOptions more;
  more.bytes = kTbs * (kBytes + 128) + 128;
  const LaunchStatistics made = StatisticsOf(In(kTensorIn, kBytes, copy), more);
  EXPECT_EQ(made.l2.reads, kSectors);
  EXPECT_EQ(made.l2.writes, kTbs * 128 / 32);
}

// Both TBs of a cluster need the same 4096 bytes: each asks for a half for both, or for all.
TEST(BulkTraffic, OfAMulticastIsThatOfOneCopy) {
  const std::string place =
      "shr.u32 %r6, %r1, 1;\nmul.wide.u32 %rd5, %r6, 4096;\nadd.s64 %rd2, %rd1, %rd5;\n";
  const std::string meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  const std::string half =
      "and.b32 %r7, %r1, 1;\nmul.lo.u32 %r7, %r7, 2048;\ncvt.u64.u32 %rd6, %r7;\n"
      "add.s64 %rd2, %rd2, %rd6;\nadd.u32 %r2, %r2, %r7;\nmov.u16 %rs1, 3;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], "
      "[%rd2], 2048, [bar], %rs1;\n";
  RunOptions pairs;
  pairs.cluster = {2, 1, 1};
  pairs.settings = {"sm.l1.global=bypass"};
  const LaunchStatistics once = StatisticsOf(In(place + half, kBytes, meet), pairs);
  const LaunchStatistics twice = StatisticsOf(In(place + kBulkIn, kBytes, meet), pairs);
  EXPECT_EQ(once.l2.reads, kSectors / 2);
  EXPECT_EQ(twice.l2.reads, kSectors);
  EXPECT_EQ(once.noc.reply.flits * 2, twice.noc.reply.flits);
  EXPECT_EQ(once.energy.noc * 2, twice.energy.noc);
}

}  // namespace bulk_traffic_test
}  // namespace flagstone
