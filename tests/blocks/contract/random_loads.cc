#include "tests/blocks/contract/random_loads.h"

namespace flagstone {

std::set<uint64_t> RunRandomLoads(uint64_t seed, const CapsConfig& config, uint32_t loads,
                                  CapsBench* bench) {
  const bool is_long = loads >= kLongKernel;
  RandomLoads kernel(seed, config, 1 + static_cast<uint32_t>(seed % 7),
                     is_long ? 90 : 5 * static_cast<uint32_t>(seed % 5));
  bench->SetStalls(seed, kernel.Below(95), kernel.Below(95));
  bench->SetPresent([seed](uint64_t address) { return InL1(seed, address, 20); });
  std::set<uint64_t> direct;
  for (uint32_t slot = 0; slot < config.cta_slots; ++slot) {
    bench->SetLive(slot, kernel.NewCta(slot));
  }
  const auto next_load = [&](uint32_t slot, bool follows) {
    const uint64_t warps = bench->live()[slot];
    return follows ? kernel.Follow(slot, warps) : kernel.Load(slot, warps);
  };
  // Notes the PC; the port is taken while the load's bases go in, one a cycle.
  const auto settle = [&](const CapsLoad& load) {
    if (!load.indirect) direct.insert(load.pc);
    const auto count = static_cast<uint32_t>(load.addrs.size());
    if (!load.indirect && count >= 1 && count <= 4) bench->Idle(count - 1);
  };
  uint32_t slot = 0;
  for (uint32_t step = 0; step < loads; ++step) {
    const bool follows = step > 0 && kernel.Below(2) == 0;
    if (!follows) slot = kernel.Below(config.cta_slots);
    if (kernel.Below(50) == 0) {
      // Half of the CTAs end in a cycle with a load, mostly with one of their own.
      if (kernel.Below(2) == 0) {
        const uint32_t of = kernel.Below(4) == 0 ? kernel.Below(config.cta_slots) : slot;
        const CapsLoad last = next_load(of, follows && of == slot);
        bench->EndCta(slot, last);
        settle(last);
      } else {
        bench->EndCta(slot);
      }
      bench->SetLive(slot, kernel.NewCta(slot));
      if (kernel.Below(2) == 0) {
        const CapsLoad first = kernel.Lead(slot, bench->live()[slot]);
        bench->Step(first);
        settle(first);
      }
    }
    if (!is_long && kernel.Below(400) == 0) bench->EndKernel();
    const CapsLoad load = next_load(slot, follows);
    bench->Step(load);
    settle(load);
    if (kernel.Below(4) == 0) bench->Idle(kernel.Below(40));
  }
  bench->Drain();
  return direct;
}

}  // namespace flagstone
