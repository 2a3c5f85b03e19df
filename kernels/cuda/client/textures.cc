// Textures by object and by reference: their shapes go to the other side, which gives handles.
#include "kernels/cuda/client/arrays.h"
#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

TextureShape ShapeOf(const cudaChannelFormatDesc& desc, uint64_t address) {
  TextureShape shape;
  shape.address = address;
  shape.channels = static_cast<uint32_t>((desc.x > 0) + (desc.y > 0) + (desc.z > 0) + (desc.w > 0));
  shape.bits = static_cast<uint32_t>(desc.x);
  shape.kind = static_cast<uint32_t>(desc.f);
  return shape;
}
void TakeArray(const cudaArray& array, TextureShape* shape) {
  *shape = ShapeOf(array.desc, reinterpret_cast<uint64_t>(array.data));
  shape->width = static_cast<uint32_t>(array.width);
  shape->height = static_cast<uint32_t>(array.height);
  shape->depth = static_cast<uint32_t>(array.depth);
}
// The width of linear memory, in texels, up to the end of its piece.
bool TakeLinear(const cudaChannelFormatDesc& desc, const void* pointer, uint64_t bytes,
                TextureShape* shape) {
  const Piece* piece = FindPiece(pointer, 1);
  if (piece == nullptr) return false;
  *shape = ShapeOf(desc, reinterpret_cast<uint64_t>(pointer));
  const uint64_t left = piece->address + piece->bytes - shape->address;
  const uint64_t texel = shape->channels * shape->bits / 8;
  if (texel == 0) return false;
  shape->width = static_cast<uint32_t>((bytes < left ? bytes : left) / texel);
  shape->border_zero = 1;
  return shape->width != 0;
}
// Rows of pitched memory have to follow one another: a texture here has no pitch.
bool TakePitched(const cudaChannelFormatDesc& desc, const void* pointer, size_t width,
                 size_t height, size_t pitch, TextureShape* shape) {
  if (!TakeLinear(desc, pointer, pitch * height, shape)) return false;
  const uint64_t texel = shape->channels * shape->bits / 8;
  // The columns behind the width are never read inside of it; clamping would differ there.
  shape->width = static_cast<uint32_t>(pitch / texel);
  shape->height = static_cast<uint32_t>(height);
  shape->border_zero = 0;
  return pitch == width * texel || shape->address_mode != 1;
}

cudaError_t Make(const TextureShape& shape, uint64_t* handle) {
  Request request;
  request.op = Op::kTexture;
  request.bytes = sizeof shape;
  const Reply reply = Call(request, &shape);
  *handle = reply.values[0];
  return Failed(reply.error);
}
void Destroy(uint64_t handle) {
  if (handle == 0) return;
  Request request;
  request.op = Op::kNoTexture;
  request.a = handle;
  Call(request);
}

cudaError_t BindTo(const textureReference* reference, TextureShape shape, bool linear_memory) {
  State& state = Runtime();
  for (size_t i = 0; i < state.textures.size(); ++i) {
    TextureName& texture = state.textures[i];
    if (texture.host != reference) continue;
    if (!linear_memory) {
      shape.address_mode = static_cast<uint32_t>(reference->addressMode[0]);
      shape.linear = reference->filterMode == cudaFilterModeLinear;
      shape.normalized = reference->normalized != 0;
    }
    shape.normalized_float = texture.as_fractions;
    Destroy(texture.handle);
    const cudaError_t error = Make(shape, &texture.handle);
    if (error != cudaSuccess) return error;
    Request request;
    request.op = Op::kBind;
    request.a = state.modules[texture.module].id;
    request.b = texture.handle;
    request.bytes = static_cast<uint32_t>(strlen(texture.name));
    return Failed(Call(request, texture.name).error);
  }
  return Fail(cudaErrorInvalidTexture);
}

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
FLAGSTONE_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  *desc = array->desc;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                                  const cudaResourceDesc* resource,
                                                  const cudaTextureDesc* texture,
                                                  const cudaResourceViewDesc*) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  TextureShape shape;
  shape.address_mode = static_cast<uint32_t>(texture->addressMode[0]);
  const auto& res = resource->res;
  bool good = true;
  switch (resource->resType) {
    case cudaResourceTypeArray:
      TakeArray(*res.array.array, &shape);
      break;
    case cudaResourceTypeLinear:
      good = TakeLinear(res.linear.desc, res.linear.devPtr, res.linear.sizeInBytes, &shape);
      break;
    case cudaResourceTypePitch2D:
      good = TakePitched(res.pitch2D.desc, res.pitch2D.devPtr, res.pitch2D.width,
                         res.pitch2D.height, res.pitch2D.pitchInBytes, &shape);
      break;
    default:
      good = false;
  }
  if (!good) return Fail(cudaErrorInvalidValue);
  shape.address_mode = static_cast<uint32_t>(texture->addressMode[0]);
  shape.linear = texture->filterMode == cudaFilterModeLinear;
  shape.normalized = texture->normalizedCoords != 0;
  shape.normalized_float = texture->readMode == cudaReadModeNormalizedFloat;
  uint64_t handle = 0;
  const cudaError_t made = Make(shape, &handle);
  *object = handle;
  return made;
}
// An array, by whose shape accesses find their bytes.
FLAGSTONE_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                                  const cudaResourceDesc* resource) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (resource->resType != cudaResourceTypeArray) return Fail(cudaErrorInvalidValue);
  TextureShape shape;
  TakeArray(*resource->res.array.array, &shape);
  uint64_t handle = 0;
  const cudaError_t made = Make(shape, &handle);
  *object = handle;
  return made;
}
FLAGSTONE_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return cudaDestroyTextureObject(object);
}
FLAGSTONE_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error == cudaSuccess) Destroy(object);
  return error;
}
FLAGSTONE_API cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference,
                                          const void* pointer, const cudaChannelFormatDesc* desc,
                                          size_t size) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (offset != nullptr) *offset = 0;
  TextureShape shape;
  if (!TakeLinear(*desc, pointer, size, &shape)) return Fail(cudaErrorInvalidValue);
  return BindTo(reference, shape, true);
}
FLAGSTONE_API cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                                            const void* pointer, const cudaChannelFormatDesc* desc,
                                            size_t width, size_t height, size_t pitch) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (offset != nullptr) *offset = 0;
  TextureShape shape;
  if (!TakePitched(*desc, pointer, width, height, pitch, &shape)) {
    return Fail(cudaErrorInvalidValue);
  }
  return BindTo(reference, shape, false);
}
FLAGSTONE_API cudaError_t cudaBindTextureToArray(const textureReference* reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc*) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  TextureShape shape;
  TakeArray(*array, &shape);
  return BindTo(reference, shape, false);
}
FLAGSTONE_API cudaError_t cudaUnbindTexture(const textureReference* reference) {
  Guard guard;
  State& state = Runtime();
  for (size_t i = 0; i < state.textures.size(); ++i) {
    if (state.textures[i].host != reference) continue;
    Destroy(state.textures[i].handle);
    state.textures[i].handle = 0;
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGetTextureReference(const textureReference** reference,
                                                  const void* symbol) {
  Guard guard;
  State& state = Runtime();
  for (size_t i = 0; i < state.textures.size(); ++i) {
    const TextureName& texture = state.textures[i];
    if (texture.host != symbol && strcmp(texture.name, static_cast<const char*>(symbol)) != 0) {
      continue;
    }
    *reference = texture.host;
    return cudaSuccess;
  }
  return Fail(cudaErrorInvalidTexture);
}
FLAGSTONE_API cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference*) {
  *offset = 0;
  return cudaSuccess;
}
