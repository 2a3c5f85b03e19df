#include "app/results/trace_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace flagstone {
namespace {

// Process 0 is the GPU as a whole, 1 its TB scheduler, n + 2 SM n, and behind these the links
// between nodes.
constexpr uint32_t kGpu = 0;
constexpr uint32_t kTbScheduler = 1;
constexpr uint32_t kFirstSm = 2;
constexpr uint64_t kEventBytes = 150;  // no event but a launch's is longer

class Writer {
 public:
  template <class... Args>
  void Event(fmt::format_string<Args...> format, Args&&... args) {
    text_ += text_.empty() ? "" : ",\n";
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void Process(uint32_t pid, const std::string& name) {
    Event(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", pid, name);
    Event(R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}})", pid);
  }
  void Track(uint32_t pid, uint32_t tid, const std::string& name) {
    Event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", pid, tid,
          name);
  }
  void Counter(std::string_view name, uint64_t cycle, double value, uint32_t pid = kGpu) {
    Event(R"({{"ph":"C","name":"{}","pid":{},"ts":{},"args":{{"value":{:.4g}}}}})", name, pid,
          cycle, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string Quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void PutCounters(const RunCounters& counters, const CycleWindow& window, Writer* writer) {
  const uint64_t width = counters.gpu.width();
  for (size_t i = 0; i < counters.gpu.buckets(); ++i) {
    const uint64_t cycle = i * width;
    if (cycle + width <= window.from || cycle > window.to) continue;
    const auto ratio = [&](GpuCount part, GpuCount whole) {
      return Ratio(counters.Gpu(i, part), counters.Gpu(i, whole));
    };
    using enum GpuCount;
    writer->Counter("L1 miss rate (%)", cycle, 100 * ratio(kL1Misses, kL1Accesses));
    writer->Counter("L2 miss rate (%)", cycle, 100 * ratio(kL2Misses, kL2Accesses));
    writer->Counter("mean load latency (cycles)", cycle, ratio(kLoadCycles, kLoads));
    writer->Counter("active SMs", cycle, ratio(kActiveSms, kSamples));
    writer->Counter("DRAM bandwidth (bytes per cycle)", cycle,
                    Ratio(counters.Gpu(i, kDramSectors) * 32, width));
  }
}

std::string NameOf(const LinkLoad& link) {
  switch (link.kind) {
    case LinkLoad::Kind::kOut:
      return fmt::format("GPU {} to switch", link.from);
    case LinkLoad::Kind::kIn:
      return fmt::format("switch to GPU {}", link.to);
    case LinkLoad::Kind::kClockwise:
    case LinkLoad::Kind::kCounterclockwise:
      break;
  }
  const bool clockwise = link.kind == LinkLoad::Kind::kClockwise;
  return fmt::format("node {} to {}{}", link.from, link.to, clockwise ? "" : ", back");
}

// A track for each link, in a process of their own behind the SMs.
void PutLinks(const Counters& counters, const std::vector<LinkLoad>& links, uint32_t pid,
              const CycleWindow& window, Writer* writer) {
  writer->Process(pid, "gpu.fabric");
  for (size_t link = 0; link < links.size(); ++link) {
    const std::string name = NameOf(links[link]) + " (bytes per cycle)";
    for (size_t i = 0; i < counters.buckets(); ++i) {
      const uint64_t cycle = i * counters.width();
      if (cycle + counters.width() <= window.from || cycle > window.to) continue;
      writer->Counter(name, cycle, Ratio(counters.At(i, link), counters.width()), pid);
    }
  }
}

// The events of a run inside the window, in cycles of the run.
struct Events {
  struct Launch {
    const LaunchRecord* record;
    uint64_t from, to;
  };
  struct Span {
    PlacedTb tb;
    uint32_t launch = 0;
  };
  struct Group {
    uint64_t cycle = 0;
    uint32_t sm = 0, group = 0;
    size_t tbs = 0;
  };
  std::vector<Launch> launches;
  std::vector<Span> spans;  // launch by launch, SM by SM, in the order in which they begin
  std::vector<StealEvent> steals;
  std::vector<Group> groups;
  uint32_t sms = 0, slots = 0;  // the most of any launch
};

void Add(const LaunchDetail& detail, const CycleWindow& window, Events* events) {
  const uint64_t start = events->launches.back().from;
  for (PlacedTb tb : detail.tbs) {
    tb.from += start;
    tb.to += start;
    if (!window.Meets(tb.from, tb.to)) continue;
    events->spans.push_back({tb, static_cast<uint32_t>(events->launches.size() - 1)});
    // A group is handed out when the first of its TBs begins.
    if (tb.group == PlacedTb::kNoGroup || tb.from < window.from) continue;
    const std::vector<uint32_t>& group = detail.groups.groups[tb.group];
    if (group.front() == tb.tb) {
      events->groups.push_back({tb.from, tb.sm, tb.group, group.size()});
    }
  }
  for (StealEvent steal : detail.steals) {
    steal.cycle += start;
    if (window.Meets(steal.cycle, steal.cycle)) events->steals.push_back(steal);
  }
}

Events EventsOf(const RunRecord& record, const CycleWindow& window) {
  Events events;
  uint64_t start = 0;
  for (const LaunchRecord& launch : record.launches) {
    const uint64_t end = start + launch.statistics.cycles;
    events.launches.push_back({&launch, start, end});
    start = end;
    if (!launch.detail) continue;
    events.sms = std::max(events.sms, static_cast<uint32_t>(launch.detail->parts.sms.size()));
    if (launch.occupancy) events.slots = std::max(events.slots, launch.occupancy->tbs_per_sm);
    Add(*launch.detail, window, &events);
  }
  return events;
}

}  // namespace

TraceEvents MakeTraceEvents(const RunRecord& record, const CycleWindow& window,
                            const std::string& command, uint64_t max_bytes) {
  const Events events = EventsOf(record, window);
  Writer writer;
  writer.Process(kGpu, "gpu");
  writer.Track(kGpu, 1, "launches");
  writer.Process(kTbScheduler, "gpu.tb_scheduler");
  writer.Track(kTbScheduler, 1, "groups");
  writer.Track(kTbScheduler, 2, "steals");
  for (uint32_t sm = 0; sm < events.sms; ++sm) {
    writer.Process(kFirstSm + sm, fmt::format("gpu.sm{}", sm));
    for (uint32_t slot = 0; slot < events.slots; ++slot) {
      writer.Track(kFirstSm + sm, slot + 1, fmt::format("slot {}", slot));
    }
  }
  if (record.counters) PutCounters(*record.counters, window, &writer);
  if (record.counters && record.counters->links) {
    PutLinks(*record.counters->links, record.launches.back().nodes->links, kFirstSm + events.sms,
             window, &writer);
  }

  // What is left for events, shared out: launches, groups and steals get a fifth at most.
  const uint64_t used = writer.text().size() + command.size() + 1000;
  const uint64_t room = max_bytes > used ? (max_bytes - used) / kEventBytes : 0;
  uint64_t left_out = 0;
  const auto few = [&](size_t number, uint64_t share) {
    const uint64_t kept = std::min<uint64_t>(number, room * share / 20);
    left_out += number - kept;
    return kept;
  };
  const uint64_t launches = few(events.launches.size(), 2);
  const uint64_t groups = few(events.groups.size(), 1);
  const uint64_t steals = few(events.steals.size(), 1);
  for (uint64_t i = 0; i < launches; ++i) {
    const Events::Launch& launch = events.launches[i];
    if (!window.Meets(launch.from, launch.to)) continue;
    writer.Event(
        R"({{"ph":"X","name":{},"pid":{},"tid":1,"ts":{},"dur":{},"args":{{"launch":{}}}}})",
        Quoted(launch.record->entry.substr(0, 64)), kGpu, launch.from, launch.to - launch.from, i);
  }
  for (uint64_t i = 0; i < groups; ++i) {
    const Events::Group& group = events.groups[i];
    writer.Event(
        R"({{"ph":"i","s":"t","name":"group {} to sm{}","pid":{},"tid":1,"ts":{},"args":{{"tbs":{}}}}})",
        group.group, group.sm, kTbScheduler, group.cycle, group.tbs);
  }
  for (uint64_t i = 0; i < steals; ++i) {
    const StealEvent& steal = events.steals[i];
    writer.Event(
        R"({{"ph":"i","s":"t","name":"sm{} steals from sm{}","pid":{},"tid":2,"ts":{},"args":{{"tbs":{}}}}})",
        steal.thief, steal.donor, kTbScheduler, steal.cycle, steal.tbs);
  }

  // Neighbours in a slot are drawn together where there is no room for each.
  const uint64_t most = std::max<uint64_t>(1, room * 3 / 4);
  const uint64_t together = (events.spans.size() + most - 1) / std::max<uint64_t>(most, 1);
  struct Run {
    PlacedTb tb;
    uint64_t tbs = 0;
  };
  std::vector<Run> runs(events.slots);
  const auto put = [&](const Events::Span& last, Run* run) {
    if (run->tbs == 0) return;
    const std::string name = run->tbs == 1
                                 ? fmt::format("TB {}", run->tb.tb)
                                 : fmt::format("TB {} and {} more", run->tb.tb, run->tbs - 1);
    writer.Event(
        R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"tb":{},"launch":{}}}}})",
        name, kFirstSm + last.tb.sm, run->tb.slot + 1, run->tb.from, run->tb.to - run->tb.from,
        run->tb.tb, last.launch);
    *run = {};
  };
  for (size_t i = 0; i < events.spans.size(); ++i) {
    const Events::Span& here = events.spans[i];
    Run& run = runs[here.tb.slot];
    if (run.tbs == 0) run.tb = here.tb;
    run.tb.to = here.tb.to;
    if (++run.tbs >= together) put(here, &run);
    const bool last = i + 1 == events.spans.size() || events.spans[i + 1].tb.sm != here.tb.sm ||
                      events.spans[i + 1].launch != here.launch;
    if (!last) continue;
    for (Run& open : runs) put(here, &open);
  }

  TraceEvents trace;
  if (together > 1) {
    trace.note = fmt::format("up to {} neighbouring TBs of a slot are drawn together", together);
  }
  if (left_out != 0) {
    trace.note += fmt::format("{}{} launches, groups and steals are left out",
                              trace.note.empty() ? "" : "; ", left_out);
  }
  trace.text = fmt::format(
      R"({{"displayTimeUnit":"ms","otherData":{{"unit":"core cycles, shown as microseconds","counter_cycles":{},"command":{},"note":{}}},)"
      "\n\"traceEvents\":[\n{}\n]}}\n",
      record.counters ? record.counters->gpu.width() : Counters::kFirstWidth, Quoted(command),
      Quoted(trace.note), writer.text());
  return trace;
}

}  // namespace flagstone
