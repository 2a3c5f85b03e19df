// Address forms as text, for people and `--dump addresses`.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_DUMP_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_DUMP_H_

#include <string>

#include "analyzer/address/address_form.h"

namespace flagstone {

// "4294967296 + 4*tid.x + 64*ctaid.x + 8*L0"
std::string ToString(const AffineForm& form);
// "column (line 39, global memory)"
std::string ToString(const LoadLink& link);
// A line per loop, then a line per access with its guards or the reason why it is not affine.
std::string Dump(const AddressAnalysis& analysis);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_DUMP_H_
