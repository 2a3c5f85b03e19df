// Looks at pages as their readers do, in one start of Debian's chromium: each page wide and narrow,
// light and dark, in each of its tabs. What it finds is said in words.
#ifndef FLAGSTONE_TESTS_SYSTEM_AUDIT_H_
#define FLAGSTONE_TESTS_SYSTEM_AUDIT_H_

#include <string>
#include <vector>

namespace flagstone {

struct AuditedPage {
  std::string name;  // the file's, with the width: "run.html at 900"
  int texts = 0;     // that its charts wrote
  std::vector<std::string> faults;
};

// `pages`: files in `folder`, which takes the frames that hold them.
std::vector<AuditedPage> AuditPages(const std::string& folder,
                                    const std::vector<std::string>& pages);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_SYSTEM_AUDIT_H_
