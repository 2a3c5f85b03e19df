// Arrays: texels one after another, without a pitch; and copies that may be from or to one.
#include "kernels/cuda/client/arrays.h"

using namespace flagstone::cuda;

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
