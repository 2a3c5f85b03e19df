// wgmma (PTX ISA, section 9.7.15) as a warp executes it: products, fences, groups and waits. A warp
// makes its own 16 rows of a product at once; the four warps of a warpgroup need not meet for that.
#include "gpu_model/simt/warpgroup.h"

#include <fmt/core.h>

#include <array>
#include <string>

#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/matrix_descriptor.h"

namespace flagstone {
namespace simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::WarpgroupOp;
using ptx::WgmmaForm;

constexpr uint32_t kHalves = WgmmaForm::kRowBytes / MatrixDescriptor::kUnit;  // of a row
constexpr uint32_t kGroupOfRows = 8;  // that a unit of a column holds

// The descriptor that all lanes have.
uint64_t DescriptorOf(const Context& c, const Inst& inst, SlotId slot, char matrix) {
  const uint64_t* const lanes = Source<uint64_t>(c, slot);
  for (uint32_t lane = 1; lane < kWarpSize; ++lane) {
    if (lanes[lane] == lanes[0]) continue;
    ThrowOfWarp(
        c, inst,
        fmt::format("the descriptor of {} is {:#x} in lane 0 and {:#x} in lane {}, expected "
                    "one for all lanes,",
                    matrix, lanes[0], lanes[lane], lane));
  }
  if ((lanes[0] & MatrixDescriptor::kUnused) != 0) {
    ThrowOfWarp(c, inst,
                fmt::format("the descriptor of {}, {:#x}, has bits {:#x}, which mean nothing, "
                            "expected 0 there,",
                            matrix, lanes[0], lanes[0] & MatrixDescriptor::kUnused));
  }
  return lanes[0];
}

// Of rows `first` on of A, or columns of B.
MatrixUnits UnitsOf(const Context& c, const Inst& inst, uint64_t bits, char matrix, uint32_t first,
                    uint32_t rows, bool transposed) {
  const MatrixDescriptor descriptor(bits);
  // A row's 32 bytes are a part of the pattern's width, which begins at a multiple of them.
  const bool swizzled = descriptor.swizzle != TensorSwizzle::kNone;
  if (swizzled && !transposed && descriptor.start % WgmmaForm::kRowBytes != 0) {
    ThrowOfWarp(c, inst,
                fmt::format("misaligned matrix: the descriptor of {}, {:#x}, starts at {:#x}, "
                            "expected a multiple of {} where rows are swizzled,",
                            matrix, bits, descriptor.start, WgmmaForm::kRowBytes),
                FailureCause::kMisaligned);
  }
  MatrixUnits units;
  const auto add = [&](uint64_t at) {
    if (c.shared.size < MatrixDescriptor::kUnit || at > c.shared.size - MatrixDescriptor::kUnit) {
      ThrowOfWarp(c, inst,
                  fmt::format("out-of-bounds matrix: the descriptor of {}, {:#x}, leads to shared "
                              "{:#x} of {} bytes,",
                              matrix, bits, at, c.shared.size),
                  FailureCause::kAddress);
    }
    units.at[units.count++] = static_cast<uint32_t>(at);
  };
  if (transposed) {
    const uint32_t depth = inst.product->form.Depth();
    for (uint32_t group = first / kGroupOfRows; group < (first + rows) / kGroupOfRows; ++group) {
      for (uint32_t k = 0; k < depth; ++k) add(descriptor.UnitOfColumn(group, k));
    }
  } else {
    for (uint32_t row = first; row < first + rows; ++row) {
      for (uint32_t half = 0; half < kHalves; ++half) add(descriptor.UnitOfRow(row, half));
    }
  }
  return units;
}

// Whether D counts: the same in all lanes.
bool KeepsSums(const Context& c, const Inst& inst, const WarpgroupSlots& slots) {
  const LaneMask mask =
      slots.scale_flip ^ *reinterpret_cast<const LaneMask*>(c.base[slots.scale >> kBaseShift] +
                                                            (slots.scale & kOffsetMask));
  if (mask != 0 && mask != kAllLanes) {
    ThrowOfWarp(c, inst, "scale-d holds in some lanes only, expected all or none,");
  }
  return mask != 0;
}

}  // namespace
}  // namespace simt

