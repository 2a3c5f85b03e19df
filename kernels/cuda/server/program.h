// A CUDA program and the device that it runs on: starts it, answers it, waits for its end.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_H_

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/flow/run/run_options.h"
#include "app/results/run_record.h"
#include "base/pattern.h"
#include "kernels/cuda/server/launches.h"

namespace flagstone::cuda {

struct ProgramOptions {
  RunOptions run;
  Selection selection;
  std::vector<std::string> command;  // the program and its arguments
  std::optional<Pattern> expect;     // a line of its standard output
  std::filesystem::path record;      // a folder; empty: nothing is recorded
  std::string command_line;          // as typed
  bool keep_all = false;             // each launch in the record, however many there are
};

struct ProgramResult {
  RunRecord record;
  std::map<std::string, KernelTotals> kernels;
  uint64_t launches = 0, failed = 0;
  int exit_code = 0;  // the program's, 128 + the signal that ended it
  bool connected = false;
  bool recorded = false;
  bool matched = false;      // what was expected
  double start_seconds = 0;  // from the program's start to its first launch
  double host_seconds = 0;   // that the program spent in allocation and copies
};

// Throws kBadInput for a program that cannot be started or served. Afterwards no process is left.
ProgramResult RunProgram(const ProgramOptions& options);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_PROGRAM_H_
