#include "app/cli/workload_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "app/cli/table.h"
#include "base/file.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

constexpr size_t kPapersColumns = 20;
constexpr size_t kKernelsColumns = 22;

uint64_t LargestTbCount(const Workload& workload) {
  uint64_t tbs = 0;
  for (const LaunchSpec& launch : workload.launches) tbs = std::max(tbs, launch.grid.Count());
  return tbs;
}

constexpr std::array<const char*, 4> kClasses = {"uniform", "affine", "deterministic", "indirect"};

const char* ClassOf(const AddressForm& load) {
  switch (load.pattern) {
    case AddressClass::kAffine:
      return load.IsUniform() ? kClasses[0] : kClasses[1];
    case AddressClass::kDeterministic:
      return kClasses[2];
    case AddressClass::kIndirect:
      break;
  }
  return kClasses[3];
}

// Each kernel once, as its first launch runs it.
void AddKernels(const Workload& workload, Json* item) {
  const BoundWorkload bound = BindAddresses(workload);
  Json kernels = Json::array();
  Json loads;
  for (const char* name : kClasses) loads[name] = 0;
  std::set<const ptx::Kernel*> seen;
  for (const KernelLaunch& launch : bound.launches) {
    if (!seen.insert(launch.kernel).second) continue;
    kernels.push_back(launch.kernel->name);
    for (const AddressForm& access : AnalyzeAddresses(launch, bound.memory).accesses) {
      if (!access.is_store) loads[ClassOf(access)] = loads[ClassOf(access)].get<int>() + 1;
    }
  }
  (*item)["kernels"] = std::move(kernels);
  (*item)["loads"] = std::move(loads);
}

// The list's items with commas between them, in lines of at most `columns`.
std::vector<std::string> Wrapped(const Json& list, size_t columns) {
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < list.size(); ++i) {
    std::string item = list[i].get<std::string>();
    if (i + 1 < list.size()) item += ',';
    if (item.size() > columns) {
      item.resize(columns - 3);
      item.append("...");
    }
    std::string& line = lines.back();
    if (line.empty()) {
      line = std::move(item);
    } else if (line.size() + 1 + item.size() <= columns) {
      line += ' ';
      line += item;
    } else {
      lines.push_back(std::move(item));
    }
  }
  return lines;
}

}  // namespace

Json WorkloadItems() {
  Json items = Json::array();
  for (const std::string& name : ListWorkloads()) {
    const std::filesystem::path file = FindWorkload(name);
    const Workload workload = Workload::Load(file, "test");
    Json item = {{"name", name}, {"summary", workload.description}, {"papers", workload.papers}};
    AddKernels(workload, &item);
    item["launches"] = workload.launches.size();
    item["threads_per_tb"] = workload.launches[0].block.Count();
    item["tbs_test"] = LargestTbCount(workload);
    item["tbs_paper"] = LargestTbCount(Workload::Parse(ReadFile(file), file, "paper"));
    items.push_back(std::move(item));
  }
  return items;
}

std::string WorkloadTable(const Json& items) {
  Table table;
  table.AddColumn("name", Table::Align::kLeft);
  table.AddColumn("papers", Table::Align::kLeft);
  table.AddColumn("kernels", Table::Align::kLeft);
  table.AddColumn("TBs test", Table::Align::kRight);
  table.AddColumn("TBs paper", Table::Align::kRight);
  table.AddColumn("loads", Table::Align::kRight);
  for (const Json& item : items) {
    const std::vector<std::string> papers = Wrapped(item["papers"], kPapersColumns);
    const std::vector<std::string> kernels = Wrapped(item["kernels"], kKernelsColumns);
    std::string loads;
    for (const char* name : kClasses) {
      if (!loads.empty()) loads += '/';
      loads += item["loads"][name].dump();
    }
    table.AddRow({item["name"].get<std::string>(), papers[0], kernels[0],
                  Grouped(item["tbs_test"].get<uint64_t>()),
                  Grouped(item["tbs_paper"].get<uint64_t>()), loads});
    for (size_t i = 1; i < std::max(papers.size(), kernels.size()); ++i) {
      table.AddRow({"", i < papers.size() ? papers[i] : "", i < kernels.size() ? kernels[i] : ""});
    }
  }
  return table.ToString() +
         "TBs: of the largest launch. loads: static global loads by the class of their address at "
         "test\nsize: uniform/affine/deterministic/indirect.\n";
}

}  // namespace flagstone
