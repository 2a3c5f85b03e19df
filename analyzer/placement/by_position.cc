#include "analyzer/placement/by_position.h"

#include <algorithm>
#include <span>

namespace flagstone {
namespace {

// The place with most, of several each in turn.
uint32_t Most(std::span<const uint64_t> shares, uint64_t& ties) {
  const uint64_t most = *std::max_element(shares.begin(), shares.end());
  const auto equals = static_cast<uint64_t>(std::count(shares.begin(), shares.end(), most));
  uint64_t skip = equals > 1 ? ties++ % equals : 0;
  uint32_t place = 0;
  while (shares[place] != most || skip-- > 0) ++place;
  return place;
}

// The first element behind `element` that may have another node.
uint64_t NextBorder(const DealUnits& units, uint64_t element) {
  const uint64_t in_gpu = element % units.gpu;
  const uint64_t next = (in_gpu / units.chiplet + 1) * units.chiplet;
  return element - in_gpu + std::min(next, units.gpu);
}

}  // namespace

std::vector<uint8_t> OwnersByPosition(const NodeShape& nodes, const BytesOfElements& of,
                                      const DealUnits& units, uint64_t array_bytes,
                                      uint64_t page_bytes) {
  std::vector<uint8_t> owners;
  std::vector<uint64_t> of_node(nodes.Nodes());
  std::vector<uint64_t> of_gpu(nodes.gpus);
  // Pages that several have as much of, so far: of GPUs, and of the chiplets of each.
  uint64_t gpu_ties = 0;
  std::vector<uint64_t> chiplet_ties(nodes.gpus);
  uint64_t at = 0;
  for (uint64_t page = 0; page * page_bytes < array_bytes; ++page) {
    std::fill(of_node.begin(), of_node.end(), 0);
    std::fill(of_gpu.begin(), of_gpu.end(), 0);
    const uint64_t end = std::min(array_bytes, (page + 1) * page_bytes);
    while (at < end) {
      const uint64_t place = at % of.period;
      const uint64_t element = place * of.elements / of.bytes;
      const uint64_t border =
          (NextBorder(units, element) * of.bytes + of.elements - 1) / of.elements;
      const uint64_t next = std::min({end, at - place + of.period, at - place + border});
      const uint32_t node = Deal(nodes, units, element);
      of_node[node] += next - at;
      of_gpu[node / nodes.chiplets] += next - at;
      at = next;
    }
    const uint32_t gpu = Most(of_gpu, gpu_ties);
    const uint32_t first = gpu * nodes.chiplets;
    const uint32_t chiplet =
        Most(std::span(of_node).subspan(first, nodes.chiplets), chiplet_ties[gpu]);
    owners.push_back(static_cast<uint8_t>(first + chiplet));
  }
  return owners;
}

}  // namespace flagstone
