// What a warp does from one of its requests to the next: how long its instructions take, which
// loads it waits for, and where the warps of its TB wait for each other.
#ifndef FLAGSTONE_ANALYZER_REPLAY_CODE_BETWEEN_H_
#define FLAGSTONE_ANALYZER_REPLAY_CODE_BETWEEN_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/address/loop_forest.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/simt/program.h"
#include "gpu_model/sm/issue_units.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/control_flow.h"

namespace flagstone::replay {

// Core cycles.
struct Gap {
  float issue = 0;       // of the warp's scheduler: of its most needed pipe
  float chain = 0;       // of a warp that is alone, one result waiting for the other
  float load_store = 0;  // of the SM's load/store unit
  // The lines of code that it goes through: a range of CodeBetween::lines().
  uint32_t first_line = 0, end_line = 0;
};

// A part of the way, and what it ends with.
struct Stretch {
  enum class End : uint8_t {
    kRequest,  // the next request, or the warp's end
    kResult,   // the warp waits for the results of some loads
    kCopies,   // it waits for its asynchronous copies, but for the last groups
    kCommit,   // of a group of such copies
    kBarrier,
  };
  End end = End::kRequest;
  uint16_t gap = 0;             // index in CodeBetween::gaps()
  std::vector<uint32_t> loads;  // pcs; of kResult
  uint32_t groups = 0;          // that may be under way; of kCopies
};

// The way is that of the text: from a request on to the next, or around the innermost loop that
// has both. A loop in between turns as often as the analysis knows. Code beside other requests
// that were not made is taken not to have run.
class CodeBetween {
 public:
  static constexpr uint32_t kStart = ~uint32_t{0};  // of the kernel
  static constexpr uint32_t kEnd = kStart - 1;

  // `requests`: pcs.
  CodeBetween(const KernelLaunch& launch, const AddressAnalysis& addresses,
              const std::vector<uint32_t>& requests, const SmConfig& sm);

  const std::vector<Stretch>& Find(uint32_t from, uint32_t to);
  const std::vector<Gap>& gaps() const { return gaps_; }
  const std::vector<uint32_t>& lines() const { return lines_; }
  const Program& program() const { return program_; }

 private:
  struct Part {
    uint32_t begin = 0, end = 0;
    double times = 1;
  };
  std::vector<Part> PathOf(uint32_t from, uint32_t to) const;
  void AddBlocks(uint32_t begin, uint32_t end, uint32_t from, uint32_t to, uint32_t within,
                 std::vector<Part>* path) const;
  double TimesOf(ptx::BlockId block, uint32_t from, uint32_t to) const;
  bool LoopHolds(uint32_t loop, uint32_t pc) const;
  std::vector<Stretch> Walk(const std::vector<Part>& path, uint32_t to);

  const KernelLaunch& launch_;
  Program program_;
  std::vector<IssueInfo> issue_;
  ptx::ControlFlow flow_;
  LoopForest forest_;
  std::vector<double> trips_;                    // by loop of the forest
  std::vector<bool> is_request_;                 // by pc
  std::vector<std::vector<uint32_t>> loads_of_;  // by register: that write it
  double writeback_, width_;
  uint32_t instructions_of_line_;
  std::vector<Gap> gaps_;
  std::vector<uint32_t> lines_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Stretch>> known_;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_CODE_BETWEEN_H_
