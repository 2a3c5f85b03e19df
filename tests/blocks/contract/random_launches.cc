// Random launches for gpu_dispatch_top, right and wrong ones.
#include <algorithm>

#include "tests/blocks/contract/dispatch_top_bench.h"

namespace flagstone {
namespace {

uint32_t Number(uint32_t most, SplitMix64* random) {
  return 1 + static_cast<uint32_t>(random->Below(most));
}

// The ids of the grid in random groups, each once.
Groups AllTbs(uint32_t tbs, SplitMix64* random) {
  std::vector<uint32_t> ids(tbs);
  for (uint32_t i = 0; i < tbs; ++i) ids[i] = i;
  if (random->Below(2) == 0) {
    for (uint32_t i = tbs; i > 1; --i) std::swap(ids[i - 1], ids[random->Below(i)]);
  }
  Groups groups;
  for (uint32_t at = 0; at < tbs;) {
    const uint32_t length = std::min(tbs - at, Number(9, random));
    groups.emplace_back(ids.begin() + at, ids.begin() + at + length);
    at += length;
  }
  return groups;
}

// A few TBs of a grid of up to 2^16 or 2^32 - 1.
void MakeLarge(uint32_t id_bits, DispatchLaunch* launch, SplitMix64* random) {
  const uint32_t bits = id_bits - 1;
  const auto x_bits = static_cast<uint32_t>(random->Below(bits + 1));
  const auto y_bits = static_cast<uint32_t>(random->Below(bits - x_bits + 1));
  const auto z_bits = static_cast<uint32_t>(random->Below(bits - x_bits - y_bits + 1));
  const auto near = [&](uint32_t size) {
    const uint32_t power = uint32_t{1} << size;
    return power - static_cast<uint32_t>(random->Below(std::max(1u, power / 4)));
  };
  uint32_t* sides[] = {&launch->grid_x, &launch->grid_y, &launch->grid_z};
  std::rotate(sides, sides + random->Below(3), sides + 3);
  *sides[0] = near(x_bits);
  *sides[1] = near(y_bits);
  *sides[2] = near(z_bits);
  if (random->Below(8) == 0) {
    const uint32_t most = id_bits == 32 ? 0xffffffffu : 0x10000u;
    launch->grid_x = launch->grid_y = launch->grid_z = 1;
    *sides[0] = most;
  }
  const uint64_t tbs = uint64_t{launch->grid_x} * launch->grid_y * launch->grid_z;
  launch->groups.clear();
  for (uint64_t group = 0, count = 1 + random->Below(12); group < count; ++group) {
    auto& ids = launch->groups.emplace_back();
    for (uint64_t i = 0, length = 1 + random->Below(20); i < length; ++i) {
      const bool follows = !ids.empty() && random->Below(2) == 0 && ids.back() + 1 < tbs;
      ids.push_back(follows ? ids.back() + 1 : static_cast<uint32_t>(random->Below(tbs)));
    }
  }
}

void MakeWrong(DispatchLaunch* launch, SplitMix64* random) {
  switch (random->Below(5)) {
    case 0:
      (random->Below(2) == 0 ? launch->grid_y : launch->grid_z) = 0;
      break;
    case 1:
      launch->grid_x = 65536;
      launch->grid_y = 65537;
      break;
    case 2:
      launch->warps = Number(255, random);
      launch->registers = Number(0xfffff, random);
      launch->shared = Number(0xfffff, random);
      break;
    case 3:
      launch->groups.clear();
      break;
    default:
      // An id beyond the grid, by little or much.
      if (!launch->groups.empty()) {
        launch->groups.back().back() = launch->grid_x * launch->grid_y * launch->grid_z +
                                       (static_cast<uint32_t>(random->Next()) >> random->Below(32));
      }
      break;
  }
}

void Misbehave(const DispatchTopSize& size, DispatchTopBench* bench, SplitMix64* random) {
  const auto word = static_cast<uint32_t>(random->Next());
  switch (random->Below(8)) {
    case 0:
      bench->Write(word % 4096, word >> 8);
      break;
    case 1:
      bench->Read(word % 4096);
      break;
    case 2:
      bench->Write(4 * (word % (kDispatchRegisters - 3) + 3), word >> (word % 32));
      break;
    case 3:
      bench->Write(4 * kGridX, word % 1000, word % 16);
      break;
    case 4:
      if (random->Below(8) == 0) bench->WriteRegister(kControl, 2);
      break;
    case 5: {
      // A completion of a TB of another launch.
      const auto sm = static_cast<uint32_t>(random->Below(size.num_sms));
      if (random->Below(8) != 0) break;
      bool once = true;
      const uint32_t tag = bench->out().tb_tag ^ (1 + word % 15);
      bench->SetDisturbance([=](DispatchTopIn* in) mutable {
        if (!once || TestBit(in->done_valid, sm)) return;
        once = false;
        SetBit(&in->done_valid, sm);
        in->done_context[sm] = static_cast<uint8_t>(word % size.contexts);
        in->done_tag[sm] = static_cast<uint8_t>(tag);
      });
      break;
    }
    case 6:
      bench->WriteRegister(kInterrupts, word % 8);
      bench->WriteRegister(kStatus, word & 0x700);
      break;
    default:
      for (uint32_t which = 0; which < kDispatchRegisters; ++which) bench->Read(4 * which);
      break;
  }
}

}  // namespace

DispatchLaunch RandomLaunch(const DispatchTopSize& size, bool large, SplitMix64* random) {
  DispatchLaunch launch;
  launch.grid_x = Number(7, random);
  launch.grid_y = Number(4, random);
  launch.grid_z = Number(3, random);
  const uint32_t most_limit = random->Below(2) == 0 ? 2 * size.contexts : 255;
  launch.tb_limit = random->Below(3) == 0 ? Number(most_limit, random) : 0;
  launch.steal_rule = static_cast<uint32_t>(random->Below(4));
  launch.warps = Number(std::min(255u, size.sm.warps), random);
  launch.registers = Number(size.sm.registers, random);
  launch.shared = Number(size.sm.shared, random);
  if (random->Below(2) == 0) launch.warps = launch.registers = launch.shared = Number(4, random);
  launch.warps = std::min(launch.warps, size.sm.warps);
  launch.registers = std::min(launch.registers, size.sm.registers);
  launch.shared = std::min(launch.shared, size.sm.shared);
  launch.entry = random->Next();
  launch.parameters = random->Next();
  launch.groups = AllTbs(launch.grid_x * launch.grid_y * launch.grid_z, random);
  if (large) MakeLarge(size.id_bits, &launch, random);
  return launch;
}

void RunRandomLaunches(const DispatchTopSize& size, uint64_t seed, uint64_t cycles, bool large,
                       DispatchTop* block) {
  SplitMix64 random(seed);
  const uint32_t length = Number(120, &random);
  DispatchBenchConfig config = {.size = size,
                                .seed = seed,
                                .memory_latency = Number(40, &random),
                                .in_order = random.Below(4) == 0,
                                .stall_percent = static_cast<uint32_t>(random.Below(3) * 20)};
  config.run_cycles = [=](uint32_t sm, uint32_t tb) { return (tb * 7 + sm * 13) % length + 1; };
  DispatchTopBench bench(block, config);
  while (bench.now() < cycles) {
    DispatchLaunch launch = RandomLaunch(size, large, &random);
    if (random.Below(6) == 0) MakeWrong(&launch, &random);
    bench.Describe(launch);
    if (random.Below(12) == 0) {
      // Groups where nobody wrote any: they go on until they are stopped.
      bench.WriteRegister(kQueueBaseLo, static_cast<uint32_t>(random.Next()) & ~7U);
      bench.WriteRegister(kQueueCount, static_cast<uint32_t>(random.Next()));
    }
    if (random.Below(10) == 0) {
      bench.FailReadsOf(bench.QueueBase() + 8 * random.Below(8));
    }
    bench.WriteRegister(kControl, 1);
    for (uint64_t i = random.Below(6); i > 0 && bench.now() < cycles; --i) {
      if (random.Below(2) == 0) Misbehave(size, &bench, &random);
    }
    // Some launches are described while the one before runs, some after it; some never end.
    if (random.Below(2) != 0) bench.RunToEnd(3000);
    const uint64_t patience = bench.now() + random.Below(4000);
    while ((bench.ReadRegister(kStatus) & 2) != 0) {
      if (bench.now() >= cycles) return;
      if (bench.now() >= patience) bench.WriteRegister(kControl, 2);
    }
  }
}

}  // namespace flagstone
