// Latencies by pointer chase: one thread, each load's address the result of the one before.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"
#include "tests/system/microbenchmarks/path.h"

namespace flagstone::microbenchmark {
namespace {

constexpr const char* kChase = "ld.global.u64 %rd1, [%rd1];";

Bench Chase(const MachineConfig& machine, std::vector<LineNumber> chain) {
  Bench bench;
  bench.machine = machine;
  bench.threads = 1;
  bench.chain = std::move(chain);
  LineNumber last = FirstLine();
  for (const LineNumber line : bench.chain) last = std::max(last, line);
  bench.bytes = uint64_t{last - FirstLine() + 1} * kLineBytes;
  return bench;
}

// The first `count` lines of the buffer that lie in slice 0 and satisfy `wanted(bank, row)`.
template <class Wanted>
std::vector<LineNumber> LinesOfSlice0(const MachineConfig& machine, size_t count, Wanted&& wanted) {
  const AddressMap map(machine);
  std::vector<LineNumber> lines;
  for (LineNumber line = FirstLine(); lines.size() < count; ++line) {
    const AddressMap::SliceLine place = map.Slice(line);
    if (place.slice != 0) continue;
    const AddressMap::DramPlace dram = map.Dram(0, place.local);
    if (wanted(dram.bank, dram.row)) lines.push_back(line);
  }
  return lines;
}

// Lines of one row, one after the other: all but the first find it open. The buffer's first row may
// have begun before it, so that another is taken. A row runs over the slices of its channel: of one
// slice alone it may have no more than two lines.
double RowHit(const MachineConfig& machine) {
  constexpr uint32_t kSteps = 4;
  const AddressMap map(machine);
  std::map<std::pair<uint32_t, uint32_t>, std::vector<LineNumber>> rows;
  const std::vector<LineNumber>* row = nullptr;
  for (LineNumber line = FirstLine(); row == nullptr; ++line) {
    const AddressMap::SliceLine place = map.Slice(line);
    if (map.Channel(place.slice) != 0) continue;
    const AddressMap::DramPlace dram = map.Dram(place.slice, place.local);
    std::vector<LineNumber>& lines = rows[{dram.bank, dram.row}];
    lines.push_back(line);
    if (rows.size() > 1 && lines.size() == kSteps) row = &lines;
  }
  Bench bench = Chase(machine, *row);
  bench.cold_l2 = true;
  return bench.PerLine(1, kSteps, kChase);
}

// Lines of one bank, each in a row of its own: a precharge and an activation for each.
double RowMiss(const MachineConfig& machine) {
  constexpr uint32_t kSteps = 8;
  uint32_t last = ~uint32_t{0};
  Bench bench = Chase(machine, LinesOfSlice0(machine, kSteps, [&](uint32_t bank, uint32_t row) {
                        if (bank != 0 || row == last) return false;
                        last = row;
                        return true;
                      }));
  bench.cold_l2 = true;
  return bench.PerLine(1, kSteps, kChase);
}

}  // namespace

Measurements MeasureLatencies(const MachineConfig& machine) {
  Measurements rows;
  if (LoadsUseL1(machine)) {
    const Bench same = Chase(machine, {FirstLine()});
    rows.push_back(Exact("L1 hit", "cycles", same.PerLine(10, 30, kChase),
                         DependentIssue(machine, machine.sm.l1.hit_latency)));
  }
  std::vector<LineNumber> apart;  // a line each, all in the L2
  for (uint32_t i = 0; i < 40; ++i) apart.push_back(FirstLine() + i * 4);
  rows.push_back(Exact("L2 hit", "cycles", Chase(machine, apart).PerLine(10, 30, kChase),
                       L2RoundTrip(machine), ClockSlack(machine)));
  rows.push_back(Exact("DRAM, row open", "cycles", RowHit(machine), DramRoundTrip(machine, false),
                       DramClockSlack(machine)));
  rows.push_back(Exact("DRAM, other row open", "cycles", RowMiss(machine),
                       DramRoundTrip(machine, true), DramClockSlack(machine)));
  return rows;
}

}  // namespace flagstone::microbenchmark
