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

// How far an access reaches at a launch, in bytes; empty where that varies or is not known.
struct Extents {
  uint64_t turn_bytes = 0;               // over the grid, in one turn of the loop that strides
  bool exact = false;                    // else turn_bytes is a lower bound
  std::optional<uint64_t> tb_bytes;      // from one TB to the next in the order of their ids
  std::optional<uint64_t> column_bytes;  // from one column of TBs to the next
  std::optional<uint64_t> row_bytes;     // from one row of TBs to the next
  std::optional<uint64_t> pitch_bytes;   // from one row of data to the next
};

// Whether turns that are `stride` apart follow one another over the grid, so that a placement that
// repeats with the stride gives each TB its bytes of all turns. Grids are rounded up to whole TBs
// and rows of them: what a turn reaches may be up to twice as long. Else each TB has a stretch of
// its own that its turns go along.
bool CoversTheGrid(int64_t stride, uint64_t turn_bytes);

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
  Extents extents;
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
  Extents extents;             // of that access
  PagePlacement placement = PagePlacement::kKernelWide;
  // Of stride-aware and column-based placement: bytes to a node before the next (equation 1).
  std::optional<uint64_t> interleave_bytes;
};

// Whose wish TBs follow, and what comes of it.
struct LadmDecision {
  std::optional<TbPlacement> scheduler;  // none: no access to any array is known
  std::string decided_by;                // the array whose wish it is
  uint64_t batch_tbs = 0;                // of align-aware scheduling (equation 2)
  RemoteCaching caching = RemoteCaching::kTwice;
};

// The decision ranks wishes by the bytes that would move if TBs did not follow them: of a shared
// array what every node would fetch, of others what lies elsewhere; equal bytes by the paper's
// order.
struct LadmAnalysis : LadmDecision {
  std::vector<LadmAccess> table;        // in program order
  std::vector<LadmArgument> arguments;  // by address
  // As the paper has it (section III.D.2): shared rows and columns beat none, however small they
  // are; among the rest the larger array wins.
  LadmDecision published;
};

LadmAnalysis AnalyzeLadm(const AddressAnalysis& addresses, const KernelLaunch& launch,
                         const DeviceMemory& memory, const LadmMachine& machine = {});

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_LADM_H_
