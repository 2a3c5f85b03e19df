// A kernel decoded once for one launch: what the executor runs and the timing model schedules.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_PROGRAM_H_
#define FLAGSTONE_GPU_MODEL_SIMT_PROGRAM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// The classes of instructions that machines give latencies and pipes for.
enum class Pipe : uint8_t {
  kLogic,  // mov, logic, shift, compare, select, conversion, vote
  kIntAdd,
  kIntMinMax,
  kIntMul,
  kIntMad,
  kIntDiv,  // div, rem
  kShuffle,
  kF32,  // add, mul
  kF32MinMax,
  kF32Fma,
  kF32Div,  // div.rn, sqrt.rn, rcp.rn
  kF64,     // multiply-adds too
  kF64MinMax,
  kF64Div,
  kSfu,     // approximate functions
  kTensor,  // mma
  kLoadStore,
  kControl,  // branches, ret, exit
  kBarrier,  // bar.sync, membar
};

enum class MemorySpace : uint8_t { kNone, kGlobal, kShared, kLocal, kConst, kParam };

// What the timing model needs to know of the instruction at one pc.
struct InstructionInfo {
  Pipe pipe = Pipe::kLogic;
  MemorySpace space = MemorySpace::kNone;
  bool is_load = false;
  bool is_store = false;
  bool is_atomic = false;
  bool is_texture = false;     // a load, too
  bool prints = false;         // its text is written by the next Commit
  uint8_t bytes = 0;           // per lane, vector width included
  bool by_descriptor = false;  // its tensor_work is the most: each execution says its own
  uint16_t tensor_work = 0;    // of kTensor: sixteenths of the work of an m16n8k16 of f16
  uint8_t source_count = 0;
  uint8_t destination_count = 0;
  // Scoreboard register numbers, dense from 0 (predicates included; guard is among the sources).
  std::array<uint16_t, 18> sources = {};
  std::array<uint16_t, 8> destinations = {};
};

class Program {
 public:
  // With an order, TB i of the hardware does the work of TB order[i]: it reads that one's ids. The
  // order must outlive the program; empty: each does its own. Throws kBadInput with file, line and
  // instruction for what the executor does not support; kAnalysis: such an instruction is a trap.
  enum class For : uint8_t { kRun, kAnalysis };
  explicit Program(const KernelLaunch& launch, std::span<const uint32_t> order = {},
                   For purpose = For::kRun);
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  uint32_t size() const { return static_cast<uint32_t>(infos_.size()); }
  const InstructionInfo& info(uint32_t pc) const { return infos_[pc]; }
  uint32_t scoreboard_registers() const { return scoreboard_registers_; }
  const KernelLaunch& launch() const { return *launch_; }
  uint64_t WorkOf(uint64_t tb) const { return order_.empty() ? tb : order_[tb]; }
  // "matmul.ptx:57: ld.global.f32 %f1, [%rd4]"
  std::string Describe(uint32_t pc) const;

  // Whether what one TB does to another waits for commits too.
  bool has_clusters() const;

  // Whether the instruction sets something going beside its warp, or waits for that: bulk copies,
  // products by descriptor, tensor memory, clusters' barriers.
  bool ActsBesideWarp(uint32_t pc) const;

  struct Code;  // the executor's own form
  const Code& code() const { return *code_; }

 private:
  const KernelLaunch* launch_;  // must outlive the program
  std::vector<uint32_t> cluster_order_;
  std::span<const uint32_t> order_;
  std::vector<InstructionInfo> infos_;
  uint32_t scoreboard_registers_ = 0;
  std::unique_ptr<Code> code_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_PROGRAM_H_
