// The instruction fetch of an SM: a cache, and the warps that wait for the line of their next
// instruction.
#ifndef FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_
#define FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/address_spaces.h"
#include "gpu_model/sm/memory_client.h"

namespace flagstone {

// Assumptions: a PTX instruction is one machine instruction of `sm.instruction_bytes`; a warp keeps
// the line that it fetched last, and looks in the cache when it comes to another; a hit costs
// nothing; the cache is looked up as soon as the next pc is known, one waiting warp a cycle. On a
// machine without an instruction cache every instruction is always there.
//
// With `sm.fetch_warps` so many warps fetch in a cycle, in turn, those without an instruction: each
// gets `sm.fetch_bytes` from its next pc on, to the end of the line at most, and drops what is left
// of them when it branches (GPGPU-Sim 4.2, shader_core_ctx::fetch).
class InstructionFetch final : public MemoryClient {
 public:
  // `code_offset`: of the kernel, in bytes from where code begins.
  InstructionFetch(const SmConfig& config, uint64_t code_offset, ResultSink* results);

  void Started(uint32_t warp) {
    line_[warp] = first_line_;
    buffers_[warp] = {};
  }
  // Whether the instruction is there; else the sink will be told.
  bool Ready(uint32_t warp, uint32_t pc) {
    if (fetch_warps_ != 0) return buffers_[warp].Take(pc) || Ask(warp, pc);
    const LineNumber line = LineOfPc(pc);
    return line_[warp] == line || LookUp(warp, line);
  }

  // Looks in the cache for warps that ask, or whose miss found no room.
  void Tick(uint64_t now) override;
  void TakeReply(const Packet& reply, uint64_t now) override;
  bool Drained() const override { return asking_ == 0 && CacheDrained(); }

 private:
  static constexpr LineNumber kNoLine = ~LineNumber{0};

  // What a warp has fetched and not issued, where fetch is limited.
  struct Buffer {
    uint32_t next = 0;  // pc
    uint32_t left = 0;  // instructions

    bool Take(uint32_t pc) {
      if (left == 0 || pc != next) return false;
      --left;
      ++next;
      return true;
    }
  };

  LineNumber LineOfPc(uint32_t pc) const {
    return LineOf(code_ + uint64_t{pc} * instruction_bytes_);
  }
  bool LookUp(uint32_t warp, LineNumber line);
  bool Ask(uint32_t warp, uint32_t pc);
  uint32_t NextAsking() const;
  void Deliver(uint32_t warp);

  ResultSink* results_;
  const bool cached_;
  const uint32_t instruction_bytes_;  // 0 without cache and limit: all are on one line
  const uint32_t fetch_warps_;
  const uint32_t fetch_bytes_;
  const uint64_t code_;          // where the kernel's begins
  const LineNumber first_line_;  // that a new warp has
  std::array<LineNumber, kMaxWarps> line_ = {};
  std::array<Buffer, kMaxWarps> buffers_ = {};
  WarpMask asking_ = 0;
  uint32_t last_ = kMaxWarps - 1;  // that has looked in the cache
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_
