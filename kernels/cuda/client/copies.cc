// Copies and fills. Device memory is mapped here, so that a copy is a memcpy.
#include "kernels/cuda/client/graphs.h"

namespace flagstone::cuda {
namespace {

enum class Side { kHost, kDevice };

// Whether `bytes` from `pointer` on may be read or written as the kind of copy says.
bool Fits(const void* pointer, uint64_t bytes, Side side) {
  if (bytes == 0) return true;
  if (IsDevice(pointer)) return FindPiece(pointer, bytes) != nullptr;
  return side == Side::kHost && pointer != nullptr;
}

cudaError_t Copy(void* to, const void* from, uint64_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return Fail(cudaErrorInvalidMemcpyDirection);
  }
  const bool any = kind == cudaMemcpyDefault;
  const Side target = !any && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice)
                          ? Side::kDevice
                          : Side::kHost;
  const Side source = !any && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice)
                          ? Side::kDevice
                          : Side::kHost;
  if (!Fits(to, bytes, target) || !Fits(from, bytes, source)) return Fail(cudaErrorInvalidValue);
  const Timed timed;
  memmove(to, from, bytes);
  if (IsDevice(from) && !IsDevice(to)) CopiedBack(from, bytes);
  return cudaSuccess;
}

cudaError_t CopyRows(char* to, size_t to_pitch, const char* from, size_t from_pitch, size_t width,
                     size_t height, cudaMemcpyKind kind) {
  if (height > 1 && (width > to_pitch || width > from_pitch)) {
    return Fail(cudaErrorInvalidPitchValue);
  }
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = Copy(to + row * to_pitch, from + row * from_pitch, width, kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t Set(void* pointer, int value, uint64_t bytes) {
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (!Fits(pointer, bytes, Side::kDevice)) return Fail(cudaErrorInvalidValue);
  const Timed timed;
  memset(pointer, value, bytes);
  return cudaSuccess;
}

}  // namespace

void CopiedBack(const void* from, uint64_t bytes) {
  if (!Runtime().recording) return;
  Request request;
  request.op = Op::kCopiedBack;
  request.a = reinterpret_cast<uint64_t>(from);
  request.b = bytes;
  Call(request);
}

}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  Guard guard;
  return Copy(to, from, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, size, from, size, size, 1, kind, stream);
}
FLAGSTONE_API cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t size) {
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}
FLAGSTONE_API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t size,
                                              cudaStream_t) {
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}
FLAGSTONE_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from,
                                       size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind kind) {
  Guard guard;
  return CopyRows(static_cast<char*>(to), to_pitch, static_cast<const char*>(from), from_pitch,
                  width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from,
                                            size_t from_pitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (Captures(stream)) {
    Work work;
    work.kind = Work::kCopy;
    work.to = to;
    work.from = from;
    work.to_pitch = to_pitch;
    work.from_pitch = from_pitch;
    work.width = width;
    work.height = height;
    work.direction = kind;
    Guard guard;
    return Capture(work);
  }
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemset(void* pointer, int value, size_t size) {
  Guard guard;
  return Set(pointer, value, size);
}
FLAGSTONE_API cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size,
                                          cudaStream_t stream) {
  return cudaMemset2DAsync(pointer, size, value, size, 1, stream);
}
FLAGSTONE_API cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width,
                                       size_t height) {
  Guard guard;
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = Set(static_cast<char*>(pointer) + row * pitch, value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    void* const slice = static_cast<char*>(p.ptr) + z * p.pitch * p.ysize;
    const cudaError_t error = cudaMemset2D(slice, p.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream) {
  if (Captures(stream)) {
    Work work;
    work.kind = Work::kSet;
    work.to = pointer;
    work.to_pitch = pitch;
    work.value = value;
    work.width = width;
    work.height = height;
    Guard guard;
    return Capture(work);
  }
  return cudaMemset2D(pointer, pitch, value, width, height);
}
FLAGSTONE_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent,
                                            cudaStream_t) {
  return cudaMemset3D(p, value, extent);
}
