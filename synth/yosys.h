// Runs Yosys scripts and reads what they print.
#ifndef FLAGSTONE_SYNTH_YOSYS_H_
#define FLAGSTONE_SYNTH_YOSYS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "synth/blocks.h"

namespace flagstone {

// Every SystemVerilog file under DataFolder()/rtl, in a fixed order.
std::vector<std::string> RtlFiles();

// Of these, the file of `module` and those of all modules below it.
std::vector<std::string> RtlFilesOf(std::string_view module);

// Yosys commands that read `files` and make `block`, with its parameters, the top.
std::string ReadScript(const SynthBlock& block, const std::vector<std::string>& files);

// A new folder, removed at scope end, below `parent` or the system's temporary folder.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& parent = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs `script` in `folder` and returns the log. Throws kInternal, naming `block`, when Yosys is
// missing, fails, or warns of an implicitly declared signal.
std::string RunYosys(const std::string& script, const std::filesystem::path& folder,
                     std::string_view block);

// "Yosys 0.23 (...)". Throws kInternal, naming the package, when it is missing or of a version that
// is not known to work.
std::string YosysVersion();

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_YOSYS_H_
