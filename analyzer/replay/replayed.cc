#include "analyzer/replay/replayed.h"

#include <algorithm>

namespace flagstone {

Replayed& Replayed::operator+=(const Replayed& other) {
  cycles += other.cycles;
  l2_reads += other.l2_reads;
  l2_writes += other.l2_writes;
  dram_reads += other.dram_reads;
  dram_writes += other.dram_writes;
  remote += other.remote;
  for (size_t part = 0; part < busy.size(); ++part) busy[part] += other.busy[part];
  return *this;
}

Replayed& Replayed::operator*=(double times) {
  for (double* figure : {&cycles, &l2_reads, &l2_writes, &dram_reads, &dram_writes, &remote}) {
    *figure *= times;
  }
  for (double& part : busy) part *= times;
  return *this;
}

std::string_view Replayed::Limit() const {
  const auto most = std::max_element(busy.begin(), busy.end());
  if (*most < cycles / 2) return "latency";
  return kPartNames[static_cast<size_t>(most - busy.begin())];
}

}  // namespace flagstone
