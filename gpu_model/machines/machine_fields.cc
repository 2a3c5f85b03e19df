#include "gpu_model/machines/machine_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {
namespace {

constexpr MachineField Integer(std::string_view key, uint32_t* (*get)(MachineConfig&), uint64_t min,
                               uint64_t max) {
  return {key, get, nullptr, nullptr, nullptr, min, max};
}
constexpr MachineField Wide(std::string_view key, uint64_t* (*get)(MachineConfig&), uint64_t min,
                            uint64_t max) {
  return {key, nullptr, get, nullptr, nullptr, min, max};
}
constexpr MachineField Text(std::string_view key, std::string* (*get)(MachineConfig&)) {
  return {key, nullptr, nullptr, get, nullptr, 0, 0};
}
constexpr MachineField Choice(std::string_view key, std::span<const std::string_view> names,
                              uint8_t* (*get)(MachineConfig&)) {
  return {key, nullptr, nullptr, nullptr, get, 0, 0, names};
}
// An enumeration over uint8_t may be read and written as one.
template <class Enum>
uint8_t* Raw(Enum& value) {
  static_assert(std::is_same_v<std::underlying_type_t<Enum>, uint8_t>);
  return reinterpret_cast<uint8_t*>(&value);
}

constexpr MachineField kFields[] = {
    Text("name", [](MachineConfig& m) { return &m.name; }),
    Text("description", [](MachineConfig& m) { return &m.description; }),
    Integer(
        "launch_latency", [](MachineConfig& m) { return &m.launch_latency; }, 0, 1000000),
    Integer(
        "tb_queue_latency", [](MachineConfig& m) { return &m.tb_queue_latency; }, 0, 1000000),
    Wide(
        "no_progress_cycles", [](MachineConfig& m) { return &m.no_progress_cycles; }, 1,
        1'000'000'000'000),
    Integer(
        "sm.count", [](MachineConfig& m) { return &m.sm.count; }, 1, kMaxSms),
    Integer(
        "sm.max_tbs", [](MachineConfig& m) { return &m.sm.max_tbs; }, 1, 64),
    Integer(
        "sm.max_warps", [](MachineConfig& m) { return &m.sm.max_warps; }, 1, 64),
    Integer(
        "sm.max_threads", [](MachineConfig& m) { return &m.sm.max_threads; }, 32, 2048),
    Integer(
        "sm.registers", [](MachineConfig& m) { return &m.sm.registers; }, 32, 1 << 24),
    Integer(
        "sm.register_granularity", [](MachineConfig& m) { return &m.sm.register_granularity; }, 1,
        4096),
    Integer(
        "sm.shared_kib", [](MachineConfig& m) { return &m.sm.shared_kib; }, 0, 1024),
    Integer(
        "sm.schedulers", [](MachineConfig& m) { return &m.sm.schedulers; }, 1, 4),
    Integer(
        "sm.issue_width", [](MachineConfig& m) { return &m.sm.issue_width; }, 1, 2),
    Text("sm.warp_scheduler", [](MachineConfig& m) { return &m.sm.warp_scheduler; }),
    Integer(
        "sm.scheduling.two_level_ready",
        [](MachineConfig& m) { return &m.sm.scheduling.two_level_ready; }, 1, 64),
    Integer(
        "sm.scheduling.orch_groups", [](MachineConfig& m) { return &m.sm.scheduling.orch_groups; },
        1, 16),
    Integer(
        "sm.scheduling.swl_warps", [](MachineConfig& m) { return &m.sm.scheduling.swl_warps; }, 1,
        64),
    Integer(
        "sm.scheduling.priority_warps",
        [](MachineConfig& m) { return &m.sm.scheduling.priority_warps; }, 1, 64),
    Integer(
        "sm.scheduling.ccws_base_score",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_base_score; }, 1, 100000),
    Integer(
        "sm.scheduling.ccws_throttle",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_throttle; }, 1, 100000),
    Integer(
        "sm.scheduling.ccws_victim_tags",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_victim_tags; }, 1, 1024),
    Integer(
        "sm.scheduling.ccws_victim_ways",
        [](MachineConfig& m) { return &m.sm.scheduling.ccws_victim_ways; }, 1, 1024),
    Text("sm.prefetcher", [](MachineConfig& m) { return &m.sm.prefetcher; }),
    Integer(
        "sm.prefetching.mshr_reserve",
        [](MachineConfig& m) { return &m.sm.prefetching.mshr_reserve; }, 0, 32767),
    Integer(
        "sm.prefetching.caps_threshold",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_threshold; }, 0, 254),
    Integer(
        "sm.prefetching.caps_refresh_base",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_refresh_base; }, 0, 1),
    Integer(
        "sm.prefetching.caps_case_a_paced",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_case_a_paced; }, 0, 1),
    Integer(
        "sm.prefetching.caps_trailing_only",
        [](MachineConfig& m) { return &m.sm.prefetching.caps_trailing_only; }, 0, 1),
    Integer(
        "sm.int_add.latency", [](MachineConfig& m) { return &m.sm.int_add.latency; }, 1, 1000),
    Integer(
        "sm.int_add.interval", [](MachineConfig& m) { return &m.sm.int_add.interval; }, 1, 1000),
    Integer(
        "sm.int_mul.latency", [](MachineConfig& m) { return &m.sm.int_mul.latency; }, 1, 1000),
    Integer(
        "sm.int_mul.interval", [](MachineConfig& m) { return &m.sm.int_mul.interval; }, 1, 1000),
    Integer(
        "sm.int_div.latency", [](MachineConfig& m) { return &m.sm.int_div.latency; }, 1, 1000),
    Integer(
        "sm.int_div.interval", [](MachineConfig& m) { return &m.sm.int_div.interval; }, 1, 1000),
    Integer(
        "sm.f32.latency", [](MachineConfig& m) { return &m.sm.f32.latency; }, 1, 1000),
    Integer(
        "sm.f32.interval", [](MachineConfig& m) { return &m.sm.f32.interval; }, 1, 1000),
    Integer(
        "sm.f32_div.latency", [](MachineConfig& m) { return &m.sm.f32_div.latency; }, 1, 1000),
    Integer(
        "sm.f32_div.interval", [](MachineConfig& m) { return &m.sm.f32_div.interval; }, 1, 1000),
    Integer(
        "sm.f64.latency", [](MachineConfig& m) { return &m.sm.f64.latency; }, 1, 1000),
    Integer(
        "sm.f64.interval", [](MachineConfig& m) { return &m.sm.f64.interval; }, 1, 1000),
    Integer(
        "sm.f64_div.latency", [](MachineConfig& m) { return &m.sm.f64_div.latency; }, 1, 1000),
    Integer(
        "sm.f64_div.interval", [](MachineConfig& m) { return &m.sm.f64_div.interval; }, 1, 1000),
    Integer(
        "sm.sfu.latency", [](MachineConfig& m) { return &m.sm.sfu.latency; }, 1, 1000),
    Integer(
        "sm.sfu.interval", [](MachineConfig& m) { return &m.sm.sfu.interval; }, 1, 1000),
    Integer(
        "sm.control.latency", [](MachineConfig& m) { return &m.sm.control.latency; }, 1, 1000),
    Integer(
        "sm.control.interval", [](MachineConfig& m) { return &m.sm.control.interval; }, 1, 1000),
    Integer(
        "sm.lsu_queue", [](MachineConfig& m) { return &m.sm.lsu_queue; }, 1, 256),
    Integer(
        "sm.request_sectors", [](MachineConfig& m) { return &m.sm.request_sectors; }, 1, 4),
    Integer(
        "sm.shared_latency", [](MachineConfig& m) { return &m.sm.shared_latency; }, 1, 1000),
    Integer(
        "sm.const_latency", [](MachineConfig& m) { return &m.sm.const_latency; }, 1, 1000),
    Integer(
        "sm.texture_latency", [](MachineConfig& m) { return &m.sm.texture_latency; }, 1, 1000),
    Integer(
        "sm.instruction_bytes", [](MachineConfig& m) { return &m.sm.instruction_bytes; }, 1, 128),
    Integer(
        "sm.const_cache.size_kib", [](MachineConfig& m) { return &m.sm.const_cache.size_kib; }, 0,
        1024),
    Integer(
        "sm.const_cache.ways", [](MachineConfig& m) { return &m.sm.const_cache.ways; }, 1, 1024),
    Integer(
        "sm.const_cache.mshrs", [](MachineConfig& m) { return &m.sm.const_cache.mshrs; }, 1, 1024),
    Integer(
        "sm.texture_cache.size_kib", [](MachineConfig& m) { return &m.sm.texture_cache.size_kib; },
        0, 1024),
    Integer(
        "sm.texture_cache.ways", [](MachineConfig& m) { return &m.sm.texture_cache.ways; }, 1,
        1024),
    Integer(
        "sm.texture_cache.mshrs", [](MachineConfig& m) { return &m.sm.texture_cache.mshrs; }, 1,
        1024),
    Integer(
        "sm.instruction_cache.size_kib",
        [](MachineConfig& m) { return &m.sm.instruction_cache.size_kib; }, 0, 1024),
    Integer(
        "sm.instruction_cache.ways", [](MachineConfig& m) { return &m.sm.instruction_cache.ways; },
        1, 1024),
    Integer(
        "sm.instruction_cache.mshrs",
        [](MachineConfig& m) { return &m.sm.instruction_cache.mshrs; }, 1, 1024),
    Integer(
        "sm.l1.size_kib", [](MachineConfig& m) { return &m.sm.l1.size_kib; }, 1, 65536),
    Integer(
        "sm.l1.line_bytes", [](MachineConfig& m) { return &m.sm.l1.line_bytes; }, 128, 128),
    Integer(
        "sm.l1.sector_bytes", [](MachineConfig& m) { return &m.sm.l1.sector_bytes; }, 32, 128),
    Integer(
        "sm.l1.ways", [](MachineConfig& m) { return &m.sm.l1.ways; }, 1, 1024),
    Integer(
        "sm.l1.mshrs", [](MachineConfig& m) { return &m.sm.l1.mshrs; }, 1, 32768),
    Integer(
        "sm.l1.mshr_merges", [](MachineConfig& m) { return &m.sm.l1.mshr_merges; }, 1, 1024),
    Integer(
        "sm.l1.miss_queue", [](MachineConfig& m) { return &m.sm.l1.miss_queue; }, 2, 1024),
    Integer(
        "sm.l1.hit_latency", [](MachineConfig& m) { return &m.sm.l1.hit_latency; }, 1, 1000),
    Choice("sm.l1.set_hash", kSetHashes, [](MachineConfig& m) { return Raw(m.sm.l1.set_hash); }),
    Choice("sm.l1.write_policy", kWritePolicies,
           [](MachineConfig& m) { return Raw(m.sm.l1.write_policy); }),
    Choice("sm.l1.global", kL1Globals, [](MachineConfig& m) { return Raw(m.sm.l1.global); }),
    Integer(
        "sm.l1.sectors_per_cycle", [](MachineConfig& m) { return &m.sm.l1.sectors_per_cycle; }, 1,
        4),
    Integer(
        "interconnect.latency", [](MachineConfig& m) { return &m.interconnect.latency; }, 2, 10000),
    Integer(
        "interconnect.flit_bytes", [](MachineConfig& m) { return &m.interconnect.flit_bytes; }, 1,
        1024),
    Integer(
        "interconnect.sms_per_port", [](MachineConfig& m) { return &m.interconnect.sms_per_port; },
        1, 128),
    Integer(
        "interconnect.source_queue", [](MachineConfig& m) { return &m.interconnect.source_queue; },
        1, 4096),
    Integer(
        "interconnect.destination_queue",
        [](MachineConfig& m) { return &m.interconnect.destination_queue; }, 1, 4096),
    Integer(
        "l2.slices", [](MachineConfig& m) { return &m.l2.slices; }, 1, 128),
    Integer(
        "l2.pipeline_latency", [](MachineConfig& m) { return &m.l2.pipeline_latency; }, 1, 10000),
    Integer(
        "l2.atomic_interval", [](MachineConfig& m) { return &m.l2.atomic_interval; }, 0, 1000),
    Integer(
        "l2.input_queue", [](MachineConfig& m) { return &m.l2.input_queue; }, 1, 4096),
    Integer(
        "l2.reply_sectors", [](MachineConfig& m) { return &m.l2.reply_sectors; }, 1, 4),
    Choice("l2.write_reply", kWriteReplies, [](MachineConfig& m) { return Raw(m.l2.write_reply); }),
    Integer(
        "l2.size_kib", [](MachineConfig& m) { return &m.l2.cache.size_kib; }, 1, 65536),
    Integer(
        "l2.line_bytes", [](MachineConfig& m) { return &m.l2.cache.line_bytes; }, 128, 128),
    Integer(
        "l2.sector_bytes", [](MachineConfig& m) { return &m.l2.cache.sector_bytes; }, 32, 32),
    Integer(
        "l2.ways", [](MachineConfig& m) { return &m.l2.cache.ways; }, 1, 1024),
    Integer(
        "l2.mshrs", [](MachineConfig& m) { return &m.l2.cache.mshrs; }, 1, 32768),
    Integer(
        "l2.mshr_merges", [](MachineConfig& m) { return &m.l2.cache.mshr_merges; }, 1, 1024),
    Integer(
        "l2.miss_queue", [](MachineConfig& m) { return &m.l2.cache.miss_queue; }, 2, 1024),
    Choice("dram.model", kDramModels, [](MachineConfig& m) { return Raw(m.dram.model); }),
    Integer(
        "dram.channels", [](MachineConfig& m) { return &m.dram.channels; }, 1, 128),
    Integer(
        "dram.banks", [](MachineConfig& m) { return &m.dram.banks; }, 1, 32),
    Integer(
        "dram.bank_groups", [](MachineConfig& m) { return &m.dram.bank_groups; }, 1, 32),
    Integer(
        "dram.row_bytes", [](MachineConfig& m) { return &m.dram.row_bytes; }, 256, 65536),
    Integer(
        "dram.bus_bytes", [](MachineConfig& m) { return &m.dram.bus_bytes; }, 1, 1024),
    Integer(
        "dram.queue", [](MachineConfig& m) { return &m.dram.queue; }, 1, 1024),
    Integer(
        "dram.write_queue", [](MachineConfig& m) { return &m.dram.write_queue; }, 0, 4096),
    Integer(
        "dram.write_high", [](MachineConfig& m) { return &m.dram.write_high; }, 0, 4096),
    Integer(
        "dram.write_low", [](MachineConfig& m) { return &m.dram.write_low; }, 0, 4096),
    Integer(
        "dram.fixed_latency", [](MachineConfig& m) { return &m.dram.fixed_latency; }, 0, 10000),
    Integer(
        "dram.t_cl", [](MachineConfig& m) { return &m.dram.t_cl; }, 1, 1000),
    Integer(
        "dram.t_rcd", [](MachineConfig& m) { return &m.dram.t_rcd; }, 1, 1000),
    Integer(
        "dram.t_rp", [](MachineConfig& m) { return &m.dram.t_rp; }, 1, 1000),
    Integer(
        "dram.t_ras", [](MachineConfig& m) { return &m.dram.t_ras; }, 1, 1000),
    Integer(
        "dram.t_rc", [](MachineConfig& m) { return &m.dram.t_rc; }, 1, 1000),
    Integer(
        "dram.t_ccd", [](MachineConfig& m) { return &m.dram.t_ccd; }, 1, 1000),
    Integer(
        "dram.t_ccdl", [](MachineConfig& m) { return &m.dram.t_ccdl; }, 1, 1000),
    Integer(
        "dram.t_rrd", [](MachineConfig& m) { return &m.dram.t_rrd; }, 1, 1000),
    Integer(
        "dram.t_wr", [](MachineConfig& m) { return &m.dram.t_wr; }, 1, 1000),
    Integer(
        "dram.t_wl", [](MachineConfig& m) { return &m.dram.t_wl; }, 1, 1000),
    Integer(
        "dram.t_cdlr", [](MachineConfig& m) { return &m.dram.t_cdlr; }, 1, 1000),
    Integer(
        "dram.t_rtpl", [](MachineConfig& m) { return &m.dram.t_rtpl; }, 1, 1000),
    Integer(
        "clock.core", [](MachineConfig& m) { return &m.clock.core; }, 1, 10000),
    Integer(
        "clock.interconnect", [](MachineConfig& m) { return &m.clock.interconnect; }, 1, 10000),
    Integer(
        "clock.l2", [](MachineConfig& m) { return &m.clock.l2; }, 1, 10000),
    Integer(
        "clock.dram", [](MachineConfig& m) { return &m.clock.dram; }, 1, 10000),
};

// Levenshtein distance.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const MachineField> MachineFields() { return kFields; }

const MachineField* FindMachineField(std::string_view key) {
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const MachineField& field) { return field.key == key; });
  return found == std::end(kFields) ? nullptr : found;
}

std::vector<std::string> NearestKeys(std::string_view key) {
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const MachineField& field : kFields) {
    // A last part that is right in the wrong table is as near as a slip of the pen.
    const bool same_tail =
        field.key.substr(field.key.rfind('.') + 1) == key.substr(key.rfind('.') + 1);
    ranked.emplace_back(same_tail ? 1 : EditDistance(key, field.key), field.key);
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
