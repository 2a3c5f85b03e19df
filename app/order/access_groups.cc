#include "app/order/access_groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace flagstone::order {
namespace {

// Straight-line code goes on one step after so many accesses.
constexpr uint32_t kAccessesPerStep = 16;
constexpr size_t kTidVariables = 3;
constexpr size_t kMostBoxes = 4096;  // of an access at one TB

bool Turns(const CountedLoop& loop) { return (loop.known || loop.bounded) && loop.trip_count > 1; }

// The range of `count` iterations that a step of `steps` has.
Range Part(uint64_t count, uint64_t step, uint64_t steps) {
  return {static_cast<int64_t>(count * step / steps),
          static_cast<int64_t>(count * (step + 1) / steps)};
}

Phase& PhaseOf(std::vector<Phase>& phases, uint32_t loop) {
  for (Phase& phase : phases) {
    if (loop != ~uint32_t{0} && phase.loop == loop) return phase;
  }
  const bool goes_on = !phases.empty() && loop == ~uint32_t{0} && phases.back().loop == loop;
  if (!goes_on) phases.push_back({.loop = loop});
  return phases.back();
}

uint32_t StepsOf(const Phase& phase, uint32_t most) {
  if (phase.loop == ~uint32_t{0}) {
    return std::clamp((phase.accesses + kAccessesPerStep - 1) / kAccessesPerStep, 1U, most);
  }
  if (phase.trips >= most) return most;
  // Whole numbers of steps for each turn of the outer loop.
  const uint64_t per_turn = std::min(phase.inner_trips, std::max<uint64_t>(1, most / phase.trips));
  return static_cast<uint32_t>(phase.trips * per_turn);
}

// Cuts the box to the threads; false if none is left.
bool CutToThreads(const ThreadBox& threads, AccessBox& box) {
  for (size_t axis = 0; axis < threads.size(); ++axis) {
    Range& bound = box.bounds[axis];
    bound.begin = std::max(bound.begin, threads[axis].begin);
    bound.end = std::min(bound.end, threads[axis].end);
    if (bound.begin >= bound.end) return false;
  }
  return true;
}

}  // namespace

TbParts PartsOf(const Dim3& block, uint32_t parts) {
  if (parts == 1) {
    return {{{Range{0, block.x}, Range{0, block.y}, Range{0, block.z}}}};
  }
  const auto warps = static_cast<uint32_t>((block.Count() + 31) / 32);
  TbParts result(parts);
  for (uint32_t part = 0; part < parts; ++part) {
    for (uint32_t warp = warps * part / parts; warp < warps * (part + 1) / parts; ++warp) {
      for (const ThreadBox& box : WarpBoxes(block, warp)) result[part].push_back(box);
    }
  }
  return result;
}

void AccessGroup::Add(const AddressForm& access, uint32_t place, const AddressAnalysis& analysis,
                      const KernelLaunch& launch) {
  Member member = {AccessPattern(access, analysis, launch), place, {}, 0};
  for (const uint32_t loop : access.loops) {
    const CountedLoop& counted = analysis.loops[loop];
    member.trips.push_back(counted.known || counted.bounded ? counted.trip_count : 1);
  }
  while (member.loop + 1 < member.trips.size() && member.trips[member.loop] <= 1) ++member.loop;
  double turns = 1;
  for (const uint64_t trips : member.trips) turns *= static_cast<double>(trips);
  executed_.push_back({access.pc, turns});
  members_.push_back(std::move(member));
  if (first_line_ == 0) first_line_ = access.line;
}

bool AccessGroup::CutToStep(const Member& member, uint64_t step, uint64_t steps,
                            AccessBox& box) const {
  if (phase_.loop == ~uint32_t{0}) {
    return member.place * steps / std::max(1U, phase_.accesses) == step;
  }
  const auto cut = [&](size_t loop, const Range& part) {
    Range& bound = box.bounds[kTidVariables + loop];
    bound.begin = std::max(bound.begin, part.begin);
    bound.end = std::min(bound.end, part.end);
    return bound.begin < bound.end;
  };
  if (member.loop >= member.trips.size()) return step == 0;
  const uint64_t trips = member.trips[member.loop];
  if (steps <= phase_.trips || trips != phase_.trips) {
    return trips <= 1 ? step == 0 : cut(member.loop, Part(trips, step, steps));
  }
  const uint64_t per_turn = steps / phase_.trips;
  const uint64_t turn = step / per_turn, part = step % per_turn;
  if (!cut(member.loop, Part(trips, turn, phase_.trips))) return false;
  const size_t inner = member.loop + 1;
  if (inner >= member.trips.size() || member.trips[inner] <= 1) return part == 0;
  return cut(inner, Part(member.trips[inner], part, per_turn));
}

std::vector<Range> AccessGroup::RangesOf(const std::vector<std::vector<AccessBox>>& boxes,
                                         const std::vector<ThreadBox>& part, uint64_t step,
                                         uint64_t steps) const {
  std::vector<Range> ranges;
  for (size_t m = 0; m < members_.size(); ++m) {
    for (const AccessBox& whole : boxes[m]) {
      for (const ThreadBox& threads : part) {
        AccessBox box = whole;
        if (CutToThreads(threads, box) && CutToStep(members_[m], step, steps, box)) {
          members_[m].pattern.Bytes(box).AppendRanges(ranges);
        }
      }
    }
  }
  Normalize(ranges);
  return ranges;
}

