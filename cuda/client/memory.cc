// Allocation and copies. Device memory is mapped here, so that a copy is a memcpy.
#include "cuda/client/arrays.h"
#include "cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

enum class Side { kHost, kDevice };

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

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
  if (error != cudaSuccess) return error;
  if (pointer == nullptr) return Fail(cudaErrorInvalidValue);
  *pointer = nullptr;
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

void CopiedBack(const void* from, uint64_t bytes) {
  if (!Runtime().recording) return;
  Request request;
  request.op = Op::kCopiedBack;
  request.a = AddressOf(from);
  request.b = bytes;
  Call(request);
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

FLAGSTONE_API cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  Guard guard;
  return Copy(to, from, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size,
                                          cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, size, kind);
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
                                            cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemset(void* pointer, int value, size_t size) {
  Guard guard;
  return Set(pointer, value, size);
}
FLAGSTONE_API cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t) {
  return cudaMemset(pointer, value, size);
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
                                            size_t height, cudaStream_t) {
  return cudaMemset2D(pointer, pitch, value, width, height);
}
FLAGSTONE_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent,
                                            cudaStream_t) {
  return cudaMemset3D(p, value, extent);
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

// Arrays: texels one after another, without a pitch.
FLAGSTONE_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                            cudaExtent extent, unsigned) {
  Guard guard;
  const auto bits = static_cast<size_t>(desc->x + desc->y + desc->z + desc->w);
  const auto at = [](size_t n) { return n == 0 ? size_t{1} : n; };
  auto* made = static_cast<cudaArray*>(calloc(1, sizeof(cudaArray)));
  if (made == nullptr) return Fail(cudaErrorMemoryAllocation);
  *made = {*desc, extent.width, at(extent.height), at(extent.depth), bits / 8, nullptr};
  const cudaError_t error =
      Allocate(&made->data, made->width * made->height * made->depth * made->texel, Kind::kDevice);
  if (error != cudaSuccess) {
    free(made);
    return error;
  }
  *array = made;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                          size_t width, size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}
FLAGSTONE_API cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = cudaFree(array->data);
  free(array);
  return error;
}
FLAGSTONE_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                            size_t size, cudaMemcpyKind kind) {
  return cudaMemcpy(static_cast<char*>(to->data) + y * to->RowBytes() + x, from, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y,
                                              size_t size, cudaMemcpyKind kind) {
  return cudaMemcpy(to, static_cast<char*>(from->data) + y * from->RowBytes() + x, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                              size_t pitch, size_t width, size_t height,
                                              cudaMemcpyKind kind) {
  return cudaMemcpy2D(static_cast<char*>(to->data) + y * to->RowBytes() + x, to->RowBytes(), from,
                      pitch, width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from,
                                                size_t x, size_t y, size_t width, size_t height,
                                                cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, pitch, static_cast<char*>(from->data) + y * from->RowBytes() + x,
                      from->RowBytes(), width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                 const void* from, size_t size, cudaMemcpyKind kind,
                                                 cudaStream_t) {
  return cudaMemcpyToArray(to, x, y, from, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x,
                                                   size_t y, size_t size, cudaMemcpyKind kind,
                                                   cudaStream_t) {
  return cudaMemcpyFromArray(to, from, x, y, size, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                   const void* from, size_t pitch, size_t width,
                                                   size_t height, cudaMemcpyKind kind,
                                                   cudaStream_t) {
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                                     size_t x, size_t y, size_t width,
                                                     size_t height, cudaMemcpyKind kind,
                                                     cudaStream_t) {
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}
FLAGSTONE_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  // Places and widths count texels where there is an array, else bytes.
  const cudaArray* const any = p->srcArray != nullptr ? p->srcArray : p->dstArray;
  const size_t unit = any != nullptr ? any->texel : 1;
  struct Plane {
    char* base;
    size_t pitch, rows;
  };
  const auto plane = [](cudaArray* array, const cudaPitchedPtr& pointer) {
    return array != nullptr
               ? Plane{static_cast<char*>(array->data), array->RowBytes(), array->height}
               : Plane{static_cast<char*>(pointer.ptr), pointer.pitch, pointer.ysize};
  };
  const Plane from = plane(p->srcArray, p->srcPtr), to = plane(p->dstArray, p->dstPtr);
  const size_t from_unit = p->srcArray != nullptr ? unit : 1;
  const size_t to_unit = p->dstArray != nullptr ? unit : 1;
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error = cudaMemcpy2D(
        to.base + ((p->dstPos.z + z) * to.rows + p->dstPos.y) * to.pitch + p->dstPos.x * to_unit,
        to.pitch,
        from.base + ((p->srcPos.z + z) * from.rows + p->srcPos.y) * from.pitch +
            p->srcPos.x * from_unit,
        from.pitch, p->extent.width * unit, p->extent.height, p->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t) {
  return cudaMemcpy3D(p);
}
