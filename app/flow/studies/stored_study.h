// A workload of a load study whose result may be known already.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_STORED_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_STORED_STUDY_H_

#include <cstddef>
#include <string>

#include "app/flow/run/stored_run.h"
#include "app/flow/studies/load_study.h"

namespace flagstone {

// The record of RunLoadStudy() of the study's run `run`: from the store where it is there, else
// computed and kept.
StoredRun RunThroughStore(const LoadStudy& study, size_t run, const StoreUse& use,
                          const std::string& version);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_STORED_STUDY_H_
