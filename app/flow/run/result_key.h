// What determines the result of a run, as a name in the store of results.
#ifndef FLAGSTONE_APP_FLOW_RUN_RESULT_KEY_H_
#define FLAGSTONE_APP_FLOW_RUN_RESULT_KEY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "app/flow/run/run_options.h"

namespace flagstone {

// Whether a result tells all that the run was asked for. It does not for runs that write files
// (waves, dumps, checkpoints, detail), that go on from a checkpoint, or that check something while
// they run (races, lockstep).
bool IsStorable(const RunOptions& options);

// The lines of what determines a storable result: the build's ResultsId(), the workload by its
// `input_hash`, the machine value by value, the engine, and each option that changes a figure or a
// word of the record. Not the number of threads.
std::string ResultIdentity(const RunOptions& options, uint64_t input_hash);

// 32 hexadecimal digits of `identity`.
std::string ResultName(std::string_view identity);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_RESULT_KEY_H_
