// mma.sp and mma with scales of blocks (PTX ISA, sections 9.7.14.3 and 9.7.14.6). What is stored of
// a row of a sparse A lies in the registers as a dense A of half the length does.
//
// Metadata are four bits for four units of a row, of which two are stored: the places of the two. A
// unit is 16 bits of f16, bf16 and tf32 (half a number, so that the two are neighbours), else 8
// bits. Which lanes and bits hold them the ISA shows in figures; CUTLASS orders metadata so, too
// (include/cutlass/util/host_reorder.h).
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/fragment.h"
#include "gpu_model/simt/handlers/handlers.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::MmaForm;
using ptx::ScaleType;
using ptx::Type;

constexpr uint32_t kColumns = 8, kMostStored = 64, kMostDepth = 128, kMostScales = 4;

// How many numbers there are in a unit of metadata, in halves.
uint32_t HalvesOfUnit(Type type) {
  return type == Type::kTf32 ? 1 : MmaForm::PerRegister(type) == 8 ? 4 : 2;
}

struct Metadata {
  const Context& c;
  const Inst& inst;
  const MmaForm& form;

  uint32_t Units() const { return 2U * form.k / HalvesOfUnit(form.a); }
  bool OfHalves() const { return MmaForm::PerRegister(form.a) <= 2; }
  // The highest number of a lane, or of a pair, of the four that may have the metadata.
  uint64_t MostSelected() const { return Units() == 16 ? 3 : Units() == 32 ? 1 : 0; }

  // Of the chunk's four units.
  uint32_t Of(uint32_t row, uint32_t chunk) const {
    const auto selector = static_cast<uint32_t>(inst.offset);
    const uint32_t half = row / 8;
    uint32_t lane = row % 8 * 4, shift = 0;
    if (OfHalves()) {  // both rows in one lane
      lane += Units() == 16 ? selector : 2 * selector + chunk / 4;
      shift = 16 * half + chunk % 4 * 4;
    } else {
      lane += (Units() == 32 ? 2 * selector : chunk / 8 * 2) + half;
      shift = chunk % 8 * 4;
    }
    return Source<uint32_t>(c, inst.matrices->metadata)[lane] >> shift & 0xf;
  }

  void Check(uint32_t row, uint32_t bits) const {
    const uint32_t first = bits & 3, second = bits >> 2;
    const bool good = form.a == Type::kTf32             ? bits == 0b0100 || bits == 0b1110
                      : inst.modifiers.ordered_metadata ? first < second
                                                        : first != second;
    if (good) return;
    ThrowOfWarp(
        c, inst,
        fmt::format("sparse product with metadata {:#06b} in row {}: expected {},", bits, row,
                    form.a == Type::kTf32             ? "0b0100 or 0b1110"
                    : inst.modifiers.ordered_metadata ? "two places in ascending order"
                                                      : "two places"));
  }

  // Where in the row of k elements the stored element lies.
  uint32_t PlaceOf(uint32_t row, uint32_t stored) const {
    const uint32_t unit = 2 * stored / HalvesOfUnit(form.a);
    const uint32_t bits = Of(row, unit / 2);
    Check(row, bits);
    const uint32_t place = unit / 2 * 4 + (bits >> (2 * (unit % 2)) & 3);  // of the unit
    const uint32_t halves = HalvesOfUnit(form.a);
    return halves == 4 ? 2 * place + stored % 2 : place * halves / 2;
  }
};

double NumberOf(uint64_t bits, Type type) {
  switch (type) {
    case Type::kS32:
      return static_cast<double>(static_cast<int32_t>(bits));
    case Type::kS8:
    case Type::kU8:
    case Type::kS4:
    case Type::kU4:
      return static_cast<double>(
          WholePart(static_cast<uint32_t>(bits), type, 32 / MmaForm::PerRegister(type), 0));
    default:
      return ToDouble(bits, type);
  }
}

double ScaleOf(uint32_t byte, ScaleType type) {
  if (type == ScaleType::kUe4m3) return FromNarrow(byte & 0x7f, FormatOf(Type::kE4m3));
  if (byte == 0xff) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1, static_cast<int>(byte) - 127);
}

using Scales = std::array<double, kMostScales>;

