// Orders of whole workloads: the advice holds against a cache that is simulated exactly.
#include "app/flow/studies/order_study.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <regex>
#include <unordered_map>

#include "app/flow/run/run.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace order_study_test {

OrderRequest RequestFor(const std::string& machine) {
  OrderRequest request;
  request.options.machine = MachineConfig::Load(machine, {});
  request.options.engine = Engine::kModel;
  return request;
}

// Tiles of A and B through an LRU of whole tiles: the TBs of a window go through the inner extent
// together, as many elements of it at once as make a tile of 32 KiB. Independent of the model's
// code.
uint64_t MissesOfGemm(const std::vector<uint32_t>& order, uint64_t window, uint64_t l2_bytes) {
  constexpr uint64_t kSteps = 64, kTileBytes = 128 * 64 * 4;
  const uint64_t capacity = l2_bytes / kTileBytes;
  std::list<uint64_t> recent;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> at;
  uint64_t misses = 0;
  const auto touch = [&](uint64_t tile) {
    const auto found = at.find(tile);
    if (found != at.end()) {
      recent.splice(recent.begin(), recent, found->second);
      return;
    }
    ++misses;
    recent.push_front(tile);
    at[tile] = recent.begin();
    if (recent.size() > capacity) {
      at.erase(recent.back());
      recent.pop_back();
    }
  };
  for (uint64_t first = 0; first < order.size(); first += window) {
    const uint64_t end = std::min<uint64_t>(first + window, order.size());
    for (uint64_t step = 0; step < kSteps; ++step) {
      for (uint64_t i = first; i < end; ++i) {
        touch(order[i] / 32 * kSteps + step);
        touch((32 + order[i] % 32) * kSteps + step);
      }
    }
  }
  return misses;
}

// Its time is the arithmetic's, whatever the order.
TEST(OrderStudy, FindsForALargeGemmWhatAnExactCacheFindsNearTheBest) {
  const Workload workload = Workload::Load(FindWorkload("gemm_tiled"), "paper");
  OrderRequest request = RequestFor("h100");
  request.level = OrderLevel::kL2;
  request.orders = {"column", "band:4", "band-x:32", "hilbert"};
  const OrderStudy study = PredictOrders(request, workload);
  const OrderedLaunch& launch = study.launches.front();
  ASSERT_EQ(launch.grid.Count(), 1024U);
  const MachineConfig& machine = request.options.machine;
  const uint64_t l2 = uint64_t{machine.l2.slices} * machine.l2.cache.size_kib * 1024;
  uint64_t best = ~uint64_t{0}, worst = 0;
  std::map<std::string, uint64_t> misses;
  for (const OrderCandidate& candidate : study.candidates) {
    const uint64_t of = MissesOfGemm(candidate.order.Table(launch.grid, launch.machine),
                                     launch.machine.Window(), l2);
    misses[candidate.order.name] = of;
    best = std::min(best, of);
    worst = std::max(worst, of);
  }
  EXPECT_GT(worst, 1.1 * static_cast<double>(best));  // there is something to choose
  const std::string& advised = study.candidates.front().order.name;
  EXPECT_LE(misses[advised], 1.05 * static_cast<double>(best)) << advised;
}

TEST(OrderStudy, LeavesAKernelThatSharesNothingAsItIs) {
  const Workload workload = Workload::Load(FindWorkload("vecadd"), "paper");
  OrderRequest request = RequestFor("h100");
  request.orders = {"band-x:2+wave", "identity+sm"};  // which the hardware need not follow
  EXPECT_EQ(PredictOrders(request, workload).candidates.front().order.name, "identity");
}

// TBs of a row of the grid write to three slices of twelve.
TEST(OrderStudy, SpreadsTheStoresOfATranspose) {
  const Workload workload = Workload::Load(FindWorkload("transpose"), "medium");
  const OrderStudy study = PredictOrders(RequestFor("fermi"), workload);
  const OrderCandidate& advised = study.candidates.front();
  EXPECT_NE(advised.order.name, "identity");
  EXPECT_LT(advised.predicted.cycles, 0.8 * study.Identity().predicted.cycles);
}

