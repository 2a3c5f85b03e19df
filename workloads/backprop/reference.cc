// Training step of a neural network in f64: what the hidden units see of each 16 input units, and
// the new weights.
#include "workloads/reference.h"

#include "base/error.h"

namespace flagstone {
namespace {

constexpr size_t kSide = 16;

// A tile's sums as a binary tree over the 16 rows: row y ends up with the sum of the rows from y on
// that the largest power of two dividing y covers (row 0: all).
size_t RowsSummedInto(size_t y) {
  size_t rows = 1;
  while (rows < kSide && y % (2 * rows) == 0) rows *= 2;
  return rows;
}

void Forward(ReferenceData& data, size_t launch) {
  const size_t hidden = data.Extent(launch, 4);
  const auto input = data.Buffer<float>(launch, 0);
  const size_t inputs = input.size() - 1;
  if (inputs % kSide != 0) {
    ThrowBadInput("reference 'backprop': {} input units: expected a multiple of {}", inputs, kSide);
  }
  const size_t width = hidden + 1;
  const auto weights = data.Buffer<float>(launch, 1, (inputs + 1) * width);
  const auto products = data.Buffer<float>(launch, 2, (inputs + 1) * width);
  const auto partial_sums = data.Buffer<float>(launch, 3, inputs / kSide * hidden);
  for (size_t y = 0; y < inputs; ++y) {
    for (size_t x = 1; x <= hidden; ++x) {
      double sum = 0;
      for (size_t row = y + 1; row <= y + RowsSummedInto(y % kSide); ++row) {
        sum += double{input[row]} * double{weights[row * width + x]};
      }
      products[(y + 1) * width + x] = static_cast<float>(sum);
      if (y % kSide == 0) partial_sums[y / kSide * hidden + x - 1] = static_cast<float>(sum);
    }
  }
}

void Adjust(ReferenceData& data, size_t launch) {
  const size_t hidden = data.Extent(launch, 4);
  const double rate = data.Real(launch, 5);
  const double momentum = data.Real(launch, 6);
  const auto delta = data.Buffer<float>(launch, 0, hidden + 1);
  const auto input = data.Buffer<float>(launch, 1);
  const size_t width = hidden + 1;
  const auto weights = data.Buffer<float>(launch, 2, input.size() * width);
  const auto last_change = data.Buffer<float>(launch, 3, input.size() * width);
  for (size_t y = 0; y < input.size(); ++y) {
    const double unit = y == 0 ? 1.0 : double{input[y]};  // unit 0 is the bias
    for (size_t x = 1; x <= hidden; ++x) {
      const size_t i = y * width + x;
      const double change = rate * double{delta[x]} * unit + momentum * double{last_change[i]};
      weights[i] = static_cast<float>(double{weights[i]} + change);
      last_change[i] = static_cast<float>(change);
    }
  }
}

}  // namespace

void ComputeBackprop(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); launch += 2) {
    if (launch + 1 == data.LaunchCount()) {
      ThrowBadInput("reference 'backprop': expected launches in pairs, forward and adjust");
    }
    Forward(data, launch);
    Adjust(data, launch + 1);
  }
}

}  // namespace flagstone
