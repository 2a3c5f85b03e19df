// A GPU to simulate, as typed values read from gpu_model/machines/<name>.toml.
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "gpu_model/blocks/warp_scheduler/config.h"

namespace flagstone {

// What a store does in an L1; all of them write through to L2. Evict: the line leaves. Without
// allocation: a line that is there is updated. Allocate: a line that is not there comes in.
enum class WritePolicy : uint8_t { kWriteThroughEvict, kWriteThrough, kWriteThroughAllocate };
inline constexpr std::string_view kWritePolicies[] = {"write-through-evict", "write-through",
                                                      "write-through-allocate"};

// How a line finds its set. Folded: its number, folded upon itself (assumption). Fermi: what
// Nugteren et al. measured on a GTX470 (HPCA 2014), for 32 or 64 sets; other numbers of sets are
// folded. Linear: the remainder of its number by the sets.
enum class SetHash : uint8_t { kFolded, kFermi, kLinear };
inline constexpr std::string_view kSetHashes[] = {"folded", "fermi", "linear"};

// Which L2 slice a piece of 256 bytes lies in. Rotated: slices take turns, and a hash of the upper
// bits rotates each turn (assumption). Interleaved: channels take turns, and the slices of a
// channel from turn to turn. Ipoly: that, permuted by a polynomial over GF(2) (Rau, ISCA 1991) for
// the next power of two of slices; those beyond the last wrap around, and the first slices get
// twice as much (GPGPU-Sim's for the TITAN V). Scattered: each line lies in a slice of its own, by
// a hash that stands for the random numbers of GPGPU-Sim's TITAN X.
enum class SliceHash : uint8_t { kRotated, kInterleaved, kIpoly, kScattered };
inline constexpr std::string_view kSliceHashes[] = {"rotated", "interleaved", "ipoly", "scattered"};

// What an MSHR holds, with the requests that wait for it: a line, whatever sectors of it are under
// way, or a sector, as in GPGPU-Sim's caches with sectors.
enum class MshrUnit : uint8_t { kLine, kSector };
inline constexpr std::string_view kMshrUnits[] = {"line", "sector"};

// Whether accesses to global memory use the L1, or go past it sector by sector.
enum class L1Global : uint8_t { kCached, kBypass };
inline constexpr std::string_view kL1Globals[] = {"cached", "bypass"};

// Whether L2 answers a write. Without an answer a store is over for its TB when the SM has sent it;
// with one, the TB keeps its context until the answer has come.
enum class WriteReply : uint8_t { kNone, kAcknowledge };
inline constexpr std::string_view kWriteReplies[] = {"none", "acknowledge"};

// Which TB scheduler reads queues of TB groups.
enum class TbQueueBlock : uint8_t { kPaver, kPaverWide };
inline constexpr std::string_view kTbQueueBlocks[] = {"paver", "paver_wide"};

// What the L2 holds when a launch begins. Warm: the buffers, as their copies into device memory
// left them. Invalidate: nothing; each launch ends when its dirty lines have been written back.
// Keep: what the launch before has left there, and nothing at the first.
enum class BetweenLaunches : uint8_t { kWarm, kInvalidate, kKeep };
inline constexpr std::string_view kBetweenLaunches[] = {"warm", "invalidate", "keep"};

// What an SM's caches of instructions, constants and textures hold when a launch begins: nothing,
// or what the launch before has left there.
enum class ReadOnlyCaches : uint8_t { kInvalidate, kKeep };
inline constexpr std::string_view kReadOnlyCaches[] = {"invalidate", "keep"};

// Whether orders may count on which SM a TB starts on. In turn: TB i on SM i mod their number, as
// the simulator does. Unknown: real GPUs have orders of their own, which no document states.
enum class TbDealing : uint8_t { kInTurn, kUnknown };
inline constexpr std::string_view kTbDealings[] = {"in-turn", "unknown"};

// In which order the warp schedulers of an SM issue in a cycle: the first gets the last free place
// of what they share, as the load/store unit. Fixed: scheduler 0 is always first (GPGPU-Sim until
// July 2017). Rotating: in cycle t it is scheduler t mod their number, and the others follow in
// turn (GPGPU-Sim since then, shader_core_ctx::issue; its turn stands still while an SM is empty).
enum class SchedulerOrder : uint8_t { kFixed, kRotating };
inline constexpr std::string_view kSchedulerOrders[] = {"fixed", "rotating"};

// Whose places hold memory instructions on their way to the load/store unit. Sm: all schedulers
// share them. Scheduler: each has its own, as in GPGPU-Sim's sub-cores.
enum class LsuQueueOf : uint8_t { kSm, kScheduler };
inline constexpr std::string_view kLsuQueueOf[] = {"sm", "scheduler"};

// What stands behind the sockets of the DRAM channels (systemc/dram_body.h).
enum class DramModel : uint8_t { kFrFcfs, kFixed };
inline constexpr std::string_view kDramModels[] = {"fr-fcfs", "fixed"};

struct CacheConfig {
  uint32_t size_kib = 16;
  uint32_t line_bytes = 128;
  uint32_t sector_bytes = 32;  // fill and traffic unit; equal to line_bytes when not sectored
  uint32_t ways = 4;
  MshrUnit mshr_unit = MshrUnit::kLine;
  uint32_t mshrs = 32;        // entries, one per line or sector in flight
  uint32_t mshr_merges = 8;   // requests that one entry can hold
  uint32_t miss_queue = 8;    // requests waiting for the interconnect
  uint32_t hit_latency = 30;  // cycles of the cache's clock
  // Of an L1.
  uint32_t miss_latency = 0;  // from an access until its miss, or a store, may leave
  SetHash set_hash = SetHash::kFolded;
  WritePolicy write_policy = WritePolicy::kWriteThroughEvict;
  L1Global global = L1Global::kCached;
  uint32_t sectors_per_cycle = 4;  // of one line, that the tags can take
};

// A cache for reading only, with lines of 128 B; its misses go to L2 through the SM's network port.
struct ReadOnlyCacheConfig {
  uint32_t size_kib = 0;  // 0: there is none
  uint32_t ways = 4;
  uint32_t mshrs = 4;  // lines in flight
};

// A scheduler's pipes. Classes of instructions may share one.
enum class PipeUnit : uint8_t { kIntAdd, kIntMul, kIntDiv, kF32, kF32Div, kF64, kF64Div, kSfu };
inline constexpr std::string_view kPipeUnits[] = {"int_add", "int_mul", "int_div", "f32",
                                                  "f32_div", "f64",     "f64_div", "sfu"};

// Of a class of instructions.
struct PipeConfig {
  uint32_t latency = 4;   // issue to result, core cycles
  uint32_t interval = 1;  // cycles until one scheduler's pipe takes the next instruction
  PipeUnit unit = PipeUnit::kIntAdd;  // the pipe
};

struct SmConfig {
  uint32_t count = 15;
  uint32_t per_cluster = 1;                   // neighbours of which one is offered a TB in a cycle
  TbDealing tb_dealing = TbDealing::kInTurn;  // in orders alone
  uint32_t max_tbs = 8;
  uint32_t max_warps = 48;
  uint32_t max_threads = 1536;
  uint32_t registers = 32768;          // 32-bit
  uint32_t register_granularity = 64;  // registers per warp are rounded up to this
  uint32_t shared_kib = 48;
  uint32_t schedulers = 2;  // warp schedulers; warps are split over them by warp slot
  SchedulerOrder scheduler_order = SchedulerOrder::kRotating;
  uint32_t issue_width = 1;            // instructions per scheduler and cycle
  std::string warp_scheduler = "gto";  // of kWarpSchedulers
  WarpSchedulerConfig scheduling;
  std::string prefetcher = "none";  // of kPrefetchers
  PrefetcherConfig prefetching;
  PipeConfig logic, int_add, int_minmax, int_mul, int_mad, int_div, shuffle;
  PipeConfig f32, f32_minmax, f32_fma, f32_div, f64, f64_minmax, f64_div, sfu;
  PipeConfig tensor;  // of an m16n8k16 of f16; others take as long as their products are many
  // Core cycles from the end of an instruction's latency until a dependent one can issue: stages of
  // the pipeline that every result passes, whatever its class.
  uint32_t writeback_latency = 1;
  PipeConfig control;  // branches, barriers: latency until the warp's next instruction can issue
  // The way from the issue stage to the load/store unit: registers and collectors of operands.
  // Memory instructions that it holds: issued and not yet through the L1's tags. Of a scheduler the
  // one that is served does not count.
  uint32_t lsu_queue = 48;
  LsuQueueOf lsu_queue_of = LsuQueueOf::kSm;
  uint32_t lsu_issue = 4;  // memory instructions that the SM issues in a cycle at most
  // Core cycles from issue to the first in the unit. They are stages that writeback_latency counts.
  uint32_t lsu_latency = 1;
  // A scheduler with so many of them under way, but for the one that is served, issues nothing
  // else: they fill collectors that serve all its instructions. 0: it has others.
  uint32_t lsu_blocking = 0;
  uint32_t request_sectors = 4;  // of a request to L2 at most: one of more goes as several packets
  uint32_t shared_latency = 26;
  uint32_t const_latency = 8;
  uint32_t texture_latency = 35;   // of a hit in the texture cache
  uint32_t instruction_bytes = 8;  // of one PTX instruction, for the instruction cache
  uint32_t fetch_warps = 0;        // that fetch in a cycle; 0: fetch is not limited
  uint32_t fetch_bytes = 16;       // of a line, that a warp fetches then
  ReadOnlyCaches read_only_caches = ReadOnlyCaches::kInvalidate;
  ReadOnlyCacheConfig const_cache;        // constants and parameters; none: they always hit
  ReadOnlyCacheConfig texture_cache;      // none: textures go through the L1
  ReadOnlyCacheConfig instruction_cache;  // none: fetch is ideal
  CacheConfig l1;
};

struct InterconnectConfig {
  uint32_t latency = 8;       // cycles, one way, without contention
  uint32_t flit_bytes = 40;   // per cycle and port
  uint32_t sms_per_port = 1;  // neighbouring SMs that share one port's bandwidth, each way
  uint32_t source_queue = 4;  // packets
  uint32_t destination_queue = 8;
};

struct L2Config {
  uint32_t slices = 12;
  SliceHash slice_hash = SliceHash::kRotated;
  CacheConfig cache;                // of one slice
  uint32_t pipeline_latency = 120;  // cycles
  uint32_t atomic_interval = 0;     // cycles for each further lane of one address in an atomic
  uint32_t input_queue = 8;         // requests of a slice
  uint32_t reply_sectors = 4;       // of a reply at most: one of more goes as several packets
  WriteReply write_reply = WriteReply::kNone;
  BetweenLaunches between_launches = BetweenLaunches::kWarm;
};

struct DramConfig {
  DramModel model = DramModel::kFrFcfs;
  uint32_t channels = 6;
  uint32_t banks = 16;
  uint32_t bank_groups = 1;  // bank b is in group b % bank_groups
  uint32_t row_bytes = 2048;
  uint32_t bus_bytes = 8;  // per data-clock edge pair: bytes per DRAM cycle
  uint32_t queue = 64;     // requests that the scheduler sees
  // Writes wait in a queue of their own, where it is not 0, and go out from `write_high` of them
  // until `write_low` are left, or while there is no read.
  uint32_t write_queue = 0, write_high = 0, write_low = 0;
  uint32_t fixed_latency = 100;  // core cycles on top of the timing below
  uint32_t t_cl = 12, t_rcd = 12, t_rp = 12, t_ras = 28, t_rc = 40, t_ccd = 2, t_ccdl = 3,
           t_rrd = 6, t_wr = 12, t_wl = 4, t_cdlr = 5, t_rtpl = 2;  // DRAM cycles
};

struct ClockConfig {  // MHz
  uint32_t core = 700, interconnect = 700, l2 = 700, dram = 924;
};

// What events cost, in fJ, before process_percent is applied to those on the chip. Sources of the
// defaults, which are those of a Fermi: docs/energy.md.
struct EnergyConfig {
  uint32_t process_percent = 100;  // of the energies at 45 nm
  uint32_t instruction = 70'000;   // of a warp: fetch, decode, schedule
  uint32_t operand = 1'000;        // 32 bits of a lane, from or to the register file
  // Of a lane's operation.
  uint32_t integer = 100;
  uint32_t int_mul = 3'100;
  uint32_t f32 = 2'300;
  uint32_t f32_fma = 4'600;
  uint32_t f64 = 40'000;
  uint32_t special = 18'400;
  uint32_t tensor = 96'000;     // a 32nd of an m16n8k16 of f16
  uint32_t shared = 200'000;    // 128 B of all banks
  uint32_t l1_sector = 80'000;  // 32 B
  uint32_t noc_byte = 16'000;
  uint32_t l2_sector = 400'000;
  // Of a channel.
  uint32_t dram_activate = 12'006'000;
  uint32_t dram_read = 1'261'000;  // 32 B
  uint32_t dram_write = 1'421'000;
  uint32_t dram_refresh = 39'220'000;
  uint32_t dram_refresh_ns = 7'803;  // from one refresh to the next
  uint32_t dram_static_mw = 1'350;
  uint32_t sm_static_mw = 433;
  uint32_t chip_static_mw = 3'470;  // all but SMs and DRAM
  // A cycle of a hardware block.
  uint32_t tb_scheduler_cycle = 4'823;
  uint32_t prefetcher_cycle = 20'430;
};

// A machine of several nodes: GPUs of chiplets, each with its own SMs, L2 slices and DRAM channels
// (docs/ladm.md). Node g * chiplets + c is chiplet c of GPU g.
struct NumaConfig {
  static constexpr uint32_t kMostNodes = 32;

