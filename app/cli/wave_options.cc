#include "app/cli/wave_options.h"

#include <fmt/core.h>

#include <array>

#include "app/cli/options.h"
#include "base/error.h"

namespace flagstone {
namespace {

constexpr std::array kEvents = {WaveEvent::kSteal, WaveEvent::kFirstPrefetch, WaveEvent::kMismatch};

WaveEvent EventOf(const std::string& name) {
  for (const WaveEvent event : kEvents) {
    if (name == ToString(event)) return event;
  }
  return WaveEvent::kNone;
}

}  // namespace

void WaveOptions::AddTo(Verb* verb, RunOptions* run) {
  verb->Add("--wave", &run->wave.file, "Write the hardware blocks' signals as FST")
      .Type("FILE.fst")
      .Output();
  verb->Add("--wave-from", &run->wave.from, "First cycle in the wave file").Type("C");
  verb->Add("--wave-to", &run->wave.to, "Last cycle in the wave file").Type("C");
  verb->AddTaken(
          "--wave-on", [run](const std::string& name) { run->wave_on.event = EventOf(name); },
          "The wave's cycles lie around the run's first steal, first\nprefetch, or difference of "
          "model and RTL")
      .Check([](const std::string& name) -> std::string {
        if (EventOf(name) != WaveEvent::kNone) return "";
        return fmt::format("unknown event '{}': expected one of steal, first-prefetch, mismatch",
                           name);
      })
      .Type("EVENT");
  verb->Add("--wave-before", &run->wave_on.before, "Cycles of the wave before the event")
      .Type("N")
      .ShowDefault();
  verb->Add("--wave-after", &run->wave_on.after, "Cycles of the wave after the event")
      .Type("N")
      .ShowDefault();
  verb->Add("--wave-scope", &scope, "Only these blocks in the wave file, such as gpu.tb_scheduler")
      .Type("PATH[,PATH...]");
}

void WaveOptions::PutScope(RunOptions* run) const {
  if (!scope.empty()) run->wave.scope = SplitList(scope, "--wave-scope");
}

void WaveOptions::Check(const RunOptions& run) const {
  const WaveRequest& wave = run.wave;
  if (wave.from > wave.to) {
    ThrowBadInput("--wave-from {} is after --wave-to {}", wave.from, wave.to);
  }
  CheckTrigger(run);
}

void WaveOptions::CheckTrigger(const RunOptions& run) const {
  const WaveTrigger& trigger = run.wave_on;
  if (trigger.event == WaveEvent::kNone) return;
  const std::string_view event = ToString(trigger.event);
  if (run.wave.from != 0 || run.wave.to != WaveRequest().to) {
    ThrowBadInput(
        "--wave-on {} chooses the cycles of the wave: expected no --wave-from and --wave-to",
        event);
  }
  if (trigger.event != WaveEvent::kMismatch) return;
  if (run.engine != Engine::kLockstep) {
    ThrowBadInput("--wave-on mismatch compares model and RTL: give --engine lockstep too");
  }
  if (trigger.after != WaveTrigger().after || !scope.empty()) {
    ThrowBadInput(
        "--wave-on mismatch: the run ends in the cycle of the difference, and the wave shows the "
        "block that differs: expected no --wave-after and no --wave-scope");
  }
}

void NoteWave(const RunOptions& run, const Json& record, bool quiet) {
  const WaveTrigger& trigger = run.wave_on;
  const Json& cycles = record["totals"]["cycles"];
  if (!run.wave.file.empty() && cycles.is_number() && run.wave.from > cycles.get<uint64_t>()) {
    fmt::print(stderr, "warning: no wave: --wave-from {} is after the run's last cycle, {}\n",
               run.wave.from, cycles.get<uint64_t>());
  }
  if (trigger.event == WaveEvent::kNone) return;
  if (!record.contains("wave_event")) {
    fmt::print(stderr, "warning: no wave: the run has no {}\n", ToString(trigger.event));
    return;
  }
  if (quiet) return;
  const Json& event = record["wave_event"];
  fmt::print(stderr, "note: wave: {} at {} in cycle {} of launch {}\n", ToString(trigger.event),
             event["path"].get<std::string>(), event["cycle"].get<uint64_t>(),
             event["launch"].get<uint64_t>() + 1);
}

}  // namespace flagstone
