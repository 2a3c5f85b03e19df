// How each load's address comes about, as a tree of instructions: the syntax tree of Kim, Eom and
// Kim (IEEE Access 2023, Fig. 5), for people and `--dump tree`.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_TREE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_TREE_H_

#include <string>

#include "analyzer/address/address_form.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

// Of each global load, its line, and under it the instructions that make the registers of its
// address, each under the one that reads it, down to ids, parameters and constants. A value from
// memory ends its branch. Values that meet or that a loop carries are a node of their own. A node
// with branches stands once in a tree and is named "as above" after that.
std::string DumpTrees(const ptx::Kernel& kernel, const AddressAnalysis& addresses);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_TREE_H_
