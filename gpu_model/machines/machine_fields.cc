#include "gpu_model/machines/machine_fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <type_traits>

#include "base/spelling.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/energy_fields.h"
#include "gpu_model/machines/pipe_fields.h"

namespace flagstone {
namespace {

constexpr MachineField Integer(std::string_view key, std::string_view unit,
                               std::string_view sentence, uint32_t* (*get)(MachineConfig&),
                               uint64_t min, uint64_t max) {
  return {key, unit, sentence, get, nullptr, nullptr, nullptr, min, max};
}
constexpr MachineField Wide(std::string_view key, std::string_view unit, std::string_view sentence,
                            uint64_t* (*get)(MachineConfig&), uint64_t min, uint64_t max) {
  return {key, unit, sentence, nullptr, get, nullptr, nullptr, min, max};
}
constexpr MachineField Text(std::string_view key, std::string_view unit, std::string_view sentence,
                            std::string* (*get)(MachineConfig&)) {
  return {key, unit, sentence, nullptr, nullptr, get, nullptr, 0, 0};
}
constexpr MachineField Choice(std::string_view key, std::string_view unit,
                              std::string_view sentence, std::span<const std::string_view> names,
                              uint8_t* (*get)(MachineConfig&)) {
  return {key, unit, sentence, nullptr, nullptr, nullptr, get, 0, 0, names};
}
constexpr MachineField WithDefault(MachineField field) {
  field.has_default = true;
  return field;
}
// An enumeration over uint8_t may be read and written as one.
template <class Enum>
uint8_t* Raw(Enum& value) {
  static_assert(std::is_same_v<std::underlying_type_t<Enum>, uint8_t>);
  return reinterpret_cast<uint8_t*>(&value);
}

constexpr MachineField kFields[] = {
    Text("name", "", "Name of the machine", [](MachineConfig& m) { return &m.name; }),
    Text("description", "", "What the machine is, in one line",
         [](MachineConfig& m) { return &m.description; }),
    Integer(
        "launch_latency", "core cycles", "From the launch to the start of the TB scheduler",
        [](MachineConfig& m) { return &m.launch_latency; }, 0, 1000000),
    Integer(
        "tb_queue_latency", "core cycles",
        "Read of the TB queues from a memory beside the TB scheduler; 0: they lie behind the L2",
        [](MachineConfig& m) { return &m.tb_queue_latency; }, 0, 1000000),
    WithDefault(Choice("tb_queue_block", "", "TB scheduler of the policies with groups of TBs",
                       kTbQueueBlocks, [](MachineConfig& m) { return Raw(m.tb_queue_block); })),
    Integer(
        "tb_queue_descriptors", "descriptors",
        "Descriptors of TB groups that the TB scheduler fetches ahead: in flight or waiting for an "
        "SM",
        [](MachineConfig& m) { return &m.tb_queue_descriptors; }, 1,
        TbSchedulerSize::kMostDescriptors),
    Wide(
        "no_progress_cycles", "core cycles",
        "A run without any issue or reply for so long has failed",
        [](MachineConfig& m) { return &m.no_progress_cycles; }, 1, 1'000'000'000'000),
    Integer(
        "sm.count", "SMs", "Streaming multiprocessors",
        [](MachineConfig& m) { return &m.sm.count; }, 1, kMaxSms),
    WithDefault(Integer(
        "sm.per_cluster", "SMs", "Neighbouring SMs of which one is offered a TB in a cycle",
        [](MachineConfig& m) { return &m.sm.per_cluster; }, 1, kMaxSms)),
    Integer(
        "sm.max_tbs", "TBs", "TBs on an SM at once", [](MachineConfig& m) { return &m.sm.max_tbs; },
        1, 64),
    Integer(
        "sm.max_warps", "warps", "Warps on an SM at once",
        [](MachineConfig& m) { return &m.sm.max_warps; }, 1, 64),
    Integer(
        "sm.max_threads", "threads", "Threads on an SM at once",
        [](MachineConfig& m) { return &m.sm.max_threads; }, 32, 2048),
    Integer(
        "sm.registers", "registers", "Registers of 32 bits on an SM",
        [](MachineConfig& m) { return &m.sm.registers; }, 32, 1 << 24),
    Integer(
        "sm.register_granularity", "registers",
        "Registers of a warp are rounded up to a multiple of this",
        [](MachineConfig& m) { return &m.sm.register_granularity; }, 1, 4096),
    Integer(
        "sm.shared_kib", "KiB", "Shared memory of an SM",
        [](MachineConfig& m) { return &m.sm.shared_kib; }, 0, 1024),
    Integer(
        "sm.schedulers", "schedulers",
        "Warp schedulers of an SM; its warp slots are split over them",
        [](MachineConfig& m) { return &m.sm.schedulers; }, 1, 4),
    WithDefault(Choice("sm.scheduler_order", "",
                       "Whether scheduler 0 issues first in every cycle, or each in its turn",
                       kSchedulerOrders,
                       [](MachineConfig& m) { return Raw(m.sm.scheduler_order); })),
    Integer(
        "sm.issue_width", "instructions", "Issued by a scheduler in a cycle at most",
        [](MachineConfig& m) { return &m.sm.issue_width; }, 1, 2),
    Text("sm.warp_scheduler", "", "Which warp scheduler an SM has",
         [](MachineConfig& m) { return &m.sm.warp_scheduler; }),
    Integer(
        "sm.scheduling.two_level_ready", "warps", "two-level: warps that are ready at once",
        [](MachineConfig& m) { return &m.sm.scheduling.two_level_ready; }, 1, 64),
    Integer(
        "sm.scheduling.orch_groups", "groups", "orch: groups that the warps of a scheduler form",
        [](MachineConfig& m) { return &m.sm.scheduling.orch_groups; }, 1, 16),
    Integer(
        "sm.scheduling.swl_warps", "warps", "swl: warps that may issue",
        [](MachineConfig& m) { return &m.sm.scheduling.swl_warps; }, 1, 64),
    Integer(
        "sm.scheduling.priority_warps", "warps", "priority-group: warps that come first",
        [](MachineConfig& m) { return &m.sm.scheduling.priority_warps; }, 1, 64),
    Integer(
        "sm.scheduling.ccws_base_score", "points",
        "ccws: score of a warp that has lost no locality",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_base_score; }, 1, 100000),
    Integer(
        "sm.scheduling.ccws_throttle", "", "ccws: how strongly lost locality raises a score",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_throttle; }, 1, 100000),
    Integer(
        "sm.scheduling.ccws_victim_tags", "tags", "ccws: victim tags of a warp",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_victim_tags; }, 1, 1024),
    Integer(
        "sm.scheduling.ccws_victim_ways", "ways", "ccws: ways of a warp's victim tags",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_victim_ways; }, 1, 1024),
    Integer(
        "sm.scheduling.duel_epoch", "core cycles", "pas+: orders of warps are compared so often",
        [](MachineConfig& m) { return &m.sm.scheduling.duel_epoch; }, 64, 4095),
    WithDefault(Integer(
        "sm.scheduling.group_window", "loads",
        "group: loads by which a warp may be ahead of the slowest of its group",
        [](MachineConfig& m) { return &m.sm.scheduling.group_window; }, 1, 255)),
    WithDefault(Integer(
        "sm.scheduling.group_patience", "issues",
        "group: each such issue goes to all warps in turn; 0: none",
        [](MachineConfig& m) { return &m.sm.scheduling.group_patience; }, 0, 1023)),
    Choice("sm.scheduling.pas_leading_mark", "", "pas: until when a leading warp leads",
           kLeadingMarks, [](MachineConfig& m) { return Raw(m.sm.scheduling.pas_leading_mark); }),
    Text("sm.prefetcher", "", "Which prefetcher an SM has",
         [](MachineConfig& m) { return &m.sm.prefetcher; }),
    Integer(
        "sm.prefetching.mshr_reserve", "MSHRs", "MSHRs of the L1 that prefetches leave to demand",
        [](MachineConfig& m) { return &m.sm.prefetching.mshr_reserve; }, 0, 32767),
    WithDefault(Integer(
        "sm.prefetching.own_port", "0 or 1",
        "Prefetches enter the L1 in cycles in which demand uses its tags, too",
        [](MachineConfig& m) { return &m.sm.prefetching.own_port; }, 0, 1)),
    Integer(
        "sm.prefetching.wake_up", "0 or 1",
        "A warp's scheduler hears when data that was prefetched for it has come",
        [](MachineConfig& m) { return &m.sm.prefetching.wake_up; }, 0, 1),
    Integer(
        "sm.prefetching.caps_threshold", "mispredictions",
        "caps: a load with more of them is no longer prefetched",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_threshold; }, 0, 254),
    Integer(
        "sm.prefetching.caps_refresh_base", "0 or 1",
        "caps: the leading warp's later executions renew its base",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_refresh_base; }, 0, 1),
    Integer(
        "sm.prefetching.caps_case_a_paced", "0 or 1",
        "caps: case A prefetches follow the warps instead of coming at once",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_case_a_paced; }, 0, 1),
    Integer(
        "sm.prefetching.caps_trailing_only", "0 or 1",
        "caps, caps+: no prefetch for a warp that has passed the load",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_trailing_only; }, 0, 1),
    Integer(
        "sm.prefetching.caps_plus_confidence", "0 or 1", "caps+: a stride has to prove itself",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_plus_confidence; }, 0, 1),
    Integer(
        "sm.prefetching.caps_plus_keep", "0 or 1",
        "caps+: prefetched lines are kept until their use while another line may go",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_plus_keep; }, 0, 1),
    Integer(
        "sm.writeback_latency", "core cycles",
        "From the end of an instruction's latency until a dependent one can issue",
        [](MachineConfig& m) { return &m.sm.writeback_latency; }, 1, 100),
    Integer(
        "sm.control.latency", "core cycles",
        "Branches and barriers: from issue to the warp's next instruction",
        [](MachineConfig& m) { return &m.sm.control.latency; }, 1, 1000),
    Integer(
        "sm.control.interval", "core cycles",
        "Branches and barriers: between two on one scheduler's pipe",
        [](MachineConfig& m) { return &m.sm.control.interval; }, 1, 1000),
    Integer(
        "sm.lsu_queue", "instructions",
        "Memory instructions issued and not yet through the L1's tags",
        [](MachineConfig& m) { return &m.sm.lsu_queue; }, 1, 256),
    WithDefault(Choice("sm.lsu_queue_of", "",
                       "Whose these are: all of an SM, or each scheduler's, but for the one served",
                       kLsuQueueOf, [](MachineConfig& m) { return Raw(m.sm.lsu_queue_of); })),
    WithDefault(Integer(
        "sm.lsu_issue", "instructions", "Memory instructions that an SM issues in a cycle at most",
        [](MachineConfig& m) { return &m.sm.lsu_issue; }, 1, 4)),
    WithDefault(Integer(
        "sm.lsu_latency", "core cycles",
        "From issue to the load/store unit; part of sm.writeback_latency",
        [](MachineConfig& m) { return &m.sm.lsu_latency; }, 1, 100)),
    WithDefault(Integer(
        "sm.lsu_blocking", "instructions",
        "Memory instructions that wait, with which a scheduler issues no others; 0: none",
        [](MachineConfig& m) { return &m.sm.lsu_blocking; }, 0, 256)),
    WithDefault(Choice("sm.tb_dealing", "",
                       "Whether 'order' may count on TB i starting on SM i mod their number",
                       kTbDealings, [](MachineConfig& m) { return Raw(m.sm.tb_dealing); })),
    Integer(
        "sm.request_sectors", "sectors",
        "Of a request to L2 at most; one of more goes as several packets",
        [](MachineConfig& m) { return &m.sm.request_sectors; }, 1, 4),
    Integer(
        "sm.shared_latency", "core cycles", "Shared memory: from issue to result",
        [](MachineConfig& m) { return &m.sm.shared_latency; }, 1, 1000),
    Integer(
        "sm.const_latency", "core cycles", "Constant memory: from issue to result of a hit",
        [](MachineConfig& m) { return &m.sm.const_latency; }, 1, 1000),
    Integer(
        "sm.texture_latency", "core cycles", "Texture cache: from issue to result of a hit",
        [](MachineConfig& m) { return &m.sm.texture_latency; }, 1, 1000),
    Integer(
        "sm.instruction_bytes", "B", "Of one PTX instruction, for the instruction cache",
        [](MachineConfig& m) { return &m.sm.instruction_bytes; }, 1, 128),
    WithDefault(Integer(
        "sm.fetch_warps", "warps", "That fetch in a cycle; 0: fetch is not limited",
        [](MachineConfig& m) { return &m.sm.fetch_warps; }, 0, kMaxWarps)),
    WithDefault(Integer(
        "sm.fetch_bytes", "B", "Of a line, that a warp fetches at once, where fetch is limited",
        [](MachineConfig& m) { return &m.sm.fetch_bytes; }, 1, 128)),
    WithDefault(
        Choice("sm.read_only_caches", "",
               "What caches of instructions, constants and textures hold when a launch begins",
               kReadOnlyCaches, [](MachineConfig& m) { return Raw(m.sm.read_only_caches); })),
    Integer(
        "sm.const_cache.size_kib", "KiB",
        "Constant cache; 0: there is none, and constants always hit",
        [](MachineConfig& m) { return &m.sm.const_cache.size_kib; }, 0, 1024),
    Integer(
        "sm.const_cache.ways", "ways", "Constant cache: associativity",
        [](MachineConfig& m) { return &m.sm.const_cache.ways; }, 1, 1024),
    Integer(
        "sm.const_cache.mshrs", "MSHRs", "Constant cache: lines in flight",
        [](MachineConfig& m) { return &m.sm.const_cache.mshrs; }, 1, 1024),
    Integer(
        "sm.texture_cache.size_kib", "KiB",
        "Texture cache; 0: there is none, and textures go through the L1",
        [](MachineConfig& m) { return &m.sm.texture_cache.size_kib; }, 0, 1024),
    Integer(
        "sm.texture_cache.ways", "ways", "Texture cache: associativity",
        [](MachineConfig& m) { return &m.sm.texture_cache.ways; }, 1, 1024),
    Integer(
        "sm.texture_cache.mshrs", "MSHRs", "Texture cache: lines in flight",
        [](MachineConfig& m) { return &m.sm.texture_cache.mshrs; }, 1, 1024),
    Integer(
        "sm.instruction_cache.size_kib", "KiB",
        "Instruction cache; 0: there is none, and fetch is ideal",
        [](MachineConfig& m) { return &m.sm.instruction_cache.size_kib; }, 0, 1024),
    Integer(
        "sm.instruction_cache.ways", "ways", "Instruction cache: associativity",
        [](MachineConfig& m) { return &m.sm.instruction_cache.ways; }, 1, 1024),
    Integer(
        "sm.instruction_cache.mshrs", "MSHRs", "Instruction cache: lines in flight",
        [](MachineConfig& m) { return &m.sm.instruction_cache.mshrs; }, 1, 1024),
    Integer(
        "sm.l1.size_kib", "KiB", "L1: size", [](MachineConfig& m) { return &m.sm.l1.size_kib; }, 1,
        65536),
    Integer(
        "sm.l1.line_bytes", "B", "L1: line", [](MachineConfig& m) { return &m.sm.l1.line_bytes; },
        128, 128),
    Integer(
        "sm.l1.sector_bytes", "B", "L1: what is filled and sent at once",
        [](MachineConfig& m) { return &m.sm.l1.sector_bytes; }, 32, 128),
    Integer(
        "sm.l1.ways", "ways", "L1: associativity", [](MachineConfig& m) { return &m.sm.l1.ways; },
        1, 1024),
    Choice("sm.l1.mshr_unit", "", "L1: what an MSHR holds", kMshrUnits,
           [](MachineConfig& m) { return Raw(m.sm.l1.mshr_unit); }),
    Integer(
        "sm.l1.mshrs", "MSHRs", "L1: lines or sectors in flight",
        [](MachineConfig& m) { return &m.sm.l1.mshrs; }, 1, 32768),
    Integer(
        "sm.l1.mshr_merges", "requests", "L1: requests that one MSHR holds",
        [](MachineConfig& m) { return &m.sm.l1.mshr_merges; }, 1, 1024),
    Integer(
        "sm.l1.miss_queue", "requests", "L1: misses that wait to be sent on",
        [](MachineConfig& m) { return &m.sm.l1.miss_queue; }, 2, 1024),
    Integer(
        "sm.l1.hit_latency", "core cycles", "L1: from access to data",
        [](MachineConfig& m) { return &m.sm.l1.hit_latency; }, 1, 1000),
    Integer(
        "sm.l1.miss_latency", "core cycles",
        "L1: from access until a miss, or a store, may leave for the L2",
        [](MachineConfig& m) { return &m.sm.l1.miss_latency; }, 0, 1000),
    Choice("sm.l1.set_hash", "", "L1: how a line finds its set", kSetHashes,
           [](MachineConfig& m) { return Raw(m.sm.l1.set_hash); }),
    Choice("sm.l1.write_policy", "", "L1: what a store does", kWritePolicies,
           [](MachineConfig& m) { return Raw(m.sm.l1.write_policy); }),
    Choice("sm.l1.global", "", "L1: whether global memory uses it", kL1Globals,
           [](MachineConfig& m) { return Raw(m.sm.l1.global); }),
    Integer(
        "sm.l1.sectors_per_cycle", "sectors", "L1: of one line that the tags take in a cycle",
        [](MachineConfig& m) { return &m.sm.l1.sectors_per_cycle; }, 1, 4),
    Integer(
        "interconnect.latency", "interconnect cycles", "One way, without contention",
        [](MachineConfig& m) { return &m.interconnect.latency; }, 2, 10000),
    Integer(
        "interconnect.flit_bytes", "B", "Of a port in a cycle",
        [](MachineConfig& m) { return &m.interconnect.flit_bytes; }, 1, 1024),
    Integer(
        "interconnect.sms_per_port", "SMs", "Neighbouring SMs that share a port, each way",
        [](MachineConfig& m) { return &m.interconnect.sms_per_port; }, 1, 128),
    Integer(
        "interconnect.source_queue", "packets", "That wait at a sender",
        [](MachineConfig& m) { return &m.interconnect.source_queue; }, 1, 4096),
    Integer(
        "interconnect.destination_queue", "packets", "That wait at a receiver",
        [](MachineConfig& m) { return &m.interconnect.destination_queue; }, 1, 4096),
    Integer(
        "l2.slices", "slices", "Of the L2", [](MachineConfig& m) { return &m.l2.slices; }, 1, 256),
    Choice("l2.slice_hash", "", "L2: which slice an address lies in", kSliceHashes,
           [](MachineConfig& m) { return Raw(m.l2.slice_hash); }),
    Integer(
        "l2.pipeline_latency", "L2 cycles", "From a request at a slice to its reply, where it hits",
        [](MachineConfig& m) { return &m.l2.pipeline_latency; }, 1, 10000),
    Integer(
        "l2.atomic_interval", "L2 cycles", "For each further lane of one address in an atomic",
        [](MachineConfig& m) { return &m.l2.atomic_interval; }, 0, 1000),
    Integer(
        "l2.input_queue", "requests", "That wait at a slice",
        [](MachineConfig& m) { return &m.l2.input_queue; }, 1, 4096),
    Integer(
        "l2.reply_sectors", "sectors", "Of a reply at most; one of more goes as several packets",
        [](MachineConfig& m) { return &m.l2.reply_sectors; }, 1, 4),
    Choice("l2.write_reply", "", "Whether the L2 answers a write", kWriteReplies,
           [](MachineConfig& m) { return Raw(m.l2.write_reply); }),
    WithDefault(Choice("l2.between_launches", "", "What the L2 holds when a launch begins",
                       kBetweenLaunches,
                       [](MachineConfig& m) { return Raw(m.l2.between_launches); })),
    Integer(
        "l2.size_kib", "KiB", "Slice of the L2: size",
        [](MachineConfig& m) { return &m.l2.cache.size_kib; }, 1, 65536),
    Integer(
        "l2.line_bytes", "B", "Slice of the L2: line",
        [](MachineConfig& m) { return &m.l2.cache.line_bytes; }, 128, 128),
    Integer(
        "l2.sector_bytes", "B", "Slice of the L2: what is filled and sent at once",
        [](MachineConfig& m) { return &m.l2.cache.sector_bytes; }, 32, 32),
    Integer(
        "l2.ways", "ways", "Slice of the L2: associativity",
        [](MachineConfig& m) { return &m.l2.cache.ways; }, 1, 1024),
    Choice("l2.mshr_unit", "", "Slice of the L2: what an MSHR holds", kMshrUnits,
           [](MachineConfig& m) { return Raw(m.l2.cache.mshr_unit); }),
    Integer(
        "l2.mshrs", "MSHRs", "Slice of the L2: lines or sectors in flight",
        [](MachineConfig& m) { return &m.l2.cache.mshrs; }, 1, 32768),
    Integer(
        "l2.mshr_merges", "requests", "Slice of the L2: requests that one MSHR holds",
        [](MachineConfig& m) { return &m.l2.cache.mshr_merges; }, 1, 1024),
    Integer(
        "l2.miss_queue", "requests", "Slice of the L2: misses that wait to be sent on",
        [](MachineConfig& m) { return &m.l2.cache.miss_queue; }, 2, 1024),
    Choice("dram.model", "", "How a channel schedules its requests", kDramModels,
           [](MachineConfig& m) { return Raw(m.dram.model); }),
    Integer(
        "dram.channels", "channels", "Of DRAM", [](MachineConfig& m) { return &m.dram.channels; },
        1, 128),
    Integer(
        "dram.banks", "banks", "Of a channel", [](MachineConfig& m) { return &m.dram.banks; }, 1,
        32),
    Integer(
        "dram.bank_groups", "groups", "Of the banks: bank b is in group b modulo this",
        [](MachineConfig& m) { return &m.dram.bank_groups; }, 1, 32),
    Integer(
        "dram.row_bytes", "B", "Of a row", [](MachineConfig& m) { return &m.dram.row_bytes; }, 256,
        65536),
    Integer(
        "dram.bus_bytes", "B", "That a channel moves in a DRAM cycle",
        [](MachineConfig& m) { return &m.dram.bus_bytes; }, 1, 1024),
    Integer(
        "dram.queue", "requests", "That a channel's scheduler sees",
        [](MachineConfig& m) { return &m.dram.queue; }, 1, 1024),
    Integer(
        "dram.write_queue", "requests", "Writes that wait apart; 0: they wait with the reads",
        [](MachineConfig& m) { return &m.dram.write_queue; }, 0, 4096),
    Integer(
        "dram.write_high", "requests", "Waiting writes from which on they go out",
        [](MachineConfig& m) { return &m.dram.write_high; }, 0, 4096),
    Integer(
        "dram.write_low", "requests", "Waiting writes at which they stop going out",
        [](MachineConfig& m) { return &m.dram.write_low; }, 0, 4096),
    Integer(
        "dram.fixed_latency", "core cycles", "On top of the timing of the DRAM",
        [](MachineConfig& m) { return &m.dram.fixed_latency; }, 0, 10000),
    Integer(
        "dram.t_cl", "DRAM cycles", "From a read to its data (CAS latency)",
        [](MachineConfig& m) { return &m.dram.t_cl; }, 1, 1000),
    Integer(
        "dram.t_rcd", "DRAM cycles", "From opening a row to reading it",
        [](MachineConfig& m) { return &m.dram.t_rcd; }, 1, 1000),
    Integer(
        "dram.t_rp", "DRAM cycles", "From closing a row to opening another",
        [](MachineConfig& m) { return &m.dram.t_rp; }, 1, 1000),
    Integer(
        "dram.t_ras", "DRAM cycles", "From opening a row to closing it",
        [](MachineConfig& m) { return &m.dram.t_ras; }, 1, 1000),
    Integer(
        "dram.t_rc", "DRAM cycles", "Between openings of rows of one bank",
        [](MachineConfig& m) { return &m.dram.t_rc; }, 1, 1000),
    Integer(
        "dram.t_ccd", "DRAM cycles", "Between accesses of different bank groups",
        [](MachineConfig& m) { return &m.dram.t_ccd; }, 1, 1000),
    Integer(
        "dram.t_ccdl", "DRAM cycles", "Between accesses of one bank group",
        [](MachineConfig& m) { return &m.dram.t_ccdl; }, 1, 1000),
    Integer(
        "dram.t_rrd", "DRAM cycles", "Between openings of rows of different banks",
        [](MachineConfig& m) { return &m.dram.t_rrd; }, 1, 1000),
    Integer(
        "dram.t_wr", "DRAM cycles", "From the last data of a write to closing its row",
        [](MachineConfig& m) { return &m.dram.t_wr; }, 1, 1000),
    Integer(
        "dram.t_wl", "DRAM cycles", "From a write to its data",
        [](MachineConfig& m) { return &m.dram.t_wl; }, 1, 1000),
    Integer(
        "dram.t_cdlr", "DRAM cycles", "From the last data of a write to a read",
        [](MachineConfig& m) { return &m.dram.t_cdlr; }, 1, 1000),
    Integer(
        "dram.t_rtpl", "DRAM cycles", "From a read to closing its row",
        [](MachineConfig& m) { return &m.dram.t_rtpl; }, 1, 1000),
    WithDefault(Integer(
        "numa.gpus", "GPUs", "Of the machine", [](MachineConfig& m) { return &m.numa.gpus; }, 1,
        16)),
    WithDefault(Integer(
        "numa.chiplets", "nodes", "Of a GPU", [](MachineConfig& m) { return &m.numa.chiplets; }, 1,
        16)),
    WithDefault(Integer(
        "numa.page_bytes", "B", "Of a page, which lies on one node: a power of two",
        [](MachineConfig& m) { return &m.numa.page_bytes; }, 256, 1 << 30)),
    WithDefault(Integer(
        "numa.ring_bytes", "B", "Of a link between two chiplets, in a cycle and each way",
        [](MachineConfig& m) { return &m.numa.ring_bytes; }, 1, 4096)),
    WithDefault(Integer(
        "numa.ring_hop_latency", "interconnect cycles", "From a chiplet to its neighbour",
        [](MachineConfig& m) { return &m.numa.ring_hop_latency; }, 2, 10000)),
    WithDefault(Integer(
        "numa.switch_bytes", "B", "Of a GPU's link to the others, in a cycle and each way",
        [](MachineConfig& m) { return &m.numa.switch_bytes; }, 1, 4096)),
    WithDefault(Integer(
        "numa.switch_latency", "interconnect cycles", "From a node to one of another GPU",
        [](MachineConfig& m) { return &m.numa.switch_latency; }, 4, 10000)),
    WithDefault(Integer(
        "numa.remote_mshrs", "MSHRs", "Slice of the L2: those kept for requests of other nodes",
        [](MachineConfig& m) { return &m.numa.remote_mshrs; }, 1, 32767)),
    WithDefault(Integer(
        "numa.remote_caching", "", "1: a node's L2 holds lines of other nodes too; 0: it does not",
        [](MachineConfig& m) { return &m.numa.remote_caching; }, 0, 1)),
    WithDefault(Integer(
        "numa.page_fault_cycles", "core cycles", "For which a page's first touch holds back its SM",
        [](MachineConfig& m) { return &m.numa.page_fault_cycles; }, 0, 10000000)),
    Integer(
        "clock.core", "MHz", "Clock of the SMs", [](MachineConfig& m) { return &m.clock.core; }, 1,
        10000),
    Integer(
        "clock.interconnect", "MHz", "Clock of the interconnect",
        [](MachineConfig& m) { return &m.clock.interconnect; }, 1, 10000),
    Integer(
        "clock.l2", "MHz", "Clock of the L2", [](MachineConfig& m) { return &m.clock.l2; }, 1,
        10000),
    Integer(
        "clock.dram", "MHz", "Clock of the DRAM", [](MachineConfig& m) { return &m.clock.dram; }, 1,
        10000),
};

