// Running sums modulo 2^32. The second launch says how many blocks of 1,024 elements there are, and
// how many make an array.
#include "workloads/reference.h"

#include "base/error.h"

namespace flagstone {

void ComputeScan(ReferenceData& data) {
  constexpr size_t kBlock = 1024;
  const size_t blocks = data.Extent(1, 3);
  const size_t blocks_per_array = data.Extent(1, 4);
  if (blocks_per_array == 0) ThrowBadInput("reference 'scan': expected arrays of 1 or more blocks");
  const auto source = data.Buffer<uint32_t>(0, 1, kBlock * blocks);
  const auto result = data.Buffer<uint32_t>(0, 0, kBlock * blocks);
  const auto totals = data.Buffer<uint32_t>(1, 0, blocks);
  uint32_t sum = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    if (i % (kBlock * blocks_per_array) == 0) sum = 0;
    if (i % kBlock == 0) totals[i / kBlock] = sum;
    result[i] = sum;
    sum += source[i];
  }
}

}  // namespace flagstone
