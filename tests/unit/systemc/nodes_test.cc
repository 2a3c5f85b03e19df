// Machines of several nodes: the traffic of the worked examples of docs/ladm.md, as simulated.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/ptx/parser.h"
#include "tests/unit/analyzer/placement/cases.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace nodes_test {

// What a TB reads in each of `turns` turns: a word of each of 32 sectors. Lane l has the sector l %
// lanes of row l / lanes; all steps in bytes.
struct Reads {
  uint32_t lanes = 32;
  uint32_t row_step = 0;
  uint32_t x_step = 0, y_step = 0;  // from TB to TB
  uint32_t turns = 1, turn_step = 1024;
  uint32_t rounds = 1, round_step = 0;  // of all turns
};

// A kernel whose TBs read one array, on its way to a simulation.
class ReadKernel {
 public:
  ReadKernel(const Dim3& grid, uint64_t bytes, const Reads& reads)
      : module_(ptx::Parse(Text(reads), "k.ptx")) {
    address_ = memory_.Allocate("array", bytes);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = grid;
    launch_.block = {32, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
  }

  LaunchRecord Run(const MachineConfig& machine, const NodePlan& plan, Engine engine) {
    SimulateOptions options;
    options.engine = engine;
    options.machine = machine;
    PageTable pages(machine.numa);
    pages.Place(memory_, plan);
    LaunchRequest request;
    request.launch = &launch_;
    request.memory = &memory_;
    request.plan = plan;
    request.pages = &pages;
    return Simulate(options, request).launch;
  }

 private:
  static std::string Text(const Reads& r) {
    const auto n = [](uint32_t value) { return std::to_string(value); };
    return ".version 6.0\n.target sm_35\n.address_size 64\n"
           ".visible .entry k(.param .u64 p) {\n"
           "  .reg .b32 %r<16>;\n  .reg .b64 %rd<8>;\n  .reg .pred %p<3>;\n"
           "  ld.param.u64 %rd1, [p];\n"
           "  mov.u32 %r1, %tid.x;\n  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ctaid.y;\n"
           "  div.u32 %r4, %r1, " +
           n(r.lanes) +
           ";\n"
           "  rem.u32 %r5, %r1, " +
           n(r.lanes) +
           ";\n"
           "  mul.lo.u32 %r6, %r4, " +
           n(r.row_step) +
           ";\n"
           "  mad.lo.u32 %r6, %r5, 32, %r6;\n"
           "  mad.lo.u32 %r6, %r2, " +
           n(r.x_step) +
           ", %r6;\n"
           "  mad.lo.u32 %r6, %r3, " +
           n(r.y_step) +
           ", %r6;\n"
           "  mov.u32 %r9, 0;\nR:\n  mov.u32 %r7, 0;\nL:\n"
           "  mad.lo.u32 %r8, %r7, " +
           n(r.turn_step) +
           ", %r6;\n"
           "  mad.lo.u32 %r8, %r9, " +
           n(r.round_step) +
           ", %r8;\n"
           "  cvt.u64.u32 %rd2, %r8;\n  add.s64 %rd2, %rd1, %rd2;\n"
           "  ld.global.u32 %r10, [%rd2];\n"
           "  add.u32 %r7, %r7, 1;\n  setp.lt.u32 %p1, %r7, " +
           n(r.turns) +
           ";\n  @%p1 bra L;\n"
           "  add.u32 %r9, %r9, 1;\n  setp.lt.u32 %p1, %r9, " +
           n(r.rounds) +
           ";\n  @%p1 bra R;\n"
           "  ret;\n}\n";
  }

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
};

using Planner = NodePlan (*)(const PlacementCase&);
NodePlan Lasp(const PlacementCase& c) { return c.Lasp(); }
NodePlan HCoda(const PlacementCase& c) { return PlanCoda(c.input()); }
NodePlan KernelWide(const PlacementCase& c) { return PlanKernelWide(c.input()); }
NodePlan RrNode(const PlacementCase& c) { return PlanRoundRobin(c.input(), 1); }

struct Example {
  NodeShape nodes = {2, 2};
  Dim3 grid;
  LadmArgument array;
  Reads reads;
  uint32_t block_x = 512;  // that the analysis sees: TBs of 4-byte elements
};

struct Share {
  double off_node = 0, off_gpu = 0;
  std::vector<uint64_t> tbs;  // of each node
};

Share ShareOnEngine(const Example& e, Planner plan, Engine engine) {
  const auto set = [](const char* key, uint32_t value) {
    return std::string(key) + "=" + std::to_string(value);
  };
  const uint32_t nodes = e.nodes.Nodes();
  const MachineConfig machine = MachineConfig::Load(
      "tiny_numa", {set("numa.gpus", e.nodes.gpus), set("numa.chiplets", e.nodes.chiplets),
                    set("sm.count", nodes), set("l2.slices", nodes), set("dram.channels", nodes)});
  PlacementCase c(e.nodes, e.grid, e.array);
  c.SetBlock(e.block_x);
  ReadKernel kernel(e.grid, e.array.bytes, e.reads);
  const LaunchRecord record = kernel.Run(machine, plan(c), engine);
  const NumaStatistics& numa = record.statistics.numa;
  const auto asked = static_cast<double>(numa.ll.accesses + numa.lr.accesses);
  Share share;
  share.off_node = static_cast<double>(numa.lr.misses) / asked;
  share.off_gpu = static_cast<double>(numa.lr.other_gpu) / asked;
  for (const NodesRecord::Node& node : record.nodes->nodes) share.tbs.push_back(node.tbs);
  return share;
}

constexpr uint64_t kKiB = 1024;

// With the root, the nodes' TB schedulers and the L2 policies as models, as RTL, and as both.
class NodesExample : public testing::TestWithParam<Engine> {
 protected:
  static Share ShareOf(const Example& e, Planner plan) {
    return ShareOnEngine(e, plan, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, NodesExample,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         [](const auto& engine) { return std::string(ToString(engine.param)); });

// 2 KiB a TB.
Example First() {
  return {.grid = {8, 1, 1}, .array = Streamed(16 * kKiB), .reads = {.x_step = 2048, .turns = 2}};
}

TEST_P(NodesExample, ReadAllTheirOwnWhereTbsFollowPages) {
  EXPECT_EQ(ShareOf(First(), Lasp).off_node, 0);
  EXPECT_EQ(ShareOf(First(), HCoda).off_node, 0);
  EXPECT_EQ(ShareOf(First(), RrNode).off_node, 6.0 / 8);
  EXPECT_EQ(ShareOf(First(), Lasp).tbs, (std::vector<uint64_t>{2, 2, 2, 2}));
}

TEST_P(NodesExample, FollowTheStrideOfALoopOnlyUnderLasp) {
  const Example e = {.grid = {8, 1, 1},
                     .array = Streamed(32 * kKiB, 16 * kKiB),
                     .reads = {.x_step = 2048, .turns = 2, .rounds = 2, .round_step = 16384}};
  EXPECT_EQ(ShareOf(e, Lasp).off_node, 0);
  EXPECT_EQ(ShareOf(e, KernelWide).off_node, 12.0 / 16);
}

TEST_P(NodesExample, ShareNoPagesWhereATbHasTwo) {
  Example e = {
      .grid = {8, 1, 1}, .array = Streamed(64 * kKiB), .reads = {.x_step = 8192, .turns = 8}};
  EXPECT_EQ(ShareOf(e, Lasp).off_node, 0);
  e.block_x = 1024;
  EXPECT_EQ(ShareOf(e, HCoda).off_node, 12.0 / 16);
}

TEST_P(NodesExample, ReadTheirOwnRowsAndColumns) {
  const Example rows = {.grid = {1, 8, 1},
                        .array = Shared(LocalityType::kRowHorizontal, 32 * kKiB),
                        .reads = {.y_step = 4096, .turns = 4}};
  EXPECT_EQ(ShareOf(rows, Lasp).off_node, 0);
  const Example wide = {.grid = {8, 1, 1},
                        .array = Shared(LocalityType::kColVertical, 64 * kKiB),
                        .reads = {.x_step = 4096, .turns = 4, .rounds = 2, .round_step = 32768},
                        .block_x = 1024};
  EXPECT_EQ(ShareOf(wide, Lasp).off_node, 0);
  const Example narrow = {.grid = {8, 1, 1},
                          .array = Shared(LocalityType::kColVertical, 32 * kKiB),
                          .reads = {.x_step = 1024, .rounds = 4, .round_step = 8192},
                          .block_x = 256};
  const Share share = ShareOf(narrow, Lasp);
  EXPECT_EQ(share.off_gpu, 0);
  EXPECT_EQ(share.off_node, 0.5);
}

TEST_P(NodesExample, OfAStencilUnderHCodaReadHalfFromOtherGpus) {
  // Tiles of 16 x 16 words of 2048 x 2048: 16 rows of two sectors.
  const Example e = {.nodes = {4, 4},
                     .grid = {128, 128, 1},
                     .array = Streamed(16 * 1024 * kKiB),
                     .reads = {.lanes = 2, .row_step = 8192, .x_step = 64, .y_step = 16 * 8192},
                     .block_x = 16};
  const Share share = ShareOf(e, HCoda);
  EXPECT_EQ(share.off_gpu, 0.5);
  EXPECT_EQ(share.off_node, 0.875);
}

TEST_P(NodesExample, OfTheThirdFigureReadHalfFromTheOtherUnlessLaspDealsThePages) {
  const Example e = {.nodes = {2, 1},
                     .grid = {2, 1, 1},
                     .array = Streamed(16 * kKiB, 8 * kKiB),
                     .reads = {.x_step = 4096, .turns = 4, .rounds = 2, .round_step = 8192}};
  EXPECT_EQ(ShareOf(e, Lasp).off_node, 0);
  EXPECT_EQ(ShareOf(e, KernelWide).off_node, 0.5);
}

TEST_P(NodesExample, OfAFullyConnectedLayerReadNoWeightsFromOtherGpus) {
  // 128 columns of TBs of 32 words: rows of 16 KiB, of which each TB reads four sectors.
  const Example e = {
      .nodes = {4, 4},
      .grid = {128, 1, 1},
      .array = Shared(LocalityType::kColVertical, 64 * 16 * kKiB),
      .reads = {.lanes = 4, .row_step = 16384, .x_step = 128, .turns = 8, .turn_step = 8 * 16384},
      .block_x = 32};
  const Share share = ShareOf(e, Lasp);
  EXPECT_EQ(share.off_gpu, 0);
  EXPECT_EQ(share.tbs, std::vector<uint64_t>(16, 8));
  EXPECT_EQ(ShareOf(e, HCoda).off_gpu, 0);
}

// Pages of two TBs each, which lie where these run; one node has no TBs.
NodePlan ByHand(const PlacementCase&) {
  NodePlan plan;
  plan.queues.resize(4);
  plan.queues[0].groups = {{0, 1}};
  plan.queues[2].groups = {{3}, {2}};
  plan.queues[3].groups = {{4, 5}, {6}, {7}};
  plan.owners["array"] = {0, 2, 3, 3};
  return plan;
}

TEST_P(NodesExample, RunTheTbsOfTheirQueues) {
  const Share share = ShareOf(First(), ByHand);
  EXPECT_EQ(share.off_node, 0);
  EXPECT_EQ(share.tbs, (std::vector<uint64_t>{2, 0, 2, 4}));
}

// All launches of a workload at test size, after `change` of the options.
LaunchStatistics RunOnNodes(const char* name, NodePlan (*plan)(const PlacementInput&),
                            const std::function<void(SimulateOptions*)>& change) {
  const Workload workload = Workload::Load(FindWorkload(name), "test");
  BoundWorkload bound = Bind(workload);
  SimulateOptions options;
  options.engine = Engine::kModel;
  options.machine = MachineConfig::Load("tiny_numa", {});
  change(&options);
  PageTable pages(options.machine.numa);
  LaunchStatistics sum;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    LaunchRequest request;
    request.launch = launch;
    request.memory = &bound.memory;
    request.plan = plan({.nodes = {2, 2}, .launch = launch, .memory = &bound.memory});
    request.pages = &pages;
    pages.Place(bound.memory, request.plan);
    sum += Simulate(options, request).launch.statistics;
  }
  return sum;
}

NodePlan PairsOfTbs(const PlacementInput& input) { return PlanBatches(input, 2); }

TEST(Nodes, GiveTheSameResultHoweverTheyAreSimulated) {
  const auto run = [](const std::function<void(SimulateOptions*)>& change) {
    return RunOnNodes("hotspot", PairsOfTbs, change);
  };
  const LaunchStatistics plain = run([](SimulateOptions*) {});
  EXPECT_GT(plain.numa.lr.misses, 0U);
  EXPECT_GT(plain.numa.pages.first_touched, 0U);
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->force_every_tick = true; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->force_reverse_samples = true; })),
            "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->threads = 2; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->engine = Engine::kRtl; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->engine = Engine::kLockstep; })), "");
  const LaunchStatistics faults =
      run([](SimulateOptions* o) { o->machine.numa.page_fault_cycles = 500; });
  EXPECT_EQ(faults.numa.fault_cycles, 500 * faults.numa.pages.first_touched);
  EXPECT_GT(faults.cycles, plain.cycles + 500);
}

