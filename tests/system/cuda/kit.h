// The kit's compiler, as the tests of CUDA programs use it.
#ifndef FLAGSTONE_TESTS_SYSTEM_CUDA_KIT_H_
#define FLAGSTONE_TESTS_SYSTEM_CUDA_KIT_H_

#include <string>

namespace flagstone {

// False where clang-14 or libclc-14 is missing.
bool HasKitCompiler();
std::string KitNvcc();
// The path of tests/system/cuda/programs/NAME.cu as a program, compiled once, with these options.
std::string KitProgram(const std::string& name, const std::string& options = "");

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_SYSTEM_CUDA_KIT_H_
