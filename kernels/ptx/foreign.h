// The PTX that Flagstone knows by name only (PTX ISA 9.0): it is read over, and refused when a
// kernel that holds it is to run, so that the other kernels of the file can.
#ifndef FLAGSTONE_KERNELS_PTX_FOREIGN_H_
#define FLAGSTONE_KERNELS_PTX_FOREIGN_H_

#include <string>
#include <string_view>

namespace flagstone::ptx {

bool IsForeignInstruction(std::string_view name);  // "wmma"
// A dotted word, without its dot, that makes a known instruction a foreign one: "f16x2".
bool IsForeignWord(std::string_view word);

// What a program asks for that names one of these, in the words of CUDA's documents: "tensor
// cores". Empty where the name says it itself.
std::string_view FeatureOfInstruction(std::string_view name);
std::string_view FeatureOfWord(std::string_view word);

// "this instruction is not supported (tensor cores)"
std::string NotSupported(std::string_view what, std::string_view feature);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_FOREIGN_H_