// TBs one by one in turn, as groups of up to three that may be stolen.
NodePlan InQueues(const PlacementInput& input) {
  NodePlan plan;
  plan.queues.resize(input.nodes.Nodes());
  for (uint32_t tb = 0; tb < input.launch->TbCount(); ++tb) {
    TbGroups& queue = plan.queues[tb % plan.queues.size()];
    queue.steal_enable = true;
    if (queue.groups.empty() || queue.groups.back().size() == 3) queue.groups.emplace_back();
    queue.groups.back().push_back(tb);
  }
  return plan;
}

TEST(Nodes, GiveTheSameResultWhereEachHasAQueue) {
  const auto run = [](const std::function<void(SimulateOptions*)>& change) {
    return RunOnNodes("hotspot", InQueues, [&](SimulateOptions* options) {
      options->machine = MachineConfig::Load("tiny_numa", {"sm.count=8"});
      change(options);
    });
  };
  const LaunchStatistics plain = run([](SimulateOptions*) {});
  EXPECT_GT(plain.tb.groups, 4U);
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->force_every_tick = true; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->engine = Engine::kRtl; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->engine = Engine::kLockstep; })), "");
}

// Which of two clocks commits first where their edges coincide depends on what was skipped before.
TEST(Nodes, GiveTheSameResultWhereDramAndOtherNodesAnswerAtOneInstant) {
  const auto run = [](const std::function<void(SimulateOptions*)>& change) {
    return RunOnNodes("histo", PlanKernelWide, change);
  };
  const LaunchStatistics plain = run([](SimulateOptions*) {});
  EXPECT_GT(plain.numa.lr.misses, 0U);
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->force_every_tick = true; })), "");
  EXPECT_EQ(Difference(plain, run([](SimulateOptions* o) { o->engine = Engine::kLockstep; })), "");
}

TEST(Nodes, BeginWithAnEmptyL2UnlessItIsKept) {
  const auto misses = [](const std::string& between) {
    TestOptions options;
    options.settings = {"l2.between_launches=" + between, "l2.size_kib=64"};
    const Workload workload = Workload::Load(FindWorkload("vecadd"), "test");
    BoundWorkload bound = Bind(workload);
    options.machine = MachineConfig::Load("tiny", options.settings);
    std::vector<TagArray> l2;
    std::vector<uint64_t> each;
    for (int i = 0; i < 2; ++i) {
      LaunchRequest request;
      request.launch = &bound.launches[0];
      request.memory = &bound.memory;
      if (between == "keep") request.l2 = &l2;
      each.push_back(Simulate(options, request).launch.statistics.l2.misses);
    }
    return each;
  };
  const auto invalidated = misses("invalidate");
  EXPECT_GT(invalidated[0], 0U);
  EXPECT_EQ(invalidated[0], invalidated[1]);
  const auto kept = misses("keep");
  EXPECT_EQ(kept[0], invalidated[0]);
  EXPECT_LT(kept[1], kept[0]);
}

}  // namespace nodes_test
}  // namespace flagstone
