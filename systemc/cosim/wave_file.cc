#include "systemc/cosim/wave_file.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

std::mutex mutex;
std::exception_ptr first_error;

// Only what a signal handler may call.
extern "C" void OnBusError(int /*signal_number*/) {
  RemoveTemporaryFiles();
  constexpr std::string_view kMessage =
      "flagstone: cannot write the wave: no space is left in its place, or in /tmp for its "
      "temporary files\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(3);
}

uint64_t BigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// The library puts the moment at which it wrote into the header; same inputs give the same bytes.
// The moment is SOURCE_DATE_EPOCH, where the environment has it, else the beginning of 1970.
void FixDate(const std::string& path) {
  constexpr size_t kDate = 202;  // of the header block: behind its numbers and a name
  constexpr size_t kDateBytes = 119;
  std::array<char, kDateBytes> date = {};
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const auto moment = static_cast<time_t>(epoch == nullptr ? 0 : std::strtoll(epoch, nullptr, 10));
  struct tm parts = {};
  gmtime_r(&moment, &parts);
  std::strftime(date.data(), date.size(), "%a %b %e %H:%M:%S %Y\n", &parts);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  std::array<char, 9> head = {};
  file.read(head.data(), head.size());
  if (BigEndian(std::string_view(head.data() + 1, 8)) < kDate + kDateBytes) return;  // it has none
  file.seekp(kDate);
  file.write(date.data(), date.size());
  if (!file.flush()) ThrowInternal("cannot write the wave '{}'", path);
}

}  // namespace

WaveFile::WaveFile(const std::string& target)
    : target_(target), file_(target), names_(file_.path() + ".hier") {
  std::signal(SIGBUS, OnBusError);
}

void WaveFile::LookForSpace() noexcept {
  for (const char* const place : {path().c_str(), "/tmp"}) {
    struct statvfs space = {};
    if (statvfs(place, &space) == 0 && space.f_bfree == 0) full_ = true;
  }
}

void WaveFile::Close() noexcept {
  try {
    if (full_) {
      ThrowInternal("cannot write the wave '{}': no space is left in its place, or in /tmp",
                    target_);
    }
    if (!IsWholeFst(path())) {
      ThrowInternal("cannot write the wave '{}': its end is missing, is the disk full?", target_);
    }
    FixDate(path());
    file_.Commit();
  } catch (...) {
    const std::lock_guard lock(mutex);
    if (first_error == nullptr) first_error = std::current_exception();
  }
}

void ThrowWaveError() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex);
    error = std::exchange(first_error, nullptr);
  }
  if (error != nullptr) std::rethrow_exception(error);
}

// A file is a row of blocks: a byte for the type, then eight for the length behind the type. The
// header comes first; hierarchy and geometry come last, when the wave is closed.
bool IsWholeFst(const std::string& path) {
  constexpr char kHeader = 0, kGeometry = 3, kUnfinished = static_cast<char>(255);
  constexpr std::string_view kHierarchies = "\4\6\7";
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<uint64_t>(file.tellg());
  bool geometry = false;
  bool hierarchy = false;
  for (uint64_t at = 0; at < size;) {
    std::array<char, 9> head = {};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(head.data(), head.size())) return false;
    const char type = head[0];
    const uint64_t length = BigEndian(std::string_view(head.data() + 1, 8));
    if (type == kUnfinished || length < 8 || length > size - at - 1 || (at == 0 && type != kHeader))
      return false;
    geometry = geometry || type == kGeometry;
    hierarchy = hierarchy || kHierarchies.find(type) != std::string_view::npos;
    at += 1 + length;
  }
  return geometry && hierarchy;
}

}  // namespace flagstone
