#include "app/results/source_hash.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {

namespace fs = std::filesystem;

std::string HashSources(const fs::path& folder, const std::set<std::string>& extensions) {
  if (!fs::is_directory(folder)) {
    ThrowInternal("no folder of sources '{}': what it held would not count", folder.string());
  }
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!extensions.contains(entry.path().extension().string())) continue;
    files.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  Fnv1a hash;
  for (const std::string& file : files) {
    const std::string text = ReadFile(folder / file);
    hash.Add(file);
    hash.Add(text.size());
    hash.Add(text);
  }
  return fmt::format("{:016x}", hash.Value());
}

std::string HashRtl(const fs::path& folder) { return HashSources(folder, {".sv", ".svh", ".f"}); }

}  // namespace flagstone
