#include "synth/yosys.h"

#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/subprocess.h"

namespace flagstone {

namespace fs = std::filesystem;

std::vector<std::string> RtlFiles() {
  const fs::path rtl = DataFolder() / "rtl";
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(rtl, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".sv") files.push_back(entry->path().string());
  }
  if (error) ThrowInternal("cannot read the RTL in '{}': {}", rtl.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> RtlFilesOf(std::string_view module) {
  const std::vector<std::string> all = RtlFiles();
  std::map<std::string, std::string, std::less<>> file_of;  // one module a file, of the same name
  for (const std::string& file : all) file_of.emplace(fs::path(file).stem().string(), file);
  std::set<std::string> needed;
  std::vector<std::string> open = {std::string(module)};
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const auto found = file_of.find(name);
    if (found == file_of.end() || !needed.insert(found->second).second) continue;
    // Any word that names a module counts as a use of it; one in a comment does no harm.
    const std::string text = ReadFile(found->second);
    std::string word;
    for (const char c : text + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else {
        if (file_of.contains(word)) open.push_back(word);
        word.clear();
      }
    }
  }
  return {needed.begin(), needed.end()};
}

std::string ReadScript(const SynthBlock& block, const std::vector<std::string>& files) {
  std::string script = "read_verilog -sv";
  for (const std::string& file : files) script += fmt::format(" \"{}\"", file);
  script += "\n";
  // Not `hierarchy -chparam`, on which Yosys 0.23 aborts for some modules.
  for (const SynthParameter& parameter : block.parameters) {
    script += fmt::format("chparam -set {} {} {}\n", parameter.name, parameter.value, block.name);
  }
  // Yosys may have renamed the module for its parameters.
  return script + fmt::format("hierarchy -check -top {0}\nrename -top {0}\n", block.name);
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  const fs::path where = parent.empty() ? fs::temp_directory_path() : parent;
  std::string name = (where / "flagstone-synth-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    ThrowInternal("cannot make a folder in '{}': {}", where.string(), std::strerror(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

namespace {

std::string FindYosys() {
  const auto path = FindProgram("yosys");
  if (!path) ThrowInternal("synthesis needs Yosys: install the package 'yosys'");
  return path->string();
}

}  // namespace

std::string YosysVersion() {
  std::string version = TellingLine(RunProcess({FindYosys(), "--version"}).output, "Yosys");
  if (!version.starts_with("Yosys 0.")) {
    ThrowInternal("Yosys is of version '{}': expected 0.23, as in Debian 12's package 'yosys'",
                  version);
  }
  return version;
}

std::string RunYosys(const std::string& script, const fs::path& folder, std::string_view block) {
  const std::string yosys = FindYosys();
  WriteFileAtomically(folder / "script.ys", script);
  ProcessResult result = RunProcess({yosys, "-s", "script.ys"}, folder);
  if (result.status != 0) {
    ThrowInternal("Yosys failed on {} (status {}): {}", block, result.status,
                  TellingLine(result.output, "ERROR"));
  }
  if (result.output.find("implicitly declared") != std::string::npos) {
    ThrowInternal("Yosys misreads {}: {}", block,
                  TellingLine(result.output, "implicitly declared"));
  }
  return std::move(result.output);
}

}  // namespace flagstone
