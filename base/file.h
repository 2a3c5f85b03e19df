// Files are read whole and written whole or not at all.
#ifndef FLAGSTONE_BASE_FILE_H_
#define FLAGSTONE_BASE_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace flagstone {

// The file's bytes. Throws kBadInput ("cannot read 'F': reason") when it cannot be read.
std::string ReadFile(const std::filesystem::path& path);

// Writes to a temporary name beside `path` and renames it, so that a reader or a crash never sees
// half a file. Throws kInternal ("cannot write 'F': reason").
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_FILE_H_
