// Bandwidth of each level: as many loads under way as fit, each line used once.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"
#include "tests/system/microbenchmarks/path.h"

namespace flagstone::microbenchmark {
namespace {

constexpr uint32_t kThreads = 256;
// A crossbar with one queue per source serves 2 - sqrt(2) of its ports under uniform traffic, since
// a packet waits behind another's destination (Karol et al., IEEE Trans. Communications 1987). A
// short stream, whose SMs do not end together, uses less.
constexpr double kCrossbarShare = 0.48;
constexpr double kDramShare = 0.65;  // rows are opened; fewer banks and channels hide less of it

// Every thread of the grid loads 4 bytes `rounds` times, a grid's width apart.
std::string Stream(uint32_t rounds) {
  std::string body =
      "  mov.u32 %r5, %ntid.x;\n"
      "  mad.lo.u32 %r6, %r2, %r5, %r1;\n"
      "  mul.wide.u32 %rd2, %r6, 4;\n"
      "  add.u64 %rd2, %rd2, %rd1;\n"
      "  mul.wide.u32 %rd3, %r3, 4;\n";
  body += Bench::Repeat(rounds, [](uint32_t i) {
    return fmt::format("ld.global.u32 %r{}, [%rd2];\n  add.u64 %rd2, %rd2, %rd3;", 8 + i % 32);
  });
  return body;
}

// Bytes per core cycle over the whole machine, between runs of `from` and of `to` rounds.
double BytesPerCycle(const Bench& bench, uint32_t from, uint32_t to) {
  const auto cycles = [&](uint32_t rounds) {
    return static_cast<double>(bench.Run(Stream(rounds)).cycles);
  };
  const double bytes = double{4} * bench.tbs * bench.threads * (to - from);
  return bytes / (cycles(to) - cycles(from));
}

// A grid that fills the SMs once.
Bench FullMachine(const MachineConfig& machine) {
  Bench bench;
  bench.machine = machine;
  bench.threads = std::min(kThreads, machine.sm.max_threads);
  const uint32_t per_sm = std::min({machine.sm.max_tbs, machine.sm.max_threads / bench.threads,
                                    machine.sm.max_warps / (bench.threads / 32),
                                    machine.sm.registers / (bench.registers * bench.threads)});
  bench.tbs = machine.sm.count * per_sm;
  return bench;
}

double L1BytesPerCycle(const MachineConfig& machine) {
  Bench bench;
  bench.machine = machine;
  bench.threads = kThreads;
  // All warps read one line again and again. When the first run ends the line has long been there.
  const double cycles = bench.PerLine(
      400, 2000, [](uint32_t i) { return fmt::format("ld.global.u32 %r{}, [%rd1];", 8 + i % 32); });
  return kLineBytes * (kThreads / 32) / cycles;
}

// What all slices, or channels, give together between runs of 4 and of 12 rounds while the busiest
// is never idle, of what they could give: less than 1 where the address map is uneven.
double Evenness(const MachineConfig& machine, uint64_t round, uint32_t parts) {
  const AddressMap map(machine);
  std::vector<uint64_t> lines(parts, 0);
  uint64_t most = 0;
  const auto take = [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin / kLineBytes; i < end / kLineBytes; ++i) {
      const uint32_t slice = map.Slice(static_cast<LineNumber>(FirstLine() + i)).slice;
      most = std::max(most, ++lines[slice / (map.slices() / parts)]);
    }
    return most;
  };
  const uint64_t before = take(0, 4 * round);
  const uint64_t turns = take(4 * round, 12 * round) - before;  // of the busiest
  return static_cast<double>(8 * round / kLineBytes) / static_cast<double>(turns * parts);
}

}  // namespace

Measurements MeasureBandwidths(const MachineConfig& machine) {
  Measurements rows;
  if (LoadsUseL1(machine)) {
    rows.push_back(Bound("L1", "B/cycle and SM", L1BytesPerCycle(machine), kLineBytes, 0.99));
  }
  Bench bench = FullMachine(machine);
  const uint64_t round = uint64_t{4} * bench.tbs * bench.threads;
  // Made large enough for the stream: its bandwidth does not depend on its size.
  while (uint64_t{1024} * bench.machine.l2.cache.size_kib * machine.l2.slices < 16 * round) {
    bench.machine.l2.cache.size_kib *= 2;
  }
  bench.bytes = 12 * round;
  const double core = machine.clock.core;
  // A sector a cycle from each slice, or what the SMs' ports take in.
  const double slices = Evenness(machine, round, machine.l2.slices) * machine.l2.slices *
                        kSectorBytes * machine.clock.l2 / core;
  const double ports = double(machine.sm.count) / machine.interconnect.sms_per_port * kLineBytes /
                       ReplyFlits(machine, kLineBytes) * machine.clock.interconnect / core;
  const double crossbar = std::min(slices, ports);
  rows.push_back(Bound("L2", "B/cycle", BytesPerCycle(bench, 4, 12), crossbar, kCrossbarShare));

  bench = FullMachine(machine);
  bench.bytes = 12 * round;
  bench.cold_l2 = true;
  const double dram = Evenness(machine, round, machine.dram.channels) * machine.dram.channels *
                      machine.dram.bus_bytes * machine.clock.dram / core;
  // The data still has to go through the crossbar.
  const double bound = std::min(dram, crossbar);
  const double lowest = std::min(dram * kDramShare, crossbar * kCrossbarShare);
  rows.push_back(Bound("DRAM", "B/cycle", BytesPerCycle(bench, 4, 12), bound, lowest / bound));
  return rows;
}

}  // namespace flagstone::microbenchmark
