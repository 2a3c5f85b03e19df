#include "analyzer/ladm/reroll.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/ladm/extents.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;
using Terms = std::map<Monomial, int64_t>;

// More copies are taken as this many: no compiler unrolls as far by itself.
constexpr int64_t kMostCopies = 256;

bool DividesAll(const Polynomial& polynomial, int64_t divisor) {
  return std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                     [&](const auto& term) { return term.second % divisor == 0; });
}

Polynomial Divided(const Polynomial& polynomial, int64_t divisor) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    result.Add(monomial, coefficient / divisor);
  }
  return result;
}

Polynomial Sum(Polynomial a, const Polynomial& b, int64_t scale) { return a.AddScaled(b, scale); }

// The terms that have the counter as a factor, or the others.
Polynomial TermsWith(const Polynomial& polynomial, const Prime& counter, bool with) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    const bool has = std::find(monomial.begin(), monomial.end(), counter) != monomial.end();
    if (has == with) result.Add(monomial, coefficient);
  }
  return result;
}

// Accesses of one array, loop nest and size that a turn moves alike, with the launch's numbers.
struct Family {
  Polynomial step;  // what a turn of the innermost loop adds; empty: no loop moves them
  std::vector<size_t> members;
  std::vector<Polynomial> places;  // of each member: its index less the first one's
};

// How many members stand in a row with each one, `apart` from the next.
std::vector<int64_t> RunsOf(const Family& family, const Polynomial& apart) {
  std::map<Terms, std::vector<size_t>> at;
  for (size_t i = 0; i < family.places.size(); ++i) {
    at[family.places[i].terms()].push_back(i);
  }
  std::vector<int64_t> runs(family.places.size(), 0);
  for (const auto& [place, here] : at) {
    if (runs[here.front()] != 0) continue;
    Polynomial first = family.places[here.front()];
    while (at.contains(Sum(first, apart, -1).terms())) first.AddScaled(apart, -1);
    std::vector<size_t> run;
    int64_t length = 0;
    for (auto next = at.find(first.terms()); next != at.end(); next = at.find(first.terms())) {
      run.insert(run.end(), next->second.begin(), next->second.end());
      ++length;
      first.AddScaled(apart, 1);
    }
    for (const size_t i : run) runs[i] = length;
  }
  return runs;
}

// By member: how many copies the compiler made of its turn.
std::vector<int64_t> PartlyUnrolled(const Family& family) {
  std::vector<int64_t> copies(family.members.size(), 1);
  const auto most = std::min<int64_t>(kMostCopies, static_cast<int64_t>(family.members.size()));
  for (int64_t k = most; k >= 2; --k) {
    if (!DividesAll(family.step, k)) continue;
    const std::vector<int64_t> runs = RunsOf(family, Divided(family.step, k));
    for (size_t i = 0; i < copies.size(); ++i) {
      if (copies[i] == 1 && runs[i] >= k) copies[i] = k;
    }
  }
  return copies;
}

// Of accesses that no loop moves: the least distance that covers the grid and that most of them
// have to another one.
std::optional<int64_t> ApartOverTheGrid(const Family& family, uint64_t turn_bytes) {
  constexpr size_t kMostPlaces = 64;
  std::set<int64_t> places;
  for (const Polynomial& place : family.places) {
    const bool near_first = Sum(place, Polynomial(place.Constant()), -1).terms().empty();
    if (near_first) places.insert(place.Constant());
  }
  if (places.size() < 2 || places.size() > kMostPlaces) return std::nullopt;
  for (auto at = std::next(places.begin()); at != places.end(); ++at) {
    const int64_t apart = *at - *places.begin();
    if (!CoversTheGrid(apart, turn_bytes)) continue;
    const std::vector<int64_t> runs = RunsOf(family, Polynomial(apart));
    const auto paired = std::count_if(runs.begin(), runs.end(), [](int64_t r) { return r > 1; });
    if (2 * static_cast<size_t>(paired) > runs.size()) return apart;
  }
  return std::nullopt;
}

