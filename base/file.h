// Files are read whole, and written whole or not at all.
#ifndef FLAGSTONE_BASE_FILE_H_
#define FLAGSTONE_BASE_FILE_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace flagstone {

// Throws kBadInput ("cannot read 'F': reason") for all but a regular file: a device may have no
// end, and nobody may write to a pipe. Those that a shell has made are taken, "<(command)" and
// /dev/stdin behind "|".
void RequireRegularFile(const std::filesystem::path& path);

// The file's bytes: the one way in which input that a user named is read. Throws as above, also
// where it cannot be read.
std::string ReadFile(const std::filesystem::path& path);

// Where output goes that a user named. Regular files and new ones are written beside their place
// under a temporary name and renamed, symbolic links followed, so that a reader or a crash never
// sees half a file. All else that stands there already (a device, a FIFO, /dev/stdout, a shell's
// >(...)) stays and is written to. "-" is stdout.
//
// All throw kInternal: "cannot write 'F': reason".
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

struct OutputTarget;

// A file that is removed when this goes, and also when a signal ends the program.
class TemporaryName {
 public:
  explicit TemporaryName(std::string path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  size_t slot_ = 0;  // among those that RemoveTemporaryFiles knows
};

// The same for those who need a name to write to, such as a library.
class StagedFile {
 public:
  explicit StagedFile(const std::filesystem::path& target);
  ~StagedFile();  // leaves nothing behind, unless Commit was called

  const std::string& path() const { return temporary_.path(); }
  void Commit();

 private:
  std::unique_ptr<OutputTarget> target_;
  TemporaryName temporary_;
};

// Removes the files of all TemporaryNames, for signal handlers that end the program.
void RemoveTemporaryFiles();

// Whether both names are of one regular file, or of one that is not there yet: a device or a FIFO
// takes what several write.
bool AreOneFile(const std::filesystem::path& a, const std::filesystem::path& b);

// The name of file `index` of `count` of a kind: "out.fst" where there is one, else "out.1.fst",
// "out.2.fst" and so on. An empty name, "-" and what is there and no regular file stay.
std::string NumberedFile(const std::string& file, size_t index, size_t count);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_FILE_H_
