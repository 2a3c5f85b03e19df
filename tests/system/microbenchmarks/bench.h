// Runs small kernels with nothing else on the machine, and says what one more step of them costs.
#ifndef FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_BENCH_H_
#define FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_BENCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone::microbenchmark {

// Registers that a body finds set: %rd1 the buffer's address, %r1 tid.x, %r2 ctaid.x, %r3 the
// number of threads of the grid. Free: %r8 up to %r39, %rd2 up to %rd9, %f, %fd, %p, and `tile`, 16
// KB of shared memory where `shared` asks for it.
struct Bench {
  MachineConfig machine;
  uint32_t tbs = 1;
  uint32_t threads = 32;
  uint64_t bytes = 4096;          // of the buffer
  std::vector<LineNumber> chain;  // lines of the buffer, each with a pointer to the next
  bool cold_l2 = false;
  bool shared = false;
  uint32_t registers = 16;  // per thread

  LaunchStatistics Run(const std::string& body) const;

  using Line = std::function<std::string(uint32_t)>;  // of PTX, by its number
  static std::string Repeat(uint32_t count, const Line& line);
  // Core cycles that each line adds, between runs of `from` and of `to` of them: what a kernel
  // costs once falls out.
  double PerLine(uint32_t from, uint32_t to, const Line& line) const;
  double PerLine(uint32_t from, uint32_t to, const std::string& line) const;
};

// The address that device memory gives to the buffer, in lines.
LineNumber FirstLine();

}  // namespace flagstone::microbenchmark

#endif  // FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_BENCH_H_
