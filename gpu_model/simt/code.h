// The executor's own form of a kernel: one compact record per instruction, its operands resolved to
// slots of 32 lanes, and the state that handlers work on.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_CODE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_CODE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"
#include "kernels/launch/device_memory.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/matrix_forms.h"
#include "kernels/ptx/spin_loops.h"

namespace flagstone::simt {

// Where a slot lives. A slot is 32 lanes of 4 or 8 bytes (one lane's value each), or one LaneMask
// for a predicate; it is named by its base in the upper three bits and its byte offset below.
enum class Base : uint32_t {
  kRegisters,  // of the warp
  kConstants,  // of the program: immediates, arguments, launch shape
  kWarp,       // of a warp of any TB: thread ids, warp id
  kTb,         // of a TB: TB ids
  kMachine,    // of an executor: SM id, clock
};
inline constexpr size_t kBases = 5;
inline constexpr uint32_t kBaseShift = 29;
inline constexpr uint32_t kOffsetMask = (1U << kBaseShift) - 1;
using SlotId = uint32_t;
inline constexpr SlotId kNoSlot = ~uint32_t{0};
inline constexpr SlotId MakeSlot(Base base, uint32_t offset) {
  return static_cast<uint32_t>(base) << kBaseShift | offset;
}

inline constexpr LaneMask kAllLanes = ~LaneMask{0};

// Generic addresses: the upper byte names the window, all else is global memory.
inline constexpr int kWindowShift = 56;
inline constexpr uint64_t kSharedWindow = uint64_t{1} << kWindowShift;
inline constexpr uint64_t kLocalWindow = uint64_t{2} << kWindowShift;
inline constexpr uint64_t kParamWindow = uint64_t{3} << kWindowShift;
// With 32 bits the upper byte names the window too: 0xFD shared, 0xFE local, 0xFF param.
inline constexpr int kWindowShift32 = 24;
inline constexpr uint32_t kFirstWindow32 = 0xFC;
inline constexpr uint64_t Widen(uint32_t generic) {
  const uint32_t window = generic >> kWindowShift32;
  if (window <= kFirstWindow32) return generic;
  const uint64_t offset = generic & ((uint32_t{1} << kWindowShift32) - 1);
  return uint64_t{window - kFirstWindow32} << kWindowShift | offset;
}
inline constexpr uint32_t Narrow(uint64_t window) {
  return (static_cast<uint32_t>(window >> kWindowShift) + kFirstWindow32) << kWindowShift32;
}

// 64-byte aligned storage for lanes.
struct alignas(64) Line {
  std::array<std::byte, 64> bytes;
};
using LaneStorage = std::vector<Line>;
inline size_t LinesFor(size_t bytes) { return (bytes + sizeof(Line) - 1) / sizeof(Line); }
inline std::byte* Data(LaneStorage& storage) {
  return reinterpret_cast<std::byte*>(storage.data());
}
inline const std::byte* Data(const LaneStorage& storage) {
  return reinterpret_cast<const std::byte*>(storage.data());
}

struct Clusters;           // clusters.h
struct TensorMemorySlots;  // tensor_memory.h
struct TensorMemoryCode;
struct WarpProducts;    // products.h
struct WarpgroupSlots;  // warpgroup.h
struct WarpgroupCode;
struct Context;
struct Inst;
// Executes one instruction for the lanes of the mask (never empty).
using Handler = void (*)(Context&, const Inst&, LaneMask);

// A store or atomic on global memory between its Step and its Commit, or on its way through one.
struct PendingAccess {
  const Inst* inst = nullptr;
  LaneMask mask = 0;
  std::byte* destination = nullptr;  // of an atomic: 32 lanes that take the old values, or null
  std::array<std::byte*, kWarpSize> pointers = {};
  // Of a store: one row per vector element, or per two of eight. Of an atomic: its operands b, c.
  alignas(64) std::array<std::array<uint64_t, kWarpSize>, 4> values = {};
};
using CommitHandler = void (*)(const PendingAccess&);

// What Step does with an instruction.
enum class Action : uint8_t {
  kCompute,
  kMemory,
  kNothing,
  kBranch,
  kExit,
  kBarrier,
  kWarpSync,
  kTrap,
  kBulk,
  kBulkCommit,
  kClusterBarrier,
  kWarpgroup,  // wgmma, and where races are looked for what orders its reads
  kTensorMemory,
};

// The registers of the matrices of an mma; of an atomic on a vector what it reads is d, and what it
// combines with that is a; of a load of eight elements d, of a store a.
struct MatrixSlots {
  std::array<SlotId, 8> d = {}, a = {}, b = {}, c = {};
  const ptx::MmaForm* form = nullptr;  // of mma
  // Of A's metadata, and of the scales of A and B with the byte and the thread that have them.
  SlotId metadata = kNoSlot;
  std::array<SlotId, 2> scales = {kNoSlot, kNoSlot};
  std::array<std::array<SlotId, 2>, 2> selectors = {};
};

// What a bulk copy has beside the address that it reads.
struct BulkSlots {
  // Combines `bytes` of both, a multiple of the size of the elements.
  using Reducer = void (*)(std::byte* to, const std::byte* from, uint64_t bytes);
  struct Address {
    SlotId slot = kNoSlot;
    bool wide = true;
    uint64_t offset = 0;
  };
  // `to` is the place in shared memory of a tensor copy, whichever way it goes; what is read first
  // is then the tensor map.
  Address to, barrier;
  std::array<SlotId, 5> coordinates = {kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  std::array<SlotId, 3> offsets = {kNoSlot, kNoSlot, kNoSlot};  // of pixels of images
  SlotId tbs = kNoSlot;       // a mask of the TBs that a multicast goes to
  Reducer reducer = nullptr;  // of a tensor, its map's type decides
};

inline constexpr uint8_t kNoMask = 0xff;

// What most instructions need stands in its first cache line; all of it in four.
struct alignas(64) Inst {
  Handler run = nullptr;
  SlotId guard = kNoSlot;   // a lane mask; a constant one without a guard
  LaneMask guard_flip = 0;  // all ones for @!%p
  Action action = Action::kNothing;
  ptx::BarrierOp barrier = ptx::BarrierOp::kNone;
  // Of a barrier: source[0] is its number, source[1] the count of threads or none, source[2] the
  // predicate of bar.red.
  bool generic = false;      // the address tells the space
  bool wide_address = true;  // 64-bit base register
  // Of cp.async: that of the address in shared memory; of a load from other TBs: of its result.
  bool wide_second = true;
  MemorySpace space = MemorySpace::kNone;
  uint8_t vector = 1;  // elements per lane
  uint8_t element_bytes = 0;
  uint8_t access_bytes = 0;  // all elements
  bool writes_memory = false;
  uint8_t mask_source = kNoMask;  // the source that says which lanes shfl.sync and its kin wait for
  SlotId destination = kNoSlot;
  SlotId destination2 = kNoSlot;  // of tex: the handle of a sampler
  std::array<SlotId, 4> source = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  uint64_t offset = 0;  // added to the base address
  std::array<SlotId, 4> elements = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  std::array<LaneMask, 4> source_flip = {};  // of predicate sources: all ones for !%p
  uint32_t pc = 0;
  uint32_t target = 0;                      // of a branch
  uint32_t reconvergence = 0;               // of a branch
  ptx::Stays stays = ptx::Stays::kNowhere;  // of a branch: the side that spins
  CommitHandler commit = nullptr;
  // Of loads whose addresses are known at decoding (arguments): one address per lane.
  const std::array<uint64_t, kWarpSize>* fixed_addresses = nullptr;
  ptx::Modifiers modifiers;
  ptx::Type type = ptx::Type::kNone;
  ptx::Type source_type = ptx::Type::kNone;
  ptx::Type third_type = ptx::Type::kNone;
  const MatrixSlots* matrices = nullptr;    // of mma, of atomics on vectors, of eight elements
  BulkSlots* bulk = nullptr;                // of a bulk copy
  const WarpgroupSlots* product = nullptr;  // of a wgmma.mma_async
  const TensorMemorySlots* tensor_memory = nullptr;  // of tcgen05
  // Of set: its comparison, as a setp on a hidden predicate; of an access that may lead to another
  // TB of the cluster: what makes it in one's own.
  Handler inner = nullptr;
};

static_assert(sizeof(Inst) == 256);

// The cache lines of a warp's registers that an instruction reads and writes: those that there is
// room for.
struct TouchedLines {
  std::array<uint16_t, 15> lines = {};
  uint16_t count = 0;