bool AccessGroup::FindShapes(const Dim3& grid, const TbParts& parts, uint64_t limit) {
  parts_ = static_cast<uint32_t>(parts.size());
  const std::array<uint32_t, 3> extent = {grid.x, grid.y, grid.z};
  std::array<std::vector<uint32_t>, 3> first;  // coordinate of each cell
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<uint32_t> cuts = {0};
    for (const Member& member : members_) member.pattern.AddCuts(axis, grid, cuts);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    cell_of_[axis].resize(extent[axis]);
    for (uint32_t c = 0, cell = 0; c < extent[axis]; ++c) {
      if (cell + 1 < cuts.size() && cuts[cell + 1] <= c) ++cell;
      cell_of_[axis][c] = cell;
    }
    cells_[axis] = static_cast<uint32_t>(cuts.size());
    first[axis] = std::move(cuts);
  }
  std::map<std::vector<int64_t>, uint32_t> known;
  std::vector<std::vector<AccessBox>> boxes(members_.size());
  uint64_t ranges = 0;
  for (const uint32_t z : first[2]) {
    for (const uint32_t y : first[1]) {
      for (const uint32_t x : first[0]) {
        std::vector<int64_t> key;
        for (size_t m = 0; m < members_.size(); ++m) {
          boxes[m].clear();
          if (!members_[m].pattern.Boxes({x, y, z}, kMostBoxes, boxes[m])) return false;
          for (const AccessBox& box : boxes[m]) {
            key.push_back(static_cast<int64_t>(m));
            for (const Range& bound : box.bounds) {
              key.push_back(bound.begin);
              key.push_back(bound.end);
            }
          }
        }
        if (key.empty()) {
          shape_of_cell_.push_back(kNoShape);
          continue;
        }
        const auto [at, is_new] = known.try_emplace(key, known.size());
        shape_of_cell_.push_back(at->second);
        if (!is_new) continue;
        for (size_t m = 0; m < members_.size(); ++m) {
          for (const AccessBox& box : boxes[m]) {
            ranges += members_[m].pattern.Bytes(box).RangeCount();
            if (ranges > limit) return false;
          }
        }
        const uint64_t turns = std::max<uint64_t>(phase_.steps, phase_.trips * phase_.inner_trips);
        const bool first_shape = shapes_.empty();
        for (const std::vector<ThreadBox>& part : parts) {
          for (uint32_t step = 0; step < phase_.steps; ++step) {
            shapes_.push_back(RangesOf(boxes, part, step, phase_.steps));
          }
          if (first_shape) turn_.push_back(RangesOf(boxes, part, turns / 2, turns));
        }
      }
    }
  }
  return true;
}

uint32_t AccessGroup::ShapeAt(const Dim3& tb) const {
  const size_t z = cell_of_[2][tb.z], y = cell_of_[1][tb.y], x = cell_of_[0][tb.x];
  return shape_of_cell_[(z * cells_[1] + y) * cells_[0] + x];
}

AccessGroups GroupAccesses(const AddressAnalysis& addresses, const KernelLaunch& launch,
                           uint32_t most_steps) {
  std::vector<Phase> phases;
  struct Placed {
    const AddressForm* access;
    size_t phase;
    uint32_t place;
  };
  std::vector<Placed> placed;
  for (const AddressForm& access : addresses.accesses) {
    if (access.address_class != AddressClass::kAffine) continue;
    Phase& phase = PhaseOf(phases, access.loops.empty() ? ~uint32_t{0} : access.loops.front());
    std::vector<uint64_t> trips;
    for (const uint32_t loop : access.loops) {
      if (Turns(addresses.loops[loop])) trips.push_back(addresses.loops[loop].trip_count);
    }
    if (!trips.empty()) phase.trips = std::max(phase.trips, trips[0]);
    if (trips.size() > 1) phase.inner_trips = std::max(phase.inner_trips, trips[1]);
    placed.push_back({&access, static_cast<size_t>(&phase - phases.data()), phase.accesses++});
  }
  AccessGroups result;
  for (Phase& phase : phases) {
    phase.first_step = result.steps;
    phase.steps = StepsOf(phase, most_steps);
    result.steps += phase.steps;
    const uint64_t turns = phase.loop == ~uint32_t{0} ? 1 : phase.trips * phase.inner_trips;
    result.turns.resize(result.steps,
                        static_cast<uint32_t>(std::max<uint64_t>(1, turns / phase.steps)));
  }
  for (const Placed& p : placed) {
    const Phase& phase = phases[p.phase];
    const auto& strides = p.access->form.ctaid;
    auto group = std::find_if(
        result.groups.begin(), result.groups.end(),
        [&](const AccessGroup& g) { return g.Belongs(phase, p.access->is_store, strides); });
    if (group == result.groups.end()) {
      result.groups.emplace_back(phase, p.access->is_store, strides);
      group = result.groups.end() - 1;
    }
    group->Add(*p.access, p.place, addresses, launch);
  }
  return result;
}

}  // namespace flagstone::order
