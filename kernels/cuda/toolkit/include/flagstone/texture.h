// Textures by object and by reference: what is fetched is four words, of which a type takes its
// own.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_TEXTURE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_TEXTURE_H_

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

template <class T, int Dimensions = 1, enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  explicit texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode mode = cudaAddressModeClamp)
      : texture(is_normalized, filter, mode, cudaCreateChannelDesc<T>()) {}
  texture(int is_normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode mode,
          cudaChannelFormatDesc desc)
      : textureReference() {
    normalized = is_normalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = mode;
    channelDesc = desc;
  }
};

namespace flagstone {

// How a texel of type T is made of the words that `tex` gives.
template <class T>
struct Texel;
#define FLAGSTONE_TEXEL(type, name, word)                                                        \
  template <>                                                                                    \
  struct Texel<type> {                                                                           \
    using Word = word;                                                                           \
    using Real = float;                                                                          \
    template <class W>                                                                           \
    static __device__ type Of(const W (&w)[4]) {                                                 \
      return static_cast<type>(w[0]);                                                            \
    }                                                                                            \
  };                                                                                             \
  template <>                                                                                    \
  struct Texel<name##1> {                                                                        \
    using Word = word;                                                                           \
    using Real = float1;                                                                         \
    template <class W>                                                                           \
    static __device__ name##1 Of(const W (&w)[4]) {                                              \
      return name##1 {static_cast<type>(w[0])};                                                  \
    }                                                                                            \
  };                                                                                             \
  template <>                                                                                    \
  struct Texel<name##2> {                                                                        \
    using Word = word;                                                                           \
    using Real = float2;                                                                         \
    template <class W>                                                                           \
    static __device__ name##2 Of(const W (&w)[4]) {                                              \
      return name##2 {static_cast<type>(w[0]), static_cast<type>(w[1])};                         \
    }                                                                                            \
  };                                                                                             \
  template <>                                                                                    \
  struct Texel<name##4> {                                                                        \
    using Word = word;                                                                           \
    using Real = float4;                                                                         \
    template <class W>                                                                           \
    static __device__ name##4 Of(const W (&w)[4]) {                                              \
      return name##4 {static_cast<type>(w[0]), static_cast<type>(w[1]), static_cast<type>(w[2]), \
                      static_cast<type>(w[3])};                                                  \
    }                                                                                            \
  };
FLAGSTONE_TEXEL(signed char, char, int)
FLAGSTONE_TEXEL(unsigned char, uchar, unsigned)
FLAGSTONE_TEXEL(short, short, int)
FLAGSTONE_TEXEL(unsigned short, ushort, unsigned)
FLAGSTONE_TEXEL(int, int, int)
FLAGSTONE_TEXEL(unsigned int, uint, unsigned)
FLAGSTONE_TEXEL(float, float, float)
#undef FLAGSTONE_TEXEL
template <>
struct Texel<char> : Texel<signed char> {};

template <class T, enum cudaTextureReadMode Mode>
struct Fetched {
  using Type = T; using Word = typename Texel<T>::Word;
};
template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat> {
  using Type = typename Texel<T>::Real;
  using Word = float;
};

// tex.GEOMETRY.v4.WORD.COORDINATE of a handle.
#define FLAGSTONE_TEX_WORD(name, geometry, word, letter, constraint, coordinate, places, ...)     \
  static __inline__ __device__ void name(unsigned long long t, word(&w)[4],                       \
                                         FLAGSTONE_PARAMETERS) {                                  \
    __asm__("tex." geometry ".v4." letter "." coordinate " {%0, %1, %2, %3}, [%4, {" places "}];" \
            : constraint(w[0]), constraint(w[1]), constraint(w[2]), constraint(w[3])              \
            : "l"(t), __VA_ARGS__);                                                               \
  }
#define FLAGSTONE_TEX(name, geometry, coordinate, places, ...)                            \
  FLAGSTONE_TEX_WORD(name, geometry, float, "f32", "=f", coordinate, places, __VA_ARGS__) \
  FLAGSTONE_TEX_WORD(name, geometry, int, "s32", "=r", coordinate, places, __VA_ARGS__)   \
  FLAGSTONE_TEX_WORD(name, geometry, unsigned, "u32", "=r", coordinate, places, __VA_ARGS__)
