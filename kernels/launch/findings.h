// What the execution of a launch finds that is no fault, and that its user should hear about.
#ifndef FLAGSTONE_KERNELS_LAUNCH_FINDINGS_H_
#define FLAGSTONE_KERNELS_LAUNCH_FINDINGS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagstone {

enum class FindingKind : uint8_t {
  kShuffle,     // a value that the PTX ISA leaves open was read
  kRace,        // on shared memory
  kUnexecuted,  // instructions take their time and compute nothing
  kUnused,      // a buffer that no kernel takes
};
inline std::string_view ToString(FindingKind kind) {
  switch (kind) {
    case FindingKind::kShuffle:
      return "shuffle";
    case FindingKind::kRace:
      return "race";
    case FindingKind::kUnexecuted:
      return "unexecuted";
    case FindingKind::kUnused:
      break;
  }
  return "unused";
}

struct Finding {
  FindingKind kind = FindingKind::kShuffle;
  uint64_t times = 0;
  std::string text;  // of the first time, by TB
};

// Several SMs may add at once: what stands in here at the end does not depend on their order.
class Findings {
 public:
  // Shared memory is watched for races (gpu_model/simt/race_check.h).
  bool wants_races = false;

  // `pc` and `other_pc` are the instructions that it is about; both are the same where there is but
  // one. `text` is called where this is the first finding on the two, or the one in the lowest TB.
  template <class Text>
  void Add(FindingKind kind, uint32_t pc, uint32_t other_pc, uint64_t tb, const Text& text) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = entries_.try_emplace({pc, other_pc, kind});
    Entry& entry = at->second;
    ++entry.finding.times;
    if (!is_new && tb >= entry.tb) return;
    entry.tb = tb;
    entry.finding.kind = kind;
    entry.finding.text = text();
  }

  // In the order of the instructions.
  std::vector<Finding> List() const {
    const std::lock_guard lock(mutex_);
    std::vector<Finding> list;
    for (const auto& [key, entry] : entries_) list.push_back(entry.finding);
    return list;
  }

  // What stands in here, and back: findings of what is done again do not count twice.
  struct Key;
  struct Entry;
  using Entries = std::map<Key, Entry>;
  Entries Save() const;
  void Load(const Entries& entries);

  struct Key {
    uint32_t pc, other_pc;
    FindingKind kind;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    uint64_t tb = 0;
    Finding finding;
  };

 private:
  mutable std::mutex mutex_;
  Entries entries_;
};

inline Findings::Entries Findings::Save() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

inline void Findings::Load(const Entries& entries) {
  const std::lock_guard lock(mutex_);
  entries_ = entries;
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_FINDINGS_H_
