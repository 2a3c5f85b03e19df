// The heap is marked for huge pages: what smaps of this process says of a block from it.
#include "base/huge_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace flagstone {
namespace huge_pages_test {

// The line of flags of the mapping that holds this address.
std::string FlagsOfMappingAt(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) here = begin <= at && at < end;
    if (here && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

TEST(PreferHugePages, MarksTheHeapFromWhichLargeBlocksCome) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has a heap of its own";
#endif
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "this kernel has no transparent huge pages";
  }
  PreferHugePages();
  const std::vector<char> block(20 << 20);
  EXPECT_NE(FlagsOfMappingAt(block.data() + block.size() / 2).find(" hg "), std::string::npos);
}

}  // namespace huge_pages_test
}  // namespace flagstone
