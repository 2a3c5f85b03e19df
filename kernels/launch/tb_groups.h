// Ordered groups of a launch's TBs: what a partitioner makes and the TB scheduler hands to SMs.
#ifndef FLAGSTONE_KERNELS_LAUNCH_TB_GROUPS_H_
#define FLAGSTONE_KERNELS_LAUNCH_TB_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace flagstone {

struct TbGroups {
  std::vector<std::vector<uint32_t>> groups;  // each TB in exactly one; order is issue order
  bool steal_enable = false;                  // task stealing after the last hand-out

  bool operator==(const TbGroups&) const = default;
};

// By TB: the index of its group. Throws kInternal unless each TB 0..n-1 is in exactly one group.
std::vector<uint32_t> GroupOfTb(const TbGroups& groups, uint32_t tb_count);

// Throws as GroupOfTb does.
void CheckCoversOnce(const TbGroups& groups, uint32_t tb_count);

// For `--dump groups`: a line of facts, then one line per group, "group 0 (3 TBs): 0 4 1".
std::string DumpGroups(const TbGroups& groups);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_TB_GROUPS_H_
