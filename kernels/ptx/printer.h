// Kernels and modules as text, for people and for tests of the parser's result.
#ifndef FLAGSTONE_KERNELS_PTX_PRINTER_H_
#define FLAGSTONE_KERNELS_PTX_PRINTER_H_

#include <string>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// A header (parameters, memories, registers), then one line per instruction: its pc, its block and
// the text; for branches and conditional exits also the target's pc and where lanes reconverge
// ("end" for the kernel's end). Ends with a newline.
std::string Print(const Kernel& kernel);

// Version, target, global variables and the list of entries.
std::string PrintModuleHeader(const Module& module);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_PRINTER_H_
