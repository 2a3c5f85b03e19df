// `flagstone store`: what the store of results holds, whether it is whole, and less of it.
#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <system_error>

#include "app/cli/options.h"
#include "app/cli/store_options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "app/flow/run/analysis_store.h"
#include "app/results/columns.h"
#include "app/results/results_id.h"
#include "base/cache_files.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/paths.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

struct StoreVerb {
  std::string action = "list";
  StoreOptions store;
  JsonOption json;
  uint32_t days = 0;  // 0: results of any age stay
  bool all = false;
  uint64_t built_mb = 1000;
};

uint64_t SizeOf(const fs::path& file) {
  std::error_code error;
  const uint64_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

int List(const ResultStore& store, const JsonOption& json) {
  constexpr const char* kShownKeys[] = {"workload",       "size",       "machine", "policy",
                                        "warp_scheduler", "prefetcher", "engine",  "cycles"};
  Table table;
  for (const char* name : kShownKeys) {
    const Column column = *FindColumn(name);
    table.AddColumn(column.heading, column.IsNumber() ? Table::Align::kRight : Table::Align::kLeft);
  }
  table.AddColumn("seconds", Table::Align::kRight);
  table.AddColumn("result", Table::Align::kLeft);
  Json results = Json::array();
  uint64_t bytes = 0, others = 0;
  for (const std::string& name : store.Names()) {
    const std::optional<StoredResult> result = store.Get(name);
    if (!result) continue;
    bytes += SizeOf(store.PathOf(name));
    const bool counts = result->code == ResultsId();
    if (!counts) ++others;
    Json item = {{"name", name},
                 {"code", result->code},
                 {"version", result->version},
                 {"this_build", counts}};
    std::vector<std::string> cells;
    for (const char* key : kShownKeys) {
      const Column column = *FindColumn(key);
      item[key] = column.Of(result->record);
      cells.push_back(column.Cell(item[key]));
    }
    item["seconds"] = result->record["host"]["seconds"];
    cells.push_back(fmt::format("{:.2f}", item["seconds"].get<double>()));
    cells.push_back(name.substr(0, 12) + (counts ? "" : " (another build)"));
    table.AddRow(std::move(cells));
    results.push_back(std::move(item));
  }
  if (json.wanted) {
    json.Write({{"schema", "flagstone.store/1"},
                {"folder", store.folder().string()},
                {"results", results}});
  }
  if (json.OnStdout()) return 0;
  if (table.rows() != 0) fmt::print("{}", table.ToString());
  fmt::print("{} result{}, {} kB, in {}{}\n", Grouped(results.size()),
             results.size() == 1 ? "" : "s", Grouped(bytes / 1000), store.folder().string(),
             others == 0 ? "" : fmt::format("; {} are another build's", Grouped(others)));
  return 0;
}

// `what`: "results" or "analyses". Whether all are whole.
bool VerifyStore(const ResultStore& store, const char* what) {
  uint64_t whole = 0, damaged = 0, closed = 0;
  for (const std::string& name : store.Names()) {
    if (store.IsClosed(name)) {
      ++closed;
      fmt::print("{}: this user cannot read it: left as it is\n", store.PathOf(name).string());
      continue;
    }
    const std::string problem = store.Problem(name);
    if (problem.empty()) {
      ++whole;
      continue;
    }
    ++damaged;
    fmt::print("{}: {}: set aside as {}\n", store.PathOf(name).string(), problem,
               store.SetAside(name));
  }
  fmt::print("{} {} are whole, {} are damaged{}\n", Grouped(whole), what, Grouped(damaged),
             closed == 0 ? "" : fmt::format(", {} cannot be read", Grouped(closed)));
  return damaged + closed == 0;
}

int Verify(const ResultStore& store) {
  const bool results = VerifyStore(store, "results");
  const bool analyses = VerifyStore(AnalysisStore::Beside(store), "analyses");
  return results && analyses ? 0 : kExitFailed;
}

// Why a result goes; false where it stays.
bool Goes(const ResultStore& store, const std::string& name, const StoreVerb& verb) {
  if (verb.all) return true;
  std::error_code error;
  const auto written = fs::last_write_time(store.PathOf(name), error);
  const auto age = fs::file_time_type::clock::now() - written;
  if (verb.days != 0 && !error && age > std::chrono::hours(24) * verb.days) return true;
  const std::optional<StoredResult> result = store.Get(name);
  return result && result->code != ResultsId();
}

// What was built on first use: of hardware blocks, and by synthesis. Those used last stay, up to
// the bound, and none that was not used for the days that --days gives.
void PruneBuilt(const StoreVerb& verb) {
  const fs::path cache = CacheFolder();
  const auto now = fs::file_time_type::clock::now();
  uint64_t kept = 0, kept_bytes = 0, removed = 0, bytes = 0;
  for (const CacheEntry& entry : CacheEntries(cache)) {
    const bool old = verb.days != 0 && now - entry.used > std::chrono::hours(24) * verb.days;
    if (!verb.all && !old && kept_bytes + entry.bytes <= verb.built_mb * 1'000'000) {
      ++kept;
      kept_bytes += entry.bytes;
      continue;
    }
    RemoveCacheEntry(entry);
    ++removed;
    bytes += entry.bytes;
  }
  fmt::print("removed {} built on first use ({} kB) in {}; {} are left ({} kB)\n", Grouped(removed),
             Grouped(bytes / 1000), cache.string(), Grouped(kept), Grouped(kept_bytes / 1000));
}

// `what`: "results" or "analyses".
void PruneStore(const ResultStore& store, const char* what, const StoreVerb& verb) {
  uint64_t removed = 0, bytes = 0, kept = 0;
  std::error_code error;
  for (const std::string& name : store.Names()) {
    const uint64_t size = SizeOf(store.PathOf(name));
    if (!Goes(store, name, verb)) {
      ++kept;
      continue;
    }
    if (!fs::remove(store.PathOf(name), error)) {
      ThrowInternal("cannot remove '{}': {}", store.PathOf(name).string(), error.message());
    }
    ++removed;
    bytes += size;
  }
  const uint64_t damaged = store.RemoveDamaged();
  const uint64_t left = RemoveLeftTemporaries(store.folder());
  fmt::print("removed {} {} ({} kB), {} damaged files and {} half-written ones; {} are left\n",
             Grouped(removed), what, Grouped(bytes / 1000), Grouped(damaged), Grouped(left),
             Grouped(kept));
}

int Prune(const ResultStore& store, const StoreVerb& verb) {
  PruneStore(AnalysisStore::Beside(store), "analyses", verb);
  PruneStore(store, "results", verb);
  PruneBuilt(verb);
  return 0;
}

int Do(const StoreVerb& verb) {
  const OpenedStore opened(verb.store);
  if (verb.action == "prune" && opened.Use().store == nullptr) {
    PruneBuilt(verb);
    return 0;
  }
  const ResultStore& store = opened.Required();
  std::error_code error;
  if (fs::exists(store.folder(), error) && !fs::is_directory(store.folder(), error)) {
    ThrowBadInput("'{}' is no folder: expected a store of results", store.folder().string());
  }
  if (!verb.store.folder.empty() && !fs::exists(store.folder(), error)) {
    ThrowBadInput("there is no folder '{}': expected a store of results", store.folder().string());
  }
  if (verb.action == "verify") return Verify(store);
  if (verb.action == "prune") return Prune(store, verb);
  return List(store, verb.json);
}

}  // namespace

void AddStoreVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("store", "Show, check or clear the results computed before");
  auto owner = std::make_shared<StoreVerb>();
  verb->Add("action", &owner->action,
            "list: what is there; verify: find damaged files; prune:\n"
            "remove damaged files, other builds' results, and much of\nwhat was built")
      .Type("list|verify|prune")
      .Check([](const std::string& action) -> std::string {
        if (action == "list" || action == "verify" || action == "prune") return "";
        return fmt::format("unknown action '{}': expected list, verify or prune", action);
      });
  owner->store.AddFolder(verb);
  verb->Add("--days", &owner->days, "prune: also what was written more than N days ago")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{36500});
  verb->AddFlag("--all", &owner->all, "prune: all results, and all that was built");
  verb->Add("--built-mb", &owner->built_mb,
            "prune: most MB of what is built on first use (RTL as C++,\nsynthesis); the rest goes, "
            "what was used last stays")
      .Type("N")
      .ShowDefault();
  owner->json.AddTo(verb);
  verb->Footer(
      "Examples:\n"
      "  flagstone store\n"
      "  flagstone store prune --days 90");
  verb->Do([owner] { return Do(*owner); });
}

}  // namespace flagstone
