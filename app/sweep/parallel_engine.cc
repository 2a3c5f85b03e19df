#include <fmt/core.h>

#include <filesystem>

#include "app/sweep/engine.h"
#include "base/error.h"
#include "base/subprocess.h"

namespace flagstone {

// GNU parallel (O. Tange, ;login: The USENIX Magazine, February 2011): a job for each batch, tried
// once more where it is killed.
void RunOnParallel(const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
                   SweepState* state) {
  if (!FindProgram("parallel")) {
    ThrowInternal("--on parallel needs GNU parallel: install the package 'parallel'");
  }
  const auto launch = [&](const std::filesystem::path& folder, size_t batches) -> std::string {
    // The shell that WorkCommand() quotes for. A host's own would be $SHELL, which may be another
    // one or, where no login has set it, none: then GNU parallel runs nothing and reports success.
    std::vector<std::string> command = {"env",
                                        "PARALLEL_SHELL=/bin/sh",
                                        "parallel",
                                        "--will-cite",
                                        "--no-run-if-empty",
                                        "--retries",
                                        "2",
                                        "--jobs",
                                        fmt::format("{}", options.jobs)};
    if (!options.hosts.empty()) command.insert(command.end(), {"-S", options.hosts});
    command.push_back(WorkCommand(plan, store, options, "{}"));
    command.emplace_back(":::");
    for (size_t i = 0; i < batches; ++i) {
      command.push_back((folder / fmt::format("{}", i)).string());
    }
    const ProcessResult result = RunProcess(command);
    if (result.status == 0) return "";
    return fmt::format("GNU parallel ended with status {}: {}", result.status,
                       TellingLine(result.output, "flagstone: "));
  };
  RunInRounds(plan, store, options, launch, state);
}

}  // namespace flagstone
