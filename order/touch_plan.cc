#include "order/touch_plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzer/locality/hash_index.h"
#include "base/random.h"
#include "order/access_groups.h"
#include "order/shifted_accesses.h"

namespace flagstone {
namespace {

using order::AccessGroup;
using order::AccessGroups;

constexpr uint64_t kMostRanges = uint64_t{1} << 22;  // of a group's shapes
// Strides of programs are hardly ever multiples of these, so each residue is a fair sample.
constexpr std::array<uint32_t, 17> kScales = {
    1, 3, 7, 13, 29, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071};
constexpr int64_t kResidue = 1;  // of 3, 7, ...: some other one than that of aligned addresses

struct Piece {
  uint32_t group = 0;
  uint32_t shape = 0;
  int64_t base = 0;
};

// Mixes the name of a touch into that of the touches of a unit.
uint64_t Mix(uint64_t a) { return SplitMix64(a).Next(); }

class Builder {
 public:
  Builder(const AddressAnalysis& addresses, const KernelLaunch& launch, const TouchRequest& request)
      : addresses_(addresses), launch_(launch), request_(request) {}

  TouchPlan Build() {
    plan_.tbs = static_cast<uint32_t>(launch_.TbCount());
    groups_ = order::GroupAccesses(addresses_, launch_, request_.most_steps);
    plan_.steps = groups_.steps;
    for (uint32_t g = 0; g < groups_.groups.size(); ++g) AddGroup(g);
    AddShifted();
    AddOthers(AccessKind::kLoads);
    AddOthers(AccessKind::kStores);
    plan_.steps = std::max(plan_.steps, 1U);
    plan_.turns = groups_.turns;
    plan_.turns.resize(plan_.steps, shifted_ ? shifted_->turns : 1);
    ChooseScale();
    FindAtoms();
    return std::move(plan_);
  }

 private:
  void AddGroup(uint32_t g) {
    AccessGroup& group = groups_.groups[g];
    if (!group.FindShapes(launch_.grid, kMostRanges)) {
      SkippedLoad& skipped = plan_.skipped.emplace_back();
      skipped.line = group.first_line();
      skipped.reason = "footprint of too many ranges";
      return;
    }
    TouchPlan::Group planned = {group.first_step(), group.steps(), group.is_store(), {}};
    planned.piece_of.resize(plan_.tbs, TouchPlan::kNoPiece);
    std::unordered_map<uint64_t, uint32_t> known;
    for (uint32_t tb = 0; tb < plan_.tbs; ++tb) {
      const Dim3 at = TbCoordinates(tb, launch_.grid);
      const uint32_t shape = group.ShapeAt(at);
      if (shape == AccessGroup::kNoShape) continue;
      const int64_t base = group.BaseAt(at);
      const uint64_t key = static_cast<uint64_t>(base) * 0x9e3779b97f4a7c15U + shape;
      const auto [found, is_new] = known.try_emplace(key, pieces_.size());
      if (is_new) pieces_.push_back({g, shape, base});
      planned.piece_of[tb] = found->second;
    }
    plan_.groups.push_back(std::move(planned));
  }

  // Deterministic accesses that are the same in all TBs but for a shift.
  void AddShifted() {
    shifted_ = order::FindShiftedAccesses(addresses_, launch_, groups_.steps, request_.most_steps);
    if (!shifted_) return;
    plan_.steps = std::max(plan_.steps, shifted_->steps);
    for (uint32_t g = 0; g < shifted_->groups.size(); ++g) {
      const order::ShiftedGroup& group = shifted_->groups[g];
      TouchPlan::Group planned = {0, shifted_->steps, group.is_store, {}};
      std::unordered_map<int64_t, uint32_t> known;
      for (uint32_t tb = 0; tb < plan_.tbs; ++tb) {
        const int64_t base = group.BaseAt(TbCoordinates(tb, launch_.grid));
        const auto [found, is_new] = known.try_emplace(base, pieces_.size());
        if (is_new) pieces_.push_back({kShifted, g, base});
        planned.piece_of.push_back(found->second);
      }
      plan_.groups.push_back(std::move(planned));
    }
  }

