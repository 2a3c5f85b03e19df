#include "app/sweep/engine.h"

#include <fmt/core.h>
#include <unistd.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/interrupts.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

std::string InQuotes(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// A folder for one round, that no other driver of this sweep has.
fs::path RoundFolder(const SweepState& state, size_t round) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return state.folder() / "batches" / fmt::format("{}.{}.{}", host, getpid(), round);
}

}  // namespace

std::string WorkCommand(const SweepPlan& plan, const ResultStore& store,
                        const EngineOptions& options, const std::string& batch) {
  std::error_code error;
  std::string program = fs::read_symlink("/proc/self/exe", error).string();
  // Replaced since it was started; whether the new one may go on, ReadBatch() says.
  constexpr std::string_view kReplaced = " (deleted)";
  if (program.ends_with(kReplaced)) program.resize(program.size() - kReplaced.size());
  return fmt::format("{} sweep work {} --store {} --retry {} --yes --batch {}", InQuotes(program),
                     InQuotes(plan.file.string()), InQuotes(fs::absolute(store.folder()).string()),
                     options.retries, batch);
}

void RunInRounds(const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
                 const std::function<std::string(const fs::path&, size_t)>& launch,
                 SweepState* state) {
  constexpr int kMostIdleRounds = 2;
  std::string problem;
  std::pair<size_t, uint64_t> before;  // points that were open, and their attempts
  for (size_t round = 0, idle = 0;; ++round) {
    const std::vector<PointToRun> points = OpenPoints(*state, options.retries);
    if (points.empty() || *Interrupted()) return;
    std::pair<size_t, uint64_t> now = {points.size(), 0};
    for (const PointToRun& point : points) now.second += point.attempts;
    idle = now == before ? idle + 1 : 0;
    if (idle == kMostIdleRounds) {
      ThrowInternal("{}", problem.empty() ? "the jobs end, and leave points open" : problem);
    }
    before = now;
    BatchLimits limits = options.batches;
    limits.jobs = options.jobs;
    const fs::path folder = RoundFolder(*state, round);
    const size_t batches =
        WriteBatches(*state, points, TimeEstimate(plan, *state, store), limits, folder);
    problem = launch(folder, batches);
    state->Refresh();
    std::error_code error;
    fs::remove_all(folder, error);
    const SweepState::Counts counts = state->Count();
    if (options.progress) options.progress(counts.done + counts.failed);
  }
}

}  // namespace flagstone
