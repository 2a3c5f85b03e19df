// Writes the header behind app/results/results_id.cc when this is built:
// hash_sources HEADER SOURCE_FOLDER TEXT...: the texts name compiler and libraries.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "app/results/source_hash.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRooms[] = {"base",       "kernels/ptx", "kernels/inputs", "kernels/launch",
                                  "analyzer",   "gpu_model",   "systemc",        "app/results",
                                  "app/policy", "workloads",   "app/flow"};

// Whether RTL, models and what drives them stand as some commit has them; without git they do, as
// a release has no other files.
bool BlocksAsCommitted(const std::string& source) {
  if (!FindProgram("git")) return true;
  const ProcessResult status = RunProcess(
      {"git", "-C", source, "status", "--porcelain", "--", "rtl", "gpu_model", "systemc"});
  return status.status != 0 || status.output.empty();
}

void WriteHeader(int argc, char** argv) {
  const fs::path header = argv[1];
  const fs::path source = argv[2];
  Fnv1a hash;
  for (int i = 3; i < argc; ++i) hash.Add(argv[i]);
  for (const char* room : kRooms) hash.Add(HashSources(source / room, {".cc", ".h", ".in"}));
  const std::string text = fmt::format(
      "// Written by app/results/hash_sources_main.cc.\n#pragma once\nnamespace flagstone {{\n"
      "inline constexpr char kResultsId[] = \"{:016x}\";\n"
      "inline constexpr char kRtlHash[] = \"{}\";\n"
      "inline constexpr bool kBlocksAsCommitted = {};\n}}  // namespace flagstone\n",
      hash.Value(), HashRtl(source / "rtl"), BlocksAsCommitted(source.string()));
  if (fs::exists(header) && ReadFile(header) == text) return;
  fs::create_directories(header.parent_path());
  WriteFileAtomically(header, text);
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    flagstone::WriteHeader(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hash_sources: %s\n", error.what());
    return 1;
  }
}
