// The components of an image, and the reversible 5/3 wavelet transform of a whole plane: each row,
// then each column, is split into its smooth and its detail samples (ISO/IEC 15444-1, annex F).
#include "workloads/reference.h"

#include <vector>

#include "base/error.h"

namespace flagstone {
namespace {

int32_t FloorDivide(int32_t a, int32_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// Sample i of a line that is continued symmetrically on both sides.
int32_t At(const std::vector<int32_t>& line, ptrdiff_t i) {
  const auto last = static_cast<ptrdiff_t>(line.size()) - 1;
  if (i < 0) i = -i;
  if (i > last) i = 2 * last - i;
  return line[static_cast<size_t>(i)];
}

// The smooth samples (of even positions), then the details (of odd ones).
std::vector<int32_t> Split(const std::vector<int32_t>& line) {
  const auto detail = [&](ptrdiff_t i) {  // of odd i; symmetric as the line is
    return At(line, i) - FloorDivide(At(line, i - 1) + At(line, i + 1), 2);
  };
  std::vector<int32_t> bands;
  const auto size = static_cast<ptrdiff_t>(line.size());
  for (ptrdiff_t i = 0; i < size; i += 2) {
    bands.push_back(At(line, i) + FloorDivide(detail(i - 1) + detail(i + 1) + 2, 4));
  }
  for (ptrdiff_t i = 1; i < size; i += 2) bands.push_back(detail(i));
  return bands;
}

void SplitComponents(ReferenceData& data, size_t launch) {
  const size_t pixels = data.Extent(launch, 4);
  const auto image = data.Buffer<uint8_t>(launch, 0, 3 * pixels);
  for (size_t component = 0; component < 3; ++component) {
    const auto plane = data.Buffer<int32_t>(launch, 1 + component, pixels);
    for (size_t i = 0; i < pixels; ++i) plane[i] = int32_t{image[3 * i + component]} - 128;
  }
}

void Transform(ReferenceData& data, size_t launch) {
  const size_t width = data.Extent(launch, 2);
  const size_t height = data.Extent(launch, 3);
  if (width < 3 || height < 3) ThrowBadInput("reference 'dwt53': expected at least 3 x 3 samples");
  const auto image = data.Buffer<int32_t>(launch, 0, width * height);
  const auto result = data.Buffer<int32_t>(launch, 1, width * height);
  std::vector<std::vector<int32_t>> rows;
  for (size_t y = 0; y < height; ++y) {
    const auto row = image.subspan(y * width, width);
    rows.push_back(Split({row.begin(), row.end()}));
  }
  for (size_t x = 0; x < width; ++x) {
    std::vector<int32_t> column;
    column.reserve(rows.size());
    for (const auto& row : rows) column.push_back(row[x]);
    const std::vector<int32_t> bands = Split(column);
    for (size_t y = 0; y < height; ++y) result[y * width + x] = bands[y];
  }
}

}  // namespace

void ComputeDwt53(ReferenceData& data) {
  SplitComponents(data, 0);
  for (size_t launch = 1; launch < data.LaunchCount(); ++launch) Transform(data, launch);
}

}  // namespace flagstone
