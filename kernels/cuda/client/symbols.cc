// Copies to and from variables of the program's device code.
#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

cudaError_t Find(const void* symbol, Variable** variable) {
  const cudaError_t error = Ready();
  return error != cudaSuccess ? error : Fail(FindVariable(symbol, variable));
}

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  Guard guard;
  Variable* variable = nullptr;
  const cudaError_t error = Find(symbol, &variable);
  if (error == cudaSuccess) *address = reinterpret_cast<void*>(variable->address);
  return error;
}
FLAGSTONE_API cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  Guard guard;
  Variable* variable = nullptr;
  const cudaError_t error = Find(symbol, &variable);
  if (error == cudaSuccess) *size = variable->bytes;
  return error;
}
FLAGSTONE_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size,
                                             size_t offset, cudaMemcpyKind kind) {
  void* address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  if (error != cudaSuccess) return error;
  return cudaMemcpy(static_cast<char*>(address) + offset, from, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size,
                                               size_t offset, cudaMemcpyKind kind) {
  void* address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  if (error != cudaSuccess) return error;
  return cudaMemcpy(to, static_cast<char*>(address) + offset, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, size, offset, kind);
}