// A verdict on loads that nobody has seen would be made of nothing.
TEST(OrderStudy, CannotSayWhereLoadsAreLeftOut) {
  const Workload workload = Workload::Load(FindWorkload("spmv"), "test");
  OrderRequest request = RequestFor("tiny");
  request.orders = {"column+wave"};
  OrderStudy study = PredictOrders(request, workload);
  const std::vector<int> unseen = study.Unseen();
  ASSERT_FALSE(unseen.empty());
  EXPECT_TRUE(std::is_sorted(unseen.begin(), unseen.end()));
  EXPECT_EQ(ToJson(study, false)["unseen_lines"], Json(unseen));
  EXPECT_TRUE(ToJson(study, false)["advice"].is_null());
  request.options.known_data = true;
  const OrderStudy known = PredictOrders(request, workload);
  EXPECT_TRUE(known.Unseen().empty());
  EXPECT_EQ(ToJson(known, false)["advice"], known.candidates.front().order.name);
  // What was simulated has seen all.
  request.options.known_data = false;
  SimulateOrders(
      request, workload, 1, 1, [](size_t, size_t) {}, &study);
  EXPECT_TRUE(study.Unseen().empty());
}

// Bands of rows need rows.
TEST(OrderStudy, SaysWhichOrdersAreIdentityOnTheGrids) {
  OrderRequest request = RequestFor("tiny");
  request.orders = {"identity", "band:8", "column"};
  const OrderStudy flat = PredictOrders(request, Workload::Load(FindWorkload("vecadd"), "test"));
  EXPECT_EQ(flat.same_as_identity, (std::vector<std::string>{"band:8", "column"}));
  const OrderStudy plane = PredictOrders(request, Workload::Load(FindWorkload("matmul"), "medium"));
  EXPECT_TRUE(plane.same_as_identity.empty());
}

TEST(OrderStudy, IsTheSameEveryTime) {
  const Workload workload = Workload::Load(FindWorkload("sgemm"), "test");
  const OrderRequest request = RequestFor("volta");
  EXPECT_EQ(ToJson(PredictOrders(request, workload), true)["candidates"],
            ToJson(PredictOrders(request, workload), true)["candidates"]);
}

// The check of a run compares the results with the reference, whatever the order.
TEST(OrderStudy, RunsAWorkloadInAnyOrder) {
  RunOptions options = RequestFor("tiny").options;
  options.workload = "matmul";
  const Workload workload = Workload::Load(FindWorkload("matmul"), "test");
  const RunRecord plain = RunWorkload(options, workload);
  for (const char* name : {"column", "hilbert", "tile:2x2+wave"}) {
    const TbOrder order = ParseTbOrder(name);
    const RunRecord record = RunWorkload(options, workload, [&](const KernelLaunch& launch) {
      return order.Table(launch.grid, {.sms = 2, .tbs_per_sm = 2});
    });
    EXPECT_TRUE(record.ChecksPassed()) << name;
    EXPECT_NE(record.totals.cycles, plain.totals.cycles) << name;
  }
}

TEST(ScaleToWorkload, LeavesFourTimesTheTbsThatFit) {
  for (const char* name : {"matmul", "gemm_tiled", "transpose"}) {
    const Workload workload = Workload::Load(FindWorkload(name), "medium");
    OrderRequest request = RequestFor("h100");
    request.options.machine = ScaleToWorkload(request.options.machine, workload);
    request.orders = {"column"};
    for (const OrderedLaunch& launch : PredictOrders(request, workload).launches) {
      EXPECT_GE(launch.grid.Count(), 4 * launch.machine.Window()) << name;
    }
  }
}

// By simulation, the first one is the fastest, or identity within a per cent of it.
TEST(SimulateOrders, RanksByWhatWasSimulated) {
  const Workload workload = Workload::Load(FindWorkload("matmul"), "test");
  OrderRequest request = RequestFor("tiny");
  request.orders = {"column", "hilbert", "tile:2x2"};
  OrderStudy study = PredictOrders(request, workload);
  const std::string predicted = study.candidates.front().order.name;
  SimulateOrders(
      request, workload, 3, 1, [](size_t, size_t) {}, &study);
  EXPECT_EQ(study.predicted_advice, predicted);
  const auto& best = study.candidates.front();
  ASSERT_TRUE(best.simulated);
  for (const OrderCandidate& candidate : study.candidates) {
    if (!candidate.simulated) continue;
    EXPECT_LE(static_cast<double>(best.simulated->cycles),
              1.011 * static_cast<double>(candidate.simulated->cycles));
  }
  EXPECT_LE(best.simulated->cycles, study.Identity().simulated->cycles);
}

// The emitted kernels of every workload that has one launch order: equal results, or the reason.
TEST(EmitOrder, GivesEqualResultsForKernelsWhoseOrderMayChange) {
  for (const char* name : {"matmul", "gemm_tiled", "gemm_batched", "gemm_split_k", "attention",
                           "layer_norm", "spmm", "transpose", "hotspot", "stencil", "conv2d"}) {
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    OrderRequest request = RequestFor("volta");
    request.orders = {"band:2", "hilbert", "tile:2x2+wave", "axes:zyx"};
    const OrderStudy study = PredictOrders(request, workload);
    for (const std::string& order : request.orders) {
      EXPECT_NO_THROW(EmitOrder(request, workload, study, ParseTbOrder(order)))
          << name << " " << order;
    }
  }
}

