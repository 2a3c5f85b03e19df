// Which results this build gives: a build that may give others has another id.
#ifndef FLAGSTONE_APP_RESULTS_RESULTS_ID_H_
#define FLAGSTONE_APP_RESULTS_RESULTS_ID_H_

#include <string>
#include <string_view>

namespace flagstone {

// 16 hexadecimal digits of all sources that decide results (of the simulation, the analysis, the
// CPU references and the records), and of the compiler and the libraries behind them. Pages, verbs,
// machines and workloads are not in it: the last two are input.
std::string_view ResultsId();

// What stands for the RTL in a result's name. Empty where its results are those of the models: for
// RTL that is the same as when this was built, from a commit, whose checks prove that (`check`,
// lockstep and contract tests). Otherwise, so for RTL that was edited, the hash of the RTL that
// would be run now.
std::string RtlDifference();

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_RESULTS_ID_H_
