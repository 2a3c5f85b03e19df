#include "analyzer/ladm/classify.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "analyzer/address/bulk_accesses.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;

// Whether the term is a pointer to one of the launch's buffers.
bool IsBase(const Monomial& monomial, int64_t coefficient, const KernelLaunch& launch,
            const DeviceMemory& memory) {
  if (monomial.size() != 1 || coefficient != 1 || monomial[0].kind != Kind::kParameter) {
    return false;
  }
  const size_t at = monomial[0].index;
  uint64_t address = 0;
  if (at + sizeof(address) > launch.parameters.size()) return false;
  std::memcpy(&address, launch.parameters.data() + at, sizeof(address));
  return memory.Find(address, 1) != nullptr;
}

// The counter that the monomial has as a factor; the outermost of several.
std::optional<Prime> CounterOf(const Monomial& monomial) {
  for (const Prime& prime : monomial) {
    if (prime.kind == Kind::kCounter) return prime;
  }
  return std::nullopt;
}

// A term that moves the TB by whole rows: it depends on gridDim.x, or the compiler knew the width.
bool MovesDown(const Monomial& monomial, int64_t coefficient, uint32_t element,
               PrimeExpansion& expansion) {
  if (expansion.Of(monomial).gdimx) return true;
  const bool number = monomial.size() == 1 && monomial[0].kind == Kind::kCounter;
  const int64_t row = expansion.RowWidth() * element;
  return number && expansion.RowWidth() > 1 && coefficient % row == 0;
}

}  // namespace

ExpandedAccess Expand(const AddressForm& access, const KernelLaunch& launch,
                      const DeviceMemory& memory, PrimeExpansion& expansion) {
  ExpandedAccess result;
  result.access = &access;
  const Polynomial address =
      expansion.Address(access.pc, *GlobalAddress(launch.kernel->instructions[access.pc]));
  for (const auto& [monomial, coefficient] : address.terms()) {
    if (IsBase(monomial, coefficient, launch, memory)) continue;
    result.index.Add(monomial, coefficient);
    const bool turns =
        CounterOf(monomial).has_value() ||
        (!access.loops.empty() && expansion.Of(monomial).loops.contains(access.loops.back()));
    (turns ? result.variant : result.invariant).Add(monomial, coefficient);
  }
  return result;
}

std::vector<uint32_t> Reroll(std::vector<ExpandedAccess>& accesses) {
  // Alike: the same array, loops, size, and all terms but the constant.
  const auto alike = [](const ExpandedAccess& a, const ExpandedAccess& b) {
    Polynomial difference = a.index;
    difference.AddScaled(b.index, -1);
    return difference.IsConstant() && a.access->array == b.access->array &&
           a.access->loops == b.access->loops && a.access->bytes == b.access->bytes &&
           a.access->is_store == b.access->is_store;
  };
  std::vector<uint32_t> copies(accesses.size(), 1);
  std::vector<bool> done(accesses.size(), false);
  for (size_t first = 0; first < accesses.size(); ++first) {
    if (done[first] || accesses[first].variant.terms().size() != 1) continue;
    const auto [monomial, step] = *accesses[first].variant.terms().begin();
    const std::optional<Prime> counter = CounterOf(monomial);
    std::map<int64_t, size_t> family;  // by constant
    for (size_t i = first; i < accesses.size(); ++i) {
      if (!alike(accesses[first], accesses[i])) continue;
      family.emplace(accesses[i].index.Constant(), i);
      done[i] = true;
    }
    const auto count = static_cast<int64_t>(family.size());
    if (count < 2 || !counter || step % count != 0) continue;
    // Copies of a body with step s * m have constants 0, s / k, 2 s / k, ... A factor beside the
    // counter would have to stand beside the constants too.
    bool even = monomial.size() == 1;
    int64_t expected = family.begin()->first;
    if (step < 0) expected = family.rbegin()->first;
    for (int64_t k = 0; k < count && even; ++k, expected += step / count) {
      even = family.contains(expected);
    }
    if (!even) continue;
    for (const auto& [constant, i] : family) {
      Polynomial rerolled;
      rerolled.Add(monomial, step / count);
      accesses[i].variant = rerolled;
      copies[i] = static_cast<uint32_t>(count);
    }
  }
  return copies;
}

Polynomial StrideOf(const Polynomial& variant) {
  std::optional<Prime> outermost;
  for (const auto& [monomial, coefficient] : variant.terms()) {
    const std::optional<Prime> counter = CounterOf(monomial);
    if (counter && (!outermost || *counter < *outermost)) outermost = counter;
  }
  Polynomial stride;
  for (const auto& [monomial, coefficient] : variant.terms()) {
    if (!outermost || CounterOf(monomial) != outermost) continue;
    Monomial rest = monomial;
    rest.erase(std::find(rest.begin(), rest.end(), *outermost));
    stride.Add(rest, coefficient);
  }
  return stride;
}

LocalityType Classify(const ExpandedAccess& access, const KernelLaunch& launch,
                      PrimeExpansion& expansion) {
  const uint32_t element = access.access->ElementBytes();
  const auto& variant = access.variant.terms();
  if (variant.size() == 1) {
    const auto& [monomial, coefficient] = *variant.begin();
    const bool counter = monomial.size() == 1 && monomial[0].kind == Kind::kCounter;
    if (counter && coefficient == element) return LocalityType::kIntraThread;
  }
  const Dependence invariant = expansion.Of(access.invariant);
  if (invariant.data || expansion.Of(access.variant).data) return LocalityType::kUnclassified;
  const bool two_dimensional = launch.grid.y > 1;
  if (invariant.bx && (invariant.by || !two_dimensional)) return LocalityType::kNoLocality;
  if (!two_dimensional || (!invariant.bx && !invariant.by)) return LocalityType::kUnclassified;
  const bool down = std::any_of(variant.begin(), variant.end(), [&](const auto& term) {
    return MovesDown(term.first, term.second, element, expansion);
  });
  if (invariant.by) return down ? LocalityType::kRowVertical : LocalityType::kRowHorizontal;
  return down ? LocalityType::kColVertical : LocalityType::kColHorizontal;
}

}  // namespace flagstone
