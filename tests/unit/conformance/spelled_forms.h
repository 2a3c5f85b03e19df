// Forms that no combination of the table's words spells: calls, which take several statements, and
// instructions whose words follow one another in a fixed way.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_SPELLED_FORMS_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_SPELLED_FORMS_H_

#include <string>
#include <vector>

#include "kernels/ptx/types.h"

namespace flagstone::conformance {

// A call of `name`, one of the table's that begin with "call", or "brx", with pointers of `type`;
// empty for all others.
std::string CallText(std::string_view name, ptx::Type type);
// What these calls need at module scope.
std::string CallPrototypes(ptx::Type type);

const std::vector<std::string>& OtherForms();

// A module whose only kernel, "k", has this body; pointers are of `type`, u32 or another.
std::string ModuleText(const std::string& parameters, const std::string& body, ptx::Type type);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_SPELLED_FORMS_H_
