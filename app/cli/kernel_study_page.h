// The rows of studies whose rows are kernels, beside what is published of them, as text.
#ifndef FLAGSTONE_APP_CLI_KERNEL_STUDY_PAGE_H_
#define FLAGSTONE_APP_CLI_KERNEL_STUDY_PAGE_H_

#include <string>

#include "app/results/run_json.h"

namespace flagstone {

// `rows` and `summary`: as JudgeLoadStudy() leaves and gives them (app/flow/studies/load_study.h).
std::string CoalescingStudyText(const Json& rows, const Json& summary);
std::string LadmStudyText(const Json& rows, const Json& summary);
// Table 2's columns where the paper gives an SpScore, Fig. 2's where it gives a class.
std::string SharingStudyText(const Json& rows, const Json& summary);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_KERNEL_STUDY_PAGE_H_
