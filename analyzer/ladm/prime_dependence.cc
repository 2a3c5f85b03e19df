// What the terms of an expanded address vary with, their numbers at a launch, and their text.
#include <fmt/core.h>

#include <cstring>

#include "analyzer/ladm/prime_expansion.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;

}  // namespace

void Dependence::Join(const Dependence& other) {
  bx = bx || other.bx;
  by = by || other.by;
  gdimx = gdimx || other.gdimx;
  data = data || other.data;
  loops.insert(other.loops.begin(), other.loops.end());
}

Dependence PrimeExpansion::Of(const Prime& prime) {
  Dependence result;
  switch (prime.kind) {
    case Kind::kCtaid:
      result.bx = prime.index == 0;
      result.by = prime.index == 1;
      break;
    case Kind::kNctaid:
      result.gdimx = prime.index == 0;
      break;
    case Kind::kParameter:
      result.gdimx = ValueOf(Monomial{prime}) == RowWidth();
      break;
    case Kind::kCounter:
      result.loops.insert(prime.index);
      break;
    case Kind::kTrips:
      result.data =
          !values_->TripsOf(prime.index).uniform && !values_->TripsOf(prime.index).bounded;
      break;
    case Kind::kCarried:
      return Of(CarriedValue(prime.index));
    case Kind::kOther: {
      const auto [known, is_new] = depends_.try_emplace(prime.index);
      if (!is_new) return known->second;
      // Copied: working out the operands may add opaque values.
      const Opaque opaque = opaque_[prime.index];
      result.data = opaque.data;
      result.loops = opaque.loops;
      depends_[prime.index] = result;
      for (const Polynomial& operand : opaque.operands) result.Join(Of(operand));
      depends_[prime.index] = result;
      break;
    }
    case Kind::kTid:
    case Kind::kNtid:
      break;
  }
  return result;
}

Dependence PrimeExpansion::Of(const Monomial& monomial) {
  Dependence result;
  for (const Prime& prime : monomial) result.Join(Of(prime));
  return result;
}

Dependence PrimeExpansion::Of(const Polynomial& polynomial) {
  Dependence result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) result.Join(Of(monomial));
  return result;
}

std::optional<int64_t> PrimeExpansion::ValueOf(const Monomial& monomial) const {
  uint64_t product = 1;
  const auto axis = [](const Dim3& dim, uint32_t index) {
    return index == 0 ? dim.x : index == 1 ? dim.y : dim.z;
  };
  for (const Prime& prime : monomial) {
    if (prime.kind == Kind::kNtid) {
      product *= axis(launch_->block, prime.index);
    } else if (prime.kind == Kind::kNctaid) {
      product *= axis(launch_->grid, prime.index);
    } else if (prime.kind == Kind::kParameter && prime.index + 4 <= launch_->parameters.size()) {
      int32_t number = 0;
      std::memcpy(&number, launch_->parameters.data() + prime.index, sizeof(number));
      product *= static_cast<uint64_t>(int64_t{number});
    } else {
      return std::nullopt;
    }
  }
  return static_cast<int64_t>(product);
}

std::string PrimeExpansion::ToString(const Polynomial& polynomial, int64_t unit) const {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  const auto name = [&](const Prime& prime) -> std::string {
    switch (prime.kind) {
      case Kind::kTid:
        return fmt::format("tid.{}", kAxes[prime.index]);
      case Kind::kCtaid:
        return fmt::format("ctaid.{}", kAxes[prime.index]);
      case Kind::kNtid:
        return fmt::format("ntid.{}", kAxes[prime.index]);
      case Kind::kNctaid:
        return fmt::format("nctaid.{}", kAxes[prime.index]);
      case Kind::kCounter:
        return fmt::format("m{}", prime.index);
      case Kind::kTrips:
        return fmt::format("last(m{})", prime.index);
      case Kind::kParameter:
        for (const auto& parameter : launch_->kernel->parameters) {
          if (parameter->offset == prime.index) return parameter->name;
        }
        return fmt::format("param+{}", prime.index);
      case Kind::kOther:
        return fmt::format("{}@{}", opaque_[prime.index].data ? "load" : "value",
                           opaque_[prime.index].line);
      case Kind::kCarried:
        break;
    }
    return "?";
  };
  std::string text;
  for (const auto& [monomial, bytes] : polynomial.terms()) {
    const int64_t coefficient = unit != 0 && bytes % unit == 0 ? bytes / unit : bytes;
    if (!text.empty()) text += coefficient < 0 ? " - " : " + ";
    if (text.empty() && coefficient < 0) text += "-";
    const uint64_t magnitude = coefficient < 0 ? uint64_t{0} - static_cast<uint64_t>(coefficient)
                                               : static_cast<uint64_t>(coefficient);
    std::string product = magnitude == 1 && !monomial.empty() ? "" : std::to_string(magnitude);
    for (const Prime& prime : monomial) {
      if (!product.empty()) product += "*";
      product += name(prime);
    }
    text += product;
  }
  return text.empty() ? "0" : text;
}

}  // namespace flagstone
