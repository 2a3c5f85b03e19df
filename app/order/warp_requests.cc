#include "app/order/warp_requests.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/address/slice_evaluator.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {
namespace {

constexpr uint32_t kLanes = 32;
constexpr uint64_t kStepsOfOneWarp = uint64_t{1} << 22;  // that are evaluated at most

// Lines and sectors of one access of some lanes.
class Touched {
 public:
  void Add(uint64_t address, uint64_t bytes) {
    for (uint64_t s = address / kSectorBytes; s <= (address + bytes - 1) / kSectorBytes; ++s) {
      if (sectors_.empty() || sectors_.back() != s) sectors_.push_back(s);
    }
  }
  WarpRequests Count() {
    std::sort(sectors_.begin(), sectors_.end());
    sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
    WarpRequests count = {0, static_cast<double>(sectors_.size())};
    uint64_t before = ~uint64_t{0};
    for (const uint64_t s : sectors_) {
      const uint64_t line = s * kSectorBytes / kLineBytes;
      count.lines += line != before ? 1 : 0;
      before = line;
    }
    return count;
  }

 private:
  std::vector<uint64_t> sectors_;
};

// A bulk copy as one thread of the TB makes it, of a tensor's box all rows: the mean of all warps.
WarpRequests OfCopy(const AddressForm& access, const KernelLaunch& launch) {
  Touched touched;
  std::vector<int64_t> starts = {access.form.constant};
  for (const AddressForm::Rows& rows : access.rows) {
    const size_t before = starts.size();
    for (uint32_t row = 1; row < rows.count; ++row) {
      for (size_t i = 0; i < before; ++i) starts.push_back(starts[i] + row * rows.stride);
    }
  }
  for (const int64_t start : starts) {
    touched.Add(static_cast<uint64_t>(start), std::max(1U, access.bytes));
  }
  const double warps = launch.WarpsPerTb();
  const WarpRequests all = touched.Count();
  return {all.lines / warps, all.sectors / warps};
}

WarpRequests OfAffine(const AddressForm& access, const KernelLaunch& launch) {
  if (access.is_copy) return OfCopy(access, launch);
  Touched touched;
  const auto lanes = static_cast<uint32_t>(std::min<uint64_t>(kLanes, launch.block.Count()));
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const Dim3 tid = TbCoordinates(lane, launch.block);  // threads are numbered as TBs are
    const int64_t address = access.form.constant + access.form.tid[0] * tid.x +
                            access.form.tid[1] * tid.y + access.form.tid[2] * tid.z;
    touched.Add(static_cast<uint64_t>(address), std::max(1U, access.bytes));
  }
  return touched.Count();
}

}  // namespace

RequestsOfAccess FindWarpRequests(const AddressAnalysis& addresses, const KernelLaunch& launch) {
  RequestsOfAccess requests;
  std::map<uint32_t, uint32_t> bytes_of;  // by pc, of what has to be evaluated
  std::vector<uint32_t> pcs;
  for (const AddressForm& access : addresses.accesses) {
    if (access.pattern == AddressClass::kAffine) {
      requests[access.pc] = OfAffine(access, launch);
      continue;
    }
    requests[access.pc] = {kLanes, kLanes};
    if (access.pattern != AddressClass::kDeterministic) continue;
    pcs.push_back(access.pc);
    bytes_of[access.pc] = std::max(1U, access.bytes);
  }
  if (pcs.empty()) return requests;
  const KernelStructure structure(*launch.kernel);
  SliceEvaluator evaluator(launch, structure, pcs, addresses.constants.get());
  evaluator.SetStepLimit(kStepsOfOneWarp);
  std::map<std::pair<uint32_t, uint64_t>, Touched> touched;  // by pc and turn
  const bool evaluated = evaluator.VisitWarp(0, 0, [&](const SliceEvaluator::Together& at) {
    const uint32_t bytes = bytes_of.at(at.pc);
    Touched* of_turn = nullptr;
    uint64_t last = 0;  // turn
    for (uint32_t left = at.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      const uint64_t turn = evaluator.TurnOf(at.pc, lane);
      if (of_turn == nullptr || turn != last) of_turn = &touched[{at.pc, turn}];
      last = turn;
      of_turn->Add(at.addresses[lane], bytes);
    }
  });
  if (!evaluated) return requests;
  std::map<uint32_t, std::pair<WarpRequests, double>> sums;
  for (auto& [at, of] : touched) {
    auto& [sum, times] = sums[at.first];
    const WarpRequests one = of.Count();
    sum.lines += one.lines;
    sum.sectors += one.sectors;
    times += 1;
  }
  for (const auto& [pc, sum] : sums) {
    requests[pc] = {sum.first.lines / sum.second, sum.first.sectors / sum.second};
  }
  return requests;
}

}  // namespace flagstone
