#include "systemc/cosim/rtl_body.h"

#include <algorithm>
#include <utility>

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
      body_(abi.create(Scopes(options.path).c_str(), options.reset_seed), abi.destroy),
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
  if (open_wave_ == nullptr) {
    auto file = std::make_unique<WaveFile>(wave_.file);
    if (!abi_.open_wave(body_.get(), file->path().c_str())) {
      ThrowInternal("cannot write the wave '{}'", wave_.file);
    }
    open_wave_ = std::move(file);
  }
  if (!abi_.edge_traced(body_.get(), Cycle())) ThrowAssertionFailed();
}

void RtlClock::ThrowAssertionFailed() const {
  ThrowRunFailed("{}: an RTL assertion failed in cycle {}", path_, Cycle());
}

void RtlClock::CloseWave() {
  if (open_wave_ == nullptr) return;
  open_wave_->LookForSpace();
  abi_.close_wave(body_.get());
  open_wave_->Close();
  open_wave_.reset();
}

}  // namespace flagstone
