// Names and sentences of the errors.
#include "kernels/cuda/client/runtime.h"

namespace {

struct Error {
  cudaError_t error;
  const char* name;
  const char* sentence;
};
#define FLAGSTONE_ERROR(name, sentence) \
  { cudaError##name, "cudaError" #name, sentence }
constexpr Error kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    FLAGSTONE_ERROR(InvalidValue, "invalid argument"),
    FLAGSTONE_ERROR(MemoryAllocation, "out of memory"),
    FLAGSTONE_ERROR(InitializationError, "initialization error"),
    FLAGSTONE_ERROR(InvalidConfiguration, "invalid configuration argument"),
    FLAGSTONE_ERROR(InvalidPitchValue, "invalid pitch argument"),
    FLAGSTONE_ERROR(InvalidSymbol, "invalid device symbol"),
    FLAGSTONE_ERROR(InvalidTexture, "invalid texture reference"),
    FLAGSTONE_ERROR(InvalidMemcpyDirection, "invalid copy direction"),
    FLAGSTONE_ERROR(MissingConfiguration, "launch without a configuration"),
    FLAGSTONE_ERROR(InvalidDeviceFunction, "invalid device function"),
    FLAGSTONE_ERROR(NoDevice, "no device: run the program with 'flagstone exec'"),
    FLAGSTONE_ERROR(InvalidDevice, "invalid device ordinal"),
    FLAGSTONE_ERROR(DevicesUnavailable, "another process has the device"),
    FLAGSTONE_ERROR(InvalidKernelImage, "invalid kernel image"),
    FLAGSTONE_ERROR(NoKernelImageForDevice, "no PTX for the device"),
    FLAGSTONE_ERROR(InvalidPtx, "the PTX cannot be read"),
    FLAGSTONE_ERROR(InvalidResourceHandle, "invalid resource handle"),
    FLAGSTONE_ERROR(SymbolNotFound, "named symbol not found"),
    FLAGSTONE_ERROR(IllegalAddress, "an illegal memory access was encountered"),
    FLAGSTONE_ERROR(LaunchOutOfResources, "too many resources requested for launch"),
    FLAGSTONE_ERROR(LaunchTimeout, "the launch timed out and was terminated"),
    FLAGSTONE_ERROR(Assert, "device-side assert triggered"),
    FLAGSTONE_ERROR(HostMemoryNotRegistered, "host memory was not registered"),
    FLAGSTONE_ERROR(IllegalInstruction, "an illegal instruction was encountered"),
    FLAGSTONE_ERROR(MisalignedAddress, "misaligned address"),
    FLAGSTONE_ERROR(LaunchFailure, "unspecified launch failure"),
    FLAGSTONE_ERROR(NotSupported, "operation not supported"),
};

const Error* Find(cudaError_t error) {
  for (const Error& known : kErrors) {
    if (known.error == error) return &known;
  }
  return nullptr;
}

}  // namespace

FLAGSTONE_API const char* cudaGetErrorString(cudaError_t error) {
  const Error* known = Find(error);
  return known == nullptr ? "unrecognized error code" : known->sentence;
}
FLAGSTONE_API const char* cudaGetErrorName(cudaError_t error) {
  const Error* known = Find(error);
  return known == nullptr ? "unrecognized error code" : known->name;
}
