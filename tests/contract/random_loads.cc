#include "tests/contract/random_loads.h"

namespace flagstone {

std::set<uint64_t> RunRandomLoads(uint64_t seed, const CapsConfig& config, uint32_t loads,
                                  CapsBench* bench) {
  RandomLoads kernel(seed, config, 1 + static_cast<uint32_t>(seed % 7),
                     5 * static_cast<uint32_t>(seed % 5));
  bench->SetStalls(seed, kernel.Below(95), kernel.Below(95));
  bench->SetPresent([seed](uint64_t address) { return InL1(seed, address, 20); });
  std::set<uint64_t> direct;
  for (uint32_t slot = 0; slot < config.cta_slots; ++slot) {
    bench->SetLive(slot, kernel.NewCta(slot));
  }
  for (uint32_t step = 0; step < loads; ++step) {
    const uint32_t slot = kernel.Below(config.cta_slots);
    if (kernel.Below(50) == 0) {
      bench->EndCta(slot);
      bench->SetLive(slot, kernel.NewCta(slot));
    }
    if (kernel.Below(400) == 0) bench->EndKernel();
    const CapsLoad load = kernel.Load(slot, bench->live()[slot]);
    if (!load.indirect) direct.insert(load.pc);
    bench->Step(load);
    const auto count = static_cast<uint32_t>(load.addrs.size());
    if (!load.indirect && count >= 1 && count <= 4) bench->Idle(count - 1);
    if (kernel.Below(4) == 0) bench->Idle(kernel.Below(40));
  }
  bench->Drain();
  return direct;
}

}  // namespace flagstone
