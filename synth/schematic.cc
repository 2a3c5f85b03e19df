#include "synth/schematic.h"

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/yosys.h"

namespace flagstone {

void DrawSchematic(const SynthBlock& block, const std::filesystem::path& folder) {
  if (!FindProgram("dot")) {
    ThrowInternal("schematics need Graphviz's dot: install the package 'graphviz'");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) ThrowInternal("cannot make the folder '{}': {}", folder.string(), error.message());
  const ScratchFolder scratch;
  RunYosys(ReadScript(block, RtlFilesOf(block.name)) +
               fmt::format("proc\nopt\nmemory_collect\nopt_clean\n"
                           "show -format svg -viewer none -prefix drawing -stretch -width {}\n",
                           block.name),
           scratch.path(), block.name);
  WriteFileAtomically(folder / fmt::format("{}.svg", block.name),
                      ReadFile(scratch.path() / "drawing.svg"));
}

}  // namespace flagstone