std::vector<std::string_view> Levels(std::string_view key) {
  std::vector<std::string_view> levels;
  for (size_t begin = 0;;) {
    const size_t dot = std::min(key.find('.', begin), key.size());
    levels.push_back(key.substr(begin, dot - begin));
    if (dot == key.size()) return levels;
    begin = dot + 1;
  }
}

// "l1.size" is the beginning of the last levels of "sm.l1.size_kib", level by level.
bool BeginsLastLevels(std::string_view key, std::string_view known) {
  const std::vector<std::string_view> typed = Levels(key);
  const std::vector<std::string_view> all = Levels(known);
  if (typed.size() > all.size()) return false;
  for (size_t i = 0; i < typed.size(); ++i) {
    if (typed[i].empty() || !all[all.size() - typed.size() + i].starts_with(typed[i])) return false;
  }
  return true;
}

}  // namespace

// Those of the pipes stand before those of the branches.
std::span<const MachineField> MachineFields() {
  static const std::vector<MachineField> all = [] {
    std::vector<MachineField> fields(std::begin(kFields), std::end(kFields));
    const auto control = std::find_if(fields.begin(), fields.end(), [](const MachineField& field) {
      return field.key == "sm.control.latency";
    });
    const std::span<const MachineField> pipes = PipeFields();
    fields.insert(control, pipes.begin(), pipes.end());
    const std::span<const MachineField> energies = EnergyFields();
    fields.insert(fields.end(), energies.begin(), energies.end());
    return fields;
  }();
  return all;
}

