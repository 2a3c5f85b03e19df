// How far an access reaches at a launch, and from one TB to the next: what placement needs beside
// the stride. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LADM_EXTENTS_H_
#define FLAGSTONE_ANALYZER_LADM_EXTENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/ladm/classify.h"

namespace flagstone {

// `loops`: of the kernel, for the trip counts of those within the one that gives the stride.
Extents ExtentsOf(const ExpandedAccess& access, const std::vector<CountedLoop>& loops,
                  const KernelLaunch& launch, const PrimeExpansion& expansion);

// The loop whose step is the access's stride: of those whose turns follow one another over the grid
// the one with the shortest step, where there is none the outermost. Empty: no loop moves it.
std::optional<Prime> StridingLoop(const ExpandedAccess& access, const KernelLaunch& launch,
                                  const PrimeExpansion& expansion);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_EXTENTS_H_
