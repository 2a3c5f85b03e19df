#include "gpu_model/simt/program.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"
#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/code.h"
#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/tensor_memory.h"
#include "gpu_model/simt/warpgroup.h"
#include "kernels/ptx/instruction_text.h"

namespace flagstone {
namespace {

// tid.x, .y, .z and warp id of every warp, a row of 32 lanes each.
simt::LaneStorage WarpLanes(const KernelLaunch& launch) {
  constexpr uint32_t kRow = Program::Code::kRow / sizeof(uint32_t);
  const uint32_t warps = launch.WarpsPerTb();
  simt::LaneStorage storage(simt::LinesFor(size_t{warps} * Program::Code::kWarpLaneBytes));
  auto* lanes = reinterpret_cast<uint32_t*>(simt::Data(storage));
  for (uint32_t warp = 0; warp < warps; ++warp) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Dim3 thread = TbCoordinates(uint64_t{warp} * kWarpSize + lane, launch.block);
      uint32_t* row = lanes + size_t{warp} * 4 * kRow + lane;
      row[0] = thread.x;
      row[kRow] = thread.y;
      row[size_t{2} * kRow] = thread.z;
      row[size_t{3} * kRow] = warp;
    }
  }
  return storage;
}

bool SyncsCluster(const ptx::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const ptx::Instruction& instruction) {
                       return instruction.modifiers.barrier_op >= ptx::BarrierOp::kClusterArrive;
                     });
}

void CheckLaunch(const KernelLaunch& launch, Program::For purpose) {
  if (purpose == Program::For::kRun) {
    if (launch.needed_values.empty()) {
      launch.module->CheckRunnable(*launch.kernel);
    } else {
      launch.module->CheckAnalyzable(*launch.kernel);
    }
  }
  const std::string& entry = launch.kernel->name;
  if (launch.grid.Count() == 0) ThrowBadInput("entry '{}': the grid has no TB", entry);
  if (launch.block.Count() == 0) ThrowBadInput("entry '{}': the block has no thread", entry);
  if (launch.block.Count() > 1024) {
    ThrowBadInput("entry '{}': the block has {} threads, expected at most 1024", entry,
                  launch.block.Count());
  }
  const Dim3& cluster = launch.cluster;
  if (cluster.Count() > simt::kMaxClusterTbs || launch.grid.x % cluster.x != 0 ||
      launch.grid.y % cluster.y != 0 || launch.grid.z % cluster.z != 0) {
    ThrowBadInput(
        "entry '{}': clusters of {} x {} x {} TBs, expected at most {} TBs that divide the grid",
        entry, cluster.x, cluster.y, cluster.z, simt::kMaxClusterTbs);
  }
  if (launch.parameters.size() != launch.kernel->parameter_bytes) {
    ThrowBadInput("entry '{}': the launch gives {} bytes of arguments, the kernel takes {}", entry,
                  launch.parameters.size(), launch.kernel->parameter_bytes);
  }
}

}  // namespace

Program::Code::Code() = default;
Program::Code::~Code() = default;

Program::Program(const KernelLaunch& launch, std::span<const uint32_t> order, For purpose)
    : launch_(&launch), order_(order), code_(std::make_unique<Code>()) {
  CheckLaunch(launch, purpose);
  code_->warps = launch.WarpsPerTb();
  code_->threads = launch.ThreadsPerTb();
  code_->shared_bytes = launch.SharedBytes();
  code_->local_bytes = launch.LocalBytes();
  code_->parameters = launch.parameters;
  code_->warp_lanes = WarpLanes(launch);
  if (launch.cluster.Count() > 1 || SyncsCluster(*launch.kernel)) {
    code_->clusters = std::make_unique<simt::Clusters>(launch);
    if (order_.empty()) cluster_order_ = simt::ClusterOrder(launch.grid, launch.cluster);
    if (!cluster_order_.empty()) order_ = cluster_order_;
  }
  simt::Decoder decoder(launch, code_.get(), &infos_);
  decoder.Run();
  scoreboard_registers_ = decoder.scoreboard_registers();
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

bool Program::has_clusters() const { return code_->clusters != nullptr; }

bool Program::ActsBesideWarp(uint32_t pc) const {
  switch (code_->insts[pc].action) {
    case simt::Action::kBulk:
    case simt::Action::kBulkCommit:
    case simt::Action::kClusterBarrier:
    case simt::Action::kWarpgroup:
    case simt::Action::kTensorMemory:
      return true;
    default:
      return false;
  }
}

std::string Program::Describe(uint32_t pc) const {
  if (pc >= size()) {
    return fmt::format("{}: end of '{}'", launch_->module->file, launch_->kernel->name);
  }
  const ptx::Instruction& instruction = launch_->kernel->instructions[pc];
  return fmt::format("{}:{}: {}", launch_->module->file, instruction.location.line,
                     ptx::Shortened(instruction.text));
}

}  // namespace flagstone