// The workload's first PTX with its plane of TBs behind ids, in a folder of its own.
Workload BehindIds(const std::string& name, const std::string& size, const Dim3& grid) {
  const std::filesystem::path folder = testing::TempDir() + name + "_behind_ids";
  std::filesystem::create_directories(folder);
  const std::filesystem::path from = std::filesystem::path(FindWorkload(name)).parent_path();
  std::string ptx = ReadFile((from / "kernel.ptx").string());
  const std::regex x(R"(mov\.u32 \t(%r\d+), %ctaid\.x;)"), y(R"(mov\.u32 \t(%r\d+), %ctaid\.y;)");
  ptx =
      std::regex_replace(ptx, x, fmt::format("mov.u32 $1, %ctaid.x; rem.u32 $1, $1, {};", grid.x));
  ptx =
      std::regex_replace(ptx, y, fmt::format("mov.u32 $1, %ctaid.x; div.u32 $1, $1, {};", grid.x));
  WriteFileAtomically((folder / "kernel.ptx").string(), ptx);
  std::string toml = ReadFile((from / "workload.toml").string());
  const std::string plane = fmt::format("grid = [{}, {}, 1]", grid.x, grid.y);
  const size_t at = toml.find(plane);
  if (at == std::string::npos) ADD_FAILURE() << "no " << plane << " in " << name;
  toml.replace(at, plane.size(), fmt::format("grid = [{}, 1, 1]", grid.Count()));
  WriteFileAtomically((folder / "workload.toml").string(), toml);
  return Workload::Load((folder / "workload.toml").string(), size);
}

// A product whose tiles are a plane, and the same behind the ids of one axis.
TEST(OrderStudy, SaysOfTilesBehindIdsWhatItSaysOfAPlane) {
  OrderRequest request = RequestFor("volta");
  const Workload plane = Workload::Load(FindWorkload("gemm_tiled"), "medium");
  const OrderStudy one = PredictOrders(request, plane);
  const OrderStudy other = PredictOrders(request, BehindIds("gemm_tiled", "medium", {8, 8, 1}));
  const OrderedLaunch& launch = other.launches.front();
  ASSERT_TRUE(launch.machine.HasTiles(launch.grid));
  EXPECT_EQ(launch.machine.tiles.x, 8U);
  EXPECT_EQ(launch.machine.tiles.y, 8U);
  EXPECT_EQ(other.candidates.size(), one.candidates.size());
  EXPECT_EQ(other.candidates.front().order.name, one.candidates.front().order.name);
  const double l2 = one.candidates.front().predicted.L2();
  EXPECT_NEAR(other.candidates.front().predicted.L2(), l2, 0.01 * l2);
}

// Band after band of tiles, in the kernel itself.
TEST(EmitOrder, GivesEqualResultsForTilesBehindIds) {
  const Workload flat = BehindIds("gemm_tiled", "test", {4, 4, 1});
  OrderRequest request = RequestFor("volta");
  request.orders = {"band:2"};
  const auto emitted =
      EmitOrder(request, flat, PredictOrders(request, flat), ParseTbOrder("band:2"));
  EXPECT_NE(emitted.front().text, ReadFile(flat.modules.front()->file));
}

TEST(OrderStudy, RefusesTilesThatDoNotCoverTheGrid) {
  OrderRequest request = RequestFor("tiny");
  request.tiles = {3, 5, 1};
  const Workload flat = Workload::Load(FindWorkload("vecadd"), "test");
  EXPECT_THROW(PredictOrders(request, flat), Error);
}

// Two steps between two fields.
TEST(OrderStudy, PredictsLaunchesThatDoTheSameAlike) {
  const OrderStudy study =
      PredictOrders(RequestFor("volta"), Workload::Load(FindWorkload("stencil"), "medium"));
  ASSERT_EQ(study.launches.size(), 2U);
  EXPECT_EQ(study.launches[1].sample.tbs, study.launches[0].sample.tbs);
  for (const OrderCandidate& candidate : study.candidates) {
    ASSERT_EQ(candidate.launches.size(), 2U);
    EXPECT_DOUBLE_EQ(candidate.launches[1].cycles, candidate.launches[0].cycles);
    EXPECT_DOUBLE_EQ(candidate.predicted.cycles, 2 * candidate.launches[0].cycles);
  }
}

}  // namespace order_study_test
}  // namespace flagstone
