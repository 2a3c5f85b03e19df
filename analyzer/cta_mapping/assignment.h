// Which SM runs which TBs when they are mapped along a direction of the grid (Liu, Liu, Wang,
// "A Compiler-assisted locality aware CTA Mapping Scheme", section 4).
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_ASSIGNMENT_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_ASSIGNMENT_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone {

enum class CtaDirection : uint8_t { kRoundRobin, kX, kY };
std::string_view ToString(CtaDirection direction);  // "round-robin", "x", "y"

// By SM: its TBs in the order of issue; each TB once, loads differ by at most one TB. Along x
// (y), whole rows (columns) of the grid go to an SM as long as they divide evenly, and the rest is
// cut evenly: Algorithm 3, corrected; as printed it assigns TBs twice and out of range. Further
// planes of the grid (z) count as rows below the first plane's. Round-robin: SM s gets TBs s, s +
// sms, ... sms is at least 1.
std::vector<std::vector<uint32_t>> AssignCtas(const Dim3& grid, uint32_t sms,
                                              CtaDirection direction);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_ASSIGNMENT_H_
