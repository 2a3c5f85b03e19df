// Checks of a workload's launches before a run: buffers, PTX entries, arguments, block sizes,
// files.
#ifndef FLAGSTONE_KERNELS_LAUNCH_LAUNCH_CHECK_H_
#define FLAGSTONE_KERNELS_LAUNCH_LAUNCH_CHECK_H_

#include <vector>

#include "kernels/launch/workload.h"

namespace flagstone {

// Gives buffers and symbols their counts that follow from an input's jagged diagonals, which have
// to be built for it.
void CountJagged(Workload& workload);

// Textures lie inside buffers, where these have their counts already, of a type that they can read.
// Needs no PTX.
void CheckTextures(const Workload& workload);

// Buffers and textures named by arguments exist; the offsets lie in buffers whose size is known
// already. Needs no PTX.
void CheckBufferArguments(const Workload& workload);

// The launches as loops, in order: each launch is in one of them. Consecutive launches of the same
// `loop` make one, any other launch one of its own. Needs no PTX.
std::vector<LaunchLoop> FindLoops(const Workload& workload);

// Parses each PTX file once, into workload.modules and launch_modules.
void LoadModules(Workload& workload);

// Entries exist; arguments fit their parameters in number, size and kind; blocks respect .reqntid
// and .maxntid; no module variable is extern. Needs the modules.
void CheckLaunches(const Workload& workload, Workload::For purpose);

// Buffers that come and go have places, and host writes and textures name what is there. Needs the
// loops.
void CheckHostSteps(const Workload& workload);

// Each [symbol.NAME] fits a variable of that name. Needs the modules.
void CheckSymbols(const Workload& workload);

// Adds the PTX, fill and check files to workload.input_hash; fill and check files must have exactly
// the size of their buffers.
void HashInputFiles(Workload& workload);

// All throw kBadInput with the place in workload.toml or the PTX file.

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_LAUNCH_CHECK_H_
