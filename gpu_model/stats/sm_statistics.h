// What the warp schedulers of the SMs do in each of their cycles, and how full the SMs are.
#ifndef FLAGSTONE_GPU_MODEL_STATS_SM_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_SM_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace flagstone {

// The pipes of a scheduler. Constant and parameter loads have a port of their own.
enum class Unit : uint8_t {
  kIntAdd,
  kIntMul,
  kIntDiv,
  kF32,
  kF32Div,
  kF64,
  kF64Div,
  kSfu,
  kControl,
  kConst,
  kLoadStore,
  kTexture,  // where the SM has a texture cache
};
inline constexpr uint32_t kUnits = 12;

// What a lane's operation is, as far as its energy goes.
enum class LaneWork : uint8_t {
  kInteger,  // logic, additions, comparisons, shuffles, addresses
  kIntMul,
  kF32,
  kF32Fma,
  kF64,
  kSpecial,  // divisions, roots, special functions
  kTensor,
  kNone,  // branches, barriers
};
inline constexpr size_t kLaneWorks = 8;

// What became of one cycle of one scheduler. Where no warp issued, the warp that is nearest to
// issuing gives the reason: the first in this order that any of the scheduler's warps has.
enum class IssueSlot : uint8_t {
  kIssued,
  kNoGrant,  // a warp could issue, but the scheduler had not granted it
  kUnit,     // its pipe, or the load/store unit's queue, takes no instruction now
  kPipe,     // it needs a result that is in a pipe
  kFetch,    // its next instruction is not there yet: after a branch, or not in the cache
  kMemory,   // it needs data from memory
  kBarrier,  // it waits at a barrier
  kIdle,     // the scheduler has no warp
};
inline constexpr size_t kIssueSlots = 8;

// Of a cache for reading only. What is neither hit nor miss was merged in a miss under way.
struct ReadOnlyCacheStatistics {
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
};

// Scheduler cycles in which no warp issued and so many of the scheduler's warps needed data from
// memory, whatever the warp nearest to issuing waited for: what a faster memory could save.
struct MemoryWaits {
  uint64_t all = 0;
  uint64_t half = 0;  // half of them or more
  uint64_t any = 0;   // one or more
};

struct SmStatistics {
  std::array<uint64_t, kIssueSlots> slots = {};  // scheduler cycles; their sum is all of them
  std::array<uint64_t, kUnits> unit_waits = {};  // kUnit by the pipe waited for
  uint64_t dual_issues = 0;                      // of kIssued: two instructions at once
  MemoryWaits memory_waits;
  // Warp instructions by active lanes: 1-8, 9-16, 17-24, 25-32.
  std::array<uint64_t, 4> lanes = {};
  // Operations of lanes; those of kTensor in parts of an m16n8k16 of f16.
  std::array<uint64_t, kLaneWorks> operations = {};
  uint64_t operands = 0;              // registers of 32 bits that lanes have read or written
  uint64_t shared_cycles = 0;         // accesses to all banks of shared memory
  uint64_t resident_warp_cycles = 0;  // sum over all cycles of the warps that had not exited
  uint64_t warp_slot_cycles = 0;      // the same for an SM that is always full

  ReadOnlyCacheStatistics instruction_cache, const_cache, texture_cache;

  uint64_t operator[](IssueSlot slot) const { return slots[static_cast<size_t>(slot)]; }
  uint64_t& operator[](IssueSlot slot) { return slots[static_cast<size_t>(slot)]; }
  double occupancy() const {
    return warp_slot_cycles == 0
               ? 0
               : static_cast<double>(resident_warp_cycles) / static_cast<double>(warp_slot_cycles);
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_SM_STATISTICS_H_
