// A timeline in Chrome's trace-event format ("Trace Event Format", Google): metadata (M), complete
// (X), instant (i) and counter (C) events in one JSON object.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "systemc/timeline.h"

namespace flagstone {
namespace {

// Process 0 is the GPU as a whole, 1 its TB scheduler, n + 2 SM n.
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
  void Counter(const char* name, uint64_t cycle, double value) {
    Event(R"({{"ph":"C","name":"{}","pid":{},"ts":{},"args":{{"value":{:.4g}}}}})", name, kGpu,
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

void PutCounters(const TimelineCounters& counters, uint64_t from, uint64_t to, Writer* writer) {
  const uint64_t width = counters.width();
  for (size_t i = 0; i < counters.buckets().size(); ++i) {
    const uint64_t cycle = i * width;
    if (cycle + width <= from || cycle > to) continue;
    const TimelineCounters::Bucket& b = counters.buckets()[i];
    writer->Counter("L1 miss rate (%)", cycle, 100 * Ratio(b.l1_misses, b.l1_accesses));
    writer->Counter("L2 miss rate (%)", cycle, 100 * Ratio(b.l2_misses, b.l2_accesses));
    writer->Counter("mean load latency (cycles)", cycle, Ratio(b.load_cycles, b.loads));
    writer->Counter("active SMs", cycle, Ratio(b.active_sms, b.samples));
    writer->Counter("DRAM bandwidth (bytes per cycle)", cycle, Ratio(b.dram_sectors * 32, width));
  }
}

}  // namespace

Timeline::Json Timeline::ToJson(const std::string& command, uint64_t max_bytes) const {
  Writer writer;
  writer.Process(kGpu, "gpu");
  writer.Track(kGpu, 1, "launches");
  writer.Process(kTbScheduler, "gpu.tb_scheduler");
  writer.Track(kTbScheduler, 1, "groups");
  writer.Track(kTbScheduler, 2, "steals");
  for (uint32_t sm = 0; sm < sms_; ++sm) {
    writer.Process(kFirstSm + sm, fmt::format("gpu.sm{}", sm));
    for (uint32_t slot = 0; slot < slots_; ++slot) {
      writer.Track(kFirstSm + sm, slot + 1, fmt::format("slot {}", slot));
    }
  }
  PutCounters(counters_, window_.from, window_.to, &writer);

  // What is left for events, shared out: launches, groups and steals get a fifth at most.
  const uint64_t used = writer.text().size() + command.size() + 1000;
  const uint64_t room = max_bytes > used ? (max_bytes - used) / kEventBytes : 0;
  uint64_t left_out = 0;
  const auto few = [&](size_t events, uint64_t share) {
    const uint64_t kept = std::min<uint64_t>(events, room * share / 20);
    left_out += events - kept;
    return kept;
  };
  const uint64_t launches = few(launches_.size(), 2);
  const uint64_t groups = few(groups_.size(), 1);
  const uint64_t steals = few(steals_.size(), 1);
  for (uint64_t i = 0; i < launches; ++i) {
    const Launch& launch = launches_[i];
    if (!InWindow(launch.from, launch.to)) continue;
    writer.Event(
        R"({{"ph":"X","name":{},"pid":{},"tid":1,"ts":{},"dur":{},"args":{{"launch":{}}}}})",
        Quoted(launch.entry.substr(0, 64)), kGpu, launch.from, launch.to - launch.from, i);
  }
  for (uint64_t i = 0; i < groups; ++i) {
    const GroupEvent& group = groups_[i];
    writer.Event(
        R"({{"ph":"i","s":"t","name":"group {} to sm{}","pid":{},"tid":1,"ts":{},"args":{{"tbs":{}}}}})",
        group.group, group.sm, kTbScheduler, group.cycle, group.tbs);
  }
  for (uint64_t i = 0; i < steals; ++i) {
    const StealEvent& steal = steals_[i];
    writer.Event(
        R"({{"ph":"i","s":"t","name":"sm{} steals from sm{}","pid":{},"tid":2,"ts":{},"args":{{"tbs":{}}}}})",
        steal.thief, steal.donor, kTbScheduler, steal.cycle, steal.tbs);
  }

  // Neighbours in a slot are drawn together where there is no room for each.
  const uint64_t most = std::max<uint64_t>(1, room * 3 / 4);
  const uint64_t together = (spans_.size() + most - 1) / std::max<uint64_t>(most, 1);
  struct Run {
    TbSpan span;
    uint64_t tbs = 0;
  };
  std::vector<Run> runs(slots_);
  const auto put = [&](const SmSpan& last, Run* run) {
    if (run->tbs == 0) return;
    const std::string name = run->tbs == 1
                                 ? fmt::format("TB {}", run->span.tb)
                                 : fmt::format("TB {} and {} more", run->span.tb, run->tbs - 1);
    writer.Event(
        R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"tb":{},"launch":{}}}}})",
        name, kFirstSm + last.sm, run->span.slot + 1, run->span.from, run->span.to - run->span.from,
        run->span.tb, last.launch);
    *run = {};
  };
  for (size_t i = 0; i < spans_.size(); ++i) {
    const SmSpan& here = spans_[i];
    Run& run = runs[here.span.slot];
    if (run.tbs == 0) run.span = here.span;
    run.span.to = here.span.to;
    if (++run.tbs >= together) put(here, &run);
    const bool last = i + 1 == spans_.size() || spans_[i + 1].sm != here.sm ||
                      spans_[i + 1].launch != here.launch;
    if (!last) continue;
    for (Run& open : runs) put(here, &open);
  }

  Json json;
  if (together > 1) {
    json.note = fmt::format("up to {} neighbouring TBs of a slot are drawn together", together);
  }
  if (left_out != 0) {
    json.note += fmt::format("{}{} launches, groups and steals are left out",
                             json.note.empty() ? "" : "; ", left_out);
  }
  json.text = fmt::format(
      R"({{"displayTimeUnit":"ms","otherData":{{"unit":"core cycles, shown as microseconds","counter_cycles":{},"command":{},"note":{}}},)"
      "\n\"traceEvents\":[\n{}\n]}}\n",
      counters_.width(), Quoted(command), Quoted(json.note), writer.text());
  return json;
}

}  // namespace flagstone
