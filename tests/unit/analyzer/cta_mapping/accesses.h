// Accesses by hand for the tests of reuse distances.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_CTA_MAPPING_ACCESSES_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_CTA_MAPPING_ACCESSES_H_

#include <array>
#include <utility>
#include <vector>

#include "analyzer/address/address_form.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::accesses {

inline constexpr int64_t kBase = 0x1'0000'0000;

// A float at kBase + constant + ...; `loops` are the coefficients of all loops, outermost first.
inline AddressForm Load(int64_t constant, std::array<int64_t, 3> tid, std::array<int64_t, 3> ctaid,
                        std::vector<int64_t> loops = {}) {
  AddressForm access;
  access.address_class = AddressClass::kAffine;
  access.pattern = AddressClass::kAffine;
  access.bytes = 4;
  access.array = "a";
  access.form.constant = kBase + constant;
  access.form.tid = tid;
  access.form.ctaid = ctaid;
  for (uint32_t l = 0; l < loops.size(); ++l) access.loops.push_back(l);
  access.form.loops = std::move(loops);
  return access;
}

inline CountedLoop Loop(uint64_t trip_count) {
  CountedLoop loop;
  loop.known = true;
  loop.trip_count = trip_count;
  return loop;
}

}  // namespace flagstone::accesses

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_CTA_MAPPING_ACCESSES_H_
