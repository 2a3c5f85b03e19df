// What the file of a program tells of how it was built, read before it is started.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_FILE_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone::cuda {

struct ProgramFile {
  bool is_elf = false;              // else a script, of which nothing is known
  bool foreign = false;             // an ELF file for another processor
  std::vector<std::string> needed;  // shared libraries
  bool has_fat_binary = false;

  // "libcudart.so.12", or empty.
  std::string Runtime() const;
};

// Any bytes may come; what is no whole ELF file of 64 bits is a script.
ProgramFile ReadProgram(std::string_view bytes);

// The client library for it, by the folder of the kit; empty: any. Throws kBadInput for a program
// that no client can serve: the runtime linked in statically, or one of another version.
std::filesystem::path ClientFor(const ProgramFile& file, const std::string& name,
                                const std::filesystem::path& kit);

// The folder of the kit: $FLAGSTONE_TOOLKIT, that of the installation, that of the build. Throws
// kInternal where there is none.
std::filesystem::path Toolkit();

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_FILE_H_
