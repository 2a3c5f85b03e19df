// What each TB reads of each array (PAVER, section 3.3), without going through threads one by one.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_
#define FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/strided_box.h"
#include "launch/kernel_launch.h"

namespace flagstone {

// Analysis of larger grids, or of more ranges, is refused with kBadInput: it would not fit memory.
inline constexpr uint64_t kMaxAnalyzedTbs = uint64_t{1} << 22;
inline constexpr uint64_t kMaxFootprintRanges = uint64_t{1} << 26;

// TBs that read the same bytes by the same accesses: ranges of `shape`, moved by `base`. A TB may
// be in several classes of one array, whose bytes may overlap.
struct FootprintClass {
  uint32_t shape = 0;
  int64_t base = 0;           // bytes
  std::vector<uint32_t> tbs;  // ascending
};

struct ArrayFootprints {
  std::string array;                       // "?" where pointers of unknown origin join all arrays
  uint32_t element_bytes = 0;              // of the smallest access
  std::vector<std::vector<Range>> shapes;  // byte ranges, sorted and disjoint
  std::vector<FootprintClass> classes;
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

// Affine accesses in closed form, deterministic ones by evaluating their slices; indirect ones are
// skipped. Throws kBadInput for grids and footprints over the limits above.
Footprints FindFootprints(const AddressAnalysis& addresses, const KernelLaunch& launch,
                          AccessKind kind = AccessKind::kLoads);

// All bytes of one array that one TB reads, sorted and disjoint.
std::vector<Range> BytesOf(const ArrayFootprints& array, uint32_t tb);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_FOOTPRINTS_H_
