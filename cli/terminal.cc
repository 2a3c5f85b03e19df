#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace flagstone {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void OnInterrupt(int signal_number) {
  interrupted = true;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

bool StylesWanted(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(file_descriptor) != 0 && (no_color == nullptr || *no_color == '\0') &&
         term != nullptr && std::string_view(term) != "dumb";
}

const std::atomic<bool>* Interrupted() { return &interrupted; }

void CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
}

ProgressBar::ProgressBar(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) != 0) {}

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
  const double share =
      static_cast<double>(progress.tbs_completed) / static_cast<double>(progress.tbs);
  Draw(label, share,
       fmt::format("{}/{} TBs, cycle {}", progress.tbs_completed, progress.tbs, progress.cycle));
}

void ProgressBar::Show(const std::string& label, uint64_t done, uint64_t total) {
  if (!enabled_ || total == 0) return;
  Draw(label, static_cast<double>(done) / static_cast<double>(total),
       fmt::format("{}/{}", done, total));
}

}  // namespace flagstone
