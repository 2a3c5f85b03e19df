// LADM's index analysis beside the locality type and scheduler that its paper gives of each
// workload (MICRO 2020, Table IV).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_LADM_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_LADM_STUDY_H_

#include "app/results/run_json.h"
#include "kernels/launch/workload.h"

namespace flagstone {

class TomlReader;

// {locality, scheduler}: "NL", "NL-Xstride", "NL-Ystride", "RCL", "ITL" or "unclassified", and a
// scheduler by our name. Throws kBadInput.
Json ReadTheirLadm(const TomlReader& reader);

// A row per kernel, of its first launch: {workload, kernel, arrays[] {name, type}, decided_by,
// locality, scheduler}. `locality` is the paper's name for the type of the array that decides:
// null, as the scheduler, where nothing is known. Nothing is executed.
Json LadmRows(const std::string& name, const Workload& workload);

// Whether scheduler and locality are theirs. The directions of Table IV's strides are not compared:
// Table II knows none.
bool LadmAgrees(const Json& row);

// {kernels, localities, schedulers, both}: how many there are, and how many agree.
Json SummarizeLadm(const Json& rows);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_LADM_STUDY_H_
