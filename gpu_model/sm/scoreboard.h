// Which registers of each warp are still to be written: one bit per register.
#ifndef FLAGSTONE_GPU_MODEL_SM_SCOREBOARD_H_
#define FLAGSTONE_GPU_MODEL_SM_SCOREBOARD_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu_model/simt/program.h"

namespace flagstone {

// An instruction may issue when none of its sources and destinations is pending.
class Scoreboard {
 public:
  enum class Hazard : uint8_t { kNone, kPipe, kMemory };  // kMemory: also where a pipe's is as well

  Scoreboard(std::span<const InstructionInfo> infos, uint32_t registers, uint32_t warps)
      : words_(std::max(1U, (registers + 63) / 64)),
        needs_(infos.size() * words_, 0),
        writes_(infos.size() * words_, 0),
        pending_(size_t{warps} * words_, 0),
        from_memory_(size_t{warps} * words_, 0) {
    for (size_t pc = 0; pc < infos.size(); ++pc) {
      const InstructionInfo& info = infos[pc];
      for (uint8_t i = 0; i < info.source_count; ++i) Set(&needs_[pc * words_], info.sources[i]);
      for (uint8_t i = 0; i < info.destination_count; ++i) {
        Set(&needs_[pc * words_], info.destinations[i]);
        Set(&writes_[pc * words_], info.destinations[i]);
      }
    }
  }

  Hazard Check(uint32_t warp, uint32_t pc) const {
    uint64_t hit = 0;
    uint64_t memory = 0;
    for (uint32_t word = 0; word < words_; ++word) {
      const uint64_t needs = needs_[pc * words_ + word];
      hit |= pending_[warp * words_ + word] & needs;
      memory |= from_memory_[warp * words_ + word] & needs;
    }
    return hit == 0 ? Hazard::kNone : memory == 0 ? Hazard::kPipe : Hazard::kMemory;
  }
  bool Blocked(uint32_t warp, uint32_t pc) const { return Check(warp, pc) != Hazard::kNone; }
  void Reserve(uint32_t warp, uint32_t pc, bool from_memory = false) {
    for (uint32_t word = 0; word < words_; ++word) {
      const uint64_t writes = writes_[pc * words_ + word];
      pending_[warp * words_ + word] |= writes;
      if (from_memory) from_memory_[warp * words_ + word] |= writes;
    }
  }
  void Release(uint32_t warp, uint32_t pc) {
    for (uint32_t word = 0; word < words_; ++word) {
      const uint64_t writes = writes_[pc * words_ + word];
      pending_[warp * words_ + word] &= ~writes;
      from_memory_[warp * words_ + word] &= ~writes;
    }
  }
  bool Clear(uint32_t warp) const {
    const uint64_t* pending = &pending_[size_t{warp} * words_];
    return std::all_of(pending, pending + words_, [](uint64_t word) { return word == 0; });
  }

 private:
  static void Set(uint64_t* words, uint16_t reg) { words[reg / 64] |= uint64_t{1} << (reg % 64); }

  uint32_t words_;                     // of 64 registers
  std::vector<uint64_t> needs_;        // per pc: sources and destinations
  std::vector<uint64_t> writes_;       // per pc: destinations
  std::vector<uint64_t> pending_;      // per warp
  std::vector<uint64_t> from_memory_;  // per warp: of the pending ones, those that a load writes
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_SCOREBOARD_H_
