#include "synth/yosys.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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

std::string ReadScript(const SynthBlock& block, const std::vector<std::string>& files) {
  std::string script = "read_verilog -sv";
  for (const std::string& file : files) script += fmt::format(" \"{}\"", file);
  script += fmt::format("\nhierarchy -check -top {}", block.name);
  for (const SynthParameter& parameter : block.parameters) {
    script += fmt::format(" -chparam {} {}", parameter.name, parameter.value);
  }
  return script + "\n";
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "flagstone-synth-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    ThrowInternal("cannot make a folder in '{}': {}", fs::temp_directory_path().string(),
                  std::strerror(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string FindYosys() {
  const auto path = FindProgram("yosys");
  if (!path) ThrowInternal("synthesis needs Yosys: install the package 'yosys'");
  return path->string();
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
