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
class InstructionFetch final : public MemoryClient {
 public:
  InstructionFetch(const SmConfig& config, ResultSink* results);

  void Started(uint32_t warp) { line_[warp] = first_line_; }
  // Whether the instruction is there; else the sink will be told.
  bool Ready(uint32_t warp, uint32_t pc) {
    const LineNumber line = LineOfPc(pc);
    return line_[warp] == line || LookUp(warp, line);
  }

  // Tries again for a warp whose miss found no room.
  void Tick(uint64_t now) override;
  void TakeReply(const Packet& reply, uint64_t now) override;
  bool Drained() const override { return retry_ == 0 && CacheDrained(); }

 private:
  static constexpr LineNumber kNoLine = ~LineNumber{0};

  LineNumber LineOfPc(uint32_t pc) const {
    return LineOf(kCodeBase + uint64_t{pc} * instruction_bytes_);
  }
  bool LookUp(uint32_t warp, LineNumber line);

  ResultSink* results_;
  uint32_t instruction_bytes_;  // 0 without a cache: all instructions are on one line
  LineNumber first_line_;       // that a new warp has
  std::array<LineNumber, kMaxWarps> line_ = {};
  WarpMask retry_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_
