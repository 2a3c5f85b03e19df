// Mean and deviation of a figure that was measured under several settings.
#ifndef FLAGSTONE_BASE_SPREAD_H_
#define FLAGSTONE_BASE_SPREAD_H_

#include <cstddef>
#include <span>
#include <string>

namespace flagstone {

struct Spread {
  double mean = 0;
  double deviation = 0;  // the sample's (n - 1); 0 of one value
  size_t count = 0;

  static Spread Of(std::span<const double> values);

  // Of a ratio: whether 1 is less than two deviations away.
  bool IsEqual() const;
  // "1.53 ±0.02": rounded to the deviation's first digit, or where that is 0, `decimals` digits
  // after the point and no deviation.
  std::string ToText(int decimals) const;
};

// The 97.5 % quantile of Student's t with so many degrees of freedom, from 1 on: a 95 % interval of
// a mean is so many of its standard errors to either side.
double StudentT(size_t freedom);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_SPREAD_H_
