// The order in which a workload's launches run: each loop's launches in turn, as often as it says.
#ifndef FLAGSTONE_KERNELS_LAUNCH_LAUNCH_SEQUENCE_H_
#define FLAGSTONE_KERNELS_LAUNCH_LAUNCH_SEQUENCE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/workload.h"

namespace flagstone {

// What a host program does around its launches. Before each round of a loop with `until_zero` it
// sets the flag's first element to 0; after the round it reads it, and goes on if it is not 0.
//   LaunchSequence sequence(&bound);
//   while (const KernelLaunch* launch = sequence.Next()) Run(*launch, &bound.memory);
class LaunchSequence {
 public:
  explicit LaunchSequence(BoundWorkload* bound) : bound_(bound) {}

  // The next launch, or null after the last. Each launch must have run before the next is asked
  // for. Throws kRunFailed when a flag is still not 0 after as many rounds as the loop allows.
  const KernelLaunch* Next();

  // How many launches there are in all; 0 where a flag decides.
  uint64_t Count() const;

  // Between two calls of Next: where a sequence over the same workload and memory can go on.
  struct Position {
    size_t loop = 0, launch = 0;
    uint32_t round = 0;
  };
  Position position() const { return {loop_, launch_, round_}; }
  // Buffers come and go as before that place; their contents are the caller's.
  void Resume(const Position& position);

 private:
  // The steps of the host before launch `launch`, the first time that it is reached.
  void Prepare(size_t launch, bool contents);
  bool FlagIsZero(const LaunchLoop& loop) const;
  // Whether the loop has to run again, all of its launches having run `round_` times.
  bool RunsAgain(const LaunchLoop& loop) const;

  BoundWorkload* bound_;
  size_t step_ = 0;     // of the host, the next one
  size_t loop_ = 0;     // index of the loop that runs
  size_t launch_ = 0;   // the next launch in it
  uint32_t round_ = 0;  // full rounds of it so far
};

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_LAUNCH_SEQUENCE_H_