bool IsSetting(const MachineField& field) {
  return field.key != "name" && field.key != "description";
}

const MachineField* FindMachineField(std::string_view key) {
  const std::span<const MachineField> fields = MachineFields();
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const MachineField& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> NearestKeys(std::string_view key) {
  std::string lower(key);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const MachineField& field : MachineFields()) {
    // A last part that is right in the wrong table is as near as a slip of the pen.
    const bool same_tail =
        field.key.substr(field.key.rfind('.') + 1) == key.substr(key.rfind('.') + 1);
    const size_t slips = EditDistance(lower, field.key);
    const size_t rank = BeginsLastLevels(lower, field.key) ? std::min<size_t>(slips, 1)
                        : same_tail                        ? 2
                                                           : slips + 1;
    ranked.emplace_back(rank, field.key);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (size_t i = 0; i < 3; ++i) nearest.emplace_back(ranked[i].second);
  return nearest;
}

std::string ValueText(const MachineField& field, const MachineConfig& machine) {
  auto& m = const_cast<MachineConfig&>(machine);  // the accessors serve reading and writing
  if (field.integer != nullptr) return fmt::format("{}", *field.integer(m));
  if (field.wide != nullptr) return fmt::format("{}", *field.wide(m));
  if (field.text != nullptr) return fmt::format("\"{}\"", *field.text(m));
  return fmt::format("\"{}\"", field.names[*field.choice(m)]);
}

}  // namespace flagstone
