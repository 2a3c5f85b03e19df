#include "app/sweep/state.h"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <system_error>
#include <utility>

#include "app/flow/run/result_key.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/numbers.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "flagstone.sweep/1";
constexpr size_t kDigits = 32;

std::string HashOf(std::string_view text) {
  Fnv1a hash;
  hash.Add(text);
  return fmt::format("{:016x}", hash.Value());
}

// The input of each workload, by path and size: read once.
class InputHashes {
 public:
  uint64_t HashOf(const RunOptions& options) {
    const auto [at, is_new] = hashes_.try_emplace({options.workload, options.size});
    if (is_new) {
      at->second = Workload::Load(FindWorkload(options.workload), options.size).input_hash;
    }
    return at->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, uint64_t> hashes_;
};

std::string StampOf(const SweepPlan& plan) {
  std::string text = fmt::format("{}\n{}\n{}\n", plan.text, ResultsId(), RtlDifference());
  for (const MachineConfig& machine : plan.machine_values) text += machine.Canonical();
  InputHashes inputs;
  for (const GridWorkload& workload : plan.workloads) {
    RunOptions options;
    options.workload = workload.workload;
    options.size = workload.size;
    text += fmt::format("{:016x}\n", inputs.HashOf(options));
  }
  return HashOf(text);
}

}  // namespace

std::optional<PointName> PointName::FromText(std::string_view text) {
  PointName name;
  if (text.size() != kDigits) return std::nullopt;
  const char* const middle = text.data() + kDigits / 2;
  const auto high = std::from_chars(text.data(), middle, name.high, 16);
  const auto low = std::from_chars(middle, text.data() + kDigits, name.low, 16);
  if (high.ptr != middle || low.ptr != text.data() + kDigits) return std::nullopt;
  return name;
}

std::string PointName::ToText() const { return fmt::format("{:016x}{:016x}", high, low); }

uint32_t AttemptsOf(const PointFailure& failure, uint32_t retries) {
  constexpr uint32_t kMoreWhereKilled = 2;
  return 1 + retries + (failure.died ? kMoreWhereKilled : 0);
}

SweepState::SweepState(const SweepPlan& plan, const ResultStore& store, const Say& say)
    : plan_(plan),
      store_(store),
      folder_(store.folder() / "sweeps" /
              fmt::format("{}-{}", plan.name, HashOf(plan.file.string()).substr(0, 8))),
      stamp_(StampOf(plan)) {
  saved_ = ReadNames(say);
}

void SweepState::FindNames() {
  InputHashes inputs;
  names_.clear();
  names_.reserve(plan_.points.size());
  for (size_t i = 0; i < plan_.points.size(); ++i) {
    std::string identity;
    try {
      const RunOptions options = plan_.OptionsOf(i);
      identity = ResultIdentity(options, inputs.HashOf(options));
    } catch (const Error& error) {
      // No machine has these values: the point fails when it is run, under a name of its own.
      identity = fmt::format("{}\n{}\n{}", plan_.file.string(), plan_.points[i], error.what());
    }
    names_.push_back(*PointName::FromText(ResultName(identity)));
  }
}

bool SweepState::ReadNames(const Say& say) {
  std::error_code error;
  const fs::path file = folder_ / "points";
  if (!fs::exists(file, error)) {
    FindNames();
    return false;
  }
  const std::string text = ReadFile(file);
  const size_t end = std::min(text.find('\n'), text.size());
  const Json header = Json::parse(text.substr(0, end), nullptr, /*allow_exceptions=*/false);
  std::vector<PointName> names;
  for (size_t at = end + 1; at + kDigits < text.size(); at += kDigits + 1) {
    const auto name = PointName::FromText(text.substr(at, kDigits));
    if (name) names.push_back(*name);
  }
  const bool whole = header.is_object() && header.value("schema", "") == kSchema &&
                     header.value("points", uint64_t{0}) == names.size();
  if (whole && header.value("stamp", "") == stamp_) {
    names_ = std::move(names);
    return true;
  }
  FindNames();
  if (!whole) return false;
  if (header.value("code", "") != ResultsId()) {
    say(fmt::format(
        "another build of flagstone ({}) began this sweep: its results do not count here",
        header.value("version", "unknown")));
    return false;
  }
  const std::unordered_set<PointName, PointNameHash> before(names.begin(), names.end());
  uint64_t stay = 0;
  for (const PointName& name : names_) {
    if (before.contains(name)) ++stay;
  }
  say(
      fmt::format("the plan has changed since this sweep began: {} of its {} points are as before, "
                  "{} are new",
                  Grouped(stay), Grouped(names_.size()), Grouped(names_.size() - stay)));
  return false;
}

void SweepState::Save() const {
  if (saved_) return;
  const Json header = {
      {"schema", kSchema},   {"plan", plan_.file.string()},     {"stamp", stamp_},
      {"code", ResultsId()}, {"version", plan_.common.version}, {"points", names_.size()}};
  std::string text = header.dump() + "\n";
  text.reserve(text.size() + names_.size() * (kDigits + 1));
  for (const PointName& name : names_) text += name.ToText() + "\n";
  WriteDurably(folder_ / "points", text, store_.folder());
}

void SweepState::Refresh() {
  const std::unordered_set<PointName, PointNameHash> ours(names_.begin(), names_.end());
  done_.clear();
  failed_.clear();
  store_.ForEachName([&](std::string_view text) {
    const std::optional<PointName> name = PointName::FromText(text);
    if (name && ours.contains(*name)) done_.insert(*name);
  });
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "failed", error)) {
    const auto name = PointName::FromText(entry.path().filename().string());
    if (!name || !ours.contains(*name)) continue;
    std::string text;
    try {
      text = ReadFile(entry.path());
    } catch (const Error&) {
      continue;  // removed meanwhile: it is done now
    }
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) continue;
    failed_[*name] = {json.value("exit_code", 1), json.value("message", ""),
                      json.value("died", false), json.value("attempts", 1U)};
  }
}

const PointFailure* SweepState::FailureOf(size_t index) const {
  if (IsDone(index)) return nullptr;
  const auto at = failed_.find(names_[index]);
  return at == failed_.end() ? nullptr : &at->second;
}

SweepState::Counts SweepState::Count() const {
  Counts counts;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (IsDone(i)) {
      ++counts.done;
    } else if (FailureOf(i) != nullptr) {
      ++counts.failed;
    } else {
      ++counts.open;
    }
  }
  return counts;
}

std::vector<uint64_t> SweepState::Open(uint32_t retries) const {
  std::vector<uint64_t> open;
  std::unordered_set<PointName, PointNameHash> taken;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (IsDone(i)) continue;
    const PointFailure* failure = FailureOf(i);
    if (failure != nullptr && failure->attempts >= AttemptsOf(*failure, retries)) continue;
    if (taken.insert(names_[i]).second) open.push_back(i);
  }
  return open;
}

void SweepState::PutFailure(size_t index, const PointFailure& failure) const {
  const Json json = {{"exit_code", failure.exit_code},
                     {"message", failure.message},
                     {"died", failure.died},
                     {"attempts", failure.attempts}};
  WriteDurably(folder_ / "failed" / names_[index].ToText(), json.dump() + "\n", store_.folder());
}

void SweepState::DropFailure(size_t index) const {
  std::error_code error;
  fs::remove(folder_ / "failed" / names_[index].ToText(), error);
}

}  // namespace flagstone
