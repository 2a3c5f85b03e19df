// The PTX that Flagstone knows by name only (PTX ISA 9.0): it is read over, and refused when a
// kernel that holds it is to run, so that the other kernels of the file can.
#ifndef FLAGSTONE_KERNELS_PTX_FOREIGN_H_
#define FLAGSTONE_KERNELS_PTX_FOREIGN_H_

#include <string>
#include <string_view>
#include <vector>

namespace flagstone::ptx {

// "wmma". Of a family the word behind it, without its dot, has to be one of its operations:
// "tcgen05", "wait::ld".
bool IsForeignInstruction(std::string_view name, std::string_view word);
bool IsForeignFamily(std::string_view name);
// A dotted word, without its dot, that makes a known instruction a foreign one: "f16x2".
bool IsForeignWord(std::string_view word);

// What a program asks for that names one of these, in the words of CUDA's documents: "tensor
// cores". Empty where the name says it itself.
std::string_view FeatureOfInstruction(std::string_view name);
std::string_view FeatureOfWord(std::string_view word);

// All opcodes of PTX ISA 9.0, whether they are executed or not, in alphabetical order; those of
// families with their operations: "tcgen05.ld".
std::vector<std::string> KnownInstructions();
// The three that are the fewest slips of the pen away.
std::vector<std::string> NearestInstructions(const std::string& name);

// "this instruction is not supported (tensor cores)"
std::string NotSupported(std::string_view what, std::string_view feature);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_FOREIGN_H_
