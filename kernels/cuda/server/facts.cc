#include "kernels/cuda/server/facts.h"

#include <string>

#include "kernels/ptx/kernel.h"

namespace flagstone::cuda {

DeviceFacts FactsOf(const MachineConfig& m) {
  DeviceFacts facts;
  const std::string name = "Flagstone " + m.name;
  name.copy(facts.name, sizeof facts.name - 1);
  facts.sms = m.sm.count;
  facts.max_threads = m.sm.max_threads;
  facts.max_tbs = m.sm.max_tbs;
  facts.registers = m.sm.registers;
  facts.shared_bytes = m.sm.shared_kib * 1024;
  facts.core_mhz = m.clock.core;
  facts.dram_mhz = m.clock.dram;
  facts.bus_bits = m.dram.channels * m.dram.bus_bytes * 8;
  facts.l2_bytes = m.l2.slices * m.l2.cache.size_kib * 1024;
  return facts;
}

FunctionFacts FactsOf(const LoadedKernel& kernel) {
  FunctionFacts facts;
  facts.parameter_count = static_cast<uint32_t>(kernel.kernel->parameters.size());
  facts.parameter_bytes = kernel.kernel->parameter_bytes;
  facts.shared_bytes = kernel.kernel->shared_bytes;
  facts.local_bytes = kernel.kernel->local_bytes;
  facts.registers = kernel.registers;
  facts.max_threads = kernel.kernel->max_threads[0] == 0 ? 1024 : kernel.kernel->max_threads[0];
  return facts;
}

}  // namespace flagstone::cuda
