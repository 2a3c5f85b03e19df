// Groups of TBs as a file, which `analyze --dump groups` writes and policy `groups:FILE` reads: the
// format is that of docs/policies.md.
#ifndef FLAGSTONE_KERNELS_LAUNCH_GROUPS_FILE_H_
#define FLAGSTONE_KERNELS_LAUNCH_GROUPS_FILE_H_

#include <cstdint>
#include <string>

#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// "launch 0: syrk, grid 8 x 32"; `number`: among the workload's launches, from 0.
std::string LaunchLine(const KernelLaunch& launch, uint64_t number);

// The launch's part of a file: LaunchLine() and DumpGroups().
std::string WriteGroups(const TbGroups& groups, const KernelLaunch& launch, uint64_t number);

// The launch's groups in a file. Throws kBadInput with file and line where a TB is missing, twice,
// or beyond the grid, and where the file is another launch's.
TbGroups ReadGroups(const std::string& file, const KernelLaunch& launch, uint64_t number);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_GROUPS_FILE_H_
