// What `flagstone order` looks at of a large launch, so that the answer does not take long.
// Internal to this folder.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_ORDER_SAMPLING_H_
#define FLAGSTONE_APP_FLOW_STUDIES_ORDER_SAMPLING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch/device_memory.h"

namespace flagstone {

struct OrderSampling {
  uint32_t parts = 1;  // of a TB
  uint32_t steps = 1;  // of each loop of a TB
  uint64_t tbs = 0;    // the first ones of each order
};

// `window`: TBs in flight. `loops`: that follow one another in a TB, each of which gets its share
// of the steps. `steps`: that TBs have; those of few leave time for more parts.
OrderSampling SampleLaunch(uint64_t tbs, uint64_t window, size_t orders, uint32_t most_parts,
                           uint32_t loops, uint64_t steps);

// All TBs, of so many, that a table has; ascending.
std::vector<uint32_t> TbsOfAny(const std::vector<std::vector<uint32_t>>& tables, uint64_t tbs);

// Units of data, of so many TBs of all orders together, that are looked at: each order touches the
// share that its own TBs have.
uint64_t MostUnits(uint64_t tbs_of_any, uint64_t tbs, size_t orders);

// Buffers are copied into device memory one after the other: of the data below this address an L2
// of so many bytes has nothing any more.
uint64_t WarmFrom(const DeviceMemory& memory, uint64_t l2_bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_ORDER_SAMPLING_H_