  // Loads and stores whose addresses are no affine forms: what each TB touches, in a step at the
  // end, or spread over the kernel's steps where it has loops.
  void AddOthers(AccessKind kind) {
    AddressAnalysis others = {addresses_.loops, {}};
    for (const AddressForm& access : addresses_.accesses) {
      const bool done = access.address_class == AddressClass::kAffine ||
                        (shifted_ && access.address_class == AddressClass::kDeterministic);
      if (!done) others.accesses.push_back(access);
    }
    if (others.accesses.empty()) return;
    FootprintRequest request;
    request.kind = kind;
    if (kind == AccessKind::kLoads) request.known = request_.known;
    const Footprints found = FindFootprints(others, launch_, request);
    plan_.skipped.insert(plan_.skipped.end(), found.skipped.begin(), found.skipped.end());
    for (const ArrayFootprints& array : found.arrays) {
      TouchPlan::Group planned = {0, std::max(1U, plan_.steps), kind == AccessKind::kStores, {}};
      planned.piece_of.resize(plan_.tbs, TouchPlan::kNoPiece);
      for (const FootprintClass& one : array.classes) {
        const auto& first = one.tbs.first;
        const uint32_t tb = (first[2] * launch_.grid.y + first[1]) * launch_.grid.x + first[0];
        planned.piece_of[tb] = static_cast<uint32_t>(pieces_.size());
        pieces_.push_back({kExplicit, static_cast<uint32_t>(explicit_.size()), 0});
        explicit_.push_back(array.shapes[one.shape]);
      }
      explicit_steps_ = planned.steps;
      plan_.groups.push_back(std::move(planned));
      plan_.steps = std::max(plan_.steps, explicit_steps_);
    }
  }

  uint32_t StepsOf(const Piece& piece) const {
    if (piece.group == kShifted) return shifted_->steps;
    return piece.group == kExplicit ? explicit_steps_ : groups_.groups[piece.group].steps();
  }

  // Calls visit(range) for the piece's ranges in a step, as addresses.
  template <class Visit>
  void ForRanges(const Piece& piece, uint32_t step, Visit visit) const {
    if (piece.group == kShifted) {
      for (const Range& range : shifted_->groups[piece.shape].steps[step]) {
        visit(Range{range.begin + piece.base, range.end + piece.base});
      }
      return;
    }
    if (piece.group != kExplicit) {
      for (const Range& range : groups_.groups[piece.group].Ranges(piece.shape, step)) {
        visit(Range{range.begin + piece.base, range.end + piece.base});
      }
      return;
    }
    const std::vector<Range>& all = explicit_[piece.shape];
    for (size_t i = all.size() * step / explicit_steps_;
         i < all.size() * (step + 1) / explicit_steps_; ++i) {
      visit(all[i]);
    }
  }

  // Calls visit(unit) for the units that are looked at.
  template <class Visit>
  void ForUnits(const Piece& piece, uint32_t step, Visit visit) const {
    const int64_t unit = request_.unit_bytes, scale = plan_.scale;
    int64_t next = 0;  // no unit twice, where ranges meet in one
    ForRanges(piece, step, [&](const Range& range) {
      const int64_t begin = std::max(next, range.begin / unit);
      const int64_t end = (range.end - 1) / unit + 1;
      int64_t at = begin;
      if (scale > 1) at += ((kResidue - begin) % scale + scale) % scale;
      for (; at < end; at += scale) visit(static_cast<uint64_t>(at));
      next = std::max(next, end);
    });
  }

  void ChooseScale() {
    uint64_t units = 0;
    for (const Piece& piece : pieces_) {
      for (uint32_t step = 0; step < StepsOf(piece); ++step) {
        ForRanges(piece, step, [&](const Range& range) {
          units += static_cast<uint64_t>(range.end - range.begin) / request_.unit_bytes + 1;
        });
      }
    }
    for (const uint32_t scale : kScales) {
      plan_.scale = scale;
      if (units / scale <= request_.most_units) break;
    }
  }

