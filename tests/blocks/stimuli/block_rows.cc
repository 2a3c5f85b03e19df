// What the descriptors say of the tests of RTL, as lines for the scripts that run them.
// usage: block_rows coverage       BLOCK PARAMETER=VALUE...
//        block_rows mutation       NAME TOP WITHIN SEEDS CYCLES LARGE PARAMETER=VALUE...
//        block_rows conservation   NAME CYCLES MODULE PORTS TBS CONNECTIONS
//        block_rows lint           BLOCK PARAMETER=VALUE,...   sizes to lint: smallest, largest,
//        kinds block_rows paths          BLOCK PARAMETER=VALUE,...   sizes to search for paths
//        block_rows tables         BLOCK|SUMMARY|PARAMETER RANGE,...   for rtl/README.md
#include <fmt/core.h>

#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/all/all_blocks.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"

namespace flagstone {
namespace {

void PrintCoverage() {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    if (!block->coverage.empty()) fmt::print("{} {}\n", block->name, block->coverage);
  }
}

void PrintMutation() {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    for (const MutationRow& row : block->mutation) {
      fmt::print("{} {} {} {} {} {} {}\n", row.name.empty() ? block->name : row.name, block->name,
                 row.within.empty() ? "-" : row.within, row.seeds, row.cycles, row.large,
                 row.parameters);
    }
  }
}

void PrintConservation() {
  for (const TbSchedulerDescriptor* scheduler : AllTbSchedulers()) {
    const auto& proof = scheduler->conservation;
    if (proof.cycles == 0) continue;
    const uint32_t most = scheduler->SeveralPorts() ? 2 : 1;
    for (uint32_t ports = 1; ports <= most; ++ports) {
      fmt::print("{}_conserves_tbs{} {} {} {} {} {}{}\n", scheduler->name,
                 ports == 1 ? "" : "_2_ports", proof.cycles, scheduler->block.name, ports,
                 proof.tbs, scheduler->takes_tb_count ? ".tb_count_i(17'(count))," : "",
                 proof.settings);
    }
  }
}

// A parameter that says which kind of a block it is has few values; each is looked at.
std::vector<uint32_t> Kinds(const BlockParameter& parameter) {
  if (!parameter.only.empty()) return parameter.only;
  std::vector<uint32_t> kinds;
  if (parameter.high - parameter.low > 2) return kinds;
  for (uint32_t value = parameter.low; value <= parameter.high; ++value) kinds.push_back(value);
  return kinds;
}

void PrintLint() {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    if (!block->whole) continue;
    std::string small, large;
    std::set<std::string> sizes;
    for (const BlockParameter& p : block->parameters) {
      const char* comma = small.empty() ? "" : ",";
      small += fmt::format("{}{}={}", comma, p.name, p.low);
      large += fmt::format("{}{}={}", comma, p.name, p.high);
      for (const uint32_t kind : Kinds(p)) sizes.insert(fmt::format("{}={}", p.name, kind));
    }
    sizes.insert({small, large});
    for (const std::string& size : sizes) fmt::print("{} {}\n", block->name, size);
  }
}

// The size of its coverage run, and the same with each kind.
void PrintPaths() {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    if (!block->whole) continue;
    std::vector<std::string> values;
    std::istringstream coverage{std::string(block->coverage)};
    for (std::string value; coverage >> value;) values.push_back(value);
    std::set<std::string> sizes;
    const auto add = [&](const std::string& name, const std::string& kind) {
      std::string size = kind;
      for (const std::string& value : values) {
        if (value.starts_with(name + "=")) continue;
        size += (size.empty() ? "" : ",") + value;
      }
      sizes.insert(size);
    };
    add("-", "");
    for (const BlockParameter& p : block->parameters) {
      for (const uint32_t kind : Kinds(p)) {
        if (kind != p.standard) add(std::string(p.name), fmt::format("{}={}", p.name, kind));
      }
    }
    for (const std::string& size : sizes) fmt::print("{} {}\n", block->name, size);
  }
}

void PrintTables() {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    std::string ranges;
    for (const BlockParameter& p : block->parameters) {
      const bool two = p.only.size() == 2;
      ranges += fmt::format("{}{} {}{}{}", ranges.empty() ? "" : ",", p.name, p.low,
                            two ? " or " : "-", p.high);
    }
    fmt::print("{}|{}|{}\n", block->name, block->summary, ranges);
  }
}

int Run(std::string_view what) {
  if (what == "coverage") {
    PrintCoverage();
  } else if (what == "mutation") {
    PrintMutation();
  } else if (what == "conservation") {
    PrintConservation();
  } else if (what == "lint") {
    PrintLint();
  } else if (what == "paths") {
    PrintPaths();
  } else if (what == "tables") {
    PrintTables();
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) { return argc == 2 ? flagstone::Run(argv[1]) : 2; }
