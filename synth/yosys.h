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

// Yosys commands that read `files` and make `block`, with its parameters, the top.
std::string ReadScript(const SynthBlock& block, const std::vector<std::string>& files);

// A folder under the system's temporary folder, removed at scope end.
class ScratchFolder {
 public:
  ScratchFolder();
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

// Path of the program. Throws kInternal, naming the package, when there is none.
std::string FindYosys();

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_YOSYS_H_
