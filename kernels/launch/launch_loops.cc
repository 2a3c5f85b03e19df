// Which launches repeat together, from the keys `loop`, `repeat` and `until_zero`.
#include <algorithm>

#include "base/toml_reader.h"
#include "kernels/launch/fail_at.h"
#include "kernels/launch/launch_check.h"

namespace flagstone {
namespace {

// Enough for any graph's levels; a flag that never falls to 0 shows in a reasonable time.
constexpr uint32_t kMostRounds = 10'000;

// The flag must be an integer that exists.
uint64_t FlagBytes(const Workload& workload, const LaunchSpec& launch) {
  const BufferSpec* flag = workload.FindBuffer(launch.until_zero);
  if (flag == nullptr) {
    std::vector<std::string_view> names;
    for (const BufferSpec& buffer : workload.buffers) names.push_back(buffer.name);
    FailAt(workload, launch.location, "until_zero names the unknown buffer {}: expected one of {}",
           Quoted(launch.until_zero), CommaSeparated(names));
  }
  const bool is_float = flag->type == ElementType::kF32 || flag->type == ElementType::kF64;
  if (is_float || flag->count == 0) {
    FailAt(workload, launch.location,
           "until_zero names buffer '{}' of {} {}: expected integers, at least one", flag->name,
           flag->count, ToString(flag->type));
  }
  return SizeInBytes(flag->type);
}

}  // namespace

std::vector<LaunchLoop> FindLoops(const Workload& workload) {
  const std::vector<LaunchSpec>& launches = workload.launches;
  std::vector<LaunchLoop> loops;
  for (size_t first = 0; first < launches.size(); first += loops.back().count) {
    const std::string& name = launches[first].loop;
    size_t end = first + 1;
    while (!name.empty() && end < launches.size() && launches[end].loop == name) ++end;
    const auto again = std::find_if(
        launches.begin() + static_cast<std::ptrdiff_t>(end), launches.end(),
        [&](const LaunchSpec& launch) { return !name.empty() && launch.loop == name; });
    if (again != launches.end()) {
      FailAt(workload, again->location,
             "loop {} goes on after other launches: expected its launches together", Quoted(name));
    }
    for (size_t i = first; i + 1 < end; ++i) {
      if (!launches[i].repeat && launches[i].until_zero.empty()) continue;
      FailAt(workload, launches[i].location,
             "key '{}' in a launch of loop {} that is not its last: expected it in the last",
             launches[i].repeat ? "repeat" : "until_zero", Quoted(name));
    }
    const LaunchSpec& last = launches[end - 1];
    if (!name.empty() && !last.repeat && last.until_zero.empty()) {
      FailAt(workload, last.location,
             "loop {} has no end: expected 'repeat' or 'until_zero' in its last launch",
             Quoted(name));
    }
    LaunchLoop loop;
    loop.first = first;
    loop.count = end - first;
    loop.until_zero = last.until_zero;
    loop.repeat = last.repeat.value_or(last.until_zero.empty() ? 1 : kMostRounds);
    if (!last.until_zero.empty()) loop.flag_bytes = FlagBytes(workload, last);
    loop.where =
        fmt::format("{}:{}:{}", workload.path.string(), last.location.line, last.location.column);
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace flagstone
