// LADM (MICRO 2020): which locality each access has, and what the run time would make of it: where
// pages go, where TBs run, how remote lines are cached. Table and equation numbers are the paper's.
#ifndef FLAGSTONE_ANALYZER_LADM_LADM_H_
#define FLAGSTONE_ANALYZER_LADM_LADM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/address/address_form.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Rows of Table II.
enum class LocalityType : uint8_t {
  kNoLocality,
  kRowHorizontal,  // TBs of a grid row share, and move along a row of data
  kColHorizontal,  // TBs of a grid column share, and move along a row
  kRowVertical,    // TBs of a grid row share, and move down a column
  kColVertical,
  kIntraThread,
  kUnclassified,
};
std::string_view ToString(LocalityType type);  // "no-locality", "row-horizontal", ...

enum class TbPlacement : uint8_t { kAlignAware, kRowBinding, kColBinding, kKernelWide };
enum class PagePlacement : uint8_t { kStrideAware, kRowBased, kColBased, kKernelWide };
enum class RemoteCaching : uint8_t { kTwice, kOnce };
std::string_view ToString(TbPlacement placement);    // "align-aware"
std::string_view ToString(PagePlacement placement);  // "stride-aware"
std::string_view ToString(RemoteCaching caching);    // "rtwice"
TbPlacement SchedulerOf(LocalityType type);
PagePlacement PlacementOf(LocalityType type);
RemoteCaching CachingOf(LocalityType type);

// Table III: 4 GPUs of 4 chiplets; pages as in section IV.C.
struct LadmMachine {
  uint32_t nodes = 16;
  uint64_t page_bytes = 4096;
};

// A row of the locality table: one access of the kernel.
struct LadmAccess {
  uint32_t pc = 0;
  int line = 0;  // of the PTX file
  bool is_store = false;
  std::string array;
  LocalityType type = LocalityType::kUnclassified;
  std::string invariant;  // the index in elements, expanded to prime variables
  std::string variant;    // the part that loops change; empty if there is none
  std::string stride;     // loop-variant part / m, in elements; empty if there is none
  std::optional<int64_t> stride_bytes;  // at this launch; empty where it varies
  uint32_t unrolled = 1;                // copies that the compiler made of the loop's body
  uint64_t datablock_bytes = 0;         // that a TB touches in one turn of the outermost loop
  uint32_t loop_depth = 0;
  uint32_t bytes = 0;  // of one element
};

// An array, all accesses together.
struct LadmArgument {
  std::string name;
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t pages = 0;
  LocalityType type = LocalityType::kUnclassified;
  std::string stride;
  std::optional<int64_t> stride_bytes;
  uint64_t datablock_bytes = 0;
  uint32_t element_bytes = 0;  // of the access that gives the type
  PagePlacement placement = PagePlacement::kKernelWide;
  // Of stride-aware and column-based placement: bytes to a node before the next (equation 1).
  std::optional<uint64_t> interleave_bytes;
};

struct LadmAnalysis {
  std::vector<LadmAccess> table;         // in program order
  std::vector<LadmArgument> arguments;   // by address
  std::optional<TbPlacement> scheduler;  // none: no access to any array is known
  std::string decided_by;                // the array whose wish it is
  uint64_t batch_tbs = 0;                // of align-aware scheduling (equation 2)
  RemoteCaching caching = RemoteCaching::kTwice;
};

LadmAnalysis AnalyzeLadm(const AddressAnalysis& addresses, const KernelLaunch& launch,
                         const DeviceMemory& memory, const LadmMachine& machine = {});

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_LADM_H_
