#include "gpu_model/simt/race_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "kernels/launch/findings.h"
#include "kernels/ptx/instruction_text.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

RaceCheck::RaceCheck(const KernelLaunch& launch, uint32_t shared_bytes)
    : launch_(launch), bytes_(shared_bytes) {}

void RaceCheck::Start(uint64_t tb) {
  tb_ = tb;
  clocks_ = {};
  for (uint32_t warp = 0; warp < kMaxWarps; ++warp) clocks_[warp][warp] = 1;
  barriers_ = {};
  exited_ = {};
  fenced_ = {};
  fenced_barriers_ = {};
  std::fill(bytes_.begin(), bytes_.end(), Byte{});
}

void RaceCheck::Raise(Clock* clock, const Clock& other) {
  for (size_t i = 0; i < clock->size(); ++i) (*clock)[i] = std::max((*clock)[i], other[i]);
}

void RaceCheck::Arrive(uint32_t warp, uint32_t barrier) {
  Raise(&barriers_[barrier], clocks_[warp]);
  Raise(&fenced_barriers_[barrier], fenced_[warp]);
  ++clocks_[warp][warp];
}

void RaceCheck::Leave(uint32_t warp, uint32_t barrier) {
  Raise(&clocks_[warp], barriers_[barrier]);
  Raise(&fenced_[warp], fenced_barriers_[barrier]);
  Raise(&clocks_[warp], exited_);
}

void RaceCheck::Exit(uint32_t warp) { Raise(&exited_, clocks_[warp]); }

void RaceCheck::Check(const Event& earlier, const Event& now, uint64_t byte) {
  if (earlier.time == 0 || earlier.warp == now.warp || (earlier.atomic && now.atomic) ||
      Orders(earlier, now.warp)) {
    return;
  }
  Note(earlier, now, byte, "a barrier");
}

void RaceCheck::Note(const Event& earlier, const Event& now, uint64_t byte, const char* lacks) {
  const auto [low, high] = std::minmax(earlier.pc, now.pc);  // in whatever order they meet
  launch_.findings->Add(FindingKind::kRace, low, high, tb_, [&] {
    const auto shown = [this](const Event& access) {
      const ptx::Instruction& instruction = launch_.kernel->instructions[access.pc];
      return fmt::format("{}:{} ({}) by warp {}", launch_.module->file, instruction.location.line,
                         ptx::Shortened(instruction.text), access.warp);
    };
    const Dim3 tb = TbCoordinates(tb_, launch_.grid);
    return fmt::format(
        "race on shared memory: {} and {}, without {} between them, at byte {} of TB ({},{},{})",
        shown(earlier), shown(now), lacks, byte, tb.x, tb.y, tb.z);
  });
}

// Its own clock goes on, so that what it writes from now on is told apart.
void RaceCheck::FenceProxy(uint32_t warp) {
  Raise(&fenced_[warp], clocks_[warp]);
  ++clocks_[warp][warp];
}

void RaceCheck::ReadByProxy(uint32_t warp, uint32_t pc, uint64_t address, uint32_t bytes) {
  const Event now{clocks_[warp][warp], pc, static_cast<uint8_t>(warp), false};
  for (uint64_t at = address; at < address + bytes; ++at) {
    Byte& byte = bytes_[at];
    Check(byte.write, now, at);
    const bool ordered = byte.write.time == 0 || !Orders(byte.write, warp) ||
                         byte.write.time <= fenced_[warp][byte.write.warp];
    if (!ordered) Note(byte.write, now, at, "a fence.proxy.async");
    if (byte.reads[0].warp != now.warp) byte.reads[1] = byte.reads[0];
    byte.reads[0] = now;
  }
}

void RaceCheck::Access(uint32_t warp, uint32_t pc, uint32_t bytes,
                       const std::array<uint64_t, 32>& addresses, uint32_t lanes) {
  const ptx::Opcode opcode = launch_.kernel->instructions[pc].opcode;
  const bool atomic = opcode == ptx::Opcode::kAtom || opcode == ptx::Opcode::kRed;
  const bool writes = atomic || opcode == ptx::Opcode::kSt;
  const Event now{clocks_[warp][warp], pc, static_cast<uint8_t>(warp), atomic};
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = addresses[static_cast<size_t>(std::countr_zero(lanes))];
    for (uint64_t at = first; at < first + bytes; ++at) {
      Byte& byte = bytes_[at];
      Check(byte.write, now, at);
      if (writes) {
        for (const Event& read : byte.reads) Check(read, now, at);
        byte.write = now;
      } else {
        if (byte.reads[0].warp != now.warp) byte.reads[1] = byte.reads[0];
        byte.reads[0] = now;
      }
    }
  }
}

}  // namespace flagstone::simt
