#include "app/cli/files_read.h"

#include <filesystem>
#include <sstream>

#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

std::vector<std::string> Items(const std::vector<std::string>& lists) {
  std::vector<std::string> items;
  for (const std::string& list : lists) {
    std::istringstream stream(list);
    for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  }
  return items;
}

}  // namespace

FilesOfValues FilesOfWorkloads(const std::string* size) {
  return [size](const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
      if (std::filesystem::path(name).extension() == ".ptx") {
        files.push_back(name);
        continue;
      }
      try {
        const std::filesystem::path toml = FindWorkload(name);
        files.push_back(toml.string());
        const Workload workload = Workload::Parse(ReadFile(toml), toml, *size);
        for (const auto& file : workload.Files()) files.push_back(file.string());
      } catch (const Error&) {
        continue;  // the verb says what is wrong with it
      }
    }
    return files;
  };
}

std::vector<std::string> PathsAmong(const std::vector<std::string>& lists) {
  std::vector<std::string> paths = Items(lists);
  std::erase_if(paths, [](const std::string& item) {
    return item.find('/') == std::string::npos && item.find('.') == std::string::npos;
  });
  return paths;
}

std::vector<std::string> FilesOfPolicies(const std::vector<std::string>& lists) {
  std::vector<std::string> files;
  for (const std::string& item : Items(lists)) {
    if (const auto file = FileOfPolicy(item); !file.empty()) files.emplace_back(file);
  }
  return files;
}

}  // namespace flagstone
