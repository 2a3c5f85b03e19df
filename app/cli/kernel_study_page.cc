#include "app/cli/kernel_study_page.h"

#include <fmt/core.h>

#include <filesystem>

#include "app/cli/table.h"

namespace flagstone {
namespace {

// Halves up, as papers print them: 3.125 is 3.13.
std::string Fixed(const Json& value, double times = 1) {
  return value.is_null() ? "-" : fmt::format("{:.2f}", times * value.get<double>() + 1e-9);
}

std::string NameOrDash(const Json& name) { return name.is_null() ? "-" : name.get<std::string>(); }

std::string Verdict(const Json& row) {
  if (row["theirs"].is_null()) return "";
  if (row["agrees"].get<bool>()) return "agrees";
  return row["explained"].get<std::string>().empty() ? "DIFFERS" : "explained";
}

// A workload's name, or its file's.
std::string WorkloadName(const Json& workload) {
  return std::filesystem::path(workload.get<std::string>()).stem().string();
}

// A line for each difference that has a reason.
std::string Notes(const Json& rows) {
  std::string notes;
  for (const Json& row : rows) {
    if (Verdict(row) != "explained") continue;
    notes += fmt::format("{}: {}\n", NameOrDash(row["label"]), NameOrDash(row["explained"]));
  }
  return notes;
}

std::string Table3(const Json& rows) {
  Table table;
  table.AddColumn("kernel", Table::Align::kLeft);
  for (const char* header :
       {"degree", "theirs", "range", "theirs", "expect", "theirs", "sectors", "theirs"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  table.AddColumn("", Table::Align::kLeft);
  for (const Json& row : rows) {
    const Json& theirs = row["theirs"];
    if (theirs.is_null()) continue;
    const Json& range = row["sectors_in_range"];
    table.AddRow({row["label"], Fixed(row["degree"], 100), Fixed(theirs["degree"], 100),
                  range.is_null() ? "-" : range.dump(), theirs["sectors_in_range"].dump(),
                  Fixed(row["sector_expectation"]), Fixed(theirs["sector_expectation"]),
                  Fixed(row["sectors_per_request"]), Fixed(theirs["sectors_per_request"]),
                  Verdict(row)});
  }
  std::string hits;
  for (const Json& row : rows) {
    if (row["theirs"].is_null() || row["theirs"]["hit_rate"].is_null()) continue;
    hits +=
        fmt::format("{}: {} % L1 hits, {} % with stores, theirs {} %\n", NameOrDash(row["label"]),
                    Fixed(row["hit_rate"], 100), Fixed(row["hit_rate_with_stores"], 100),
                    Fixed(row["theirs"]["hit_rate"], 100));
  }
  return table.ToString() +
         "degree of coalescing in %; sectors in the coalescing range, expected, and of a request:\n"
         "ours simulated, theirs measured, which is not judged\n" +
         hits;
}

std::string AllKernels(const Json& rows) {
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  table.AddColumn("kernel", Table::Align::kLeft);
  for (const char* header : {"loads", "unknown", "degree", "hits", "stores", "expect", "sectors"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const Json& row : rows) {
    table.AddRow({WorkloadName(row["workload"]), row["kernel"], row["loads"].dump(),
                  row["loads_left_out"].dump(), Fixed(row["degree"], 100),
                  Fixed(row["hit_rate"], 100), Fixed(row["hit_rate_with_stores"], 100),
                  Fixed(row["sector_expectation"]), Fixed(row["sectors_per_request"])});
  }
  return table.ToString() +
         "unknown: of the loads, those without a degree; L1 hits of the loads in %, and with all\n"
         "stores as hits\n";
}

std::string Count(const Json& value) { return value.is_null() ? "-" : Grouped(value); }

std::string Places(const Json& value) {
  return value.is_null() ? "-" : fmt::format("{:.6f}", value.get<double>());
}

std::string Table2(const Json& rows) {
  Table table;
  table.AddColumn("", Table::Align::kLeft);
  for (const char* header :
       {"TBs", "theirs", "references", "theirs", "SpScore", "theirs", "sharing", "theirs"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  table.AddColumn("", Table::Align::kLeft);
  for (const Json& row : rows) {
    const Json& theirs = row["theirs"];
    table.AddRow({row["label"], Count(row["tbs"]), Count(theirs["tbs"]), Count(row["references"]),
                  Count(theirs["references"]), Places(row["sp_score"]), Places(theirs["sp_score"]),
                  Count(row["shared_tbs"]), Count(theirs["shared_tbs"]), Verdict(row)});
  }
  return table.ToString() +
         "sharing: TBs that share a datum with another one. Of several launches the one that "
         "reads\n"
         "most counts. Degrees of sharing are in the JSON: most of theirs are 17 / a number of "
         "TBs\n";
}

std::string Fig2(const Json& rows, const Json& summary) {
  Table table;
  table.AddColumn("", Table::Align::kLeft);
  for (const char* header :
       {"unshared", "intra-TB", "inter-TB", "both", "between TBs", "of data"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const char* header : {"class", "theirs", ""}) table.AddColumn(header, Table::Align::kLeft);
  for (const Json& row : rows) {
    const Json &reads = row["reads"], &data = row["data"];
    const auto between = [](const Json& shares) {
      return Fixed(shares["inter_tb"].get<double>() + shares["both"].get<double>(), 100);
    };
    table.AddRow({row["label"], Fixed(reads["unshared"], 100), Fixed(reads["intra_tb"], 100),
                  Fixed(reads["inter_tb"], 100), Fixed(reads["both"], 100), between(reads),
                  between(data), row["inter_tb"], row["theirs"]["inter_tb"], Verdict(row)});
  }
  return table.ToString() +
         fmt::format(
             "% of reads, a datum once by each TB that reads it; of data: that several TBs read\n"
             "mean between TBs: {} % (theirs 27 %)\n",
             Fixed(summary["mean_shared"], 100));
}

}  // namespace

std::string CoalescingStudyText(const Json& rows, const Json& summary) {
  std::string text = Table3(rows) + Notes(rows) + "\nAll kernels\n" + AllKernels(rows) + "\n";
  Table table;
  table.AddColumn("Pearson's r over", Table::Align::kLeft);
  for (const char* header :
       {"kernels", "degree, hits", "with stores", "expect, sectors", "theirs"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  std::string claims;
  for (const Json& set : summary["sets"]) {
    table.AddRow({set["set"], set["kernels"].dump(), Fixed(set["degree_and_hits"]),
                  Fixed(set["degree_and_hits_with_stores"]), Fixed(set["expectation_and_sectors"]),
                  Fixed(set["their_expectation_and_sectors"])});
    claims += fmt::format(
        "{}: {} of {} kernels above a degree of 70 % hit in more than 60 %, {} with stores\n",
        NameOrDash(set["set"]), set["high_hits"].dump(), set["high_degree"].dump(),
        set["high_hits_with_stores"].dump());
  }
  return text + table.ToString() + claims;
}

std::string LadmStudyText(const Json& rows, const Json& summary) {
  Table table;
  for (const char* header :
       {"workload", "array", "locality", "theirs", "scheduler", "theirs", ""}) {
    table.AddColumn(header, Table::Align::kLeft);
  }
  for (const Json& row : rows) {
    if (table.rows() != 0) table.AddRule();
    std::vector<std::string> line = {row["label"],
                                     "-",
                                     "-",
                                     row["theirs"]["locality"],
                                     NameOrDash(row["scheduler"]),
                                     row["theirs"]["scheduler"],
                                     Verdict(row)};
    for (const Json& array : row["arrays"]) {
      line[1] = NameOrDash(array["name"]) + (array["name"] == row["decided_by"] ? " *" : "");
      line[2] = array["type"];
      table.AddRow(line);
      line.assign(line.size(), "");
    }
    if (row["arrays"].empty()) table.AddRow(line);
  }
  return table.ToString() +
         "*: the array that decides. NL is no-locality, RCL a row or column, ITL intra-thread\n" +
         Notes(rows) +
         fmt::format("{} kernels: {} localities and {} schedulers agree, both of {}\n",
                     summary["kernels"].dump(), summary["localities"].dump(),
                     summary["schedulers"].dump(), summary["both"].dump());
}

std::string SharingStudyText(const Json& rows, const Json& summary) {
  const bool classes = !rows.empty() && !rows[0]["theirs"]["inter_tb"].is_null();
  return (classes ? Fig2(rows, summary) : Table2(rows)) + Notes(rows) +
         fmt::format("{} of {} kernels agree\n", summary["agree"].dump(),
                     summary["kernels"].dump());
}

}  // namespace flagstone
