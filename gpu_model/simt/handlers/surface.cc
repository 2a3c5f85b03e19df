// suld.b and sust.b (PTX ISA, sections 9.7.11.1 and 9.7.11.2): reads and writes of the bytes of a
// texture's texels. x counts bytes, y and z texels; nothing is converted or filtered.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/launch/texture.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Geometry;
using ptx::SurfaceMode;

const Texture& SurfaceOf(const Context& c, const Inst& inst, uint64_t handle) {
  const std::vector<Texture>& textures = c.program->launch().textures;
  const uint64_t index = handle - kTextureHandles;
  if (index < textures.size()) return textures[index];
  ThrowOfWarp(c, inst, fmt::format("{:#x} is no surface's handle: access", handle));
}

int64_t Inside(int64_t at, uint64_t size) {
  return std::clamp<int64_t>(at, 0, static_cast<int64_t>(size) - 1);
}

// The device address of a lane's first byte; 0: outside, where nothing is accessed.
uint64_t Locate(const Context& c, const Inst& inst, const Texture& texture, uint32_t lane) {
  const Geometry geometry = inst.modifiers.geometry;
  const uint64_t texel = texture.channels * SizeInBytes(texture.type);
  const uint64_t row = texture.width * texel;
  size_t source = 1;  // 0 is the handle
  const auto next = [&] {
    return int64_t{static_cast<int32_t>(Source<uint32_t>(c, inst.source[source++])[lane])};
  };
  const bool layered = geometry == Geometry::kA1d || geometry == Geometry::kA2d;
  int64_t layer = layered ? next() : 0;
  int64_t x = next();
  const bool flat = geometry == Geometry::k1d || geometry == Geometry::kA1d;
  int64_t y = flat ? 0 : next();
  int64_t z = geometry == Geometry::k3d ? next() : 0;
  const auto bytes = static_cast<int64_t>(inst.access_bytes);
  if (x % bytes != 0) {
    ThrowOfThread(
        c, inst, lane,
        fmt::format("misaligned access of {} bytes at byte {} of a row of a surface", bytes, x),
        FailureCause::kMisaligned);
  }
  const bool in_row = x >= 0 && x + bytes <= static_cast<int64_t>(row);
  const bool inside = in_row && Inside(y, texture.height) == y && Inside(z, texture.depth) == z &&
                      Inside(layer, texture.layers) == layer;
  if (!inside) {
    if (inst.modifiers.surface_mode == SurfaceMode::kZero) return 0;
    if (inst.modifiers.surface_mode != SurfaceMode::kClamp) {
      ThrowOfThread(c, inst, lane,
                    fmt::format("access outside of surface '{}', at byte {} of row {}, slice {}",
                                texture.name, x, y, layered ? layer : z),
                    FailureCause::kAddress);
    }
    x = std::clamp<int64_t>(x, 0, std::max<int64_t>(static_cast<int64_t>(row) - bytes, 0));
    y = Inside(y, texture.height);
    z = Inside(z, texture.depth);
    layer = Inside(layer, texture.layers);
  }
  const auto rows = static_cast<uint64_t>((layer * texture.depth + z) * texture.height + y);
  return texture.base + rows * row + static_cast<uint64_t>(x);
}

// Fills the context's addresses and pointers; returns the lanes that access something. The others
// have the address of the surface's first byte.
LaneMask Prepare(Context& c, const Inst& inst, LaneMask mask) {
  c.space = MemorySpace::kGlobal;
  c.in_space = mask;
  LaneMask there = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    const Texture& texture = SurfaceOf(c, inst, Source<uint64_t>(c, inst.source[0])[lane]);
    const uint64_t address = Locate(c, inst, texture, lane);
    c.addresses[lane] = address == 0 ? texture.base : address;
    if (address == 0) continue;
    c.pointers[lane] = c.memory->At(address);
    there |= 1U << lane;
  }
  return there;
}

void LoadSurface(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask there = Prepare(c, inst, mask);
  const size_t lane_bytes = inst.wide_second ? 8 : 4;
  for (uint32_t e = 0; e < inst.vector; ++e) {
    if (inst.elements[e] == kNoSlot) continue;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
      uint64_t value = 0;
      if ((there >> i & 1) != 0) {
        std::memcpy(&value, c.pointers[i] + size_t{e} * inst.element_bytes, inst.element_bytes);
      }
      std::memcpy(c.registers + inst.elements[e] + i * lane_bytes, &value, lane_bytes);
    }
  }
}

void CommitSurface(const PendingAccess& pending) {
  const Inst& inst = *pending.inst;
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    for (uint32_t e = 0; e < inst.vector; ++e) {
      std::memcpy(pending.pointers[i] + size_t{e} * inst.element_bytes, &pending.values[e][i],
                  inst.element_bytes);
    }
  }
}

void StoreSurface(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask there = Prepare(c, inst, mask);
  PendingAccess& pending = c.deferred ? TakePending(c) : c.scratch;
  pending.inst = &inst;
  pending.mask = there;
  pending.pointers = c.pointers;
  for (uint32_t e = 0; e < inst.vector; ++e) {
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      pending.values[e][i] = inst.wide_second ? Source<uint64_t>(c, inst.elements[e])[i]
                                              : Source<uint32_t>(c, inst.elements[e])[i];
    }
  }
  if (!c.deferred) CommitSurface(pending);
}

}  // namespace

MemoryHandler SelectSurface(const ptx::Instruction& instruction) {
  if (instruction.opcode == ptx::Opcode::kSuld) return {LoadSurface, nullptr};
  return {StoreSurface, CommitSurface};
}

}  // namespace flagstone::simt
