// Surfaces by object (CUDA C++ Programming Guide, "Surface Functions"): suld and sust of values of
// 1 to 16 bytes. `x` counts bytes.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SURFACE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SURFACE_H_

#pragma clang system_header  // asm operands that only some of the branches name

#define FLAGSTONE_SURFACE \
  template <class T>      \
  __device__ static inline __attribute__((always_inline))

// One access: of 16 bytes in two registers, of 8 in one, of less in a smaller one. `place` names
// the coordinates a, b and c as operands 3, 4 and 5.
#define FLAGSTONE_READ(mode, shape, place)                                    \
  if (sizeof(T) == 16) {                                                      \
    asm volatile("suld.b." shape ".v2.b64" mode " {%0, %1}, [%2, " place "];" \
                 : "=l"(low), "=l"(high)                                      \
                 : "l"(surface), "r"(a), "r"(b), "r"(c));                     \
  } else if (sizeof(T) == 8) {                                                \
    asm volatile("suld.b." shape ".b64" mode " {%0}, [%2, " place "];"        \
                 : "=l"(low), "=l"(high)                                      \
                 : "l"(surface), "r"(a), "r"(b), "r"(c));                     \
  } else if (sizeof(T) == 4) {                                                \
    asm volatile("suld.b." shape ".b32" mode " {%0}, [%2, " place "];"        \
                 : "=r"(word), "=l"(high)                                     \
                 : "l"(surface), "r"(a), "r"(b), "r"(c));                     \
    low = word;                                                               \
  } else if (sizeof(T) == 2) {                                                \
    asm volatile("suld.b." shape ".b16" mode " {%0}, [%2, " place "];"        \
                 : "=h"(part), "=l"(high)                                     \
                 : "l"(surface), "r"(a), "r"(b), "r"(c));                     \
    low = part;                                                               \
  } else {                                                                    \
    asm volatile("suld.b." shape ".b8" mode " {%0}, [%2, " place "];"         \
                 : "=h"(part), "=l"(high)                                     \
                 : "l"(surface), "r"(a), "r"(b), "r"(c));                     \
    low = part;                                                               \
  }
#define FLAGSTONE_WRITE(mode, shape, place)                                                    \
  if (sizeof(T) == 16) {                                                                       \
    asm volatile("sust.b." shape ".v2.b64" mode " [%2, " place "], {%0, %1};" ::"l"(low),      \
                 "l"(high), "l"(surface), "r"(a), "r"(b), "r"(c)                               \
                 : "memory");                                                                  \
  } else if (sizeof(T) == 8) {                                                                 \
    asm volatile("sust.b." shape ".b64" mode " [%2, " place "], {%0};" ::"l"(low), "l"(high),  \
                 "l"(surface), "r"(a), "r"(b), "r"(c)                                          \
                 : "memory");                                                                  \
  } else if (sizeof(T) == 4) {                                                                 \
    asm volatile("sust.b." shape ".b32" mode " [%2, " place "], {%0};" ::"r"(word), "l"(high), \
                 "l"(surface), "r"(a), "r"(b), "r"(c)                                          \
                 : "memory");                                                                  \
  } else if (sizeof(T) == 2) {                                                                 \
    asm volatile("sust.b." shape ".b16" mode " [%2, " place "], {%0};" ::"h"(part), "l"(high), \
                 "l"(surface), "r"(a), "r"(b), "r"(c)                                          \
                 : "memory");                                                                  \
  } else {                                                                                     \
    asm volatile("sust.b." shape ".b8" mode " [%2, " place "], {%0};" ::"h"(part), "l"(high),  \
                 "l"(surface), "r"(a), "r"(b), "r"(c)                                          \
                 : "memory");                                                                  \
  }
// What is outside is zero, the nearest inside, or a fault.
#define FLAGSTONE_BY_MODE(access, shape, place) \
  if (mode == cudaBoundaryModeZero) {           \
    access(".zero", shape, place)               \
  } else if (mode == cudaBoundaryModeClamp) {   \
    access(".clamp", shape, place)              \
  } else {                                      \
    access(".trap", shape, place)               \
  }

#define FLAGSTONE_SHAPE(name, shape, place)                                                       \
  FLAGSTONE_SURFACE T FlagstoneRead##name(cudaSurfaceObject_t surface, int a, int b, int c,       \
                                          cudaSurfaceBoundaryMode mode) {                         \
    unsigned long long low = 0, high = 0;                                                         \
    unsigned word = 0;                                                                            \
    unsigned short part = 0;                                                                      \
    FLAGSTONE_BY_MODE(FLAGSTONE_READ, shape, place)                                               \
    const unsigned long long both[2] = {low, high};                                               \
    T value;                                                                                      \
    memcpy(&value, both, sizeof(T));                                                              \
    return value;                                                                                 \
  }                                                                                               \
  FLAGSTONE_SURFACE void FlagstoneWrite##name(T value, cudaSurfaceObject_t surface, int a, int b, \
                                              int c, cudaSurfaceBoundaryMode mode) {              \
    unsigned long long both[2] = {0, 0};                                                          \
    memcpy(both, &value, sizeof(T));                                                              \
    const unsigned long long low = both[0], high = both[1];                                       \
    const unsigned word = static_cast<unsigned>(low);                                             \
    const unsigned short part = static_cast<unsigned short>(low);                                 \
    FLAGSTONE_BY_MODE(FLAGSTONE_WRITE, shape, place)                                              \
  }
FLAGSTONE_SHAPE(1d, "1d", "{%3}")
FLAGSTONE_SHAPE(2d, "2d", "{%3, %4}")
FLAGSTONE_SHAPE(3d, "3d", "{%3, %4, %5, %5}")
FLAGSTONE_SHAPE(a1d, "a1d", "{%3, %4}")
FLAGSTONE_SHAPE(a2d, "a2d", "{%3, %4, %5, %5}")
#undef FLAGSTONE_SHAPE
#undef FLAGSTONE_BY_MODE
#undef FLAGSTONE_WRITE
#undef FLAGSTONE_READ

#define FLAGSTONE_MODE cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap
#define FLAGSTONE_FUNCTIONS(name, shape, a, b, c, ...)                                          \
  FLAGSTONE_SURFACE T surf##name##read(cudaSurfaceObject_t surface, __VA_ARGS__) {              \
    return FlagstoneRead##shape<T>(surface, a, b, c, mode);                                     \
  }                                                                                             \
  FLAGSTONE_SURFACE void surf##name##read(T* value, cudaSurfaceObject_t surface, __VA_ARGS__) { \
    *value = FlagstoneRead##shape<T>(surface, a, b, c, mode);                                   \
  }                                                                                             \
  FLAGSTONE_SURFACE void surf##name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__) { \
    FlagstoneWrite##shape(value, surface, a, b, c, mode);                                       \
  }
FLAGSTONE_FUNCTIONS(1D, 1d, x, 0, 0, int x, FLAGSTONE_MODE)
FLAGSTONE_FUNCTIONS(2D, 2d, x, y, 0, int x, int y, FLAGSTONE_MODE)
FLAGSTONE_FUNCTIONS(3D, 3d, x, y, z, int x, int y, int z, FLAGSTONE_MODE)
FLAGSTONE_FUNCTIONS(1DLayered, a1d, layer, x, 0, int x, int layer, FLAGSTONE_MODE)
FLAGSTONE_FUNCTIONS(2DLayered, a2d, layer, x, y, int x, int y, int layer, FLAGSTONE_MODE)
#undef FLAGSTONE_FUNCTIONS
#undef FLAGSTONE_MODE
#undef FLAGSTONE_SURFACE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SURFACE_H_
