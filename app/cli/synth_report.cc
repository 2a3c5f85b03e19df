#include "app/cli/synth_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/synth_tables.h"
#include "app/cli/table.h"
#include "app/cli/version.h"
#include "app/flow/run/run.h"
#include "base/error.h"
#include "gpu_model/machines/machine.h"
#include "synth/replay.h"
#include "synth/stimulus.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

constexpr double kPaperSmUm2 = 22e6;  // CAPS, section VI: an SM of 22 mm2
constexpr uint64_t kControlBits = 3;  // of an SM's TB queue: a group held, an id valid, a fetch

// A kernel whose co-simulation shows a block at work.
struct ShownKernel {
  const char* workload;
  const char* machine;
  const char* policy;
  const char* prefetcher;  // of `machine`, as the next
  const char* warp_scheduler;
  uint64_t to;        // last cycle of the wave
  const char* scope;  // the block in the machine
};
constexpr ShownKernel kSyrk = {"syrk", "fermi", "rb", "", "", 3000, "gpu.tb_scheduler"};
constexpr ShownKernel kLaplace = {"laplace3d", "caps_fermi",        "lrr", "caps", "pas",
                                  6000,        "gpu.sm0.prefetcher"};

void RecordWave(const ShownKernel& kernel, const std::string& file) {
  RunOptions options;
  options.workload = kernel.workload;
  options.machine = MachineConfig::Load(kernel.machine, {});
  options.policy = kernel.policy;
  ChooseBlocks(kernel.warp_scheduler, kernel.prefetcher, &options.machine);
  options.version = Version();
  options.wave = {file, 0, kernel.to, {kernel.scope}};
  if (!RunWorkload(options).ChecksPassed()) {
    ThrowRunFailed("{}: wrong results: its wave is not used", kernel.workload);
  }
}

class PaperTable {
 public:
  PaperTable() {
    table_.AddColumn("", Table::Align::kLeft);
    table_.AddColumn("paper", Table::Align::kRight);
    table_.AddColumn("here", Table::Align::kRight);
    table_.AddColumn("how", Table::Align::kLeft);
  }

  void Queue(const SynthResult& result) {
    const uint64_t bytes = (result.flip_flops - kControlBits) / 8;
    Row("PAVER: state of an SM, B", "18", fmt::format("{}", bytes),
        fmt::format("flip-flops, and {} control bits", kControlBits));
    for (const auto& [sms, paper] : {std::pair{15, "270"}, {28, "504"}, {80, "1,440"}}) {
      Row(fmt::format("PAVER: of {} SMs, B", sms), paper,
          Grouped(bytes * static_cast<uint64_t>(sms)), "the same, times the SMs");
    }
    Row("PAVER: an SM, um2", "-", WholeText(result.area_um2), "paver_tb_queue, flip-flops");
  }

  void Stealer(const SynthResult& result) {
    if (!stealer_seen_) {
      Row("stealer: adders, comparators, dividers", "3, 1, 1", "-", "all in the areas below");
      stealer_seen_ = true;
    }
    Row(fmt::format("stealer, {}: um2", ParameterText(result.block)), "-",
        WholeText(result.area_um2),
        fmt::format("{} flip-flops, {:.0f} of {:.0f} MHz", result.flip_flops, result.fmax_mhz,
                    result.block.clock_mhz));
  }

  void Energies(const std::string& block, const SynthResult& result, const WaveEnergy& measured,
                const char* operation, const char* paper, const std::string& storage) {
    Row(fmt::format("{}: {}, pJ", block, operation), paper,
        fmt::format("{:.2f}", measured.per_operation_pj()),
        fmt::format("{}{}, clock left out", storage, measured.kernel));
    Row(fmt::format("{}: a cycle, pJ", block), "-", fmt::format("{:.2f}", measured.per_cycle_pj()),
        fmt::format("{}{}, {:.2f} of it clock", storage, measured.kernel,
                    measured.clock_per_cycle_pj()));
    if (const auto energy = result.default_energy_pj()) {
      Row(fmt::format("{}: a cycle, pJ", block), "-", fmt::format("{:.2f}", *energy),
          storage + "OpenSTA, 10 % of nets change");
    }
  }

  void Paver(const SynthResult& result, const WaveEnergy& measured) {
    Row("PAVER, 15 SMs: um2", "-", WholeText(result.area_um2),
        fmt::format("flip-flops, {:.0f} of {:.0f} MHz", result.fmax_mhz, result.block.clock_mhz));
    Row("PAVER, 15 SMs: static, uW", "-", WholeText(result.leakage_uw), "leakage at 25 C");
    Energies("PAVER, 15 SMs", result, measured, "a TB issued", "-", "");
  }

