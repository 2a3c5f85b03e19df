#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

// The temporary files that a signal must not leave behind. Where there are more at once than slots,
// it leaves those beyond.
constexpr size_t kSlots = 64;
std::array<std::atomic<const char*>, kSlots> temporaries = {};
static_assert(std::atomic<const char*>::is_always_lock_free, "read in signal handlers");

[[noreturn]] void ThrowCannotWrite(const std::string& shown, const std::string& reason) {
  if (shown == "-") ThrowInternal("cannot write to stdout: {}", reason);
  ThrowInternal("cannot write '{}': {}", shown, reason);
}

// STDOUT_FILENO or STDERR_FILENO where `found` is what that descriptor writes to: opening it again
// would lose the place in the file that the shell gave. Else -1.
int OpenAlready(const struct stat& found) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open = {};
    if (fstat(descriptor, &open) == 0 && open.st_dev == found.st_dev &&
        open.st_ino == found.st_ino) {
      return descriptor;
    }
  }
  return -1;
}

void WriteAll(int descriptor, std::string_view bytes, const std::string& shown) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) ThrowCannotWrite(shown, std::strerror(errno));
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

struct OutputTarget {
  explicit OutputTarget(const std::filesystem::path& path);
  ~OutputTarget() {
    if (stream > STDERR_FILENO) close(stream);
  }
  OutputTarget(const OutputTarget&) = delete;
  OutputTarget& operator=(const OutputTarget&) = delete;

  bool IsStream() const { return stream >= 0; }
  void Write(std::string_view bytes) const {
    if (stream == STDOUT_FILENO) std::fflush(stdout);
    WriteAll(stream, bytes, shown);
  }

  std::string shown;  // as the user named it
  std::string file;   // a regular file to be or to replace
  int stream = -1;    // else: to write to
  mode_t mode = 0;    // of the file that stands there; 0: none does
};

OutputTarget::OutputTarget(const std::filesystem::path& path) : shown(path.string()) {
  if (shown == "-") {
    stream = STDOUT_FILENO;
    return;
  }
  struct stat found = {};
  if (stat(shown.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) ThrowCannotWrite(shown, "it is a directory");
    stream = OpenAlready(found);
    if (stream >= 0) return;
    if (!S_ISREG(found.st_mode)) {
      stream = open(shown.c_str(), O_WRONLY | O_CLOEXEC);
      if (stream < 0) ThrowCannotWrite(shown, std::strerror(errno));
      return;
    }
    if (access(shown.c_str(), W_OK) != 0) ThrowCannotWrite(shown, std::strerror(errno));
    file = std::filesystem::canonical(path).string();
    mode = found.st_mode & 07777U;
    return;
  }
  if (errno != ENOENT) ThrowCannotWrite(shown, std::strerror(errno));
  // Containers and bare roots may have no such device. A file of that name is never meant.
  if (shown == "/dev/stdout" || shown == "/dev/stderr") {
    stream = shown == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    return;
  }
  // A new file, maybe behind symbolic links that lead nowhere yet.
  std::filesystem::path at = path;
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(at, error); ++links) {
    at = at.parent_path() / std::filesystem::read_symlink(at, error);
  }
  file = at.string();
}

namespace {

std::string Host() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

// What processes of this host that were killed have left beside a file: FILE.HOST.PID.N.tmp.
void RemoveLeftBeside(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  const std::string prefix = fmt::format("{}.{}.", file.filename().string(), Host());
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".tmp")) continue;
    const int process = std::atoi(name.c_str() + prefix.size());
    if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), error);
  }
}

std::string NameFor(const OutputTarget& target) {
  static std::atomic<unsigned> count = 0;
  const std::string beside = target.IsStream()
                                 ? (std::filesystem::temp_directory_path() / "flagstone").string()
                                 : target.file;
  return fmt::format("{}.{}.{}.{}.tmp", beside, Host(), getpid(), count++);
}

}  // namespace

void RequireRegularFile(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) {
    ThrowBadInput("cannot read '{}': {}", path.string(), std::strerror(errno));
  }
  if (S_ISREG(found.st_mode)) return;
  const std::string name = path.string();
  const bool from_shell = name == "/dev/stdin" || name.starts_with("/dev/fd/");
  if (from_shell && S_ISFIFO(found.st_mode)) return;
  const char* const what = S_ISDIR(found.st_mode)    ? "directory"
                           : S_ISFIFO(found.st_mode) ? "pipe"
                           : S_ISSOCK(found.st_mode) ? "socket"
                                                     : "device";
  ThrowBadInput("cannot read '{}': it is a {}: expected a regular file", path.string(), what);
}

std::string ReadFile(const std::filesystem::path& path) {
  RequireRegularFile(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) ThrowBadInput("cannot read '{}': {}", path.string(), std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) ThrowBadInput("cannot read '{}': {}", path.string(), std::strerror(errno));
  return std::move(text).str();
}

TemporaryName::TemporaryName(std::string path) : path_(std::move(path)) {
  for (; slot_ < kSlots; ++slot_) {
    const char* none = nullptr;
    if (temporaries[slot_].compare_exchange_strong(none, path_.c_str())) break;
  }
}

TemporaryName::~TemporaryName() {
  unlink(path_.c_str());
  if (slot_ < kSlots) temporaries[slot_] = nullptr;
}

StagedFile::StagedFile(const std::filesystem::path& target)
    : target_(std::make_unique<OutputTarget>(target)), temporary_(NameFor(*target_)) {
  if (!target_->IsStream()) RemoveLeftBeside(target_->file);
  // Made here, so that a place that cannot be written is known before the work is done.
  const int made = open(path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (made < 0) ThrowCannotWrite(target_->shown, std::strerror(errno));
  if (target_->mode != 0) fchmod(made, target_->mode);
  close(made);
}

StagedFile::~StagedFile() = default;

void StagedFile::Commit() {
  if (target_->IsStream()) return target_->Write(ReadFile(path()));
  if (std::rename(path().c_str(), target_->file.c_str()) != 0) {
    ThrowCannotWrite(target_->shown, std::strerror(errno));
  }
}

void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
  if (const OutputTarget target(path); target.IsStream()) return target.Write(bytes);
  StagedFile file(path);
  const int descriptor = open(file.path().c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) ThrowCannotWrite(path.string(), std::strerror(errno));
  try {
    WriteAll(descriptor, bytes, path.string());
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0) ThrowCannotWrite(path.string(), std::strerror(errno));
  file.Commit();
}

void RemoveTemporaryFiles() {
  for (const std::atomic<const char*>& path : temporaries) {
    if (const char* const file = path.load()) unlink(file);
  }
}

bool AreOneFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a, error), error) ==
         fs::weakly_canonical(fs::absolute(b, error), error);
}

std::string NumberedFile(const std::string& file, size_t index, size_t count) {
  if (file.empty() || file == "-" || count == 1) return file;
  struct stat found = {};
  if (stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return file;
  const std::filesystem::path path(file);
  const std::string name =
      fmt::format("{}.{}{}", path.stem().string(), index + 1, path.extension().string());
  return (path.parent_path() / name).string();
}

}  // namespace flagstone
