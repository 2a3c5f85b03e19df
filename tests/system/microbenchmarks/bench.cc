#include "tests/system/microbenchmarks/bench.h"

#include <fmt/core.h>

#include <cstring>

#include "kernels/launch/device_memory.h"
#include "kernels/ptx/parser.h"
#include "systemc/simulation.h"

namespace flagstone::microbenchmark {
namespace {

std::string KernelText(const std::string& body, bool shared) {
  return fmt::format(R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {{
  .reg .pred %p<4>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<10>;
  .reg .f32 %f<40>;
  .reg .f64 %fd<40>;
  {}
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %nctaid.x;
  mul.lo.u32 %r3, %r3, %r4;
{}
  ret;
}}
)",
                     shared ? ".shared .align 16 .b8 tile[16384];" : "", body);
}

}  // namespace

LineNumber FirstLine() { return LineOf(MemoryLayout().base); }

LaunchStatistics Bench::Run(const std::string& body) const {
  const auto module = ptx::Parse(KernelText(body, shared), "microbenchmark.ptx");
  DeviceMemory memory;
  const uint64_t address = memory.Allocate("buffer", bytes);
  for (size_t i = 0; i < chain.size(); ++i) {
    const uint64_t next = uint64_t{chain[(i + 1) % chain.size()]} * kLineBytes;
    std::memcpy(memory.At(uint64_t{chain[i]} * kLineBytes), &next, sizeof(next));
  }
  const uint64_t start = chain.empty() ? address : uint64_t{chain[0]} * kLineBytes;
  KernelLaunch launch;
  launch.kernel = module->kernels[0].get();
  launch.module = module.get();
  launch.grid = {tbs, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters.resize(sizeof(start));
  std::memcpy(launch.parameters.data(), &start, sizeof(start));
  launch.registers = registers;
  SimulateOptions options;
  options.machine = machine;
  options.engine = Engine::kModel;
  options.cold_l2 = cold_l2;
  LaunchRequest request;
  request.launch = &launch;
  request.memory = &memory;
  return Simulate(options, request).launch.statistics;
}

std::string Bench::Repeat(uint32_t count, const Line& line) {
  std::string body;
  for (uint32_t i = 0; i < count; ++i) body += "  " + line(i) + "\n";
  return body;
}

double Bench::PerLine(uint32_t from, uint32_t to, const Line& line) const {
  const auto cycles = [&](uint32_t count) {
    return static_cast<double>(Run(Repeat(count, line)).cycles);
  };
  return (cycles(to) - cycles(from)) / (to - from);
}

double Bench::PerLine(uint32_t from, uint32_t to, const std::string& line) const {
  return PerLine(from, to, [&](uint32_t) { return line; });
}

}  // namespace flagstone::microbenchmark
