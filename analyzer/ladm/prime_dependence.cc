// What the terms of an expanded address vary with, their numbers at a launch, and their text.
#include <fmt/core.h>

#include <algorithm>
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
      if (!values_->TripsOf(prime.index).uniform && !values_->TripsOf(prime.index).bounded) {
        return OfTrips(prime.index);
      }
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

// The number that the launch gives a prime; empty if it varies with more than the launch.
std::optional<int64_t> PrimeExpansion::NumberOf(const Prime& prime) const {
  const auto axis = [](const Dim3& dim, uint32_t index) {
    return int64_t{index == 0 ? dim.x : index == 1 ? dim.y : dim.z};
  };
  switch (prime.kind) {
    case Kind::kNtid:
      return axis(launch_->block, prime.index);
    case Kind::kNctaid:
      return axis(launch_->grid, prime.index);
    case Kind::kParameter:
      return ParameterNumber(prime.index);
    case Kind::kOther:
      return opaque_[prime.index].number;
    default:
      return std::nullopt;
  }
}

// By its type where a parameter begins there, else (a member of a struct) as 4 bytes.
std::optional<int64_t> PrimeExpansion::ParameterNumber(uint32_t offset) const {
  size_t bytes = sizeof(int32_t);
  for (const auto& parameter : launch_->kernel->parameters) {
    if (parameter->offset == offset && parameter->count == 1) {
      bytes = static_cast<size_t>(ptx::SizeInBytes(parameter->type));
    }
  }
  if (offset + bytes > launch_->parameters.size()) return std::nullopt;
  const std::byte* const at = launch_->parameters.data() + offset;
  if (bytes == sizeof(int64_t)) {
    int64_t number = 0;
    std::memcpy(&number, at, sizeof(number));
    return number;
  }
  int32_t number = 0;
  std::memcpy(&number, at, std::min(bytes, sizeof(number)));
  return number;
}

std::optional<int64_t> PrimeExpansion::ValueOf(const Monomial& monomial) const {
  uint64_t product = 1;
  for (const Prime& prime : monomial) {
    const std::optional<int64_t> number = NumberOf(prime);
    if (!number) return std::nullopt;
    product *= static_cast<uint64_t>(*number);
  }
  return static_cast<int64_t>(product);
}

Polynomial PrimeExpansion::AtLaunch(const Polynomial& polynomial) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    auto number = static_cast<uint64_t>(coefficient);
    Monomial rest;
    for (const Prime& prime : monomial) {
      const std::optional<int64_t> known = NumberOf(prime);
      if (known) {
        number *= static_cast<uint64_t>(*known);
      } else {
        rest.push_back(prime);
      }
    }
    result.Add(rest, static_cast<int64_t>(number));
  }
  return result;
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
