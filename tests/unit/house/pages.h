// The pages of the tree that people write, for the tests that read them.
#ifndef FLAGSTONE_TESTS_UNIT_HOUSE_PAGES_H_
#define FLAGSTONE_TESTS_UNIT_HOUSE_PAGES_H_

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace flagstone {

inline std::string ReadText(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// README.md, the guides, and all pages in and below `folders`.
inline std::vector<std::filesystem::path> PagesAnd(std::initializer_list<const char*> folders) {
  namespace fs = std::filesystem;
  std::vector<fs::path> pages = {"README.md",
                                 "CHANGELOG.md",
                                 "CONTRIBUTING.md",
                                 "experiments/README.md",
                                 "experiments/held_out/README.md",
                                 "experiments/on_gpu/README.md",
                                 "docs/results/README.md",
                                 "waves/README.md",
                                 "tests/README.md"};
  for (const char* folder : {"docs", "docs/examples"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  for (const char* folder : folders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  return pages;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_HOUSE_PAGES_H_
