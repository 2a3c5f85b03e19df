#include "app/flow/run/result_key.h"

#include <fmt/format.h>

#include <iterator>

#include "app/policy/policies.h"
#include "app/results/results_id.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {
namespace {

// What stands for the bodies of the blocks: a result is of the engine that computed it.
std::string Bodies(const RunOptions& options) {
  if (options.functional) return "none";
  if (options.engine != Engine::kRtl) return "model";
  const std::string difference = RtlDifference();
  return difference.empty() ? "rtl" : "rtl " + difference;
}

}  // namespace

bool IsStorable(const RunOptions& options) {
  return options.checkpoint.empty() && options.resume.empty() && options.dumps.empty() &&
         options.wave.file.empty() && !options.detail && !options.load_logs &&
         !options.check_races && options.engine != Engine::kLockstep &&
         !options.force_reverse_samples && !options.force_every_tick;
}

std::string ResultIdentity(const RunOptions& options, uint64_t input_hash) {
  std::string text = fmt::format(
      "code {}\nbodies {}\nworkload {:016x} {}\nvalues {}\nno check {}\nfunctional {}\n"
      "machine {}\n{}policy {}\ncold L2 {}\nseed {}\n"
      "known data {}\nL1 fills {}\nmiss classes {}\nlimits {} {}\n",
      ResultsId(), Bodies(options), input_hash, options.size, ToString(options.values),
      options.skip_checks, options.functional, options.machine.name, options.machine.Canonical(),
      options.policy, options.cold_l2, options.seed, options.known_data, options.l1_fills,
      options.miss_classes, options.max_cycles, options.max_instructions);
  if (options.buffer_offset != 0) {
    fmt::format_to(std::back_inserter(text), "buffers {} on\n", options.buffer_offset);
  }
  if (options.sample_percent != 0) {
    fmt::format_to(std::back_inserter(text), "sampled to {} %\n", options.sample_percent);
  }
  if (options.perturb != 0) {
    fmt::format_to(std::back_inserter(text), "perturbed {} up to {}\n", options.perturb,
                   options.perturb_up_to);
  }
  // The bytes are in `input_hash`; which input they are for is not, nor how a graph is read.
  for (const auto& [name, file] : options.files) {
    fmt::format_to(std::back_inserter(text), "input {} {}\n", name, file.extension().string());
  }
  if (const std::string_view file = FileOfPolicy(options.policy); !file.empty()) {
    Fnv1a128 hash;
    hash.Add(ReadFile(std::string(file)));
    fmt::format_to(std::back_inserter(text), "placement {:016x}{:016x}\n", hash.High(), hash.Low());
  }
  return text;
}

std::string ResultName(std::string_view identity) {
  Fnv1a128 hash;
  hash.Add(identity);
  return fmt::format("{:016x}{:016x}", hash.High(), hash.Low());
}

}  // namespace flagstone
