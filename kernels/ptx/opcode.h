// Instruction names and their modifiers (PTX ISA, chapter 9).
#ifndef FLAGSTONE_KERNELS_PTX_OPCODE_H_
#define FLAGSTONE_KERNELS_PTX_OPCODE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace flagstone::ptx {

enum class Opcode : uint8_t {
  kInvalid,
  // Known, and refused when its kernel is to run: location, guard and text are kept, and as one
  // vector the registers that it may write.
  kUnsupported,
  kAbs,
  kActivemask,
  kAdd,
  kAddCarry,  // add.cc, addc
  kAlloca,    // only inside the parser
  kAllocate,  // a call of malloc: pointer, bytes
  kAnd,
  kAssertFail,  // a call of __assertfail: message, file, line, function
  kAtom,
  kBar,
  kBfe,
  kBfi,
  kBfind,
  kBmsk,
  kBra,
  kBrev,
  kBrkpt,
  kBrx,   // only inside the parser
  kCall,  // marks where an inlined function begins; does nothing
  kClz,
  kCopysign,
  kCos,
  kCpAsync,  // cp.async: copies, groups and waits
  kCreatepolicy,
  kCvt,
  kCvtPack,
  kCvta,
  kDiv,
  kDp2a,
  kDp4a,
  kElect,
  kEx2,
  kExit,
  kFence,
  kFma,
  kFns,
  kFree,  // a call of free
  kGetctarank,
  kGriddepcontrol,
  kIsspacep,
  kLd,
  kLdmatrix,
  kLg2,
  kLop3,
  kMad,
  kMad24,
  kMadCarry,  // mad.cc, madc
  kMapa,
  kMatch,
  kMax,
  kMbarrier,
  kMembar,
  kMin,
  kMma,
  kMov,
  kMovmatrix,
  kMul,
  kMul24,
  kNanosleep,
  kNeg,
  kNot,
  kOr,
  kPopc,
  kPrefetch,
  kPrint,  // a call of vprintf: result, format, arguments
  kPrmt,
  kProcedureCall,  // of a recursive function; only inside the parser, as the next one
  kProcedureReturn,
  kRcp,
  kRed,
  kRedux,
  kRem,
  kRet,
  kRsqrt,
  kSad,
  kSelp,
  kSet,
  kSetmaxnreg,
  kSetp,
  kShf,
  kShfl,
  kShl,
  kShr,
  kSin,
  kSlct,
  kSqrt,
  kSt,
  kStackOverflow,  // ends the run; what is given is the frame at hand
  kStackrestore,   // only inside the parser, as the next one
  kStacksave,
  kStmatrix,
  kSub,
  kSubCarry,  // sub.cc, subc
  kSuld,
  kSust,
  kSzext,
  kTanh,
  kTcgen05,    // tcgen05: tensor memory, and products in it
  kTensormap,  // tensormap.replace and .cp_fenceproxy
  kTestp,
  kTex,
  kTrap,
  kTxq,  // txq and suq
  kVabsdiff4,
  kVote,
  kWgmma,  // wgmma: products, fences, groups and waits
  kXor,
};

std::optional<Opcode> ParseOpcode(std::string_view name);  // "add" -> kAdd; "barrier" -> kBar
std::string_view ToString(Opcode opcode);

