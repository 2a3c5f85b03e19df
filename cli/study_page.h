// The rows of a study of loads as text.
#ifndef FLAGSTONE_CLI_STUDY_PAGE_H_
#define FLAGSTONE_CLI_STUDY_PAGE_H_

#include <string>

#include "flow/load_study.h"

namespace flagstone {

// `rows`: those of all workloads, in order.
std::string StudyText(const LoadStudy& study, const Json& rows);

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_STUDY_PAGE_H_
