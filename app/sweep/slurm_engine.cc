#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "app/sweep/engine.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupts.h"
#include "base/subprocess.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// Whether tasks of the job wait or run. A controller that does not answer says nothing: they may.
bool IsActive(const std::string& job) {
  const ProcessResult result = RunProcess({"squeue", "--noheader", "--format=%i", "--jobs", job});
  if (result.status != 0) return result.output.find("Invalid job id") == std::string::npos;
  return result.output.find_first_not_of(" \n") != std::string::npos;
}

// Returns when the job has ended; an interrupt cancels it.
void WaitFor(const std::string& job, const EngineOptions& options, SweepState* state) {
  constexpr int kLongestPause = 15;  // seconds
  for (int pause = 1; IsActive(job); pause = pause < kLongestPause ? pause + 1 : pause) {
    for (int i = 0; i < 10 * pause && !*Interrupted(); ++i) usleep(100'000);
    if (*Interrupted()) {
      RunProcess({"scancel", job});
      return;
    }
    if (!options.progress) continue;
    state->Refresh();
    const SweepState::Counts counts = state->Count();
    options.progress(counts.done + counts.failed);
  }
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

// A job array with a task for each batch. The number of the job is kept in the store, so that a
// driver that is started again waits for the job of the one before.
void RunOnSlurm(const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
                SweepState* state) {
  for (const char* program : {"sbatch", "squeue", "scancel"}) {
    if (!FindProgram(program)) {
      ThrowInternal("--on slurm needs Slurm's {}: install the package 'slurm-client'", program);
    }
  }
  const fs::path kept = fs::absolute(state->folder()) / "slurm_job";
  std::error_code error;
  if (fs::exists(kept, error)) {
    WaitFor(ReadFile(kept), options, state);
    fs::remove(kept, error);
    state->Refresh();
  }
  const auto launch = [&](const fs::path& folder, size_t batches) -> std::string {
    const fs::path at = fs::absolute(folder);
    std::vector<std::string> command = {"sbatch",
                                        "--parsable",
                                        "--requeue",
                                        "--job-name=" + plan.name,
                                        fmt::format("--array=0-{}%{}", batches - 1, options.jobs),
                                        "--open-mode=append",
                                        "--output=" + (at / "log-%a").string()};
    for (const std::string& word : Words(options.submission)) command.push_back(word);
    const std::string batch = "'" + at.string() + "'/$SLURM_ARRAY_TASK_ID";
    command.push_back("--wrap=exec " + WorkCommand(plan, store, options, batch));
    const ProcessResult result = RunProcess(command);
    if (result.status != 0) {
      ThrowInternal("sbatch ended with status {}: {}", result.status,
                    TellingLine(result.output, "error"));
    }
    const std::string job = result.output.substr(0, result.output.find_first_of(";\n"));
    WriteDurably(kept, job, store.folder());
    WaitFor(job, options, state);
    fs::remove(kept, error);
    for (size_t i = 0; i < batches; ++i) {
      const fs::path log = at / fmt::format("log-{}", i);
      if (!fs::exists(log, error)) {
        return fmt::format("task {} of Slurm's job {} did not run", i, job);
      }
      const std::string line = TellingLine(ReadFile(log), "flagstone: ");
      if (!line.empty()) return fmt::format("Slurm's job {}: {}", job, line);
    }
    return "";
  };
  RunInRounds(plan, store, options, launch, state);
}

}  // namespace flagstone
