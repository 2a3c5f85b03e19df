// The PTX that Flagstone knows by name only (PTX ISA 9.0): it is read over, and refused when a
// kernel that holds it is to run, so that the other kernels of the file can.
#ifndef FLAGSTONE_PTX_FOREIGN_H_
#define FLAGSTONE_PTX_FOREIGN_H_

#include <string_view>

namespace flagstone::ptx {

bool IsForeignInstruction(std::string_view name);  // "wmma"
// A dotted word, without its dot, that makes a known instruction a foreign one: "f16x2".
bool IsForeignWord(std::string_view word);
bool IsForeignRegister(std::string_view name);  // "%clusterid"

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_FOREIGN_H_
