// Names of C++ functions as their sources write them.
#ifndef FLAGSTONE_BASE_DEMANGLE_H_
#define FLAGSTONE_BASE_DEMANGLE_H_

#include <string>

namespace flagstone {

// "_Z4blurPKfPfi" -> "blur", "_Z5scaleIfEvPT_" -> "scale<float>": without parameters and return
// type. A name that is not mangled stays as it is.
std::string KernelName(const std::string& entry);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_DEMANGLE_H_