  uint32_t gpus = 1;
  uint32_t chiplets = 1;       // of a GPU
  uint32_t page_bytes = 4096;  // a power of two
  uint32_t ring_bytes = 64;    // per interconnect cycle and directed link between two chiplets
  uint32_t ring_hop_latency = 32;
  uint32_t switch_bytes = 64;  // per interconnect cycle from a GPU, and as many into it
  uint32_t switch_latency = 128;
  uint32_t remote_mshrs = 64;      // of a slice, which only other nodes' requests use
  uint32_t remote_caching = 1;     // 0: reads of other nodes' lines go past the own L2
  uint32_t page_fault_cycles = 0;  // that the first touch of a page holds back its SM

  uint32_t Nodes() const { return gpus * chiplets; }
};

struct MachineConfig {
  std::string name;
  std::string description;
  SmConfig sm;
  InterconnectConfig interconnect;
  L2Config l2;
  DramConfig dram;
  ClockConfig clock;
  NumaConfig numa;
  EnergyConfig energy;
  uint32_t launch_latency = 0;  // core cycles before the TB scheduler starts
  // Core cycles for a read of the TB queues from a memory beside the TB scheduler; 0: they lie in
  // device memory, behind the L2.
  uint32_t tb_queue_latency = 0;
  TbQueueBlock tb_queue_block = TbQueueBlock::kPaver;
  // Descriptors of TB groups in flight or waiting for an SM, in the whole GPU.
  uint32_t tb_queue_descriptors = TbSchedulerSize::kDescriptors;
  uint64_t no_progress_cycles = 200'000;  // a run without any issue or reply for so long has failed

  // A name from gpu_model/machines or a path to a TOML file, which may name another one as its
  // `base` and then holds the differences only, with `key=value` settings applied on
  // top ("sm.l1.size_kib=48"). Unknown keys, wrong types and impossible values throw kBadInput
  // with the file and line, or with the setting.
  static MachineConfig Load(const std::string& name_or_path,
                            const std::vector<std::string>& settings);
  // What one node has: SMs, L2 slices and DRAM channels are a node's, all else is as here.
  MachineConfig OfNode() const;
  // Of the TB scheduler of these SMs.
  TbSchedulerSize SchedulerSize(uint32_t id_bytes) const {
    return {.num_sms = sm.count,
            .id_bytes = id_bytes,
            .descriptors = tb_queue_descriptors,
            .issue_ports = (sm.count + sm.per_cluster - 1) / sm.per_cluster};
  }
  // All keys and values, in a fixed order: what a configuration hash is made from.
  std::string Canonical() const;
};

std::vector<std::string> ListMachines();  // names, sorted

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_H_
