// Where a sweep stands: which results its points are, and which of them are there.
//
// The store holds a folder for each sweep, DIR/sweeps/NAME-HASH/, by the place of its plan:
// `points` is a line of JSON and the name of each point's result, in order; `failed/` has a file
// for each point that failed, by that name. A point is done where the store has its result: nothing
// else says so, and any number of processes on any node may add to it.
#ifndef FLAGSTONE_APP_SWEEP_STATE_H_
#define FLAGSTONE_APP_SWEEP_STATE_H_

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "app/results/result_store.h"
#include "app/sweep/plan.h"

namespace flagstone {

// A result's name in the store, packed: there may be millions.
struct PointName {
  uint64_t high = 0, low = 0;

  bool operator==(const PointName&) const = default;
  // Of 32 hexadecimal digits; nothing for any other text.
  static std::optional<PointName> FromText(std::string_view text);
  std::string ToText() const;
};
struct PointNameHash {
  size_t operator()(const PointName& name) const { return name.low; }
};

struct PointFailure {
  int exit_code = 1;
  std::string message;
  bool died = false;      // its process was killed: it says nothing about the point
  uint32_t attempts = 1;  // so far
};
// Times that a point is tried in all: once, `retries` times more where it failed, and twice more
// where its process was killed.
uint32_t AttemptsOf(const PointFailure& failure, uint32_t retries);

class SweepState {
 public:
  using Say = std::function<void(const std::string& line)>;

  // Finds the name of each point of the plan, from the file `points` where it is this plan's, else
  // anew. `say` gets a line where another plan, or another build's, stood there. What is done is
  // known after Refresh(). The plan and the store must outlive it.
  SweepState(const SweepPlan& plan, const ResultStore& store, const Say& say);

  // Writes `points`, if it has changed. Throws kInternal where the store cannot be written.
  void Save() const;
  // Looks again for results and failures.
  void Refresh();

  size_t size() const { return names_.size(); }
  const PointName& NameOf(size_t index) const { return names_[index]; }
  bool IsDone(size_t index) const { return done_.contains(names_[index]); }
  const PointFailure* FailureOf(size_t index) const;  // null where it has not failed
  const std::filesystem::path& folder() const { return folder_; }
  // Tells this plan, its input and this build from others.
  const std::string& stamp() const { return stamp_; }

  struct Counts {
    uint64_t done = 0, failed = 0, open = 0;
  };
  Counts Count() const;
  // Points that are neither done nor failed for good (AttemptsOf): in order, each result once.
  std::vector<uint64_t> Open(uint32_t retries) const;

  // Of one point, on the disk.
  void PutFailure(size_t index, const PointFailure& failure) const;
  void DropFailure(size_t index) const;

 private:
  void FindNames();
  bool ReadNames(const Say& say);

  const SweepPlan& plan_;
  const ResultStore& store_;
  std::filesystem::path folder_;
  std::string stamp_;  // of all that the names are made from
  std::vector<PointName> names_;
  bool saved_ = false;
  std::unordered_set<PointName, PointNameHash> done_;
  std::unordered_map<PointName, PointFailure, PointNameHash> failed_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_STATE_H_
