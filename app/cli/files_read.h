// The files that the values of options stand for: none of them may be written by the same command.
#ifndef FLAGSTONE_APP_CLI_FILES_READ_H_
#define FLAGSTONE_APP_CLI_FILES_READ_H_

#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace flagstone {

// Of workloads, by name or path: workload.toml and what it names for `*size`, which is read when
// the files are asked for.
FilesOfValues FilesOfWorkloads(const std::string* size);

// Of lists with commas: the items that are paths and no names; the files of policies.
std::vector<std::string> PathsAmong(const std::vector<std::string>& lists);
std::vector<std::string> FilesOfPolicies(const std::vector<std::string>& lists);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_FILES_READ_H_
