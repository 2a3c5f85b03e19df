// Polynomials over the variables that LADM calls prime (MICRO 2020, section III.C): thread and
// block ids, block and grid dimensions, induction variables, constants. Kernel parameters stay
// symbols too, and so does what is no polynomial of these.
#ifndef FLAGSTONE_ANALYZER_LADM_POLYNOMIAL_H_
#define FLAGSTONE_ANALYZER_LADM_POLYNOMIAL_H_

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace flagstone {

struct Prime {
  enum class Kind : uint8_t {
    kTid,        // index: axis
    kCtaid,      // axis
    kNtid,       // axis
    kNctaid,     // axis
    kCounter,    // loop: 0, 1, ... in each turn
    kTrips,      // loop: the counter's last value, seen from behind the loop
    kParameter,  // byte offset in the parameter block
    kOther,      // number of an opaque value (prime_expansion.h)
    kCarried,    // SSA value that a loop carries; only while an expansion is under way
  };
  Kind kind = Kind::kOther;
  uint32_t index = 0;
  auto operator<=>(const Prime&) const = default;
};

using Monomial = std::vector<Prime>;  // a product, sorted; empty: 1

// Coefficients are modulo 2^64, as registers are.
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(int64_t constant) { Add({}, constant); }
  explicit Polynomial(Prime prime) { Add({prime}, 1); }

  const std::map<Monomial, int64_t>& terms() const { return terms_; }  // none is zero
  bool IsConstant() const { return terms_.empty() || (terms_.size() == 1 && Holds({})); }
  int64_t Constant() const;
  bool Contains(Prime prime) const;

  void Add(const Monomial& monomial, int64_t coefficient);
  Polynomial& AddScaled(const Polynomial& other, int64_t scale);
  Polynomial operator*(const Polynomial& other) const;
  Polynomial Substitute(Prime prime, const Polynomial& value) const;

  bool operator==(const Polynomial&) const = default;

 private:
  bool Holds(const Monomial& monomial) const { return terms_.contains(monomial); }

  std::map<Monomial, int64_t> terms_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_POLYNOMIAL_H_
