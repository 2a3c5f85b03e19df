#include "app/cli/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

#include "app/cli/table.h"
#include "systemc/cosim/verilate.h"

namespace flagstone {

bool StylesWanted(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(file_descriptor) != 0 && (no_color == nullptr || *no_color == '\0') &&
         term != nullptr && std::string_view(term) != "dumb";
}

std::string Describe(const Progress& progress, double cycles_per_second) {
  std::string text;
  if (progress.launches > 1) {
    text = fmt::format("launch {}/{}, ", progress.launch + 1, progress.launches);
  } else if (progress.launch > 0) {
    text = fmt::format("launch {}, ", progress.launch + 1);
  }
  text += fmt::format("{}/{} TBs, ", progress.tbs_completed, progress.tbs);
  // Execution without timing has no cycles.
  text += progress.cycle == 0 && progress.warp_instructions != 0
              ? fmt::format("{} warp instructions", Grouped(progress.warp_instructions))
              : fmt::format("cycle {}", Grouped(progress.cycle));
  if (cycles_per_second > 0) text += fmt::format(", {:.0f} kcycles/s", cycles_per_second / 1000);
  return text;
}

double ShareDone(const Progress& progress) {
  const double launch = progress.tbs == 0 ? 0
                                          : static_cast<double>(progress.tbs_completed) /
                                                static_cast<double>(progress.tbs);
  if (progress.launches <= 1) return launch;
  return (static_cast<double>(progress.launch) + launch) / static_cast<double>(progress.launches);
}

ProgressBar::ProgressBar(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) != 0) {
  // The first use of a body takes seconds, in which no bar moves.
  if (!enabled_) return;
  OnVerilate([](const std::string& what) {
    fmt::print(stderr, "note: making the RTL of {}, on its first use\n", what);
  });
}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

void ProgressBar::Draw(const std::string& label, double share, const std::string& detail) {
  using std::chrono::duration;
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = duration<double>(now - start_).count();
  // Short runs stay silent; long ones are redrawn five times a second.
  if (elapsed < 2 || (drawn_ && duration<double>(now - last_).count() < 0.2)) return;
  last_ = now;
  drawn_ = true;
  constexpr int kWidth = 24;
  const int filled = static_cast<int>(share * kWidth);
  const std::string remaining =
      share > 0 ? fmt::format(", {:.0f} s left", elapsed * (1 - share) / share) : "";
  fmt::print(stderr, "\r\x1b[K{} [{}{}] {}{}", label, std::string(static_cast<size_t>(filled), '='),
             std::string(static_cast<size_t>(kWidth - filled), ' '), detail, remaining);
  std::fflush(stderr);
}

void ProgressBar::Show(const std::string& label, const Progress& progress) {
  if (!enabled_ || progress.tbs == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (first_.tbs == 0 || first_.launch != progress.launch || first_.cycle > progress.cycle) {
    first_ = progress;
    first_time_ = now;
  }
  const double seconds = std::chrono::duration<double>(now - first_time_).count();
  const double rate =
      seconds > 0.5 ? static_cast<double>(progress.cycle - first_.cycle) / seconds : 0;
  Draw(label, ShareDone(progress), Describe(progress, rate));
}

void ProgressBar::Show(const std::string& label, uint64_t done, uint64_t total) {
  if (!enabled_ || total == 0) return;
  Draw(label, static_cast<double>(done) / static_cast<double>(total),
       fmt::format("{}/{}", done, total));
}

}  // namespace flagstone
