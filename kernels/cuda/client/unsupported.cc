// Functions of the runtime that nobody serves here. A program that calls one hears so once and gets
// an error code; without the name it would not even start.
#include "kernels/cuda/client/runtime.h"

namespace {

cudaError_t NotSupported(const char* name, bool* said) {
  if (!*said) flagstone::cuda::Say("%s is not supported", name);
  *said = true;
  flagstone::cuda::Guard guard;
  return flagstone::cuda::Fail(cudaErrorNotSupported);
}

}  // namespace

#define FLAGSTONE_UNSUPPORTED(name)    \
  FLAGSTONE_API cudaError_t name() {   \
    static bool said = false;          \
    return NotSupported(#name, &said); \
  }
#include "kernels/cuda/client/unsupported_names.h"
