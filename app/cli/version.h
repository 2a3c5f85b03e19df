// Which Flagstone this is, and what it was built with.
#ifndef FLAGSTONE_APP_CLI_VERSION_H_
#define FLAGSTONE_APP_CLI_VERSION_H_

#include <string>

namespace flagstone {

std::string Version();      // "0.1.0+3f2a91c", "-dirty" where the tree had changes
std::string VersionText();  // the same with the tools, for --version

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_VERSION_H_
