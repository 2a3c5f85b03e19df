#include "app/order/touch_atoms.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "base/all_cores.h"
#include "base/hash_index.h"
#include "base/random.h"

namespace flagstone::order {
namespace {

// Strides of programs are hardly ever multiples of these, so each residue is a fair sample.
constexpr std::array<uint32_t, 17> kScales = {
    1, 3, 7, 13, 29, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071};
constexpr uint64_t kResidue = 1;  // of 3, 7, ...: some other one than that of aligned addresses

// A hash of a number, of which all bits are spread, also where numbers are multiples of much.
uint64_t Mix(uint64_t a) { return SplitMix64(a).Next(); }

uint64_t HighProduct(uint64_t a, uint64_t b) {
  __extension__ using Product = unsigned __int128;
  return static_cast<uint64_t>(Product{a} * b >> 64);
}

class AtomFinder {
 public:
  AtomFinder(const TouchPieces& pieces, const TouchRequest& request, TouchPlan* plan)
      : pieces_(pieces),
        request_(request),
        plan_(*plan),
        unit_bits_(std::countr_zero(request.unit_bytes)) {}

  void Find() {
    ChooseScale();
    FindAtoms();
    FindTouchedOnce();
  }

 private:
  static constexpr uint32_t kChunk = 255;  // of pieces; whole strides

  uint64_t UnitOf(int64_t byte) const { return static_cast<uint64_t>(byte) >> unit_bits_; }
  // Calls visit(unit) for the units that are looked at.
  template <class Visit>
  void ForUnits(uint32_t piece, uint32_t step, Visit visit) const {
    const uint64_t scale = plan_.scale, reciprocal = ~uint64_t{0} / scale + 1;
    uint64_t next = 0;  // no unit twice, where ranges meet in one
    pieces_.ForRanges(piece, step, [&](const Range& range) {
      const uint64_t begin = std::max(next, UnitOf(range.begin)), end = UnitOf(range.end - 1) + 1;
      if (begin >= end) return;
      uint64_t at = begin;
      if (scale > 1) {
        // begin % scale, by a multiplication: exact below 2^64 / scale.
        const uint64_t residue = begin - HighProduct(begin, reciprocal) * scale;
        at += kResidue - residue + (residue > kResidue ? scale : 0);
      }
      for (; at < end; at += scale) visit(at);
      next = end;
    });
  }

  // Calls visit(chunk, piece, step) for every `stride`th piece; a chunk's pieces one after the
  // other, chunks on all cores.
  template <class Visit>
  void ForChunks(uint32_t stride, Visit visit) const {
    ForEachOnAllCores(Chunks(), [&](size_t at) {
      const auto chunk = static_cast<uint32_t>(at);
      const uint32_t end = std::min(pieces_.count(), (chunk + 1) * kChunk);
      for (uint32_t piece = chunk * kChunk; piece < end; piece += stride) {
        for (uint32_t s = 0; s < pieces_.StepsOf(piece); ++s) visit(chunk, piece, s);
      }
    });
  }
  uint32_t Chunks() const { return (pieces_.count() + kChunk - 1) / kChunk; }

  // Of many pieces one in some tells well enough how many units there are: parts of a TB, which
  // follow one another, in turn.
  void ChooseScale() {
    constexpr uint32_t kMany = 4096, kOneIn = 17;
    const uint32_t stride = pieces_.count() > kMany ? kOneIn : 1;
    std::atomic<uint64_t> looked_at = 0;
    ForChunks(stride, [&](uint32_t /*chunk*/, uint32_t piece, uint32_t step) {
      uint64_t units = 0;
      pieces_.ForRanges(piece, step,
                        [&](const Range& range) { units += UnitOf(range.end - range.begin) + 1; });
      looked_at += units;
    });
    const uint64_t all = looked_at * stride;
    for (const uint32_t scale : kScales) {
      plan_.scale = scale;
      if (all / scale <= request_.most_units) break;
    }
  }

