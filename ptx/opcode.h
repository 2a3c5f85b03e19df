// Instruction names and their modifiers (PTX ISA, chapter 9).
#ifndef FLAGSTONE_PTX_OPCODE_H_
#define FLAGSTONE_PTX_OPCODE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace flagstone::ptx {

enum class Opcode : uint8_t {
  kInvalid,
  kUnsupported,  // known and refused when its kernel is to run; only location and text are kept
  kAbs,
  kAdd,
  kAnd,
  kAssertFail,  // a call of __assertfail: message, file, line, function
  kAtom,
  kBar,
  kBfe,
  kBfi,
  kBra,
  kBrev,
  kBrx,   // only inside the parser
  kCall,  // marks where an inlined function begins; does nothing
  kClz,
  kCos,
  kCvt,
  kCvta,
  kDiv,
  kEx2,
  kExit,
  kFma,
  kLd,
  kLg2,
  kMad,
  kMax,
  kMembar,
  kMin,
  kMov,
  kMul,
  kNeg,
  kNot,
  kOr,
  kPopc,
  kPrint,  // a call of vprintf: result, format, arguments
  kPrmt,
  kRcp,
  kRed,
  kRem,
  kRet,
  kRsqrt,
  kSad,
  kSelp,
  kSet,
  kSetp,
  kShl,
  kShr,
  kSin,
  kSqrt,
  kSt,
  kSub,
  kTrap,
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
enum class Rounding : uint8_t { kNone, kRn, kRz, kRm, kRp, kRni, kRzi, kRmi, kRpi };
enum class MulPart : uint8_t { kNone, kLo, kHi, kWide };
enum class BooleanOp : uint8_t { kNone, kAnd, kOr, kXor };  // setp.lt.and.s32
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
};
enum class BarrierOp : uint8_t { kNone, kSync, kArrive, kWarpSync };
// ld: ca cg cs lu cv; st: wb cg cs wt.
enum class CacheOp : uint8_t { kNone, kCa, kCg, kCs, kLu, kCv, kWb, kWt };
enum class MemoryOrder : uint8_t { kNone, kWeak, kRelaxed, kAcquire, kRelease, kAcqRel };
enum class MemoryScope : uint8_t { kNone, kCta, kGpu, kSys };  // membar.gl is kGpu

// All the dotted parts of an instruction that are not its types or state space.
struct Modifiers {
  Comparison comparison = Comparison::kNone;
  BooleanOp boolean_op = BooleanOp::kNone;
  Rounding rounding = Rounding::kNone;
  MulPart mul_part = MulPart::kNone;
  AtomicOp atomic_op = AtomicOp::kNone;
  BarrierOp barrier_op = BarrierOp::kNone;
  uint8_t vector = 1;          // .v2, .v4
  bool flush_to_zero = false;  // .ftz
  bool saturate = false;       // .sat
  bool approximate = false;    // .approx
  bool full = false;           // .full (div)
  bool uniform = false;        // .uni
  bool to = false;             // cvta.to
  bool volatile_access = false;
  bool non_coherent = false;  // ld.global.nc
  CacheOp cache_op = CacheOp::kNone;
  MemoryOrder order = MemoryOrder::kNone;
  MemoryScope scope = MemoryScope::kNone;  // of atom, red, ld, st, membar
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_OPCODE_H_
