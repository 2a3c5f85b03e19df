// Functional SIMT execution, one warp instruction at a time, 32 lanes at once.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_H_
#define FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu_model/simt/program.h"
#include "kernels/launch/device_memory.h"

namespace flagstone {

inline constexpr uint32_t kWarpSize = 32;
using LaneMask = uint32_t;

// One thread block on an SM: its warps' registers and reconvergence stacks, its shared and local
// memory. An SM keeps one object per TB slot and starts TB after TB in it without allocating.
class ThreadBlock {
 public:
  explicit ThreadBlock(const Program& program);
  ~ThreadBlock();
  ThreadBlock(ThreadBlock&&) noexcept;
  ThreadBlock& operator=(ThreadBlock&&) noexcept;

  void Start(uint64_t tb);  // linear TB id, as the hardware counts
  uint64_t tb() const;      // whose work it does
  uint32_t warp_count() const;
  bool Finished() const;  // all warps have exited

  // Of one warp. pc() and active() are those of the next instruction to issue.
  uint32_t pc(uint32_t warp) const;
  LaneMask active(uint32_t warp) const;  // lanes on the top of the reconvergence stack
  bool exited(uint32_t warp) const;
  bool at_barrier(uint32_t warp) const;  // waits until all live warps of the TB have arrived

  // Where the host keeps the warp, for as long as the object lives.
  struct WarpPlace {
    const void* state = nullptr;
    const std::byte* registers = nullptr;
  };
  WarpPlace Place(uint32_t warp) const;
  // Fetches what the warp's instruction at `pc` will touch into the host's caches.
  static void Preload(const Program& program, const WarpPlace& place, uint32_t pc);

  struct State;
  State& state() { return *state_; }
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// What an issued instruction did, as far as timing is concerned. Valid until the next Step.
struct StepResult {
  uint32_t pc = 0;
  LaneMask active = 0;            // lanes of the warp that issued
  LaneMask executed = 0;          // those whose guard held (a branch not taken counts for no lane)
  bool exited = false;            // the warp is done
  bool barrier = false;           // the warp arrived at a barrier
  uint32_t tensor_work = 0;       // of a product by descriptor: as in InstructionInfo
  bool barrier_released = false;  // by arriving as the last one, or by exiting: waiting warps go on
  // Of loads, stores and atomics with executed != 0: byte addresses per executed lane (generic
  // addresses already resolved to their space; shared and local: offsets in the TB's or thread's
  // own).
  MemorySpace space = MemorySpace::kNone;
  const std::array<uint64_t, kWarpSize>* addresses = nullptr;
  // The executed lanes whose address lies in `space`: all of them, unless a generic access went to
  // several spaces at once (then `space` is global if any lane went there, and the others' accesses
  // have no timing).
  LaneMask in_space = 0;
};

// Executes against one device memory. Loads read at once. Stores and atomics on global memory are
// queued, and applied by Commit() in the order of the Steps that made them, so that all SMs of a
// cycle read the same memory (atomics return their old value at Commit; the destination register
// must not be read before: the scoreboard's task).
class Executor {
 public:
  Executor(const Program& program, DeviceMemory* memory, uint32_t sm, uint32_t sm_count);
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  // Executes the next instruction of a warp that is neither exited nor at a barrier.
  // Throws kRunFailed for an out-of-bounds or misaligned access, naming file:line, instruction,
  // TB, thread and address; for a trap; for a divergent barrier.
  const StepResult& Step(ThreadBlock* block, uint32_t warp);
  void Commit();
  // Writes the text that the kernel has printed since the last Commit.
  void Flush();

  // What %clock reads from now on; without a call, the number of warp instructions issued.
  void SetClock(uint64_t cycle);
  // Without timing: global stores and atomics take effect in their Step, and Commit has nothing
  // left.
  void StoreAtOnce();

  uint64_t warp_instructions() const;    // issues
  uint64_t thread_instructions() const;  // executed lanes

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// From now on the text that kernels print is appended there; null: it goes to stderr.
void PrintTo(std::string* text);

struct FunctionalCounts {
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
  uint64_t tbs = 0;          // that have ended
  bool interrupted = false;  // before all had
};

// Ways to stop a run and to hear how far it is.
struct FunctionalControl {
  // Instructions that a warp executes before the next warp of its TB has its turn. More is faster;
  // one keeps warps side by side, as programs may count on that write the same value several times.
  uint64_t turn = 4096;
  uint64_t max_warp_instructions = 0;              // 0: no limit. Reaching it is a failed run
  const std::atomic<bool>* interrupted = nullptr;  // polled; true ends the run early
  std::function<void(const FunctionalCounts&)> progress;  // every 4 million warp instructions
  // Only these TBs, in this order; none: all. Of launches whose TBs do not wait for one another.
  std::optional<std::span<const uint32_t>> only;
};

// Called after each Step with the TB and warp: tests and tools watch addresses with it.
using StepObserver = void (*)(void* context, uint64_t tb, uint32_t warp, const StepResult& result);

// Runs all TBs of a launch one after the other, in id order, without timing. Stores and atomics
// take effect at once. Throws as Program and Step do, and kRunFailed when all live warps of a TB
// wait at barriers, or at the limit of instructions.
FunctionalCounts RunFunctionally(const KernelLaunch& launch, DeviceMemory* memory,
                                 StepObserver observer = nullptr, void* context = nullptr,
                                 const FunctionalControl& control = {});

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_H_
