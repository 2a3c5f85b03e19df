#include "app/cli/order_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/table.h"
#include "base/demangle.h"

namespace flagstone {
namespace {

std::string Mib(double bytes) { return fmt::format("{:.1f}", bytes / (1 << 20)); }

std::string Relative(double value, double base) {
  return base == 0 ? "-" : fmt::format("{:.3f}", value / base);
}

// "equal": 1 is less than two deviations away.
std::string TimeCell(const Spread& time) {
  const bool equal = time.deviation != 0 && time.IsEqual();
  return time.ToText(3) + (equal ? " equal" : "");
}

std::string OrderTable(const OrderStudy& study, size_t shown) {
  using Align = Table::Align;
  const OrderCandidate& identity = study.Identity();
  const bool verified = identity.simulated.has_value();
  Table table;
  table.AddColumn("order", Align::kLeft);
  for (const char* column : {"L2 MiB", "rel", "DRAM MiB", "rel", "time"}) {
    table.AddColumn(column, Align::kRight);
  }
  table.AddColumn("limit", Align::kLeft);
  if (verified) {
    for (const char* column : {"sim. L2", "rel", "DRAM", "cycles", "rel"}) {
      table.AddColumn(column, Align::kRight);
    }
  }
  for (size_t i = 0; i < study.candidates.size(); ++i) {
    const OrderCandidate& c = study.candidates[i];
    if (i >= shown && &c != &identity && !c.simulated) continue;
    const Replayed& t = c.predicted;
    const Replayed& t0 = identity.predicted;
    std::vector<std::string> row = {c.order.name,
                                    Mib(t.L2()),
                                    Relative(t.L2(), t0.L2()),
                                    Mib(t.Dram()),
                                    Relative(t.Dram(), t0.Dram()),
                                    Relative(c.predicted.cycles, identity.predicted.cycles),
                                    std::string(c.predicted.Limit())};
    if (verified && c.simulated) {
      const Simulated& s = *c.simulated;
      const Simulated& s0 = *identity.simulated;
      const auto number = [](uint64_t value) { return static_cast<double>(value); };
      row.insert(row.end(),
                 {Mib(number(s.l2_bytes)), Relative(number(s.l2_bytes), number(s0.l2_bytes)),
                  Relative(number(s.dram_bytes), number(s0.dram_bytes)), Grouped(s.cycles),
                  TimeCell(*c.simulated_time)});
    } else if (verified) {
      row.insert(row.end(), {"", "", "", "", ""});
    }
    table.AddRow(row);
  }
  return table.ToString();
}

// "5.5 % less"
std::string Change(double value, double base) {
  const double saved = base > 0 ? 100 * (1 - value / base) : 0.0;
  return fmt::format("{:.1f} % {}", std::abs(saved), saved < 0 ? "more" : "less");
}

// "12, 15 and 3 more"
std::string Listed(const std::vector<int>& lines) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < lines.size() && i < kShown; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  }
  return lines.size() <= kShown ? text : fmt::format("{} and {} more", text, lines.size() - kShown);
}

