#include "kernels/cuda/server/program_file.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/error.h"

namespace flagstone::cuda {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half kOwnMachine = EM_AARCH64;
#else
constexpr Elf64_Half kOwnMachine = EM_X86_64;
#endif

// False where it does not lie in the file.
template <class T>
bool Read(std::string_view bytes, uint64_t offset, T* value) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return false;
  std::memcpy(value, bytes.data() + offset, sizeof(T));
  return true;
}

std::string Text(std::string_view bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

// The place in the file of an address of the program.
uint64_t OffsetOf(std::string_view bytes, const Elf64_Ehdr& head, uint64_t address) {
  for (uint16_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!Read(bytes, head.e_phoff + uint64_t{i} * sizeof part, &part)) break;
    if (part.p_type != PT_LOAD || address < part.p_vaddr) continue;
    if (address - part.p_vaddr < part.p_filesz) return part.p_offset + (address - part.p_vaddr);
  }
  return bytes.size();
}

void ReadNeeded(std::string_view bytes, const Elf64_Ehdr& head, ProgramFile* file) {
  for (uint16_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!Read(bytes, head.e_phoff + uint64_t{i} * sizeof part, &part)) return;
    if (part.p_type != PT_DYNAMIC) continue;
    uint64_t strings = bytes.size();
    std::vector<uint64_t> names;
    Elf64_Dyn entry;
    for (uint64_t at = part.p_offset; Read(bytes, at, &entry); at += sizeof entry) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) strings = OffsetOf(bytes, head, entry.d_un.d_ptr);
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    }
    for (const uint64_t name : names) {
      if (strings < bytes.size()) file->needed.push_back(Text(bytes.substr(strings), name));
    }
  }
}

bool HasFatBinary(std::string_view bytes, const Elf64_Ehdr& head) {
  Elf64_Shdr names;
  if (!Read(bytes, head.e_shoff + uint64_t{head.e_shstrndx} * sizeof names, &names)) return false;
  for (uint16_t i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!Read(bytes, head.e_shoff + uint64_t{i} * sizeof section, &section)) return false;
    if (names.sh_offset >= bytes.size()) return false;
    if (Text(bytes.substr(names.sh_offset), section.sh_name) == ".nvFatBinSegment") return true;
  }
  return false;
}

bool IsKit(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "bin" / "nvcc", ignored);
}

}  // namespace

std::string ProgramFile::Runtime() const {
  for (const std::string& library : needed) {
    if (library.starts_with("libcudart.so")) return library;
  }
  return {};
}

ProgramFile ReadProgram(std::string_view bytes) {
  ProgramFile file;
  Elf64_Ehdr head;
  if (!Read(bytes, 0, &head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return file;
  file.foreign = head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != kOwnMachine;
  if (file.foreign) return file;
  file.is_elf = true;
  ReadNeeded(bytes, head, &file);
  file.has_fat_binary = HasFatBinary(bytes, head);
  return file;
}

std::filesystem::path ClientFor(const ProgramFile& file, const std::string& name,
                                const std::filesystem::path& kit) {
  if (file.foreign) {
    ThrowBadInput("'{}' is a program for another processor: expected one for this machine", name);
  }
  if (!file.is_elf) return {};
  const std::string runtime = file.Runtime();
  if (runtime.empty() && file.has_fat_binary) {
    ThrowBadInput(
        "'{}' has NVIDIA's runtime linked in statically: link it with -cudart shared "
        "(NVCC_APPEND_FLAGS=\"-cudart shared\" make), or build it with the nvcc of 'flagstone exec "
        "--toolkit'",
        name);
  }
  if (runtime.empty()) return {};
  std::filesystem::path client = kit / "lib64" / runtime;
  std::error_code ignored;
  if (std::filesystem::exists(client, ignored)) return client;
  ThrowBadInput("'{}' is linked with {}: expected libcudart.so.11.0, .12, .13, or the kit's", name,
                runtime);
}

std::filesystem::path Toolkit() {
  if (const char* set = std::getenv("FLAGSTONE_TOOLKIT"); set != nullptr && *set != '\0') {
    if (IsKit(set)) return set;
    ThrowBadInput("FLAGSTONE_TOOLKIT is '{}', which has no bin/nvcc", set);
  }
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& folder :
       {program / "toolkit", program.parent_path() / "lib/flagstone/toolkit"}) {
    if (!error && IsKit(folder)) return folder;
  }
  ThrowInternal("cannot find the CUDA kit beside the program: expected its folder 'toolkit'");
}

}  // namespace flagstone::cuda
