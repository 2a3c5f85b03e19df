#include "app/flow/run/run_head.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "app/policy/policies.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {
namespace {

double CpuSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t PeakRssBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// The same for what runs the same, however it was asked for.
uint64_t ConfigHash(const RunOptions& options) {
  Fnv1a hash;
  hash.Add(fmt::format("{}\npolicy={}\nseed={}\ncold={}\n", options.machine.Canonical(),
                       options.policy, options.seed, options.cold_l2));
  if (options.known_data) hash.Add(std::string_view("data=known\n"));
  if (const std::string_view file = FileOfPolicy(options.policy); !file.empty()) {
    hash.Add(std::string_view(ReadFile(std::string(file))));
  }
  return hash.Value();
}

}  // namespace

RunRecord BeginRecord(const RunOptions& options, const std::string& workload, uint64_t input_hash) {
  RunRecord record;
  record.workload = workload;
  record.size = record.asked_size = options.size;
  record.machine = options.machine.name;
  record.policy = options.policy;
  record.warp_scheduler = options.machine.sm.warp_scheduler;
  record.prefetcher = options.machine.sm.prefetcher;
  record.engine = options.functional ? "functional" : ToString(options.engine);
  record.values = ToString(options.values);
  record.seed = options.seed;
  record.config_hash = ConfigHash(options);
  record.input_hash = input_hash;
  record.miss_classes = options.miss_classes;
  return record;
}

HostUse::HostUse() : cpu_start_(CpuSeconds()) {}

void HostUse::Put(const RunOptions& options, RunRecord* record) const {
  RunRecord::Host& host = record->host;
  host.seconds = watch_.Lap();
  host.cpu_seconds = CpuSeconds() - cpu_start_;
  const double kernels =
      static_cast<double>(record->totals.cycles) / (options.machine.clock.core * 1e6);
  host.kernel_and_jit_seconds = kernels + host.jit_seconds;
  host.kernel_and_lookup_seconds = kernels + host.lookup_seconds;
  host.peak_rss_bytes = PeakRssBytes();
}

}  // namespace flagstone
