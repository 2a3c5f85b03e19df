#include "order/touch_plan.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "order/touch_pieces.h"

namespace flagstone {
namespace {

using order::TouchPieces;

// Strides of programs are hardly ever multiples of these, so each residue is a fair sample.
constexpr std::array<uint32_t, 17> kScales = {
    1, 3, 7, 13, 29, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071};
constexpr int64_t kResidue = 1;  // of 3, 7, ...: some other one than that of aligned addresses

// Mixes the name of a touch into that of the touches of a unit.
uint64_t Mix(uint64_t a) { return SplitMix64(a).Next(); }

class AtomFinder {
 public:
  AtomFinder(const TouchPieces& pieces, const TouchRequest& request, TouchPlan* plan)
      : pieces_(pieces), request_(request), plan_(*plan) {}

  void Find() {
    ChooseScale();
    FindAtoms();
    FindTouchedOnce();
  }

 private:
  // Calls visit(unit) for the units that are looked at.
  template <class Visit>
  void ForUnits(uint32_t piece, uint32_t step, Visit visit) const {
    const int64_t unit = request_.unit_bytes, scale = plan_.scale;
    int64_t next = 0;  // no unit twice, where ranges meet in one
    pieces_.ForRanges(piece, step, [&](const Range& range) {
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
    for (uint32_t piece = 0; piece < pieces_.count(); ++piece) {
      for (uint32_t step = 0; step < pieces_.StepsOf(piece); ++step) {
        pieces_.ForRanges(piece, step, [&](const Range& range) {
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
    for (uint32_t piece = 0; piece < pieces_.count(); ++piece) {
      for (uint32_t step = 0; step < pieces_.StepsOf(piece); ++step, ++touch) {
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
    for (uint32_t p = 0; p < pieces_.count(); ++p) {
      plan_.piece_begin.push_back(static_cast<uint32_t>(plan_.step_begin.size()));
      for (uint32_t step = 0; step < pieces_.StepsOf(p); ++step, ++at) {
        plan_.step_begin.push_back(static_cast<uint32_t>(plan_.atoms.size()));
        for (uint32_t i = touched_begin[at]; i < touched_begin[at + 1]; ++i) {
          const uint32_t atom = atom_of_unit[touched[i]];
          if (seen[atom] == at) continue;
          seen[atom] = static_cast<uint32_t>(at);
          plan_.atoms.push_back(atom);
          const uint32_t first = pieces_.FirstPart(p);
          plan_.shares = plan_.shares ||
                         (piece_touching[atom] != ~uint32_t{0} && piece_touching[atom] != first);
          piece_touching[atom] = first;
        }
      }
      // Each piece ends with a mark of its own, so that pieces may have any number of steps.
      plan_.step_begin.push_back(static_cast<uint32_t>(plan_.atoms.size()));
    }
    FindSlices(unit_address, atom_of_unit);
  }

  // Data that lie in every slice wait for none of them more than for others.
  void FindSlices(const std::vector<uint64_t>& unit_address,
                  const std::vector<uint32_t>& atom_of_unit) {
    if (request_.slices == nullptr) return;
    constexpr uint32_t kFew = 8;
    const size_t atoms = plan_.atom_bytes.size();
    std::vector<std::pair<uint32_t, uint16_t>> found;  // atom and slice, of each unit
    found.reserve(unit_address.size());
    for (size_t unit = 0; unit < unit_address.size(); ++unit) {
      const auto slice = request_.slices->Slice(LineOf(unit_address[unit])).slice;
      found.emplace_back(atom_of_unit[unit], static_cast<uint16_t>(slice));
    }
    std::sort(found.begin(), found.end());
    plan_.slice_begin.push_back(0);
    for (size_t at = 0, atom = 0; atom < atoms; ++atom) {
      size_t end = at;
      while (end < found.size() && found[end].first == atom) ++end;
      const size_t first = plan_.slices.size();
      const float part = 1.0F / static_cast<float>(end - at);
      for (; at < end; ++at) {
        if (plan_.slices.size() == first || plan_.slices.back().slice != found[at].second) {
          plan_.slices.push_back({found[at].second, 0});
        }
        plan_.slices.back().share += part;
      }
      if (plan_.slices.size() - first > kFew) plan_.slices.resize(first);
      plan_.slice_begin.push_back(static_cast<uint32_t>(plan_.slices.size()));
    }
  }

  // Pieces of one TB alone, and of them the atoms that no other step or piece has.
  void FindTouchedOnce() {
    std::vector<uint32_t> uses(pieces_.count(), 0);
    for (const TouchPlan::Group& group : plan_.groups) {
      for (const uint32_t piece : group.piece_of) {
        if (piece != TouchPlan::kNoPiece) ++uses[piece];
      }
    }
    std::vector<uint32_t> touches(plan_.atom_bytes.size(), 0);
    for (uint32_t p = 0; p < pieces_.count(); ++p) {
      plan_.shares = plan_.shares || uses[p] > 1;
      const uint32_t at = plan_.piece_begin[p];
      for (uint32_t i = plan_.step_begin[at]; i < plan_.step_begin[at + pieces_.StepsOf(p)]; ++i) {
        touches[plan_.atoms[i]] += uses[p];
      }
    }
    plan_.atom_once.resize(touches.size());
    for (size_t atom = 0; atom < touches.size(); ++atom)
      plan_.atom_once[atom] = touches[atom] == 1 ? 1 : 0;
  }

  const TouchPieces& pieces_;
  const TouchRequest& request_;
  TouchPlan& plan_;
};

}  // namespace

TouchPlan PlanTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                      const TouchRequest& request) {
  TouchRequest asked = request;
  RequestsOfAccess requests;
  if (asked.requests == nullptr) {
    requests = FindWarpRequests(addresses, launch);
    asked.requests = &requests;
  }
  TouchPlan plan;
  plan.tbs = static_cast<uint32_t>(launch.TbCount());
  plan.parts = request.parts;
  const TouchPieces pieces(addresses, launch, asked, &plan);
  AtomFinder(pieces, asked, &plan).Find();
  return plan;
}

}  // namespace flagstone