#define FLAGSTONE_PARAMETERS int x
FLAGSTONE_TEX(TexFetch1, "1d", "s32", "%5", "r"(x))
#undef FLAGSTONE_PARAMETERS
#define FLAGSTONE_PARAMETERS float x
FLAGSTONE_TEX(Tex1, "1d", "f32", "%5", "f"(x))
#undef FLAGSTONE_PARAMETERS
#define FLAGSTONE_PARAMETERS float x, float y
FLAGSTONE_TEX(Tex2, "2d", "f32", "%5, %6", "f"(x), "f"(y))
#undef FLAGSTONE_PARAMETERS
#define FLAGSTONE_PARAMETERS float x, float y, float z
FLAGSTONE_TEX(Tex3, "3d", "f32", "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z))
#undef FLAGSTONE_PARAMETERS
#define FLAGSTONE_PARAMETERS float x, float y, int layer
FLAGSTONE_TEX(Tex2Layer, "a2d", "f32", "%7, %5, %6, %6", "f"(x), "f"(y), "r"(layer))
#undef FLAGSTONE_PARAMETERS
#undef FLAGSTONE_TEX
#undef FLAGSTONE_TEX_WORD

// The handle that the compiler makes of a reference.
template <class Reference>
static __inline__ __device__ unsigned long long HandleOf(Reference reference) {
  unsigned long long handle;
  __asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}

}  // namespace flagstone

#define FLAGSTONE_FETCH(name, function, dimensions, parameters, ...)                               \
  template <class T, enum cudaTextureReadMode Mode>                                                \
  static __inline__ __device__ typename flagstone::Fetched<T, Mode>::Type name(                    \
      texture<T, dimensions, Mode> t, FLAGSTONE_ALL parameters) {                                  \
    typename flagstone::Fetched<T, Mode>::Word w[4];                                               \
    flagstone::function(flagstone::HandleOf(t), w, __VA_ARGS__);                                   \
    return flagstone::Texel<typename flagstone::Fetched<T, Mode>::Type>::Of(w);                    \
  }                                                                                                \
  template <class T>                                                                               \
  static __inline__ __device__ T name(cudaTextureObject_t t, FLAGSTONE_ALL parameters) {           \
    typename flagstone::Texel<T>::Word w[4];                                                       \
    flagstone::function(t, w, __VA_ARGS__);                                                        \
    return flagstone::Texel<T>::Of(w);                                                             \
  }                                                                                                \
  template <class T>                                                                               \
  static __inline__ __device__ void name(T* to, cudaTextureObject_t t, FLAGSTONE_ALL parameters) { \
    *to = name<T>(t, __VA_ARGS__);                                                                 \
  }
#define FLAGSTONE_ALL(...) __VA_ARGS__
FLAGSTONE_FETCH(tex1Dfetch, TexFetch1, 1, (int x), x)
FLAGSTONE_FETCH(tex1D, Tex1, 1, (float x), x)
FLAGSTONE_FETCH(tex2D, Tex2, 2, (float x, float y), x, y)
FLAGSTONE_FETCH(tex3D, Tex3, 3, (float x, float y, float z), x, y, z)
FLAGSTONE_FETCH(tex2DLayered, Tex2Layer, 0xF2, (float x, float y, int layer), x, y, layer)
#undef FLAGSTONE_FETCH
#undef FLAGSTONE_ALL

template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture(size_t* offset,
                                   const struct texture<T, Dimensions, Mode>& reference,
                                   const void* pointer, const cudaChannelFormatDesc& desc,
                                   size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &reference, pointer, &desc, size);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture(size_t* offset,
                                   const struct texture<T, Dimensions, Mode>& reference,
                                   const void* pointer, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, size);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture2D(size_t* offset,
                                     const struct texture<T, Dimensions, Mode>& reference,
                                     const void* pointer, const cudaChannelFormatDesc& desc,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &reference, pointer, &desc, width, height, pitch);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture2D(size_t* offset,
                                     const struct texture<T, Dimensions, Mode>& reference,
                                     const void* pointer, size_t width, size_t height,
                                     size_t pitch) {
  return cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height,
                           pitch);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const struct texture<T, Dimensions, Mode>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToArray(&reference, array, &desc);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const struct texture<T, Dimensions, Mode>& reference,
                                          cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error != cudaSuccess ? error : cudaBindTextureToArray(&reference, array, &desc);
}
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
inline cudaError_t cudaUnbindTexture(const struct texture<T, Dimensions, Mode>& reference) {
  return cudaUnbindTexture(&reference);
}

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_TEXTURE_H_