  void Add(SlotId slot, uint32_t bytes) {
    for (uint32_t at = slot & kOffsetMask, end = at + bytes; at < end; at += sizeof(Line)) {
      if (count < lines.size()) lines[count++] = static_cast<uint16_t>(at / sizeof(Line));
    }
  }
};

// A range of addresses that need no further check, and where it lies on the host.
struct View {
  std::byte* origin = nullptr;  // host address of device address 0 (may lie outside the storage)
  uint64_t low = 0;
  uint64_t size = 0;
  uint64_t lane_stride = 0;  // bytes between the local memories of neighbouring lanes
};

struct Context {
  std::array<const std::byte*, kBases> base = {};
  std::byte* registers = nullptr;  // of the warp
  DeviceMemory* memory = nullptr;
  const Program* program = nullptr;
  View shared, local, param;
  // Device memory that each pc touched last: regions seldom change from one execution to the next.
  std::vector<View> recent;
  alignas(64) std::array<uint64_t, kWarpSize> addresses = {};   // as reported
  alignas(64) std::array<std::byte*, kWarpSize> pointers = {};  // on the host
  MemorySpace space = MemorySpace::kNone;
  LaneMask in_space = 0;  // lanes whose address lies in `space`
  bool deferred = true;   // stores and atomics on global memory wait for Commit
  std::vector<PendingAccess> pending;
  size_t pending_count = 0;
  PendingAccess scratch;
  std::string printed;  // by vprintf, until the next Commit
  uint64_t tb = 0;
  uint32_t warp = 0;
  Clusters* clusters = nullptr;      // of a launch with clusters of several TBs
  WarpProducts* products = nullptr;  // of the warp, where the kernel has a wgmma.mma_async
  bool remote = false;               // `shared` is for the moment that of another TB of the cluster
};

void GrowPending(Context& context);

}  // namespace flagstone::simt

namespace flagstone {

struct Program::Code {
  Code();
  ~Code();

