#include "order/warp_requests.h"

#include <algorithm>
#include <map>
#include <set>
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
      sectors_.insert(s);
      lines_.insert(s * kSectorBytes / kLineBytes);
    }
  }
  double lines() const { return static_cast<double>(lines_.size()); }
  double sectors() const { return static_cast<double>(sectors_.size()); }

 private:
  std::set<uint64_t> lines_, sectors_;
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
  return {touched.lines() / warps, touched.sectors() / warps};
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
  return {touched.lines(), touched.sectors()};
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
  SliceEvaluator evaluator(launch, structure, pcs);
  evaluator.SetStepLimit(kStepsOfOneWarp);
  std::vector<SliceEvaluator::Executed> executed;
  if (!evaluator.EvaluateWarp(0, 0, executed)) return requests;
  std::map<std::pair<uint32_t, uint64_t>, Touched> touched;  // by pc and turn
  for (const SliceEvaluator::Executed& e : executed) {
    touched[{e.pc, e.turn}].Add(e.address, bytes_of.at(e.pc));
  }
  std::map<uint32_t, std::pair<WarpRequests, double>> sums;
  for (const auto& [at, of] : touched) {
    auto& [sum, times] = sums[at.first];
    sum.lines += of.lines();
    sum.sectors += of.sectors();
    times += 1;
  }
  for (const auto& [pc, sum] : sums) {
    requests[pc] = {sum.first.lines / sum.second, sum.first.sectors / sum.second};
  }
  return requests;
}

}  // namespace flagstone
