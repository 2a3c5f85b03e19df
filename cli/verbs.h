// The command's verbs: each adds its sub-command, with a callback that does the work.
#ifndef FLAGSTONE_CLI_VERBS_H_
#define FLAGSTONE_CLI_VERBS_H_

#include <CLI/CLI.hpp>

namespace flagstone {

// The exit code of a verb that neither threw nor failed a check is 0; the others set `exit_code`.
void AddListVerb(CLI::App* app, int* exit_code);
void AddAnalyzeVerb(CLI::App* app, int* exit_code);
void AddRunVerb(CLI::App* app, int* exit_code);
void AddCompareVerb(CLI::App* app, int* exit_code);
void AddReproduceVerb(CLI::App* app, int* exit_code);
void AddSynthVerb(CLI::App* app, int* exit_code);
void AddBlockVerb(CLI::App* app, int* exit_code);

inline constexpr int kExitFailed = 1;
inline constexpr int kExitInterrupted = 130;

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_VERBS_H_