enum class Comparison : uint8_t {
  kNone,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLo,
  kLs,
  kHi,
  kHs,
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan,
};
enum class Rounding : uint8_t { kNone, kRn, kRz, kRm, kRp, kRni, kRzi, kRmi, kRpi, kRna, kRs };
enum class MulPart : uint8_t { kNone, kLo, kHi, kWide };
enum class BooleanOp : uint8_t { kNone, kAnd, kOr, kXor };  // setp.lt.and.s32; mma of b1
enum class AtomicOp : uint8_t {
  kNone,
  kAdd,
  kAnd,
  kOr,
  kXor,
  kExch,
  kCas,
  kMin,
  kMax,
  kInc,
  kDec,
  kPopc,  // of bar.red only
};
enum class BarrierOp : uint8_t {
  kNone,
  kSync,
  kArrive,
  kRed,
  kWarpSync,
  kClusterArrive,  // barrier.cluster
  kClusterWait,
};
// mbarrier. The operations on transactions have a count of bytes; arriving may bring one too.
enum class MbarrierOp : uint8_t {
  kNone,
  kInit,
  kInval,
  kArrive,
  kExpectTx,
  kCompleteTx,
  kTestWait,
  kTryWait,
  kPendingCount,
};
// txq, suq.
enum class TextureQuery : uint8_t {
  kNone,
  kWidth,
  kHeight,
  kDepth,
  kArraySize,
  kChannelDataType,
  kChannelOrder,
  kNormalizedCoords,
  kNumMipmapLevels,
  kNumSamples,
  kMemoryLayout,
  kFilterMode,
  kAddrMode0,
  kAddrMode1,
  kAddrMode2,
  kForceUnnormalizedCoords,
};
enum class SurfaceMode : uint8_t { kNone, kTrap, kClamp, kZero };  // suld, sust: outside
// What a shfl, vote or match does with the lanes of a warp.
enum class LaneOp : uint8_t { kNone, kUp, kDown, kBfly, kIdx, kAll, kAny, kUni, kBallot };
enum class ShiftDirection : uint8_t { kNone, kLeft, kRight };  // shf
enum class ShiftMode : uint8_t { kNone, kClamp, kWrap };       // shf, bmsk, szext
enum class PermuteMode : uint8_t { kNone, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };  // prmt
enum class NumberClass : uint8_t {                                                // testp
  kNone,
  kFinite,
  kInfinite,
  kNumber,
  kNotanumber,
  kNormal,
  kSubnormal,
};
enum class Geometry : uint8_t { kNone, k1d, k2d, k3d, kA1d, kA2d, kCube };  // tex; a: layers
// ld: ca cg cs lu cv; st: wb cg cs wt.
enum class CacheOp : uint8_t { kNone, kCa, kCg, kCs, kLu, kCv, kWb, kWt };
// createpolicy: what it makes a policy of, and what its priorities do with a line of L2.
enum class PolicyKind : uint8_t { kNone, kFractional, kRange, kConverted };
enum class Eviction : uint8_t { kNone, kUnchanged, kFirst, kLast, kNormal };
enum class MemoryOrder : uint8_t { kNone, kWeak, kRelaxed, kAcquire, kRelease, kAcqRel, kSc };
enum class MemoryScope : uint8_t { kNone, kCta, kGpu, kSys };  // membar.gl is kGpu

enum class AsyncOp : uint8_t {  // cp.async
  kNone,
  kCopy,
  kCommitGroup,
  kWaitGroup,
  kWaitAll,
  kMbarrierArrive,
  kBulkCopy,
  kTensorCopy,
  kBulkCommit,
  kBulkWait,
};
// Which elements a tensor copy takes: a box; pixels of images, perhaps moved by offsets; four rows;
// pixels of images by their width alone, 128 of them with the last one.
enum class TensorMode : uint8_t {
  kTile,
  kIm2col,
  kIm2colNoOffsets,
  kGather4,
  kScatter4,
  kIm2colW,
  kIm2colW128,
};
enum class TensorField : uint8_t {  // of tensormap.replace
  kNone,
  kGlobalAddress,
  kRank,
  kBoxDim,
  kGlobalDim,
  kGlobalStride,
  kElementStride,
  kElementType,
  kInterleaveLayout,
  kSwizzleMode,
  kSwizzleAtomicity,
  kFillMode,
};
enum class WarpgroupOp : uint8_t { kNone, kMmaAsync, kFence, kCommitGroup, kWaitGroup };  // wgmma
// Of matrices: rows of A, columns of B, and the length of their products.
enum class MatrixShape : uint8_t {
  kNone,
  kM8n8,
  kM8n8k4,
  kM8n8k16,
  kM8n8k32,
  kM8n8k128,
  kM16n8k4,
  kM16n8k8,
  kM16n8k16,
  kM16n8k32,
  kM16n8k64,
  kM16n8k128,
  kM16n8k256,
};

// Of mma: which narrow floats are multiplied, and whether blocks of them have scales.
enum class MatrixKind : uint8_t { kNone, kF8f6f4, kMxf8f6f4, kMxf4, kMxf4nvf4 };
enum class ScaleType : uint8_t { kNone, kUe8m0, kUe4m3 };

enum class MatrixLayout : uint8_t { kNone, kRow, kColumn };

