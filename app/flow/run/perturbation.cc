#include "app/flow/run/perturbation.h"

#include <array>
#include <cstdint>

#include "base/error.h"
#include "kernels/launch/device_memory.h"

namespace flagstone {
namespace {

struct Setting {
  std::string_view name;
  uint32_t* (*latency)(MachineConfig* machine);  // null: none
  int cycles = 0;
  uint64_t bytes = 0;  // that buffers are moved by
};

uint32_t* L1(MachineConfig* machine) { return &machine->sm.l1.hit_latency; }
uint32_t* Network(MachineConfig* machine) { return &machine->interconnect.latency; }
uint32_t* L2(MachineConfig* machine) { return &machine->l2.pipeline_latency; }
uint32_t* Dram(MachineConfig* machine) { return &machine->dram.fixed_latency; }

constexpr std::array<Setting, kPerturbations> kSettings = {{
    {"as it is", nullptr},
    {"L1 latency + 1", L1, 1},
    {"L2 latency + 1", L2, 1},
    {"DRAM latency + 1", Dram, 1},
    {"buffers two lines on", nullptr, 0, DeviceMemory::kAlignment},
    {"network latency + 1", Network, 1},
    {"L1 latency - 1", L1, -1},
    {"L2 latency - 1", L2, -1},
    {"DRAM latency - 1", Dram, -1},
    {"network latency - 1", Network, -1},
}};

}  // namespace

std::string_view PerturbationName(size_t setting) { return kSettings.at(setting).name; }

RunOptions Perturbed(const RunOptions& options, size_t setting) {
  const Setting& change = kSettings.at(setting);
  RunOptions perturbed = options;
  perturbed.perturb = 0;
  perturbed.perturb_up_to = 0;
  perturbed.buffer_offset += change.bytes;
  if (change.latency != nullptr) {
    uint32_t& latency = *change.latency(&perturbed.machine);
    latency += change.cycles < 0 && latency > 1 ? ~uint32_t{0} : change.cycles < 0 ? 2 : 1;
  }
  return perturbed;
}

void RequirePerturbable(const RunOptions& options) {
  if (options.perturb == 0) return;
  const char* const other = !options.wave.file.empty() ? "--wave"
                            : options.detail           ? "--detail"
                            : !options.checkpoint.empty() || !options.resume.empty()
                                ? "--checkpoint"
                            : !options.dumps.empty() ? "--dump-buffer"
                            : options.functional     ? "--functional"
                                                     : nullptr;
  if (other == nullptr) return;
  ThrowBadInput("--perturb makes several runs, and {} is of one: expected one of the two", other);
}

}  // namespace flagstone
