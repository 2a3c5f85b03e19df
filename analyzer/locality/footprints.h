// What each TB reads of each array (PAVER, section 3.3), without going through threads one by one.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_
#define FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/strided_box.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Analysis of larger grids, or of more ranges, is refused with kBadInput: it would not fit memory.
inline constexpr uint64_t kMaxAnalyzedTbs = uint64_t{1} << 22;
inline constexpr uint64_t kMaxFootprintRanges = uint64_t{1} << 26;

using TbCoordinate = std::array<uint32_t, 3>;  // ctaid.x, .y, .z

// TBs first + [0, count) along each axis of the grid.
struct TbBox {
  TbCoordinate first = {0, 0, 0};
  TbCoordinate count = {1, 1, 1};

  bool Contains(const TbCoordinate& tb) const;
  std::vector<uint32_t> Ids(const Dim3& grid) const;  // ascending
  bool operator==(const TbBox&) const = default;
};

// TBs that read the same bytes but for a shift: the ranges of `shape`, moved by
// sum(strides * ctaid). The closed form of kernels that do alike all over the grid: a stencil of
// any size has a class for its inner TBs and a few for those at the borders.
struct FootprintClass {
  uint32_t shape = 0;
  TbBox tbs;
  std::array<int64_t, 3> strides = {0, 0, 0};  // bytes from a TB to the next along each axis

  int64_t BaseOf(const TbCoordinate& tb) const {
    return strides[0] * tb[0] + strides[1] * tb[1] + strides[2] * tb[2];
  }
};

struct ArrayFootprints {
  std::string array;           // "?" where pointers of unknown origin join all arrays
  uint32_t element_bytes = 0;  // of the smallest access
  Dim3 grid;
  std::vector<std::vector<Range>> shapes;  // byte ranges, sorted and disjoint
  // By shape, then warp: what each warp of a TB reads. Empty unless it was asked for.
  std::vector<std::vector<std::vector<Range>>> warps;
  std::vector<FootprintClass> classes;
  bool disjoint = true;  // no TB is in two classes; else its bytes are those of all of them
};

struct SkippedLoad {
  uint32_t pc = 0;
  int line = 0;  // of the PTX file
  std::string reason;
};

struct Footprints {
  uint32_t tb_count = 0;
  std::vector<ArrayFootprints> arrays;  // by name
  std::vector<SkippedLoad> skipped;     // loads that are in no footprint
};

enum class AccessKind : uint8_t { kLoads, kStores };

// What loads read whose addresses follow from known data only, found by execution.
struct KnownAccesses {
  struct Tb {
    uint32_t tb = 0;
    std::vector<Range> bytes;               // sorted and disjoint, not empty
    std::vector<std::vector<Range>> warps;  // the same by warp, where asked for
  };
  struct Array {
    std::string array;
    uint32_t element_bytes = 0;
    std::vector<Tb> tbs;  // ascending; those that read it
  };
  std::vector<uint32_t> pcs;  // of these loads, ascending
  bool Holds(uint32_t pc) const { return std::binary_search(pcs.begin(), pcs.end(), pc); }
  std::vector<Array> arrays;
};

struct FootprintRequest {
  AccessKind kind = AccessKind::kLoads;
  bool by_warp = false;                  // fill ArrayFootprints::warps
  const KnownAccesses* known = nullptr;  // of loads that are not to be analysed
};

// Affine accesses in closed form, deterministic ones by evaluating their slices, known ones as they
// are; other indirect ones are skipped. Throws kBadInput for grids and footprints over the limits
// above.
Footprints FindFootprints(const AddressAnalysis& addresses, const KernelLaunch& launch,
                          const FootprintRequest& request = {});

// All bytes of one array that one TB reads, sorted and disjoint.
std::vector<Range> BytesOf(const ArrayFootprints& array, uint32_t tb);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_
