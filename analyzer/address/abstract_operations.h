// Parts of Apply (abstract_value.h), by kind of instruction. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_OPERATIONS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_OPERATIONS_H_

#include <span>

#include "analyzer/address/abstract_value.h"

namespace flagstone {

// A base pointer plus an index points into the base's region; -1 if there is none or several.
int RegionOf(std::span<const AbstractValue> sources);

AbstractValue SetPredicate(const ptx::Instruction& instruction,
                           std::span<const AbstractValue> sources, bool second,
                           const RangeContext& context);
// and, or, xor, not, mov on predicates.
AbstractValue CombinePredicates(const ptx::Instruction& instruction,
                                std::span<const AbstractValue> sources);
// selp
AbstractValue Select(const ptx::Instruction& instruction, std::span<const AbstractValue> sources);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_OPERATIONS_H_