  std::vector<simt::Inst> insts;
  std::vector<simt::TouchedLines> touched;  // per instruction
  simt::LaneStorage constants;
  simt::LaneStorage warp_lanes;       // warps * kWarpLaneBytes
  std::vector<std::byte> parameters;  // the parameter block
  std::vector<std::array<uint64_t, kWarpSize>> fixed_addresses;
  std::vector<simt::MatrixSlots> matrices;
  std::vector<simt::BulkSlots> bulk;
  std::unique_ptr<simt::WarpgroupCode> warpgroup;         // null: there is no wgmma.mma_async
  std::unique_ptr<simt::TensorMemoryCode> tensor_memory;  // null: there is no tcgen05
  uint32_t register_bytes = 0;                            // of a warp, a multiple of 64
  uint32_t warps = 0;
  uint32_t threads = 0;
  uint32_t shared_bytes = 0;
  uint32_t local_bytes = 0;  // of a thread
  bool uses_clock = false;
  std::unique_ptr<simt::Clusters> clusters;  // null: each TB is alone in its own

  // Rows of Base::kWarp and Base::kTb: 32 lanes of 4 bytes; of Base::kMachine: clock64 comes last.
  static constexpr uint32_t kRow = kWarpSize * 4;
  static constexpr uint32_t kWarpLaneBytes = 4 * kRow;  // tid.x, tid.y, tid.z, warpid
  // ctaid.x, .y, .z, and in clusters of several TBs clusterid, cluster_ctaid and cluster_ctarank.
  static constexpr uint32_t kTbLaneBytes = 10 * kRow;
  static constexpr uint32_t kMachineLaneBytes = 6 * kRow;  // smid, nsmid, clock, clock64, clock_hi
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_CODE_H_
