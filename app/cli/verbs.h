// The command's verbs: each adds itself, with its options and the function that does its work.
#ifndef FLAGSTONE_APP_CLI_VERBS_H_
#define FLAGSTONE_APP_CLI_VERBS_H_

#include "app/cli/verb.h"

namespace flagstone {

void AddListVerb(CommandLineParser* command);
void AddAnalyzeVerb(CommandLineParser* command);
void AddOrderVerb(CommandLineParser* command);
void AddRunVerb(CommandLineParser* command);
void AddExecVerb(CommandLineParser* command);
void AddCompareVerb(CommandLineParser* command);
void AddReproduceVerb(CommandLineParser* command);
void AddStoreVerb(CommandLineParser* command);
void AddSweepVerb(CommandLineParser* command);
void AddDiffVerb(CommandLineParser* command);
void AddReportVerb(CommandLineParser* command);
void AddSynthVerb(CommandLineParser* command);
void AddBlockVerb(CommandLineParser* command);

inline constexpr int kExitFailed = 1;
inline constexpr int kExitInterrupted = 130;

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_VERBS_H_
