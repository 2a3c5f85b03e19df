// From what a program asks of a texture to the texture that kernels read.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_TEXTURE_SHAPE_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_TEXTURE_SHAPE_H_

#include <optional>

#include "kernels/cuda/protocol.h"
#include "kernels/launch/texture.h"

namespace flagstone::cuda {

// Without a name; nothing for a format that is not supported.
std::optional<Texture> TextureOf(const TextureShape& shape);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_TEXTURE_SHAPE_H_
