// `flagstone diff`: what changed from one result to another, and why its cycles did.
#include "app/report/diff.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "base/error.h"

namespace flagstone {
namespace {

struct DiffVerb {
  std::string a, b;
  bool all = false;
  JsonOption json;
  ReportOption report;
};

constexpr size_t kShownFigures = 12;  // figures without --all
constexpr size_t kReasons = 3;

std::string Text(const ResultJson& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return Grouped(value.get<uint64_t>());
  if (value.is_number()) return fmt::format("{:.4g}", value.get<double>());
  return value.dump();
}

std::string Change(const ResultJson& value) {
  return value.is_null() ? "-" : fmt::format("{:+.1f} %", 100 * value.get<double>());
}

std::string PairText(const ResultJson& pair, bool all) {
  const std::string a = Text(pair["a"]), b = Text(pair["b"]);
  std::string text = a == b ? a + "\n" : fmt::format("{} -> {}\n", a, b);
  for (const ResultJson& row : pair["asked"]) {
    text += fmt::format("  {}: {} -> {}\n", Text(row["name"]), Text(row["a"]), Text(row["b"]));
  }
  const ResultJson& differences = pair["differences"];
  if (differences.empty()) return text + "  no figure differs\n";
  if (const ResultJson& cycles = pair["cycles"]; !cycles.is_null()) {
    text += fmt::format("  cycles {} -> {} ({})\n", Text(cycles["a"]), Text(cycles["b"]),
                        Change(cycles["change"]));
  }
  for (const ResultJson& row : pair["explained_by"]) {
    if (row["share"].is_null() || std::abs(row["share"].get<double>()) < 0.05) continue;
    std::string reasons;
    size_t named = 0;
    for (const ResultJson& reason : row["reasons"]) {
      if (++named > kReasons) break;
      reasons += fmt::format("{} {} {}", reasons.empty() ? ":" : ",", Text(reason["name"]),
                             Change(reason["change"]));
    }
    text +=
        fmt::format("  {:.0f} % of the change: {} {} -> {}{}\n", 100 * row["share"].get<double>(),
                    Text(row["name"]), Text(row["a"]), Text(row["b"]), reasons);
  }
  Table table;
  table.AddColumn("moved most", Table::Align::kLeft);
  for (const char* head : {"from", "to", "change"}) table.AddColumn(head, Table::Align::kRight);
  const size_t shown = all ? differences.size() : std::min(differences.size(), kShownFigures);
  for (size_t i = 0; i < shown; ++i) {
    const ResultJson& row = differences[i];
    table.AddRow({Text(row["name"]), Text(row["a"]), Text(row["b"]), Change(row["change"])});
  }
  text += table.ToString();
  if (shown < differences.size()) {
    text += fmt::format("and {} more figures: --all lists them\n", differences.size() - shown);
  }
  return text;
}

NamedResult ReadOne(const std::string& file) {
  std::vector<NamedResult> results = ReadResults(file);
  if (results.size() != 1)
    ThrowBadInput("'{}' holds {} results: expected one", file, results.size());
  results.front().name = file;
  return std::move(results.front());
}

int Diff(const DiffVerb& verb) {
  std::error_code none;
  if (std::filesystem::equivalent(verb.a, verb.b, none)) {
    fmt::print(stderr, "note: '{}' is set beside itself\n", verb.a);
  }
  const ResultJson diff = DiffJson(ReadOne(verb.a), ReadOne(verb.b));
  if (verb.json.wanted) verb.json.Write(diff);
  verb.report.Write(diff);
  if (verb.json.OnStdout() || verb.report.OnStdout()) return 0;
  bool first = true;
  for (const ResultJson& pair : diff["pairs"]) {
    fmt::print("{}{}", first ? "" : "\n", PairText(pair, verb.all));
    first = false;
  }
  for (const char* side : {"a", "b"}) {
    for (const ResultJson& name : diff[std::string("only_") + side]) {
      fmt::print("only in {}: {}\n", Text(diff[side]), Text(name));
    }
  }
  return 0;
}

}  // namespace

void AddDiffVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("diff", "What changed between two results, and why");
  auto options = std::make_shared<DiffVerb>();
  verb->Add("a", &options->a, "A result: what a verb's --json has written")
      .Required()
      .Type("A.json")
      .Input();
  verb->Add("b", &options->b, "Another one of the same verb").Required().Type("B.json").Input();
  verb->AddFlag("--all", &options->all, "Every figure that moved, not the first twelve");
  options->json.AddTo(verb);
  options->report.AddTo(verb);
  verb->Footer(
      "Example:\n"
      "  flagstone run syrk --policy lrr --json lrr.json\n"
      "  flagstone run syrk --policy rb --json rb.json\n"
      "  flagstone diff lrr.json rb.json --report diff.html");
  verb->Do([options] { return Diff(*options); });
}

}  // namespace flagstone
