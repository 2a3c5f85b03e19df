// A launch that is given on the command line, for a kernel's PTX without a workload.toml beside it:
// `analyze kernel.ptx --entry k --grid 4096 --block 128 --arg a=f32[1048576] --arg 2048`.
#ifndef FLAGSTONE_APP_CLI_GIVEN_LAUNCH_H_
#define FLAGSTONE_APP_CLI_GIVEN_LAUNCH_H_

#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "app/flow/run/run_options.h"

namespace flagstone {

class GivenLaunch {
 public:
  // --entry, --grid, --block, --shared, --arg, --fill, --triton and --dry-run.
  void AddTo(Verb* verb);

  // Where the workload is PTX, or a folder of Triton's cache, puts what the options mean into
  // `run->workload_text`: the text of a workload.toml that stands beside the PTX. Throws kBadInput
  // that says what is missing, and for these options beside any other workload.
  void Put(RunOptions* run) const;
  // Whether the text is all that is asked for.
  bool dry_run() const { return dry_run_; }
  // Whether its buffers are zero because nobody has said otherwise.
  bool FillsWithZeros() const { return IsGiven() && fill_.empty(); }

 private:
  bool IsGiven() const;
  void ReadTritonEntry(RunOptions* run, GivenLaunch* filled) const;

  std::string entry_, grid_, block_, fill_;
  std::string shared_;  // bytes
  std::vector<std::string> args_;
  bool triton_ = false;
  bool dry_run_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_GIVEN_LAUNCH_H_
