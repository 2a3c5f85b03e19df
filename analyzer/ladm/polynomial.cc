#include "analyzer/ladm/polynomial.h"

#include <algorithm>

namespace flagstone {
namespace {

int64_t Product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t Sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

int64_t Polynomial::Constant() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

bool Polynomial::Contains(Prime prime) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) {
    return std::find(term.first.begin(), term.first.end(), prime) != term.first.end();
  });
}

void Polynomial::Add(const Monomial& monomial, int64_t coefficient) {
  const auto [term, is_new] = terms_.try_emplace(monomial, 0);
  term->second = Sum(term->second, coefficient);
  if (term->second == 0) terms_.erase(term);
}

Polynomial& Polynomial::AddScaled(const Polynomial& other, int64_t scale) {
  for (const auto& [monomial, coefficient] : other.terms_) {
    Add(monomial, Product(coefficient, scale));
  }
  return *this;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial product;
  for (const auto& [a, x] : terms_) {
    for (const auto& [b, y] : other.terms_) {
      Monomial both = a;
      both.insert(both.end(), b.begin(), b.end());
      std::sort(both.begin(), both.end());
      product.Add(both, Product(x, y));
    }
  }
  return product;
}

Polynomial Polynomial::Substitute(Prime prime, const Polynomial& value) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms_) {
    Polynomial term(coefficient);
    for (const Prime& factor : monomial) {
      term = term * (factor == prime ? value : Polynomial(factor));
    }
    result.AddScaled(term, 1);
  }
  return result;
}

}  // namespace flagstone
