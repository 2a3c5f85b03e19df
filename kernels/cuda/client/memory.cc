// Allocation of device memory and of memory that host and device share.
#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

cudaError_t Free(void* pointer) {
  const cudaError_t error = Ready();
  if (error != cudaSuccess || pointer == nullptr) return error;
  State& state = Runtime();
  for (size_t i = 0; i < state.pieces.size(); ++i) {
    if (state.pieces[i].address != AddressOf(pointer)) continue;
    const Timed timed;
    Request request;
    request.op = Op::kFree;
    request.a = AddressOf(pointer);
    state.pieces.Remove(i);
    return Failed(Call(request).error);
  }
  return Fail(cudaErrorInvalidValue);
}

constexpr size_t kPitch = 512;
size_t PitchOf(size_t width) { return (width + kPitch - 1) / kPitch * kPitch; }

}  // namespace

bool IsDevice(const void* pointer) {
  return AddressOf(pointer) >= kMemoryBase && AddressOf(pointer) < kMemoryBase + kMemoryBytes;
}

Piece* FindPiece(const void* pointer, uint64_t bytes) {
  State& state = Runtime();
  static size_t recent = 0;
  for (size_t n = 0; n < state.pieces.size(); ++n) {
    const size_t i = (recent + n) % state.pieces.size();
    Piece& piece = state.pieces[i];
    const uint64_t offset = AddressOf(pointer) - piece.address;
    if (offset >= piece.bytes || bytes > piece.bytes - offset) continue;
    recent = i;
    return &piece;
  }
  return nullptr;
}

cudaError_t Allocate(void** pointer, uint64_t bytes, Kind kind) {
  const cudaError_t error = Ready();
  if (pointer == nullptr) return Fail(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (error != cudaSuccess) {
    // A program that looks at no error writes here on the host, and is to end with the error.
    if (Runtime().refusal != cudaSuccess && kind != Kind::kDevice) *pointer = calloc(1, bytes);
    return error;
  }
  if (bytes == 0) return cudaSuccess;
  const Timed timed;
  Request request;
  request.op = Op::kAllocate;
  request.a = bytes;
  request.b = static_cast<uint64_t>(kind);
  const Reply reply = Call(request);
  if (reply.error != 0) return Failed(reply.error);
  Piece* piece = Runtime().pieces.Add();
  piece->address = reply.values[0];
  piece->bytes = bytes;
  piece->kind = kind;
  *pointer = reinterpret_cast<void*>(piece->address);
  return cudaSuccess;
}

}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaError_t cudaMalloc(void** pointer, size_t size) {
  Guard guard;
  return Allocate(pointer, size, Kind::kDevice);
}
FLAGSTONE_API cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t) {
  return cudaMalloc(pointer, size);
}
FLAGSTONE_API cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned) {
  Guard guard;
  return Allocate(pointer, size, Kind::kManaged);
}
FLAGSTONE_API cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned) {
  Guard guard;
  return Allocate(pointer, size, Kind::kHost);
}
FLAGSTONE_API cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return cudaHostAlloc(pointer, size, 0);
}
FLAGSTONE_API cudaError_t cudaFree(void* pointer) {
  Guard guard;
  return Free(pointer);
}
FLAGSTONE_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
FLAGSTONE_API cudaError_t cudaFreeHost(void* pointer) { return cudaFree(pointer); }
FLAGSTONE_API cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned) {
  Guard guard;
  void* device = nullptr;
  const cudaError_t error = Allocate(&device, size, Kind::kHost);
  if (error != cudaSuccess || device == nullptr) return error;
  Registered* registered = Runtime().registered.Add();
  registered->host = static_cast<char*>(pointer);
  registered->bytes = size;
  registered->address = AddressOf(device);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaHostUnregister(void* pointer) {
  Guard guard;
  State& state = Runtime();
  for (size_t i = 0; i < state.registered.size(); ++i) {
    if (state.registered[i].host != pointer) continue;
    void* const device = reinterpret_cast<void*>(state.registered[i].address);
    state.registered.Remove(i);
    return Free(device);
  }
  return Fail(cudaErrorHostMemoryNotRegistered);
}
FLAGSTONE_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  Guard guard;
  if (FindPiece(host, 1) != nullptr) {
    *device = host;
    return cudaSuccess;
  }
  State& state = Runtime();
  for (size_t i = 0; i < state.registered.size(); ++i) {
    const Registered& r = state.registered[i];
    if (static_cast<char*>(host) < r.host || static_cast<char*>(host) >= r.host + r.bytes) continue;
    *device = reinterpret_cast<char*>(r.address) + (static_cast<char*>(host) - r.host);
    return cudaSuccess;
  }
  return Fail(cudaErrorInvalidValue);
}
FLAGSTONE_API cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width,
                                          size_t height) {
  *pitch = PitchOf(width);
  return cudaMalloc(pointer, *pitch * height);
}
FLAGSTONE_API cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  pointer->pitch = PitchOf(extent.width);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMalloc(&pointer->ptr, pointer->pitch * extent.height * extent.depth);
}
FLAGSTONE_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  Guard guard;
  const cudaError_t error = Ready();
  uint64_t used = 0;
  for (size_t i = 0; i < Runtime().pieces.size(); ++i) used += Runtime().pieces[i].bytes;
  *total = kMemoryBytes;
  *free = kMemoryBytes - used;
  return error;
}

FLAGSTONE_API cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) {
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                   const void* pointer) {
  Guard guard;
  memset(attributes, 0, sizeof *attributes);
  const Piece* piece = FindPiece(pointer, 1);
  void* const same = const_cast<void*>(pointer);
  if (piece == nullptr) {
    attributes->hostPointer = same;
    return cudaSuccess;
  }
  attributes->type = piece->kind == Kind::kManaged ? cudaMemoryTypeManaged
                     : piece->kind == Kind::kHost  ? cudaMemoryTypeHost
                                                   : cudaMemoryTypeDevice;
  attributes->devicePointer = same;
  attributes->hostPointer = piece->kind == Kind::kDevice ? nullptr : same;
  return cudaSuccess;
}
