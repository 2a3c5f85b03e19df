// The rows of a study of loads as text.
#ifndef FLAGSTONE_APP_CLI_STUDY_PAGE_H_
#define FLAGSTONE_APP_CLI_STUDY_PAGE_H_

#include <string>

#include "app/flow/studies/load_study.h"

namespace flagstone {

// `rows`: those of all workloads, in order; with `summary`, as JudgeLoadStudy() has left them.
std::string StudyText(const LoadStudy& study, const Json& rows, const Json& summary);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_STUDY_PAGE_H_
