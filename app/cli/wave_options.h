// The options of `run` that write waves: a window of cycles, or one around an event.
#ifndef FLAGSTONE_APP_CLI_WAVE_OPTIONS_H_
#define FLAGSTONE_APP_CLI_WAVE_OPTIONS_H_

#include <string>

#include "app/cli/verb.h"
#include "app/flow/run/run_options.h"
#include "app/results/run_json.h"

namespace flagstone {

struct WaveOptions {
  std::string scope;  // paths with commas between; empty: those of the run

  // Into `run`, but for the scope.
  void AddTo(Verb* verb, RunOptions* run);
  void PutScope(RunOptions* run) const;
  // Throws kBadInput for options that do not go together.
  void Check(const RunOptions& run) const;

 private:
  void CheckTrigger(const RunOptions& run) const;
};

// Says on stderr where a wave that waits for an event begins, unless `quiet`, and where there is
// no wave.
void NoteWave(const RunOptions& run, const Json& record, bool quiet);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_WAVE_OPTIONS_H_
