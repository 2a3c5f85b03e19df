#include "analyzer/coalescing/evaluated_requests.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <vector>

#include "analyzer/address/address_probe.h"
#include "analyzer/address/slice_evaluator.h"
#include "analyzer/coalescing/warp.h"

namespace flagstone {
namespace {

// Instructions per load, and of all loads of a launch; give or take a TB of each.
constexpr uint64_t kMaxSteps = uint64_t{1} << 21;
constexpr uint64_t kMaxStepsOfLaunch = uint64_t{1} << 26;

// A single warp may take more; a load that needs more than this is left out.
uint64_t StepLimit(uint64_t loads) {
  return std::clamp(2 * kMaxStepsOfLaunch / loads, 4 * kMaxSteps, 16 * kMaxSteps);
}

// TBs 0, stride, 2 * stride, ...: as many as the steps of the first one allow.
class TbSample {
 public:
  // `loads`: of the launch, that share what it may take.
  TbSample(uint64_t tbs, uint64_t loads)
      : tbs_(tbs), max_steps_(std::min(kMaxSteps, kMaxStepsOfLaunch / loads)) {}

  uint64_t next() const { return next_; }
  bool Done() const { return next_ >= tbs_; }
  void Took(uint64_t steps_so_far) {
    if (taken_ == 0) {
      const uint64_t affordable = std::max<uint64_t>(1, max_steps_ / (steps_so_far + 1));
      stride_ = (tbs_ + affordable - 1) / affordable;
    }
    ++taken_;
    next_ += stride_;
  }
  // Of a TB's warps every so many, where its first one took `steps`: one TB may be too much.
  uint32_t WarpStride(uint64_t steps, uint32_t warps) const {
    const uint64_t affordable = std::clamp<uint64_t>(max_steps_ / (steps + 1), 1, warps);
    return static_cast<uint32_t>((warps + affordable - 1) / affordable);
  }
  uint64_t taken() const { return taken_; }
  double Scale() const { return static_cast<double>(tbs_) / static_cast<double>(taken_); }

 private:
  uint64_t tbs_ = 0;
  uint64_t max_steps_ = 0;
  uint64_t next_ = 0;
  uint64_t stride_ = 1;
  uint64_t taken_ = 0;
};

// A warp's requests: lanes that run the load in the same turns of its loops, though they may have
// come there one after the other.
class RequestCounter {
 public:
  explicit RequestCounter(uint32_t bytes) : bytes_(bytes) {}

  void Add(uint64_t turn, uint64_t address) {
    if (runs_.empty() || runs_.back().turn != turn) runs_.push_back({turn, addresses_.size(), 0});
    ++runs_.back().count;
    addresses_.push_back(address);
  }
  void EndWarp() {
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
      return std::tie(a.turn, a.first) < std::tie(b.turn, b.first);
    });
    std::vector<uint64_t> request;
    for (size_t i = 0; i < runs_.size();) {
      request.clear();
      for (const uint64_t turn = runs_[i].turn; i < runs_.size() && runs_[i].turn == turn; ++i) {
        const auto first = addresses_.begin() + static_cast<std::ptrdiff_t>(runs_[i].first);
        request.insert(request.end(), first, first + static_cast<std::ptrdiff_t>(runs_[i].count));
      }
      requests_ += 1;
      sectors_ += SectorCount(request, bytes_);
    }
    runs_.clear();
    addresses_.clear();
  }
  uint64_t requests() const { return requests_; }
  uint64_t sectors() const { return sectors_; }

 private:
  struct Run {
    uint64_t turn = 0;
    size_t first = 0;  // of addresses_
    size_t count = 0;
  };

  uint32_t bytes_ = 0;
  std::vector<Run> runs_;  // of the warp
  std::vector<uint64_t> addresses_;
  uint64_t requests_ = 0;
  uint64_t sectors_ = 0;
};

}  // namespace

void ApplyRuleByEvaluation(const AddressForm& access, const ConstantBytes* constants,
                           const KernelLaunch& launch, const KernelStructure& structure,
                           uint64_t loads, LoadCoalescing& load) {
  AddressProbe probe(launch, structure, access.pc, constants);
  TbSample sample(launch.TbCount(), loads);
  LoadCoalescing counts;
  std::vector<uint64_t> addresses;
  while (!sample.Done() && probe.Problem().empty()) {
    const Dim3 tb = TbCoordinates(sample.next(), launch.grid);
    for (uint32_t warp = 0; warp < launch.WarpsPerTb(); ++warp) {
      if (!probe.Warp(tb, warp, addresses)) break;
      CountWarp(addresses, 1, counts);
    }
    sample.Took(probe.steps());
  }
  load.problem = probe.Problem();
  if (!load.problem.empty()) return;
  load.tbs = sample.taken();
  load.warps = counts.warps * sample.Scale();
  load.threads = counts.threads * sample.Scale();
  load.counted = counts.counted * sample.Scale();
  for (size_t i = 0; i < kRangeLocations; ++i) load.graph[i] = counts.graph[i] * sample.Scale();
}

void CountRequestsByEvaluation(const AddressForm& access, const ConstantBytes* constants,
                               const KernelLaunch& launch, const KernelStructure& structure,
                               uint64_t loads, LoadCoalescing& load) {
  const uint32_t accesses[] = {access.pc};
  SliceEvaluator evaluator(launch, structure, accesses, constants);
  if (!evaluator.Refused().empty()) {
    load.request_problem = evaluator.Refused().front().reason;
    return;
  }
  evaluator.SetStepLimit(StepLimit(loads));
  TbSample sample(launch.TbCount(), loads);
  RequestCounter counter(access.bytes);
  const uint32_t warps = launch.WarpsPerTb();
  uint32_t warp_stride = 0;  // not known before the first warp has run
  uint32_t warps_taken = 0;  // of each TB
  while (!sample.Done()) {
    warps_taken = 0;
    for (uint32_t warp = 0; warp < warps; warp += warp_stride, ++warps_taken) {
      const bool evaluated =
          evaluator.VisitWarp(sample.next(), warp, [&](const SliceEvaluator::Together& executed) {
            for (uint32_t left = executed.lanes; left != 0; left &= left - 1) {
              const auto lane = static_cast<uint32_t>(std::countr_zero(left));
              counter.Add(evaluator.TurnOf(access.pc, lane), executed.addresses[lane]);
            }
          });
      if (!evaluated) {
        load.request_problem = evaluator.Problem();
        return;
      }
      counter.EndWarp();
      if (warp_stride == 0) warp_stride = sample.WarpStride(evaluator.steps(), warps);
    }
    sample.Took(evaluator.steps());
  }
  load.tbs = load.tbs == 0 ? sample.taken() : std::min(load.tbs, sample.taken());
  const double scale = sample.Scale() * (static_cast<double>(warps) / warps_taken);
  load.requests = static_cast<double>(counter.requests()) * scale;
  load.sectors = static_cast<double>(counter.sectors()) * scale;
}

}  // namespace flagstone
