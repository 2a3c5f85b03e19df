#include "analyzer/ladm/classify.h"

#include <algorithm>
#include <cstring>
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

Polynomial StrideOf(const Polynomial& variant, const std::optional<Prime>& striding) {
  Polynomial stride;
  for (const auto& [monomial, coefficient] : variant.terms()) {
    if (!striding || CounterOf(monomial) != striding) continue;
    Monomial rest = monomial;
    rest.erase(std::find(rest.begin(), rest.end(), *striding));
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