  void Caps(const SynthResult& result, const WaveEnergy& measured) {
    const uint32_t style = result.block.parameters.back().value;
    const char* storage = style == 0 ? "flip-flops" : style == 1 ? "latches" : "RAM";
    const bool as_paper = style == 2;  // the paper's tables are CACTI's RAMs
    Row("CAPS: an SM, mm2", as_paper ? "0.018" : "-", fmt::format("{:.4f}", result.area_um2 / 1e6),
        fmt::format("{}, {:.0f} of {:.0f} MHz", storage, result.fmax_mhz, result.block.clock_mhz));
    Row("CAPS: of an SM of 22 mm2, %", as_paper ? "0.08" : "-",
        fmt::format("{:.3f}", 100 * result.area_um2 / kPaperSmUm2), storage);
    Row("CAPS: static, uW", as_paper ? "550" : "-", WholeText(result.leakage_uw),
        fmt::format("{}, leakage at 25 C", storage));
    Energies("CAPS", result, measured, "an access", as_paper ? "15.07" : "-",
             fmt::format("{}, ", storage));
  }

  std::string Text() const { return table_.ToString(); }

 private:
  void Row(const std::string& what, const std::string& paper, const std::string& here,
           const std::string& how) {
    table_.AddRow({what, paper, here, how});
  }

  Table table_;
  bool stealer_seen_ = false;
};

}  // namespace

WaveEnergy MeasureWave(const std::string& wave, const CellLibrary& library, double wire_ff,
                       SynthResult* result) {
  const MappedBlock mapped = ReadMapped(result->block, library, result->folder);
  const ScratchFolder scratch;
  const Replay replay =
      ReplayNetlist(result->block, mapped, library, ReadWave(wave, mapped.netlist),
                    /*count_changes=*/true, scratch.path());
  if (replay.differences != 0) {
    ThrowRunFailed("gate level: {} differs from its RTL in {} of {} bits, first in {}",
                   result->block.name, replay.differences, replay.compared, replay.first);
  }
  WaveEnergy measured{MeasureEnergy(mapped, library, replay, wire_ff), replay.compared, ""};
  if (measured.energy.operations != 0) {
    result->energy_pj =
        measured.energy.total_pj() / static_cast<double>(measured.energy.operations);
  }
  return measured;
}

std::vector<SynthBlock> ReportBlocks() {
  std::vector<SynthBlock> blocks = SelectSynthBlocks(
      {"paver_tb_queue", "paver_task_stealer", "paver_tb_scheduler", "caps_prefetcher"});
  std::erase_if(blocks, [](const SynthBlock& block) {
    const bool published = std::none_of(
        block.parameters.begin(), block.parameters.end(),
        [](const SynthParameter& parameter) { return parameter.name == "Confidence"; });  // caps+
    return !published ||
           (block.name == "paver_tb_scheduler" && block.parameters.front().value != 15);
  });
  return blocks;
}

std::map<size_t, WaveEnergy> MeasureReport(const CellLibrary& library, double wire_ff,
                                           std::vector<SynthResult>* results,
                                           const std::function<void(std::string_view)>& progress) {
  const ScratchFolder scratch;
  std::map<std::string, std::string> waves;  // by workload
  std::map<size_t, WaveEnergy> energies;
  for (size_t i = 0; i < results->size(); ++i) {
    SynthResult& result = (*results)[i];
    if (result.block.operation.empty()) continue;
    const ShownKernel& kernel = result.block.name == "caps_prefetcher" ? kLaplace : kSyrk;
    std::string& wave = waves[kernel.workload];
    if (wave.empty()) {
      progress(kernel.workload);
      wave = (scratch.path() / kernel.workload).string() + ".fst";
      RecordWave(kernel, wave);
    }
    progress(result.block.name);
    energies[i] = MeasureWave(wave, library, wire_ff, &result);
    energies[i].kernel = kernel.workload;
  }
  return energies;
}

std::string ReportText(const std::vector<SynthResult>& results,
                       const std::map<size_t, WaveEnergy>& energies) {
  PaperTable report;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string_view name = results[i].block.name;
    if (name == "paver_tb_queue") report.Queue(results[i]);
    if (name == "paver_task_stealer") report.Stealer(results[i]);
    if (name == "paver_tb_scheduler") report.Paver(results[i], energies.at(i));
    if (name == "caps_prefetcher") report.Caps(results[i], energies.at(i));
  }
  return report.Text();
}

}  // namespace flagstone