// By simulation where there is one.
void PrintAdvice(const OrderStudy& study) {
  const OrderCandidate& best = study.candidates.front();
  const OrderCandidate& identity = study.Identity();
  const std::vector<int> unseen = study.Unseen();
  if (!unseen.empty()) {
    const bool runs = std::all_of(study.launches.begin(), study.launches.end(),
                                  [](const OrderedLaunch& launch) { return launch.runs; });
    const std::string others =
        &best == &identity ? "no order gains enough"
                           : fmt::format("{} would take {} time", best.order.name,
                                         Change(best.predicted.cycles, identity.predicted.cycles));
    fmt::print("\nCannot say: the load{} in line{} {} {} left out. By the others alone {}{}.\n",
               unseen.size() == 1 ? "" : "s", unseen.size() == 1 ? "" : "s", Listed(unseen),
               unseen.size() == 1 ? "is" : "are", others, runs ? "; --verify simulates" : "");
    return;
  }
  if (study.predicted_advice != best.order.name) {
    fmt::print("\nBy prediction alone: {}.", study.predicted_advice);
  }
  if (&best == &identity) {
    fmt::print("\nLeave it: no order gains enough to be worth it.\n");
    return;
  }
  if (best.simulated && identity.simulated) {
    const Simulated& s = *best.simulated;
    const Simulated& s0 = *identity.simulated;
    const auto number = [](uint64_t value) { return static_cast<double>(value); };
    fmt::print("\nTake {}: {} time, {} data from DRAM, as simulated.\n", best.order.name,
               Change(best.simulated_time->mean, 1),
               Change(number(s.dram_bytes), number(s0.dram_bytes)));
    return;
  }
  fmt::print("\nTake {}: {} time, {} data from DRAM, if nothing else holds the kernel up.\n",
             best.order.name, Change(best.predicted.cycles, identity.predicted.cycles),
             Change(best.predicted.Dram(), identity.predicted.Dram()));
}

void PrintSample(const OrderedLaunch& launch) {
  const replay::Sample& sample = launch.sample;
  if (sample.whole) return;
  const auto print = [](std::string_view what, uint64_t tbs, uint32_t steps) {
    fmt::print("  sampled for {}: the first {} TBs of each order{}\n", what, tbs,
               steps == 0 ? "" : fmt::format(", {} steps of each warp", steps));
  };
  if (sample.sms != 0) {
    print(fmt::format("the L1s, on {} SMs", sample.sms), sample.tbs, sample.steps);
  }
  print("the L2", sample.short_tbs, sample.short_steps);
}

}  // namespace

void PrintOrderPage(const OrderStudy& study, size_t shown) {
  for (const OrderedLaunch& launch : study.launches) {
    fmt::print("{}: {}x{}x{} TBs of {}x{}x{} threads, {} in flight on {} ({} SMs of {})\n",
               KernelName(launch.entry), launch.grid.x, launch.grid.y, launch.grid.z,
               launch.block.x, launch.block.y, launch.block.z, launch.machine.Window(),
               study.machine, launch.machine.sms, launch.machine.tbs_per_sm);
    if (launch.looping_tbs != 0) {
      fmt::print("  {} TBs loop over its tiles (line {}): orders are of the loop's index\n",
                 launch.looping_tbs, launch.loop_line);
    }
    if (launch.machine.HasTiles(launch.grid)) {
      const Dim3& tiles = launch.machine.tiles;
      const uint32_t band = launch.machine.tile_band;
      fmt::print("  ids go through {}x{}x{} tiles{}: orders are over these\n", tiles.x, tiles.y,
                 tiles.z, band == 1 ? "" : fmt::format(", as band:{} does", band));
    }
    PrintSample(launch);
    for (const SkippedLoad& load : launch.skipped) {
      fmt::print("  line {}: left out ({}){}\n", load.line, load.reason,
                 launch.runs ? "; --data known finds it by executing" : "");
    }
    if (!launch.shares) fmt::print("  its TBs share no data that is seen here\n");
  }
  fmt::print("\n{}", OrderTable(study, shown));
  fmt::print("rel, time: relative to identity; limit: the part that is busy longest\n");
  const std::optional<Spread>& time = study.Identity().simulated_time;
  if (time && time->count > 1) {
    fmt::print(
        "±: standard deviation over {} settings; equal: 1 is less than two deviations away\n",
        time->count);
  }
  for (const std::string& order : study.same_as_identity) {
    fmt::print("{}: the same as identity on {}\n", order,
               study.launches.size() == 1 ? "this grid" : "each of these grids");
  }
  PrintAdvice(study);
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string("-");
  };
  if (study.Identity().simulated) {
    fmt::print("Rank correlation of predicted and simulated: L2 {}, DRAM {}, cycles {}\n",
               number(study.l2_correlation), number(study.dram_correlation),
               number(study.time_correlation));
  }
}

}  // namespace flagstone
