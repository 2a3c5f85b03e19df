#include "systemc/bodies/rtl_tb_scheduler.h"

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

RtlTbScheduler::RtlTbScheduler(const TbSchedulerAbi& abi, const RtlBodyOptions& options)
    : abi_(abi),
      path_(options.path),
      body_(
          abi.create(Scopes(options.path).c_str(), !options.wave.file.empty(), options.reset_seed),
          abi.destroy),
      out_(abi.outputs(body_.get())),
      cycle_(options.cycle),
      wave_(options.wave) {}

RtlTbScheduler::~RtlTbScheduler() { CloseWave(); }

void RtlTbScheduler::Tick(const TbSchedulerIn& in) {
  if (!wave_.file.empty() && (InWaveWindow() || !open_file_.empty())) {
    TickTraced(in);
  } else if (!abi_.tick(body_.get(), &in)) {
    ThrowRunFailed("{}: an RTL assertion failed in cycle {}", path_, Cycle());
  }
  ++ticks_;
}

void RtlTbScheduler::TickTraced(const TbSchedulerIn& in) {
  if (!InWaveWindow()) {
    CloseWave();
    wave_.file.clear();
    if (!abi_.tick(body_.get(), &in)) {
      ThrowRunFailed("{}: an RTL assertion failed in cycle {}", path_, Cycle());
    }
    return;
  }
  if (open_file_.empty()) {
    const std::string temporary = fmt::format("{}.{}.tmp", wave_.file, getpid());
    if (!abi_.open_wave(body_.get(), temporary.c_str())) {
      ThrowInternal("cannot write the wave '{}'", wave_.file);
    }
    open_file_ = temporary;
  }
  if (!abi_.tick_traced(body_.get(), &in, Cycle())) {
    ThrowRunFailed("{}: an RTL assertion failed in cycle {}", path_, Cycle());
  }
}

bool RtlTbScheduler::Idle(const TbSchedulerIn& in) const {
  if (!wave_.file.empty() && InWaveWindow()) return false;
  return out_->quiescent && !HasEvent(*out_, in);
}

void RtlTbScheduler::CloseWave() {
  if (open_file_.empty()) return;
  abi_.close_wave(body_.get());
  std::error_code error;
  std::filesystem::rename(open_file_, wave_.file, error);
  if (error) std::filesystem::remove(open_file_, error);
  open_file_.clear();
}

}  // namespace flagstone
