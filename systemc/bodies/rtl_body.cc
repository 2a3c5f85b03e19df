#include "systemc/bodies/rtl_body.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace flagstone {
namespace {

// Verilator's trace writer makes one scope of each word.
std::string Scopes(std::string path) {
  std::replace(path.begin(), path.end(), '.', ' ');
  return path;
}

}  // namespace

RtlClock::RtlClock(const BlockAbi& abi, const RtlBodyOptions& options)
    : abi_(abi),
      path_(options.path),
      body_(
          abi.create(Scopes(options.path).c_str(), !options.wave.file.empty(), options.reset_seed),
          abi.destroy),
      cycle_(options.cycle),
      wave_(options.wave) {}

std::span<const BlockPort> RtlClock::ports() const {
  uint32_t count = 0;
  const BlockPort* ports = abi_.ports(body_.get(), &count);
  return {ports, count};
}

void RtlClock::EdgeTraced() {
  if (!InWaveWindow()) {
    CloseWave();
    wave_.file.clear();
    if (!abi_.edge(body_.get())) ThrowAssertionFailed();
    return;
  }
  if (open_file_.empty()) {
    const std::string temporary = fmt::format("{}.{}.tmp", wave_.file, getpid());
    if (!abi_.open_wave(body_.get(), temporary.c_str())) {
      ThrowInternal("cannot write the wave '{}'", wave_.file);
    }
    open_file_ = temporary;
  }
  if (!abi_.edge_traced(body_.get(), Cycle())) ThrowAssertionFailed();
}

void RtlClock::ThrowAssertionFailed() const {
  ThrowRunFailed("{}: an RTL assertion failed in cycle {}", path_, Cycle());
}

void RtlClock::CloseWave() {
  if (open_file_.empty()) return;
  abi_.close_wave(body_.get());
  std::error_code error;
  std::filesystem::rename(open_file_, wave_.file, error);
  if (error) std::filesystem::remove(open_file_, error);
  open_file_.clear();
}

}  // namespace flagstone