  // Units with the same touches are one atom: a sum of hashes stands for the set of touches.
  void FindAtoms() {
    struct Chunk {
      std::vector<uint64_t> units;
      std::vector<size_t> end;  // in `units`, by piece and step
    };
    std::vector<Chunk> chunks(Chunks());
    ForChunks(1, [&](uint32_t c, uint32_t piece, uint32_t step) {
      Chunk& chunk = chunks[c];
      ForUnits(piece, step, [&](uint64_t unit) { chunk.units.push_back(unit); });
      chunk.end.push_back(chunk.units.size());
    });
    HashIndex index_of_unit;
    std::vector<uint64_t> unit_address, unit_hash;
    std::vector<uint32_t> touched, touched_begin = {0};  // indices of units, piece by piece
    uint64_t touch = 0;
    for (const Chunk& chunk : chunks) {
      size_t i = 0;
      for (const size_t end : chunk.end) {
        const uint64_t name = Mix(touch++);
        for (; i < end; ++i) {
          const uint64_t address = chunk.units[i] << unit_bits_;
          const uint32_t index =
              index_of_unit.FindOrAdd(Mix(chunk.units[i]), unit_address.size(),
                                      [&](uint32_t u) { return unit_address[u] == address; });
          if (index == unit_address.size()) {
            unit_hash.push_back(0);
            unit_address.push_back(address);
          }
          unit_hash[index] += name;
          touched.push_back(index);
        }
        touched_begin.push_back(static_cast<uint32_t>(touched.size()));
      }
    }
    HashIndex atom_of_hash;
    std::vector<uint64_t> atom_hash;
    std::vector<uint32_t> atom_of_unit(unit_hash.size());
    const uint32_t bytes = request_.unit_bytes * plan_.scale;
    for (size_t unit = 0; unit < unit_hash.size(); ++unit) {
      const uint64_t hash = unit_hash[unit];
      const uint32_t atom = atom_of_hash.FindOrAdd(
          hash, atom_hash.size(), [&](uint32_t i) { return atom_hash[i] == hash; });
      if (atom == atom_hash.size()) {
        atom_hash.push_back(hash);
        plan_.atoms.push_back({.address = unit_address[unit]});
      }
      atom_of_unit[unit] = atom;
      plan_.atoms[atom].bytes += bytes;
      plan_.atoms[atom].address = std::min(plan_.atoms[atom].address, unit_address[unit]);
    }
    std::vector<uint32_t> seen(plan_.atoms.size(), ~uint32_t{0});
    std::vector<uint32_t> piece_touching(plan_.atoms.size(), ~uint32_t{0});
    size_t at = 0;
    for (uint32_t p = 0; p < pieces_.count(); ++p) {
      plan_.piece_begin.push_back(static_cast<uint32_t>(plan_.step_begin.size()));
      for (uint32_t step = 0; step < pieces_.StepsOf(p); ++step, ++at) {
        plan_.step_begin.push_back(static_cast<uint32_t>(plan_.touched_atoms.size()));
        for (uint32_t i = touched_begin[at]; i < touched_begin[at + 1]; ++i) {
          const uint32_t atom = atom_of_unit[touched[i]];
          if (seen[atom] == at) continue;
          seen[atom] = static_cast<uint32_t>(at);
          plan_.touched_atoms.push_back(atom);
          const uint32_t first = pieces_.FirstPart(p);
          plan_.shares = plan_.shares ||
                         (piece_touching[atom] != ~uint32_t{0} && piece_touching[atom] != first);
          piece_touching[atom] = first;
        }
      }
      // Each piece ends with a mark of its own, so that pieces may have any number of steps.
      plan_.step_begin.push_back(static_cast<uint32_t>(plan_.touched_atoms.size()));
    }
    FindSlices(unit_address, atom_of_unit);
  }

  // Data that lie in every slice wait for none of them more than for others.
  void FindSlices(const std::vector<uint64_t>& unit_address,
                  const std::vector<uint32_t>& atom_of_unit) {
    if (request_.slices == nullptr) return;
    constexpr uint32_t kFew = 8;
    std::vector<std::pair<uint32_t, uint16_t>> found;  // atom and slice, of each unit
    found.reserve(unit_address.size());
    for (size_t unit = 0; unit < unit_address.size(); ++unit) {
      const auto slice = request_.slices->Slice(LineOf(unit_address[unit])).slice;
      found.emplace_back(atom_of_unit[unit], static_cast<uint16_t>(slice));
    }
    std::sort(found.begin(), found.end());
    for (size_t at = 0, atom = 0; atom < plan_.atoms.size(); ++atom) {
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
      plan_.atoms[atom].in_slices = static_cast<uint32_t>(first);
      plan_.atoms[atom].slice_count = static_cast<uint16_t>(plan_.slices.size() - first);
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
    std::vector<uint32_t> touches(plan_.atoms.size(), 0);
    for (uint32_t p = 0; p < pieces_.count(); ++p) {
      plan_.shares = plan_.shares || uses[p] > 1;
      const uint32_t at = plan_.piece_begin[p];
      for (uint32_t i = plan_.step_begin[at]; i < plan_.step_begin[at + pieces_.StepsOf(p)]; ++i) {
        touches[plan_.touched_atoms[i]] += uses[p];
      }
    }
    for (size_t atom = 0; atom < touches.size(); ++atom) {
      plan_.atoms[atom].once = touches[atom] == 1;
    }
  }

  const TouchPieces& pieces_;
  const TouchRequest& request_;
  TouchPlan& plan_;
  const int unit_bits_;  // of an address in its unit
};

}  // namespace

void FindAtoms(const TouchPieces& pieces, const TouchRequest& request, TouchPlan* plan) {
  AtomFinder(pieces, request, plan).Find();
}

}  // namespace flagstone::order