std::vector<Family> FamiliesOf(const std::vector<ExpandedAccess>& accesses,
                               const PrimeExpansion& expansion) {
  // Those whose places differ by multiples of ids are families of their own: a[i] and a[j].
  using Key = std::tuple<std::string, std::vector<uint32_t>, uint32_t, bool, Terms, Terms>;
  std::map<Key, size_t> known;
  std::vector<Family> families;
  std::vector<Polynomial> firsts;
  for (size_t i = 0; i < accesses.size(); ++i) {
    const AddressForm& access = *accesses[i].access;
    const Polynomial index = expansion.AtLaunch(accesses[i].index);
    Polynomial step, others;
    if (!access.loops.empty()) {
      const Prime counter{Kind::kCounter, access.loops.back()};
      step = TermsWith(index, counter, true);
    }
    for (const auto& [monomial, coefficient] : index.terms()) {
      const bool constant = std::all_of(monomial.begin(), monomial.end(), [](const Prime& prime) {
        return prime.kind == Kind::kOther || prime.kind == Kind::kParameter;
      });
      if (!constant) others.Add(monomial, coefficient);
    }
    const Key key{access.array,    access.loops, access.bytes,
                  access.is_store, step.terms(), others.terms()};
    const auto [entry, is_new] = known.try_emplace(key, families.size());
    if (is_new) {
      families.emplace_back();
      firsts.push_back(index);
      if (!access.loops.empty()) {
        const Prime counter{Kind::kCounter, access.loops.back()};
        for (const auto& [monomial, coefficient] : step.terms()) {
          Monomial rest = monomial;
          rest.erase(std::find(rest.begin(), rest.end(), counter));
          families.back().step.Add(rest, coefficient);
        }
      }
    }
    Family& family = families[entry->second];
    family.members.push_back(i);
    family.places.push_back(Sum(index, firsts[entry->second], -1));
  }
  return families;
}

}  // namespace

std::vector<uint32_t> Reroll(std::vector<ExpandedAccess>& accesses,
                             const std::vector<CountedLoop>& loops, const KernelLaunch& launch,
                             const PrimeExpansion& expansion) {
  std::vector<uint32_t> copies(accesses.size(), 1);
  for (const Family& family : FamiliesOf(accesses, expansion)) {
    if (family.members.size() < 2) continue;
    if (!family.step.terms().empty()) {
      const std::vector<int64_t> unrolled = PartlyUnrolled(family);
      for (size_t i = 0; i < family.members.size(); ++i) {
        if (unrolled[i] == 1) continue;
        ExpandedAccess& access = accesses[family.members[i]];
        const Prime counter{Kind::kCounter, access.access->loops.back()};
        Polynomial turn = TermsWith(access.variant, counter, true);
        // A step that is no multiple as it stands, but is with the launch's numbers.
        if (!DividesAll(turn, unrolled[i])) turn = family.step * Polynomial(counter);
        access.variant =
            Sum(TermsWith(access.variant, counter, false), Divided(turn, unrolled[i]), 1);
        copies[family.members[i]] = static_cast<uint32_t>(unrolled[i]);
      }
      continue;
    }
    const ExpandedAccess& first = accesses[family.members.front()];
    if (!first.variant.terms().empty()) continue;
    const Extents extents = ExtentsOf(first, loops, launch, expansion);
    if (!extents.exact) continue;
    const std::optional<int64_t> apart = ApartOverTheGrid(family, extents.turn_bytes);
    if (!apart) continue;
    const std::vector<int64_t> runs = RunsOf(family, Polynomial(*apart));
    for (size_t i = 0; i < family.members.size(); ++i) {
      if (runs[i] < 2) continue;
      // The counter that the compiler has left nothing of gets the number behind all others.
      const Prime counter{Kind::kCounter, static_cast<uint32_t>(loops.size())};
      accesses[family.members[i]].variant.Add({counter}, *apart);
      copies[family.members[i]] = static_cast<uint32_t>(runs[i]);
    }
  }
  return copies;
}

}  // namespace flagstone
