// Which Flagstone this is, and what it was built with.
#ifndef FLAGSTONE_APP_CLI_VERSION_H_
#define FLAGSTONE_APP_CLI_VERSION_H_

#include <string>

namespace flagstone {

std::string Version();  // "0.1.0+3f2a91c", "-dirty" where the tree had changes
// For --version: the same, the results id (builds of the same one compute the same), and the tools.
std::string VersionText();

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_VERSION_H_
