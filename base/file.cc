#include "base/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.h"

namespace flagstone {

std::string ReadFile(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    ThrowBadInput("cannot read '{}': it is a directory", path.string());
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) ThrowBadInput("cannot read '{}': {}", path.string(), std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) ThrowBadInput("cannot read '{}': {}", path.string(), std::strerror(errno));
  return std::move(text).str();
}

void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.tmp", getpid());
  std::error_code ignored;
  {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    if (!stream) ThrowInternal("cannot write '{}': {}", path.string(), std::strerror(errno));
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
      const std::string reason = std::strerror(errno);
      std::filesystem::remove(temporary, ignored);
      ThrowInternal("cannot write '{}': {}", path.string(), reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::filesystem::remove(temporary, ignored);
    ThrowInternal("cannot write '{}': {}", path.string(), error.message());
  }
}

std::string NumberedFile(const std::string& file, size_t index, size_t count) {
  if (file.empty() || count == 1) return file;
  const std::filesystem::path path(file);
  const std::string name =
      fmt::format("{}.{}{}", path.stem().string(), index + 1, path.extension().string());
  return (path.parent_path() / name).string();
}

}  // namespace flagstone
