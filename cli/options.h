// Options that several verbs share, and the way a result leaves the program.
#ifndef FLAGSTONE_CLI_OPTIONS_H_
#define FLAGSTONE_CLI_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "flow/json.h"
#include "flow/run.h"
#include "gpu_model/machines/machine.h"
#include "launch/workload.h"
#include "systemc/simulation.h"

namespace flagstone {

struct JsonOption {
  bool wanted = false;
  std::string file;  // empty: stdout

  void AddTo(CLI::App* app);
  // Writes the result, whole or not at all.
  void Write(const Json& json) const;
};

struct CommonOptions {
  std::string size = "test";
  std::string machine = "fermi";
  std::vector<std::string> settings;
  std::vector<std::string> inputs;  // NAME=FILE
  uint64_t seed = 1;
  JsonOption json;
  bool quiet = false;
  bool verbose = false;

  // `many_machines`: --machine takes a comma-separated list.
  void AddTo(CLI::App* app, bool many_machines = false);
  InputFiles Files() const;
  MachineConfig LoadMachine() const { return MachineConfig::Load(machine, settings); }
};

// Adds --engine.
void AddEngine(CLI::App* app, Engine* engine);
// Adds --values and --no-check.
void AddValues(CLI::App* app, Values* values, bool* skip_checks);
// Adds --warp-scheduler; the empty string stands for the machine's own.
void AddWarpScheduler(CLI::App* app, std::string* scheduler);
// Adds --prefetch.
void AddPrefetcher(CLI::App* app, std::string* prefetcher);

// Adds --data; `known` is whether it is `known`.
void AddData(CLI::App* app, bool* known);

struct NamedItem {
  std::string name;
  std::string summary;
};
const std::vector<NamedItem>& WarpSchedulers();
const std::vector<NamedItem>& Prefetchers();

// "A,B" -> {"A", "B"}; an empty item is bad input that names the option.
std::vector<std::string> SplitList(const std::string& list, const std::string& option);

// The command line as typed: for `command` in results.
void SetCommandLine(int argc, char** argv);
const std::string& CommandLine();

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_OPTIONS_H_