// All the dotted parts of an instruction that are not its types or state space.
struct Modifiers {
  Comparison comparison = Comparison::kNone;
  BooleanOp boolean_op = BooleanOp::kNone;
  Rounding rounding = Rounding::kNone;
  MulPart mul_part = MulPart::kNone;
  AtomicOp atomic_op = AtomicOp::kNone;  // of atom, red, redux and bar.red
  BarrierOp barrier_op = BarrierOp::kNone;
  bool unaligned = false;  // barrier.sync without .aligned: threads come to it one by one
  LaneOp lane_op = LaneOp::kNone;
  ShiftDirection shift_direction = ShiftDirection::kNone;
  ShiftMode shift_mode = ShiftMode::kNone;
  PermuteMode permute_mode = PermuteMode::kNone;
  NumberClass number_class = NumberClass::kNone;
  Geometry geometry = Geometry::kNone;
  uint8_t vector = 1;          // .v2, .v4; .v8 of ld, st, atom and red
  bool flush_to_zero = false;  // .ftz
  bool saturate = false;       // .sat
  bool approximate = false;    // .approx
  bool full = false;           // .full (div)
  bool uniform = false;        // .uni
  bool to = false;             // cvta.to
  bool volatile_access = false;
  bool non_coherent = false;  // ld.global.nc
  bool lane_sync = false;     // .sync of shfl, vote, match: a mask of lanes is the last operand
  bool shift_amount = false;  // bfind.shiftamt
  bool accumulate = false;    // vabsdiff4 .add: the sum of the four differences
  bool level = false;         // tex.level, txq.level
  bool sampler = false;       // of tex: a sampler stands beside the texture
  TextureQuery query = TextureQuery::kNone;
  bool relu = false;        // negative results become 0
  bool nan = false;         // .NaN of min and max: a NaN wins
  bool xor_sign = false;    // .xorsign.abs of min and max
  bool finite = false;      // .satfinite: no infinities
  bool carry_out = false;   // .cc
  bool carry_in = false;    // addc, subc, madc
  bool transposed = false;  // .trans of ldmatrix, stmatrix, movmatrix
  uint8_t matrices = 1;     // .x1, .x2, .x4
  AsyncOp async_op = AsyncOp::kNone;
  MbarrierOp mbarrier_op = MbarrierOp::kNone;
  bool parity = false;        // of test_wait, try_wait: by the phase's parity
  bool transaction = false;   // mbarrier.arrive.expect_tx, and what completes on an mbarrier
  bool drop = false;          // mbarrier.arrive_drop
  bool no_increment = false;  // cp.async.mbarrier.arrive.noinc
  bool multicast = false;     // of a bulk copy: to several TBs of the cluster
  bool reduce = false;        // cp.reduce.async.bulk: what it does to its destination is atomic_op
  bool keep_subnormals = false;  // .noftz of cp.reduce
  uint8_t dimensions = 0;        // of a tensor copy
  TensorMode tensor_mode = TensorMode::kTile;
  TensorField tensor_field = TensorField::kNone;
  bool prefetch = false;     // cp.async.bulk.prefetch: from global memory to L2
  bool of_map = false;       // fence.proxy.tensormap with .acquire: the map's address stands behind
  bool remote = false;       // .shared::cluster: perhaps of another TB
  bool async_proxy = false;  // fence.proxy.async
  SurfaceMode surface_mode = SurfaceMode::kNone;
  MatrixShape shape = MatrixShape::kNone;
  MatrixLayout a_layout = MatrixLayout::kNone;  // of mma
  MatrixLayout b_layout = MatrixLayout::kNone;
  MatrixKind kind = MatrixKind::kNone;
  bool block_scale = false;
  ScaleType scale_type = ScaleType::kNone;
  uint8_t scale_vectors = 0;      // scales of a row of A, of a column of B; 0: as the kind has it
  bool sparse = false;            // mma.sp: half of A is zero, and metadata say which
  bool ordered_metadata = false;  // the places of what is not zero stand in ascending order
  WarpgroupOp warpgroup_op = WarpgroupOp::kNone;
  uint16_t columns = 0;       // of wgmma: n of its shape
  bool cache_policy = false;  // .L2::cache_hint: the policy is the last operand
  PolicyKind policy_kind = PolicyKind::kNone;
  Eviction primary = Eviction::kNone;  // of createpolicy, as the next one
  Eviction secondary = Eviction::kNone;
  CacheOp cache_op = CacheOp::kNone;
  MemoryOrder order = MemoryOrder::kNone;
  MemoryScope scope = MemoryScope::kNone;  // of atom, red, ld, st, membar, fence
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_OPCODE_H_
