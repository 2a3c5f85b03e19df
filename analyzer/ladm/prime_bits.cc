// Sums that a compiler writes as bits put together, where no bit of one part lies in the other.
#include <algorithm>
#include <bit>

#include "analyzer/ladm/prime_expansion.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;

// The largest power of two that divides the polynomial, whatever the primes are; 0: all do.
uint64_t UnitOf(const Polynomial& polynomial) {
  uint64_t bits = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    bits |= static_cast<uint64_t>(coefficient);
  }
  return bits & (~bits + 1);
}

constexpr uint64_t kMost = uint64_t{1} << 62;

std::optional<uint64_t> Times(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b || (*b != 0 && *a > kMost / *b)) return std::nullopt;
  return *a * *b;
}

}  // namespace

std::optional<uint64_t> PrimeExpansion::MostOf(const Prime& prime, int depth) const {
  const auto last = [](const Dim3& dim, uint32_t axis) -> uint64_t {
    return (axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z) - 1;
  };
  switch (prime.kind) {
    case Kind::kTid:
      return last(launch_->block, prime.index);
    case Kind::kCtaid:
      return last(launch_->grid, prime.index);
    case Kind::kCounter:
    case Kind::kTrips: {
      const TripCount& trips = values_->TripsOf(prime.index);
      if ((!trips.uniform && !trips.bounded) || trips.count == 0) return std::nullopt;
      return trips.count - 1;
    }
    case Kind::kOther: {
      const Opaque& opaque = opaque_[prime.index];
      if (opaque.number && *opaque.number >= 0) return static_cast<uint64_t>(*opaque.number);
      if (opaque.divisor <= 0) return std::nullopt;
      const std::optional<uint64_t> most = MostOf(opaque.operands[0], depth + 1);
      if (!most) return std::nullopt;
      return *most / static_cast<uint64_t>(opaque.divisor);
    }
    default: {
      const std::optional<int64_t> number = NumberOf(prime);
      if (!number || *number < 0) return std::nullopt;
      return static_cast<uint64_t>(*number);
    }
  }
}

// No more than this; empty where that is not known. Remainders, value - divisor * quotient, count
// as what they are.
std::optional<uint64_t> PrimeExpansion::MostOf(const Polynomial& polynomial, int depth) const {
  constexpr int kMostDepth = 8;
  if (depth > kMostDepth) return std::nullopt;
  Polynomial rest = polynomial;
  uint64_t most = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    if (coefficient >= 0 || monomial.size() != 1 || monomial[0].kind != Kind::kOther) continue;
    const Opaque& opaque = opaque_[monomial[0].index];
    if (opaque.divisor <= 0 || coefficient % opaque.divisor != 0) continue;
    const int64_t times = -(coefficient / opaque.divisor);
    rest.Add(monomial, -coefficient);
    rest.AddScaled(opaque.operands[0], -times);
    most += static_cast<uint64_t>(times) * static_cast<uint64_t>(opaque.divisor - 1);
  }
  for (const auto& [monomial, coefficient] : rest.terms()) {
    if (coefficient < 0) return std::nullopt;
    std::optional<uint64_t> product = static_cast<uint64_t>(coefficient);
    for (const Prime& prime : monomial) product = Times(product, MostOf(prime, depth));
    if (!product || *product > kMost) return std::nullopt;
    most += *product;
    if (most > kMost) return std::nullopt;
  }
  return most;
}

// Whether `or` adds: all that `high` counts are multiples of a power of two above `low`. What a
// loop carries counts as what it is in any turn.
bool PrimeExpansion::LeavesRoomFor(const Polynomial& high, const Polynomial& low) {
  if (high.terms().empty() || low.terms().empty()) return true;
  if (low.IsConstant() && low.Constant() < 0) return false;
  const std::optional<uint64_t> most = MostOf(Resolve(low, kNoLoop));
  return most && UnitOf(Resolve(high, kNoLoop)) > *most;
}

// Bits that reach to the top, above others: a * 2^position + b.
std::optional<Polynomial> PrimeExpansion::Inserted(const ptx::Instruction& bfi,
                                                   const std::vector<Polynomial>& s) {
  if (!s[2].IsConstant() || !s[3].IsConstant()) return std::nullopt;
  const int64_t position = s[2].Constant(), length = s[3].Constant();
  const int64_t bits = 8 * ptx::SizeInBytes(bfi.type);
  if (position < 1 || length < 1 || position + length < bits || position > 62) return std::nullopt;
  const Polynomial high = s[0] * Polynomial(int64_t{1} << position);
  if (!LeavesRoomFor(high, s[1])) return std::nullopt;
  return Polynomial(high).AddScaled(s[1], 1);
}

}  // namespace flagstone