// Of a row of A (matrix 0), or of a column of B (1), that the lane has.
Scales ScalesIn(const Context& c, const Inst& inst, uint32_t matrix, uint32_t row) {
  const MatrixSlots& slots = *inst.matrices;
  const auto number = [&](size_t i) {
    return Source<uint32_t>(c, slots.selectors[matrix][i])[0] & 0xffff;
  };
  const uint32_t byte = number(0), thread = number(1);
  const uint32_t count = ptx::ScalesOfRow(inst.modifiers);
  const bool good_byte = byte < 4 && byte % count == 0;
  if (!good_byte || thread > (matrix == 0 ? 1U : 3U)) {
    ThrowOfWarp(c, inst,
                fmt::format("scales of {} in byte {} of thread {}: expected a multiple of {} below "
                            "4, and a thread below {},",
                            matrix == 0 ? "A" : "B", byte, thread, count, matrix == 0 ? 2 : 4));
  }
  const uint32_t lane = row % 8 * 4 + (matrix == 0 ? 2 * thread + row / 8 : thread);
  const uint32_t word = Source<uint32_t>(c, slots.scales[matrix])[lane];
  Scales scales = {1, 1, 1, 1};
  for (uint32_t i = 0; i < count; ++i) {
    scales[i] = ScaleOf(word >> (8 * (byte + i)) & 0xff, inst.modifiers.scale_type);
  }
  return scales;
}

}  // namespace

void MmaByRows(Context& c, const Inst& inst, LaneMask) {
  const MatrixSlots& slots = *inst.matrices;
  const MmaForm& form = *slots.form;
  const bool scaled = inst.modifiers.block_scale;
  const Metadata metadata{c, inst, form};
  if (form.sparse && inst.offset > metadata.MostSelected()) {
    ThrowOfWarp(c, inst,
                fmt::format("sparsity selector {}: expected at most {},", inst.offset,
                            metadata.MostSelected()));
  }
  std::array<std::array<double, kColumns>, kMostDepth> b;
  for (uint32_t k = 0; k < form.k; ++k) {
    for (uint32_t column = 0; column < form.n; ++column) {
      const FragmentPlace at = PlaceInB(k, column, MmaForm::PerRegister(form.b));
      b[k][column] = NumberOf(Read(c, slots.b[at.reg], at, form.b), form.b);
    }
  }
  std::array<Scales, kColumns> scales_of_b;
  for (uint32_t column = 0; scaled && column < form.n; ++column) {
    scales_of_b[column] = ScalesIn(c, inst, 1, column);
  }
  // Of the row at hand: what is stored, where that lies, and its scales.
  std::array<double, kMostStored> a;
  std::array<uint32_t, kMostStored> places;
  Scales scales_of_a;
  const uint32_t stored = form.DepthOfA();
  const uint32_t block = form.k / ptx::ScalesOfRow(inst.modifiers);

  WriteSums(c, slots, [&](uint32_t row, uint32_t column) {
    if (column == 0) {
      for (uint32_t i = 0; i < stored; ++i) {
        const FragmentPlace at = PlaceInA(row, i, form.m, MmaForm::PerRegister(form.a));
        a[i] = NumberOf(Read(c, slots.a[at.reg], at, form.a), form.a);
        places[i] = form.sparse ? metadata.PlaceOf(row, i) : i;
      }
      if (scaled) scales_of_a = ScalesIn(c, inst, 0, row);
    }
    const FragmentPlace at_c = PlaceInC(row, column, MmaForm::PerRegister(form.c));
    double sum = NumberOf(Read(c, slots.c[at_c.reg], at_c, form.c), form.c);
    for (uint32_t i = 0; i < stored; ++i) {
      const double product = a[i] * b[places[i]][column];
      if (form.d == Type::kS32) {
        sum += product;
        continue;
      }
      const uint32_t chunk = scaled ? places[i] / block : 0;
      sum = AddProduct(product, scaled ? scales_of_a[chunk] * scales_of_b[column][chunk] : 1, sum);
    }
    if (form.d != Type::kS32) return SumBits(sum, form.d);
    auto whole = static_cast<int64_t>(sum);
    if (inst.modifiers.finite) whole = std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX);
    return uint64_t{static_cast<uint32_t>(whole)};
  });
}

}  // namespace flagstone::simt
