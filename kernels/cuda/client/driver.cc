// What programs of the runtime API take from the driver API: tensor maps, values in memory, and the
// way to a driver function by its name. A tensor map is ours (kernels/launch/tensor_map.h), and its
// rules are checked where a kernel uses it.
#include "kernels/cuda/client/runtime.h"
#include "kernels/launch/tensor_map.h"

namespace flagstone::cuda {
namespace {

// CUresult.
constexpr int kSuccess = 0, kInvalidValue = 1, kNotInitialized = 3, kNotSupported = 801;

// By CUtensorMapDataType, whose order is another one.
constexpr TensorType kTypes[] = {TensorType::kU8,     TensorType::kU16,    TensorType::kU32,
                                 TensorType::kS32,    TensorType::kU64,    TensorType::kS64,
                                 TensorType::kF16,    TensorType::kF32,    TensorType::kF64,
                                 TensorType::kBf16,   TensorType::kF32Ftz, TensorType::kTf32,
                                 TensorType::kTf32Ftz};
constexpr int kTypeCount = sizeof kTypes / sizeof kTypes[0];

// What both kinds of maps have. False where Flagstone has no such map.
bool Begin(int type, uint32_t rank, const void* base, const uint64_t* shape,
           const uint64_t* strides, const uint32_t* steps, int interleave, int swizzle, int outside,
           TensorMap* map) {
  if (rank == 0 || rank > TensorMap::kMostDimensions) return false;
  if (type < 0 || type >= kTypeCount || interleave != 0) return false;
  if (swizzle < 0 || swizzle > static_cast<int>(TensorSwizzle::k128)) return false;
  map->type = kTypes[type];
  map->dimensions = static_cast<uint8_t>(rank);
  map->base = reinterpret_cast<uint64_t>(base);
  map->swizzle = static_cast<TensorSwizzle>(swizzle);
  map->nan = outside != 0;
  map->strides[0] = SizeOf(map->type);
  for (uint32_t d = 0; d < rank; ++d) {
    if (shape[d] == 0 || shape[d] > uint64_t{1} << 32) return false;
    // 2^32 elements are one less here, which no coordinate of 32 bits tells apart.
    map->shape[d] = static_cast<uint32_t>(shape[d] >> 32 != 0 ? 0xffffffff : shape[d]);
    map->steps[d] = static_cast<uint8_t>(steps[d]);
    if (d != 0) map->strides[d] = strides[d - 1];
  }
  return true;
}

int Refuse(const char* what) {
  Say("%s: no such tensor map is supported: expected 1 to 5 dimensions, elements of 1 to 8 bytes, "
      "no interleaved layout, and a swizzle of 32, 64 or 128 bytes in units of 16",
      what);
  return kNotSupported;
}

// Device memory is the program's own too, and all streams run when they are issued.
template <class T>
int Fill(uint64_t device, T value, size_t count) {
  Guard guard;
  if (Ready() != cudaSuccess) return kNotInitialized;
  T* const to = reinterpret_cast<T*>(device);
  if (count == 0) return kSuccess;
  if (device % sizeof(T) != 0 || FindPiece(to, count * sizeof(T)) == nullptr) return kInvalidValue;
  for (size_t i = 0; i < count; ++i) to[i] = value;
  return kSuccess;
}

// 128 bytes, of which the map has the first.
int Write(const TensorMap& map, void* to) {
  memset(to, 0, TensorMap::kBytes);
  memcpy(to, &map, sizeof map);
  return kSuccess;
}

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;
using flagstone::TensorMap;

FLAGSTONE_API int cuTensorMapEncodeTiled(void* to, int type, uint32_t rank, void* base,
                                         const uint64_t* shape, const uint64_t* strides,
                                         const uint32_t* box, const uint32_t* steps, int interleave,
                                         int swizzle, int, int outside) {
  if (to == nullptr || base == nullptr || shape == nullptr || box == nullptr || steps == nullptr) {
    return kInvalidValue;
  }
  TensorMap map;
  if (!Begin(type, rank, base, shape, strides, steps, interleave, swizzle, outside, &map)) {
    return Refuse("cuTensorMapEncodeTiled");
  }
  for (uint32_t d = 0; d < rank; ++d) map.box[d] = static_cast<uint16_t>(box[d]);
  return Write(map, to);
}
FLAGSTONE_API int cuTensorMapEncodeIm2col(void* to, int type, uint32_t rank, void* base,
                                          const uint64_t* shape, const uint64_t* strides,
                                          const int* lower, const int* upper, uint32_t channels,
                                          uint32_t pixels, const uint32_t* steps, int interleave,
                                          int swizzle, int, int outside) {
  if (to == nullptr || base == nullptr || shape == nullptr || lower == nullptr ||
      upper == nullptr || steps == nullptr) {
    return kInvalidValue;
  }
  TensorMap map;
  if (rank < 3 ||
      !Begin(type, rank, base, shape, strides, steps, interleave, swizzle, outside, &map)) {
    return Refuse("cuTensorMapEncodeIm2col");
  }
  map.images = true;
  map.box[0] = static_cast<uint16_t>(channels);
  map.box[1] = static_cast<uint16_t>(pixels);
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    map.lower[d] = static_cast<int16_t>(lower[d]);
    map.upper[d] = static_cast<int16_t>(upper[d]);
  }
  return Write(map, to);
}
FLAGSTONE_API int cuTensorMapReplaceAddress(void* of, void* base) {
  if (of == nullptr || base == nullptr) return kInvalidValue;
  TensorMap map;
  memcpy(&map, of, sizeof map);
  if (map.magic != TensorMap::kMagic) return kInvalidValue;
  map.base = reinterpret_cast<uint64_t>(base);
  return Write(map, of);
}
FLAGSTONE_API int cuMemsetD8Async(uint64_t to, uint8_t value, size_t count, void*) {
  return Fill(to, value, count);
}
FLAGSTONE_API int cuMemsetD16Async(uint64_t to, uint16_t value, size_t count, void*) {
  return Fill(to, value, count);
}
FLAGSTONE_API int cuMemsetD32Async(uint64_t to, uint32_t value, size_t count, void*) {
  return Fill(to, value, count);
}
FLAGSTONE_API int cuInit(unsigned) { return kSuccess; }
FLAGSTONE_API int cuDriverGetVersion(int* version) { return cudaDriverGetVersion(version); }
FLAGSTONE_API int cuGetErrorString(int error, const char** text) {
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return kSuccess;
}
FLAGSTONE_API int cuGetErrorName(int error, const char** text) {
  *text = cudaGetErrorName(static_cast<cudaError_t>(error));
  return kSuccess;
}

namespace {

template <class F>
void* Address(F* function) {
  return reinterpret_cast<void*>(function);
}

void* FindDriver(const char* name) {
  const struct {
    const char* name;
    void* function;
  } known[] = {{"cuTensorMapEncodeTiled", Address(cuTensorMapEncodeTiled)},
               {"cuTensorMapEncodeIm2col", Address(cuTensorMapEncodeIm2col)},
               {"cuTensorMapReplaceAddress", Address(cuTensorMapReplaceAddress)},
               {"cuMemsetD8Async", Address(cuMemsetD8Async)},
               {"cuMemsetD16Async", Address(cuMemsetD16Async)},
               {"cuMemsetD32Async", Address(cuMemsetD32Async)},
               {"cuInit", Address(cuInit)},
               {"cuDriverGetVersion", Address(cuDriverGetVersion)},
               {"cuGetErrorString", Address(cuGetErrorString)},
               {"cuGetErrorName", Address(cuGetErrorName)}};
  for (const auto& one : known) {
    if (strcmp(one.name, name) == 0) return one.function;
  }
  return nullptr;
}

}  // namespace

FLAGSTONE_API cudaError_t
cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                 cudaDriverEntryPointQueryResult* result) {
  if (name == nullptr || function == nullptr) {
    Guard guard;
    return Fail(cudaErrorInvalidValue);
  }
  *function = FindDriver(name);
  if (*function == nullptr) Say("the driver's function '%s' is not supported", name);
  if (result != nullptr) {
    *result =
        *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  }
  if (*function != nullptr || result != nullptr) return cudaSuccess;
  Guard guard;
  return Fail(cudaErrorSymbolNotFound);
}
FLAGSTONE_API cudaError_t cudaGetDriverEntryPoint(const char* name, void** function,
                                                  unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(name, function, 0, flags, result);
}
