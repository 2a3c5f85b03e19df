// Which columns of tensor memory an instruction may touch: those that the TB has allocated, and
// where what was issued before is done, or is made in order (PTX ISA, section 9.7.16.6).
#include <fmt/core.h>

#include <bit>
#include <string>
#include <vector>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/tensor_memory_access.h"

namespace flagstone::simt {
namespace {

using Op = ptx::TensorMemoryOp;

int LineOfUse(const Context& c, uint32_t pc) {
  return static_cast<int>(c.program->launch().kernel->instructions[pc].location.line);
}

std::string NameAt(const Context& c, uint32_t pc) {
  const std::string name = NameOf(c.program->launch().kernel->instructions[pc].tensor_memory);
  return name.substr(0, name.find('.', name.find('.') + 1));
}

// Pairs on the same cells that are made in the order in which they were issued.
bool InOrder(Op before, const ptx::TensorMemoryForm& now, TensorMemoryTouch touch) {
  switch (now.op) {
    case Op::kMma:
      return before != Op::kMma || touch == TensorMemoryTouch::kSum;
    case Op::kShift:
      return before == Op::kMma;
    case Op::kCopy:
      return before == Op::kCopy ||
             (before == Op::kShift && now.shape == ptx::TensorMemoryShape::k4x256);
    default:
      return false;
  }
}

// Calls visit(group of 16 lanes, column).
template <class Visit>
void ForEachCell(const TensorMemoryCells& cells, Visit visit) {
  for (uint32_t groups = cells.groups; groups != 0; groups &= groups - 1) {
    const auto group = static_cast<uint32_t>(std::countr_zero(groups));
    for (uint32_t i = 0; i < cells.columns; ++i) visit(group, cells.first + i);
  }
}

[[noreturn]] void ThrowInUse(const TensorMemoryAccess& of, uint32_t lane, const char* verb,
                             uint32_t column, const TensorMemory::Use& use, const char* what) {
  ThrowOfThread(
      of.c, of.inst, lane,
      fmt::format("{} of column {} of tensor memory, which the {} of line {} by warp {} "
                  "{},",
                  verb, column, NameAt(of.c, use.pc), LineOfUse(of.c, use.pc), use.warp, what));
}

}  // namespace

void CheckColumns(const TensorMemoryAccess& of, uint32_t lane, uint32_t first, uint32_t columns) {
  // An offset may lead anywhere, and round the end of numbers.
  for (uint32_t i = 0; i < columns; ++i) {
    const uint32_t column = first + i;
    if (column < TensorMemory::kColumns && of.memory.IsAllocated(column)) continue;
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("columns {} to {} of tensor memory, of which the TB has not allocated "
                    "{},",
                    first, first + columns - 1, column),
        FailureCause::kAddress);
  }
}

void CheckUses(const TensorMemoryAccess& of, uint32_t lane, const TensorMemoryCells& cells,
               TensorMemoryTouch touch, const char* verb) {
  const ptx::TensorMemoryForm& form = of.slots().form;
  const std::vector<ptx::Instruction>& code = of.c.program->launch().kernel->instructions;
  ForEachCell(cells, [&](uint32_t group, uint32_t column) {
    const TensorMemory::Use& written = of.memory.written[group][column];
    if (written.there && !InOrder(code[written.pc].tensor_memory.op, form, touch)) {
      ThrowInUse(of, lane, verb, column, written, "writes, before a tcgen05.commit");
    }
    const TensorMemory::Use& stored = of.memory.stored[group][column];
    if (stored.there && form.op != Op::kStore) {
      ThrowInUse(of, lane, verb, column, stored, "writes, before a tcgen05.wait::st");
    }
    const TensorMemory::Use& loaded = of.memory.loaded[group][column];
    if (loaded.there && touch != TensorMemoryTouch::kRead) {
      ThrowInUse(of, lane, verb, column, loaded, "reads, before a tcgen05.wait::ld");
    }
  });
}

void NoteUse(const TensorMemoryAccess& of, const TensorMemoryCells& cells,
             TensorMemory::Uses* uses) {
  ForEachCell(cells, [&](uint32_t group, uint32_t column) {
    (*uses)[group][column] = {of.inst.pc, of.c.warp, true};
  });
}

}  // namespace flagstone::simt
