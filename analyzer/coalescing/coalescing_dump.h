// Coalescing as text, for people and `--dump coalescing`.
#ifndef FLAGSTONE_ANALYZER_COALESCING_COALESCING_DUMP_H_
#define FLAGSTONE_ANALYZER_COALESCING_COALESCING_DUMP_H_

#include <span>
#include <string>

#include "analyzer/coalescing/coalescing.h"

namespace flagstone {

// "pc 36: degree 100.00 %, 1 sector in range, 1.00 expected, 2.00 per request" and the graph, a
// line per load; then the same for the kernel.
std::string Dump(std::span<const LoadCoalescing> loads);

// The graph's non-zero locations, equal neighbours as one: "0: 2, 1-31: 1".
std::string ToString(const CoalescingGraph& graph);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_COALESCING_DUMP_H_
