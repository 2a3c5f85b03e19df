// The handlers of one instruction set of the host. All families are compiled once for any x86-64 or
// other host and once more for AVX2 and FMA; results are the same bit for bit.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_HANDLERS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_HANDLERS_H_

#include "gpu_model/simt/code.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

// Widths of the registers that cvt, ld and st use: these may be wider than the types.
struct Shape {
  bool wide_destination = false;  // 64-bit lanes
  bool wide_source = false;
};

template <class T>
struct ProductTile;  // gpu_model/simt/warpgroup.h

struct MemoryHandler {
  Handler run = nullptr;
  CommitHandler commit = nullptr;
};

// Each function returns null for what its family does not have.
struct HandlerSet {
  const char* name;
  Handler (*integer)(const ptx::Instruction&);    // add .. rem, min, max, sad, abs, neg
  Handler (*bits)(const ptx::Instruction&);       // and .. shr, bfe, bfi, popc, clz, brev, prmt
  Handler (*predicate)(const ptx::Instruction&);  // and, or, xor, not, mov on .pred; selp
  Handler (*compare)(const ptx::Instruction&);    // setp, and the comparison of set
  Handler (*set)();
  Handler (*floating)(const ptx::Instruction&);     // f32 and f64, rounding to nearest
  Handler (*approximate)(const ptx::Instruction&);  // .approx, .full
  Handler (*convert)(const ptx::Instruction&, Shape);
  Handler (*move)(const ptx::Instruction&, Shape);
  Handler (*cvta)(const ptx::Instruction&);
  MemoryHandler (*memory)(const ptx::Instruction&, Shape);  // ld, st
  Handler (*touch)();                                       // ld, st, atom: checks addresses only
  Handler (*constant_load)(Shape);                          // ld of an argument
  MemoryHandler (*atomic)(const ptx::Instruction&);         // atom, red
  // Adds the products to the sums, in the order of k; of floats each sum is rounded to f32.
  void (*multiply_floats)(ProductTile<float>&);
  void (*multiply_integers)(ProductTile<int32_t>&);
};

// shfl, vote, match, activemask, redux.
Handler SelectLaneExchange(const ptx::Instruction& instruction);
// isspacep
Handler SelectSpaceTest();
// tex
Handler SelectTexture();
Handler SelectTextureQuery();  // txq, suq
// What kernels use seldom, lane by lane: bfind, bmsk, shf, szext, lop3, fns, the modes of prmt,
// slct, copysign, testp, tanh, mul24, mad24, dp2a, dp4a, vabsdiff4, cvt.pack.
Handler SelectRare(const ptx::Instruction& instruction);

// Arithmetic, comparisons and functions of f16, bf16 and their pairs; .NaN, .xorsign of f32.
Handler SelectHalf(const ptx::Instruction& instruction);
// cvt to and from f16, bf16, tf32 and floats of 8 bits.
Handler SelectNarrowConvert(const ptx::Instruction& instruction, Shape shape);
// add.cc, addc and their like.
Handler SelectCarry(const ptx::Instruction& instruction);
// mma, movmatrix.
Handler SelectMatrix(const ptx::Instruction& instruction);
// Of sparse matrices, and of those whose blocks have scales.
void MmaByRows(Context& c, const Inst& inst, LaneMask mask);
void MmaOfQuads(Context& c, const Inst& inst, LaneMask mask);
// atom and red of several elements.
MemoryHandler SelectVectorAtomic();
// createpolicy
Handler SelectCachePolicy(const ptx::Instruction& instruction);
// mbarrier; malloc and free; suld and sust.
MemoryHandler SelectMbarrier(const ptx::Instruction& instruction);
MemoryHandler SelectHeap(const ptx::Instruction& instruction);
MemoryHandler SelectSurface(const ptx::Instruction& instruction);
// What puts the sectors of a bulk copy into global memory.
void CommitBulk(const PendingAccess& pending);
// Tells a barrier of another TB of a tcgen05.commit.
void CommitTensorArrival(const PendingAccess& pending);
// ldmatrix, stmatrix, cp.async.
MemoryHandler SelectWarpAccess(const ptx::Instruction& instruction);

// add, min and max of u16x2 and s16x2; min and max with .relu of s32 too.
Handler SelectIntegerPairs(const ptx::Instruction& instruction);
// Arithmetic on f32x2.
Handler SelectPairs(const ptx::Instruction& instruction);
// Arithmetic and conversions with .rz, .rm and .rp: exact, and slow.
Handler DirectedRounding(const ptx::Instruction& instruction, Shape shape);

const HandlerSet& BaselineHandlers();
const HandlerSet* Avx2Handlers();  // null where the host lacks AVX2 or FMA
// The best set that this host has, unless a test asked for the baseline.
const HandlerSet& Handlers();
void ForceBaselineHandlers(bool force);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_HANDLERS_H_
