// Files are read whole and written whole or not at all.
#ifndef FLAGSTONE_BASE_FILE_H_
#define FLAGSTONE_BASE_FILE_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace flagstone {

// The file's bytes. Throws kBadInput ("cannot read 'F': reason") when it cannot be read.
std::string ReadFile(const std::filesystem::path& path);

// Writes to a temporary name beside `path` and renames it, so that a reader or a crash never sees
// half a file. Throws kInternal ("cannot write 'F': reason").
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// The name of file `index` of `count` of a kind: "out.fst" where there is one, else "out.1.fst",
// "out.2.fst" and so on. An empty name stays empty.
std::string NumberedFile(const std::string& file, size_t index, size_t count);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_FILE_H_
