// ldmatrix, stmatrix and cp.async (PTX ISA, sections 9.7.14.5 and 9.7.9.25): accesses in which an
// address is not the lane's that has the value, or in which there are two.
#include <cstring>

#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Opcode;

constexpr uint32_t kRows = 8;  // of a matrix, 16 bytes each

// Eight lanes have the addresses of the rows of each matrix.
LaneMask AddressLanes(const Inst& inst, LaneMask mask) {
  const uint32_t lanes = kRows * inst.vector;
  return lanes == kWarpSize ? mask : mask & ((1U << lanes) - 1);
}

// Where the lane's element `part` (0 or 1) of a matrix lies in its row, and in which row.
struct MatrixPlace {
  uint32_t row = 0, column = 0;
};
MatrixPlace PlaceOf(uint32_t lane, uint32_t part, bool transposed) {
  const MatrixPlace place{lane / 4, lane % 4 * 2 + part};
  return transposed ? MatrixPlace{place.column, place.row} : place;
}

template <class Visit>
void ForEachElement(const Inst& inst, LaneMask mask, const Context& c, Visit visit) {
  for (uint32_t matrix = 0; matrix < inst.vector; ++matrix) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      for (uint32_t part = 0; part < 2; ++part) {
        const MatrixPlace place = PlaceOf(lane, part, inst.modifiers.transposed);
        const uint32_t from = matrix * kRows + place.row;
        if ((mask >> from & 1) == 0) continue;  // no lane gives the row's address
        visit(matrix, lane, part, c.pointers[from] + 2 * place.column);
      }
    }
  }
}

void LdMatrix(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask rows = AddressLanes(inst, mask);
  PrepareAccess(c, inst, rows);
  std::array<std::array<uint32_t, kWarpSize>, 4> result = {};
  ForEachElement(inst, rows, c,
                 [&](uint32_t matrix, uint32_t lane, uint32_t part, const std::byte* at) {
                   uint16_t element = 0;
                   std::memcpy(&element, at, sizeof(element));
                   result[matrix][lane] |= uint32_t{element} << (16 * part);
                 });
  for (uint32_t matrix = 0; matrix < inst.vector; ++matrix) {
    ForLanes(Destination<uint32_t>(c, inst.elements[matrix]), mask,
             [&](uint32_t lane) { return result[matrix][lane]; });
  }
}

void StMatrix(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask rows = AddressLanes(inst, mask);
  PrepareAccess(c, inst, rows);
  ForEachElement(inst, rows, c, [&](uint32_t matrix, uint32_t lane, uint32_t part, std::byte* at) {
    const uint32_t word = Source<uint32_t>(c, inst.elements[matrix])[lane];
    const auto element = static_cast<uint16_t>(word >> (16 * part));
    std::memcpy(at, &element, sizeof(element));
  });
}

// The copy is made at once: what waits for it does so in time alone. Bytes past the source's size
// are zeros.
void CopyAsync(Context& c, const Inst& inst, LaneMask mask) {
  Inst store = inst;
  store.space = MemorySpace::kShared;
  store.source[0] = inst.source[1];
  store.wide_address = inst.wide_second;
  store.offset = inst.target;
  store.writes_memory = true;
  PrepareAccess(c, store, mask);
  const std::array<std::byte*, kWarpSize> to = c.pointers;
  const uint32_t* sizes = inst.source[2] == kNoSlot ? nullptr : Source<uint32_t>(c, inst.source[2]);
  LaneMask reads = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    if (sizes == nullptr || sizes[i] != 0) reads |= 1U << i;
  }
  // A copy of zeros alone stays an access to shared memory.
  if (reads != 0) PrepareAccess(c, inst, reads);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    const uint32_t bytes = inst.access_bytes;
    const uint32_t given = sizes == nullptr || sizes[i] > bytes ? bytes : sizes[i];
    if (given != 0) std::memcpy(to[i], c.pointers[i], given);
    std::memset(to[i] + given, 0, bytes - given);
  }
}

}  // namespace

MemoryHandler SelectWarpAccess(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kLdmatrix:
      return {LdMatrix, nullptr};
    case Opcode::kStmatrix:
      return {StMatrix, nullptr};
    case Opcode::kCpAsync:
      return {CopyAsync, nullptr};
    default:
      return {};
  }
}

}  // namespace flagstone::simt