// The descriptors must be those of the warpgroup's other warps, and none of these may be gone.
void Executor::State::StartProduct(const simt::Inst& inst, ThreadBlock::State& tb,
                                   LaneMask executed) {
  using namespace simt;  // NOLINT: nearly all names are its
  const WarpgroupSlots& slots = *inst.product;
  const uint32_t group = bound_warp_ / WgmmaForm::kWarps;
  const uint32_t first = group * WgmmaForm::kWarps;
  if (executed != kAllLanes || first + WgmmaForm::kWarps > tb.warps.size()) {
    ThrowOfWarp(context, inst,
                executed != kAllLanes
                    ? std::string("wgmma by some threads of a warp, expected all 32,")
                    : fmt::format("wgmma in a warpgroup of {} warps, expected 4,",
                                  tb.warps.size() - first));
  }
  ProductEntry entry{inst.pc, 0, 0};
  if (!slots.a_in_registers) entry.a = DescriptorOf(context, inst, slots.a_descriptor, 'A');
  entry.b = DescriptorOf(context, inst, slots.b_descriptor, 'B');
  if (const ProductEntry* const other = tb.products->logs[group].Add(bound_warp_ - first, entry)) {
    ThrowOfWarp(
        context, inst,
        other->pc != inst.pc
            ? fmt::format("wgmma where other warps of the warpgroup come to line {} next,",
                          context.program->launch().kernel->instructions[other->pc].location.line)
            : fmt::format("descriptors {:#x} and {:#x}, which are {:#x} and {:#x} in other "
                          "warps of the warpgroup,",
                          entry.a, entry.b, other->a, other->b));
  }
  for (uint32_t warp = first; warp < first + WgmmaForm::kWarps; ++warp) {
    const bool gone = tb.warps[warp].live == 0 || tb.warps[warp].stack.empty();
    if (gone && tb.products->logs[group].Missing(warp - first) != nullptr) {
      ThrowOfWarp(context, inst,
                  fmt::format("wgmma without warp {} of the warpgroup, which has ended,", warp));
    }
  }
  const bool keeps = KeepsSums(context, inst, slots);
  MatrixUnits a;
  if (!slots.a_in_registers) {
    const uint32_t row = (bound_warp_ - first) * WgmmaForm::kRowsOfWarp;
    a = UnitsOf(context, inst, entry.a, 'A', row, WgmmaForm::kRowsOfWarp, slots.transposes_a);
  }
  const MatrixUnits b = UnitsOf(context, inst, entry.b, 'B', 0, slots.form.n, slots.transposes_b);
  if (tb.races) {
    for (const MatrixUnits* units : std::array<const MatrixUnits*, 2>{&a, &b}) {
      for (uint32_t i = 0; i < units->count; ++i) {
        tb.races->ReadByProxy(bound_warp_, inst.pc, units->at[i], MatrixDescriptor::kUnit);
      }
    }
  }
  TakeRegisters(context, inst, slots);
  MultiplyWarp(context, slots, a, b, keeps);
}

void Executor::State::RunWarpgroup(const simt::Inst& inst, ThreadBlock::State& tb,
                                   simt::WarpState& w, LaneMask executed) {
  using ptx::WarpgroupOp;
  w.stack.GoTo(inst.pc + 1);
  if (executed == 0) return;
  const WarpgroupOp op = inst.modifiers.warpgroup_op;
  if (op == WarpgroupOp::kNone) {  // fence.proxy.async
    if (tb.races) tb.races->FenceProxy(bound_warp_);
    return;
  }
  if (op == WarpgroupOp::kMmaAsync) return StartProduct(inst, tb, executed);
  if (executed != w.live) {
    simt::ThrowOfWarp(context, inst, "wgmma by some threads of a warp, expected all,");
  }
  if (tb.products == nullptr) return;  // nothing is ever under way
  simt::WarpProducts& products = *context.products;
  if (op == WarpgroupOp::kFence) ++products.fences;
  if (op == WarpgroupOp::kCommitGroup) products.Commit();
  if (op == WarpgroupOp::kWaitGroup) products.Wait(inst.offset);
}

// The warp at hand has ended.
void Executor::State::CheckLeftOut(const ThreadBlock::State& tb) const {
  const uint32_t group = bound_warp_ / simt::WgmmaForm::kWarps;
  const simt::ProductEntry* const missing =
      tb.products->logs[group].Missing(bound_warp_ % simt::WgmmaForm::kWarps);
  if (missing == nullptr) return;
  simt::ThrowOfWarp(context, insts[missing->pc],
                    "wgmma that other warps of the warpgroup execute, left out");
}

}  // namespace flagstone
