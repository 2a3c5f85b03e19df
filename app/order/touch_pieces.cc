#include "app/order/touch_pieces.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/arithmetic.h"
#include "gpu_model/memory/packet.h"

namespace flagstone::order {
namespace {

constexpr uint64_t kMostRanges = uint64_t{1} << 22;  // of a group's shapes

// Of the units that sorted ranges have a part of.
double BytesIn(const std::vector<Range>& ranges, int64_t unit) {
  int64_t units = 0, next = 0;
  for (const Range& range : ranges) {
    const int64_t begin = std::max(next, FloorDivide(range.begin, unit));
    next = std::max(begin, FloorDivide(range.end - 1, unit) + 1);
    units += next - begin;
  }
  return static_cast<double>(units * unit);
}

}  // namespace

TouchPieces::TouchPieces(const AddressAnalysis& addresses, const KernelLaunch& launch,
                         const TouchRequest& request, TouchPlan* plan)
    : addresses_(addresses), launch_(launch), request_(request), plan_(*plan) {
  groups_ = GroupAccesses(addresses_, launch_, request_.most_steps);
  plan_.steps = groups_.steps;
  for (uint32_t g = 0; g < groups_.groups.size(); ++g) AddGroup(g);
  AddShifted();
  AddOthers(AccessKind::kLoads);
  AddOthers(AccessKind::kStores);
  plan_.steps = std::max(plan_.steps, 1U);
  plan_.turns = groups_.turns;
  plan_.turns.resize(plan_.steps, shifted_ ? shifted_->turns : 1);
}

uint32_t TouchPieces::StepsOf(uint32_t piece) const {
  const uint32_t group = pieces_[piece].group;
  if (group == kShifted) return shifted_->steps;
  return group == kExplicit ? explicit_steps_ : groups_.groups[group].steps();
}

// Of the pieces of one TB's parts, the first of which is given.
double TouchPieces::BytesOfParts(uint32_t first_piece) const {
  double bytes = 0;
  for (uint32_t part = 0; part < plan_.parts; ++part) {
    for (uint32_t step = 0; step < StepsOf(first_piece + part); ++step) {
      std::vector<Range> ranges;
      ForRanges(first_piece + part, step, [&](const Range& range) { ranges.push_back(range); });
      bytes += BytesIn(ranges, request_.unit_bytes);
    }
  }
  return bytes;
}

// Of loads: what a part touches in a turn, of all parts and turns. Of stores: what each warp writes
// at once, of all warps and times.
double TouchPieces::AskedBy(const AccessGroup& group) const {
  double bytes = 0;
  if (group.is_store()) {
    for (const AccessGroup::Executed& one : group.executed()) {
      bytes += one.turns * request_.requests->at(one.pc).sectors * kSectorBytes;
    }
    return bytes * launch_.WarpsPerTb();
  }
  for (uint32_t part = 0; part < plan_.parts; ++part) {
    bytes += BytesIn(group.TurnRanges(part), request_.unit_bytes);
  }
  return bytes * groups_.turns[group.first_step()] * group.steps();
}

void TouchPieces::AddGroup(uint32_t g) {
  AccessGroup& group = groups_.groups[g];
  if (!group.FindShapes(launch_.grid, PartsOf(launch_.block, plan_.parts), kMostRanges)) {
    SkippedLoad& skipped = plan_.skipped.emplace_back();
    skipped.line = group.first_line();
    skipped.reason = "footprint of too many ranges";
    return;
  }
  TouchPlan::Group planned = {group.first_step(), group.steps(), group.is_store(), 1, {}};
  planned.piece_of.resize(size_t{plan_.tbs} * plan_.parts, TouchPlan::kNoPiece);
  const uint32_t first_of_group = count();
  std::unordered_map<uint64_t, uint32_t> known;
  ForTbs([&](uint32_t tb) {
    const Dim3 at = TbCoordinates(tb, launch_.grid);
    const uint32_t shape = group.ShapeAt(at);
    if (shape == AccessGroup::kNoShape) return;
    const int64_t base = group.BaseAt(at);
    const uint64_t key = static_cast<uint64_t>(base) * 0x9e3779b97f4a7c15U + shape;
    const auto [found, is_new] = known.try_emplace(key, count());
    for (uint32_t part = 0; part < plan_.parts; ++part) {
      if (is_new) pieces_.push_back({g, shape, part, base});
      planned.piece_of[size_t{tb} * plan_.parts + part] = found->second + part;
    }
  });
  if (count() != first_of_group) {
    planned.repeats = AskedBy(group) / std::max(1.0, BytesOfParts(first_of_group));
  }
  plan_.groups.push_back(std::move(planned));
}

void TouchPieces::AddShifted() {
  // Executed loads bring what they read by the array, whichever load it was.
  const auto is_executed = [&](const AddressForm& access) {
    return request_.known != nullptr && access.address_class == AddressClass::kDeterministic &&
           request_.known->Holds(access.pc);
  };
  const std::vector<AddressForm>& accesses = addresses_.accesses;
  if (std::any_of(accesses.begin(), accesses.end(), is_executed)) return;
  shifted_ = FindShiftedAccesses(addresses_, launch_, plan_.parts, groups_.steps,
                                 request_.most_steps, request_.unit_bytes);
  if (!shifted_) return;
  plan_.steps = std::max(plan_.steps, shifted_->steps);
  for (uint32_t g = 0; g < shifted_->groups.size(); ++g) {
    const ShiftedGroup& group = shifted_->groups[g];
    TouchPlan::Group planned = {0, shifted_->steps, group.is_store, 1, {}};
    planned.piece_of.resize(size_t{plan_.tbs} * plan_.parts, TouchPlan::kNoPiece);
    const uint32_t first_of_group = count();
    std::unordered_map<int64_t, uint32_t> known;
    ForTbs([&](uint32_t tb) {
      const Dim3 at = TbCoordinates(tb, launch_.grid);
      if (!group.tbs.Contains({at.x, at.y, at.z})) return;
      const int64_t base = group.BaseAt(at);
      const auto [found, is_new] = known.try_emplace(base, count());
      for (uint32_t part = 0; part < plan_.parts; ++part) {
        if (is_new) pieces_.push_back({kShifted, g, part, base});
        planned.piece_of[size_t{tb} * plan_.parts + part] = found->second + part;
      }
    });
    if (count() != first_of_group) {
      const double unit = group.is_store ? kSectorBytes : request_.unit_bytes;
      planned.repeats = group.asked * unit / std::max(1.0, BytesOfParts(first_of_group));
    }
    plan_.groups.push_back(std::move(planned));
  }
}

void TouchPieces::AddOthers(AccessKind kind) {
  AddressAnalysis others = {addresses_.loops, {}};
  for (const AddressForm& access : addresses_.accesses) {
    const bool done = access.address_class == AddressClass::kAffine ||
                      (shifted_ && access.address_class == AddressClass::kDeterministic);
    if (!done) others.accesses.push_back(access);
  }
  if (others.accesses.empty()) return;
  FootprintRequest request;
  request.kind = kind;
  request.tbs = request_.tbs;
  if (kind == AccessKind::kLoads) request.known = request_.known;
  const Footprints found = FindFootprints(others, launch_, request);
  plan_.skipped.insert(plan_.skipped.end(), found.skipped.begin(), found.skipped.end());
  for (const ArrayFootprints& array : found.arrays) {
    TouchPlan::Group planned = {0, std::max(1U, plan_.steps), kind == AccessKind::kStores, 1, {}};
    planned.piece_of.resize(size_t{plan_.tbs} * plan_.parts, TouchPlan::kNoPiece);
    for (const FootprintClass& one : array.classes) {
      const auto& first = one.tbs.first;
      const uint32_t tb = (first[2] * launch_.grid.y + first[1]) * launch_.grid.x + first[0];
      if (!request_.tbs.empty() &&
          !std::binary_search(request_.tbs.begin(), request_.tbs.end(), tb)) {
        continue;
      }
      planned.piece_of[size_t{tb} * plan_.parts] = count();
      pieces_.push_back({kExplicit, static_cast<uint32_t>(explicit_.size()), 0, 0});
      explicit_.push_back(array.shapes[one.shape]);
    }
    explicit_steps_ = planned.steps;
    plan_.groups.push_back(std::move(planned));
    plan_.steps = std::max(plan_.steps, explicit_steps_);
  }
}

}  // namespace flagstone::order
