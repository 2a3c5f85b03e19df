// Which bytes of a tensor a tensor copy takes (PTX ISA, sections 5.5.3 and 5.5.4).
#ifndef FLAGSTONE_KERNELS_LAUNCH_TENSOR_BOX_H_
#define FLAGSTONE_KERNELS_LAUNCH_TENSOR_BOX_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "kernels/launch/tensor_map.h"
#include "kernels/ptx/opcode.h"

namespace flagstone {

struct TensorBox {
  static constexpr uint64_t kRowsOfFour = 4;  // that a gather takes, a scatter writes
  // Of im2col::w::128: pixels, and how many of them lie before each part of the halo.
  static constexpr uint64_t kPixels128 = 128, kPixelsOfPart = 32;

  TensorMap map;
  ptx::TensorMode mode = ptx::TensorMode::kTile;
  // By dimension; of a gather or scatter the column, then the four rows.
  std::array<int64_t, TensorMap::kMostDimensions> at = {};
  // By which pixels of images lie off the place that is at hand in the box; by the width alone, how
  // many pixels of a halo there are, and the offset.
  std::array<uint32_t, TensorMap::kMostImageDimensions> offsets = {};

  bool ByWidth() const {
    return mode == ptx::TensorMode::kIm2colW || mode == ptx::TensorMode::kIm2colW128;
  }
  bool OfImages() const {
    return mode == ptx::TensorMode::kIm2col || mode == ptx::TensorMode::kIm2colNoOffsets ||
           ByWidth();
  }
  bool OfFourRows() const {
    return mode == ptx::TensorMode::kGather4 || mode == ptx::TensorMode::kScatter4;
  }
  // By the width alone: without the halo, and parts of the halo.
  uint64_t Pixels() const {
    return mode == ptx::TensorMode::kIm2colW128 ? kPixels128 : map.Copied(1);
  }
  uint64_t Parts() const {
    return mode == ptx::TensorMode::kIm2colW128 ? kPixels128 / kPixelsOfPart : 1;
  }
  // In shared memory.
  uint64_t Bytes() const {
    if (!ByWidth()) return map.BoxBytes() * (OfFourRows() ? kRowsOfFour : 1);
    return map.Copied(0) * map.ElementBytes() * (Pixels() + Parts() * offsets[0]);
  }
};

// Bytes that are neighbours in global memory, and in the box before it is swizzled.
struct TensorRun {
  uint64_t address = 0, place = 0, bytes = 0;
};

// Which rule of the driver API or of the ISA the map, or the box, breaks: "a box of 0 elements in
// dimension 1: expected 1 to 256"; empty where it breaks none.
std::string ProblemOf(const TensorMap& map);
std::string ProblemOf(const TensorBox& box);

namespace tensor_box {

// Elements of dimension 0 from `row` on, which begins at byte `place` of the box; false: enough.
template <class Visit>
bool VisitRow(const TensorBox& box, uint64_t row, uint64_t place, Visit& visit) {
  const TensorMap& map = box.map;
  const uint64_t bytes = map.ElementBytes();
  const auto count = static_cast<int64_t>(map.Copied(0));
  const int64_t step = map.images ? 1 : map.steps[0];
  const auto end = static_cast<int64_t>(map.shape[0]);
  for (int64_t i = 0; i < count;) {
    const int64_t at = box.at[0] + i * step;
    if (at < 0 || at >= end) {
      ++i;
      continue;
    }
    const int64_t elements = step == 1 ? std::min(count - i, end - at) : 1;
    const TensorRun run{row + static_cast<uint64_t>(at) * bytes,
                        place + static_cast<uint64_t>(i) * bytes,
                        static_cast<uint64_t>(elements) * bytes};
    if (!visit(run)) return false;
    i += elements;
  }
  return true;
}

template <class Visit>
void ForTile(const TensorBox& box, Visit& visit) {
  const TensorMap& map = box.map;
  const uint64_t row_bytes = map.Copied(0) * map.ElementBytes();
  uint64_t rows = 1;
  for (uint32_t d = 1; d < map.dimensions; ++d) rows *= map.Copied(d);
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t address = map.base;
    bool inside = true;
    uint64_t left = row;
    for (uint32_t d = 1; d < map.dimensions; ++d) {
      const int64_t at = box.at[d] + static_cast<int64_t>(left % map.Copied(d)) *
                                         static_cast<int64_t>(map.steps[d]);
      left /= map.Copied(d);
      inside &= at >= 0 && at < static_cast<int64_t>(map.shape[d]);
      address += static_cast<uint64_t>(at) * map.strides[d];
    }
    if (inside && !VisitRow(box, address, row * row_bytes, visit)) return;
  }
}

template <class Visit>
void ForFourRows(const TensorBox& box, Visit& visit) {
  const TensorMap& map = box.map;
  const uint64_t row_bytes = map.Copied(0) * map.ElementBytes();
  for (uint64_t row = 0; row < TensorBox::kRowsOfFour; ++row) {
    const int64_t at = box.at[row + 1];
    if (at < 0 || at >= static_cast<int64_t>(map.shape[1])) continue;
    const uint64_t address = map.base + static_cast<uint64_t>(at) * map.strides[1];
    if (!VisitRow(box, address, row * row_bytes, visit)) return;
  }
}

// Pixel after pixel: by the width from corner to corner, then by height and depth, then in the next
// image.
template <class Visit>
void ForPixels(const TensorBox& box, Visit& visit) {
  const TensorMap& map = box.map;
  const uint32_t last = map.dimensions - 1U;  // the number of the image
  const uint64_t pixel_bytes = map.Copied(0) * map.ElementBytes();
  std::array<int64_t, TensorMap::kMostDimensions> at = box.at;
  for (uint64_t pixel = 0; pixel < map.Copied(1); ++pixel) {
    uint64_t address = map.base;
    bool inside = true;
    for (uint32_t d = 1; d <= last; ++d) {
      const int64_t place = at[d] + (d < last ? int64_t{box.offsets[d - 1]} : 0);
      inside &= place >= 0 && place < static_cast<int64_t>(map.shape[d]);
      address += static_cast<uint64_t>(place) * map.strides[d];
    }
    if (inside && !VisitRow(box, address, pixel * pixel_bytes, visit)) return;
    uint32_t d = 1;
    for (; d < last; ++d) {
      at[d] += map.steps[d];
      if (at[d] < static_cast<int64_t>(map.shape[d]) + map.upper[d - 1]) break;
      at[d] = map.lower[d - 1];
    }
    if (d == last) ++at[last];
  }
}

// Pixel after pixel by the width alone, then in the next image. A part of the halo is what follows
// its pixels; all parts lie behind the pixels, each pixel beside those of the other parts
// (assumption: the ISA shows it in figures; so tcgen05.cp.4x256b takes four rows).
template <class Visit>
void ForPixelsByWidth(const TensorBox& box, Visit& visit) {
  const TensorMap& map = box.map;
  const uint32_t last = map.dimensions - 1U;
  const uint64_t pixel_bytes = map.Copied(0) * map.ElementBytes();
  const uint64_t halo = box.offsets[0], pixels = box.Pixels(), parts = box.Parts();
  const uint64_t part_pixels = pixels / parts;
  int64_t x = box.at[1], image = box.at[last];
  for (uint64_t pixel = 0; pixel < pixels + halo; ++pixel) {
    const int64_t place = x + int64_t{box.offsets[1]};
    bool inside = place >= 0 && place < static_cast<int64_t>(map.shape[1]) && image >= 0 &&
                  image < static_cast<int64_t>(map.shape[last]);
    uint64_t address = map.base + static_cast<uint64_t>(place) * map.strides[1] +
                       static_cast<uint64_t>(image) * map.strides[last];
    for (uint32_t d = 2; d < last; ++d) {
      inside &= box.at[d] >= 0 && box.at[d] < static_cast<int64_t>(map.shape[d]);
      address += static_cast<uint64_t>(box.at[d]) * map.strides[d];
    }
    const auto put = [&](uint64_t row) {
      return !inside || VisitRow(box, address, row * pixel_bytes, visit);
    };
    if (pixel < pixels && !put(pixel)) return;
    for (uint64_t part = 0; part < parts; ++part) {
      const uint64_t begin = (part + 1) * part_pixels;
      if (pixel < begin || pixel >= begin + halo) continue;
      if (!put(pixels + (pixel - begin) * parts + part)) return;
    }
    x += map.steps[1];
    if (x < static_cast<int64_t>(map.shape[1]) + map.upper[0]) continue;
    x = map.lower[0];
    ++image;
  }
}

}  // namespace tensor_box

// Calls visit(run) for what of the box lies inside the tensor, until it returns false.
template <class Visit>
void ForEachRun(const TensorBox& box, Visit visit) {
  if (box.ByWidth()) return tensor_box::ForPixelsByWidth(box, visit);
  if (box.OfImages()) return tensor_box::ForPixels(box, visit);
  if (box.OfFourRows()) return tensor_box::ForFourRows(box, visit);
  tensor_box::ForTile(box, visit);
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_TENSOR_BOX_H_
