// The workloads folder: names to files.
#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/paths.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"

namespace flagstone {

std::vector<std::string> ListWorkloads() {
  const std::filesystem::path folder = DataFolder() / "workloads";
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!std::filesystem::exists(entry.path() / "workload.toml", error)) continue;
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void RefuseTwoMeanings(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.empty() || name.find('/') != std::string::npos) return;
  const fs::path here = fs::path(name) / "workload.toml";
  const fs::path ours = DataFolder() / "workloads" / name / "workload.toml";
  if (!fs::exists(here, error) || !fs::exists(ours, error)) return;
  if (fs::equivalent(here, ours, error)) return;
  ThrowBadInput(
      "{} is a folder here and a workload of Flagstone's: expected './{}' for the folder, or '{}' "
      "for ours",
      Quoted(name), name, ours.parent_path().string());
}

namespace {

// A kernel alone, for example, says neither its grid nor its data.
void RefuseOtherFile(const std::filesystem::path& file) {
  std::error_code error;
  const std::string ending = file.extension().string();
  if (ending.empty() || ending == ".toml") return;
  if (!std::filesystem::is_regular_file(file, error)) return;
  ThrowBadInput(
      "unknown workload {}: it is a {} file: expected a workload.toml, which says what is launched "
      "on which data (docs/own_kernel.md)",
      Quoted(file.string()), ending);
}

}  // namespace

std::filesystem::path FindWorkload(const std::string& name_or_path) {
  const std::filesystem::path given = name_or_path;
  std::error_code error;
  if (name_or_path.empty()) ThrowBadInput("expected a workload's name or path, found nothing");
  const bool is_folder = given == "." || given == "..";
  if (is_folder || name_or_path.find('/') != std::string::npos || given.extension() == ".toml") {
    RefuseOtherFile(given);
    return std::filesystem::is_directory(given, error) ? given / "workload.toml" : given;
  }
  const std::vector<std::string> names = ListWorkloads();
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    if (std::filesystem::exists(given / "workload.toml", error)) return given / "workload.toml";
    if (std::filesystem::is_directory(given, error)) {
      ThrowBadInput("unknown workload {}: it is a folder without a workload.toml",
                    Quoted(name_or_path));
    }
    RefuseOtherFile(given);
    ThrowBadInput("unknown workload {}: expected a path to a workload.toml or one of {}",
                  Quoted(name_or_path), CommaSeparated(names));
  }
  return DataFolder() / "workloads" / name_or_path / "workload.toml";
}

}  // namespace flagstone