  // Units with the same touches are one atom: a sum of hashes stands for the set of touches.
  void FindAtoms() {
    std::unordered_map<uint64_t, uint32_t> index_of_unit;
    std::vector<uint64_t> unit_address, unit_hash;
    std::vector<uint32_t> touched, touched_begin = {0};  // indices of units, piece by piece
    index_of_unit.reserve(request_.most_units);
    uint64_t touch = 0;
    for (const Piece& piece : pieces_) {
      for (uint32_t step = 0; step < StepsOf(piece); ++step, ++touch) {
        const uint64_t name = Mix(touch);
        ForUnits(piece, step, [&](uint64_t unit) {
          const auto [at, is_new] = index_of_unit.try_emplace(unit, unit_hash.size());
          if (is_new) {
            unit_hash.push_back(0);
            unit_address.push_back(unit * request_.unit_bytes);
          }
          unit_hash[at->second] += name;
          touched.push_back(at->second);
        });
        touched_begin.push_back(static_cast<uint32_t>(touched.size()));
      }
    }
    std::unordered_map<uint64_t, uint32_t> atom_of_hash;
    std::vector<uint32_t> atom_of_unit(unit_hash.size());
    const uint32_t bytes = request_.unit_bytes * plan_.scale;
    for (size_t unit = 0; unit < unit_hash.size(); ++unit) {
      const auto [at, is_new] = atom_of_hash.try_emplace(unit_hash[unit], plan_.atom_bytes.size());
      if (is_new) {
        plan_.atom_bytes.push_back(0);
        plan_.atom_address.push_back(unit_address[unit]);
      }
      atom_of_unit[unit] = at->second;
      plan_.atom_bytes[at->second] += bytes;
      plan_.atom_address[at->second] = std::min(plan_.atom_address[at->second], unit_address[unit]);
    }
    std::vector<uint32_t> seen(plan_.atom_bytes.size(), ~uint32_t{0});
    std::vector<uint32_t> piece_touching(plan_.atom_bytes.size(), ~uint32_t{0});
    size_t at = 0;
    for (uint32_t p = 0; p < pieces_.size(); ++p) {
      plan_.piece_begin.push_back(static_cast<uint32_t>(plan_.step_begin.size()));
      for (uint32_t step = 0; step < StepsOf(pieces_[p]); ++step, ++at) {
        plan_.step_begin.push_back(static_cast<uint32_t>(plan_.atoms.size()));
        for (uint32_t i = touched_begin[at]; i < touched_begin[at + 1]; ++i) {
          const uint32_t atom = atom_of_unit[touched[i]];
          if (seen[atom] == at) continue;
          seen[atom] = static_cast<uint32_t>(at);
          plan_.atoms.push_back(atom);
          plan_.shares =
              plan_.shares || (piece_touching[atom] != ~uint32_t{0} && piece_touching[atom] != p);
          piece_touching[atom] = p;
        }
      }
      // Each piece ends with a mark of its own, so that pieces may have any number of steps.
      plan_.step_begin.push_back(static_cast<uint32_t>(plan_.atoms.size()));
    }
    FindTouchedOnce();
  }

  // Pieces of one TB alone, and of them the atoms that no other step or piece has.
  void FindTouchedOnce() {
    std::vector<uint32_t> uses(pieces_.size(), 0);
    for (const TouchPlan::Group& group : plan_.groups) {
      for (const uint32_t piece : group.piece_of) {
        if (piece != TouchPlan::kNoPiece) ++uses[piece];
      }
    }
    std::vector<uint32_t> touches(plan_.atom_bytes.size(), 0);
    for (uint32_t p = 0; p < pieces_.size(); ++p) {
      plan_.shares = plan_.shares || uses[p] > 1;
      const uint32_t at = plan_.piece_begin[p];
      for (uint32_t i = plan_.step_begin[at]; i < plan_.step_begin[at + StepsOf(pieces_[p])]; ++i) {
        touches[plan_.atoms[i]] += uses[p];
      }
    }
    plan_.atom_once.resize(touches.size());
    for (size_t atom = 0; atom < touches.size(); ++atom) plan_.atom_once[atom] = touches[atom] == 1;
  }

  static constexpr uint32_t kExplicit = ~uint32_t{0}, kShifted = kExplicit - 1;

  const AddressAnalysis& addresses_;
  const KernelLaunch& launch_;
  const TouchRequest& request_;
  AccessGroups groups_;
  TouchPlan plan_;
  std::vector<Piece> pieces_;
  std::optional<order::ShiftedAccesses> shifted_;
  std::vector<std::vector<Range>> explicit_;
  uint32_t explicit_steps_ = 1;
};

}  // namespace

uint64_t TouchPlan::TurnBytes(std::span<const uint32_t> of) const {
  std::vector<uint32_t> seen_in(atom_bytes.size(), ~uint32_t{0});  // by atom: the last step
  uint64_t most = 0;
  for (uint32_t step = 0; step < steps; ++step) {
    uint64_t bytes = 0;
    for (const Group& group : groups) {
      if (group.is_store || step < group.first_step || step >= group.first_step + group.steps) {
        continue;
      }
      for (const uint32_t tb : of) {
        const uint32_t piece = group.piece_of[tb];
        if (piece == kNoPiece) continue;
        for (const uint32_t atom : AtomsOf(piece, step - group.first_step)) {
          if (std::exchange(seen_in[atom], step) != step) bytes += atom_bytes[atom];
        }
      }
    }
    most = std::max(most, bytes / turns[step]);
  }
  return most;
}

TouchPlan PlanTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                      const TouchRequest& request) {
  return Builder(addresses, launch, request).Build();
}

}  // namespace flagstone
