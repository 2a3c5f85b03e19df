// Options that several verbs share, and the way a result leaves the program.
#ifndef FLAGSTONE_APP_CLI_OPTIONS_H_
#define FLAGSTONE_APP_CLI_OPTIONS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/given_launch.h"
#include "app/cli/verb.h"
#include "app/flow/run/run_options.h"
#include "app/policy/policy.h"
#include "app/results/run_json.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/workload.h"

namespace flagstone {

struct JsonOption {
  bool wanted = false;
  std::string file;  // empty: stdout

  void AddTo(Verb* verb);
  bool OnStdout() const { return wanted && file.empty(); }
  // Writes the result, whole or not at all.
  void Write(const Json& json) const;
};

// A workload that a verb reads, by its place.
Option AddWorkload(Verb* verb, RunOptions* options);

// What the verbs that analyse or run workloads share.
struct CommonOptions {
  RunOptions run;  // filled in place, but for what has to be read first: machine and files
  std::string machine = "fermi";
  std::vector<std::string> settings;
  std::string warp_scheduler, prefetcher;  // empty: the machine's
  std::vector<std::string> inputs;         // NAME=FILE
  GivenLaunch launch;                      // of verbs that take PTX in the place of a workload
  JsonOption json;
  bool quiet = false;

  // `many_machines`: --machine takes a comma-separated list.
  void AddTo(Verb* verb, bool many_machines = false);
  // All but the options that choose a workload's data.
  void AddMachineTo(Verb* verb, bool many_machines = false);
  InputFiles Files() const;
  MachineConfig LoadMachine() const { return LoadMachine(machine); }
  MachineConfig LoadMachine(const std::string& name) const;
  // `run` with the machine and the files, and with the text of a launch that is given. Throws
  // kBadInput.
  RunOptions Resolved() const;
  // The workload, for a verb that needs no machine to load it.
  Workload Load(Workload::For purpose) const;
  // Where --dry-run asks for it: prints the workload.toml that a given launch means.
  bool PrintedLaunch() const;
};

// Options of several verbs, each into its fields of `options`.
Option AddSize(Verb* verb, std::string* size, const std::string& help);
void AddPolicy(Verb* verb, RunOptions* options);  // left out, it is the machine's (DefaultPolicy)
void AddEngine(Verb* verb, Engine* engine);
void AddValues(Verb* verb, RunOptions* options);  // --values and --no-check
void AddWarpScheduler(Verb* verb, CommonOptions* options);
void AddPrefetcher(Verb* verb, CommonOptions* options);
void AddData(Verb* verb, RunOptions* options);
void AddMaxInstructions(Verb* verb, RunOptions* options);
void AddSeed(Verb* verb, RunOptions* options);
void AddSample(Verb* verb, RunOptions* options);
void AddPerturb(Verb* verb, RunOptions* options);

struct NamedItem {
  std::string name;
  std::string summary;
};
const std::vector<NamedItem>& WarpSchedulers();
const std::vector<NamedItem>& Prefetchers();

// Says in one line on stderr that a workload lacks the size that was asked for, and which one ran;
// nothing where it has it. Of a record, or of a workload that was loaded.
void WarnOfSize(const Json& record);
void WarnOfSize(const Workload& workload);

// Says on stderr, a line for each entry, that it can be analyzed alone, and why.
void NoteWhatIsNotExecuted(const Workload& workload);

// Whether the largest launch of a record has enough TBs to fill each SM of its machine.
bool FillsMachine(const Json& record, const MachineConfig& machine);

// The policies of a list, each once, whether its parameters are written or their defaults.
std::vector<const Policy*> FindPolicies(const std::string& list);

// "A,B" -> {"A", "B"}; an empty item, or one given twice, is bad input that names the option.
std::vector<std::string> SplitList(const std::string& list, const std::string& option);

// The command line as typed: for `command` in results.
void SetCommandLine(int argc, char** argv);
const std::string& CommandLine();
const std::vector<std::string>& CommandLineWords();  // without the program's name

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_OPTIONS_H_
