// The typed form of a parsed PTX module: what the parser makes and all other rooms read.
#ifndef FLAGSTONE_KERNELS_PTX_KERNEL_H_
#define FLAGSTONE_KERNELS_PTX_KERNEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/location.h"
#include "kernels/ptx/opcode.h"
#include "kernels/ptx/tensor_memory_form.h"
#include "kernels/ptx/types.h"

namespace flagstone::ptx {

using RegisterId = uint32_t;  // index into Kernel::registers

struct Register {
  std::string name;  // "%rd4"
  Type type = Type::kNone;
};

// What the initialiser of a .samplerref says of how textures are read.
struct SamplerModes {
  enum class Address : uint8_t { kWrap, kMirror, kClamp, kBorder };
  Address address = Address::kClamp;  // along all axes
  bool linear = false;
  bool unnormalized = false;  // .force_unnormalized_coords
};

// A variable with an address: .global, .const, .shared, .local or a kernel parameter.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kNone;  // of one element
  uint64_t count = 1;       // elements; 0 for an unsized extern array (dynamic shared memory)
  uint32_t alignment = 1;   // bytes
  uint64_t offset = 0;      // bytes from the start of its kernel's shared, local or param block
  bool is_extern = false;
  std::vector<std::byte> initial;  // as given; zeros follow
  // Address of another variable inside `initial`: `size` bytes at `at` hold &target + addend.
  struct AddressOf {
    uint64_t at = 0;
    std::string target;
    int64_t addend = 0;
    bool generic = false;
    bool function = false;    // the target is code: the addend is all there is
    std::optional<int> byte;  // "0xFF00(sym)": only this byte of the address, in one byte
  };
  std::vector<AddressOf> addresses;
  std::optional<SamplerModes> sampler;
  bool in_frame = false;  // of a recursive function: a place in each of its frames
  Location location;

  uint64_t SizeInBytes() const { return count * static_cast<uint64_t>(ptx::SizeInBytes(type)); }
};

enum class SpecialRegister : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kSmid,
  kNsmid,
  kGridid,
  kClock,
  kClock64,
  kClockHi,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kTotalSmemSize,
  kDynamicSmemSize,
  kReservedSmemBegin,  // of what the system reserves in shared memory, and its two offsets
  kReservedSmemEnd,
  kReservedSmemSize,
  kAggrSmemSize,  // the kernel's own and the system's
  kGlobaltimer,
  kGlobaltimerLo,
  kGlobaltimerHi,
  kZero,  // what nothing sets: the fourth element of a vector, %pm, other %envreg
  kZero64,
  kEnvreg1,  // the workspace of a cooperative launch: upper and lower half of its address
  kEnvreg2,
  kStackBegin,  // of a thread, in local memory, and its end; no text can name them
  kStackEnd,
  kClusteridX,
  kClusteridY,
  kClusteridZ,
  kNclusteridX,
  kNclusteridY,
  kNclusteridZ,
  kClusterCtaidX,
  kClusterCtaidY,
  kClusterCtaidZ,
  kClusterNctaidX,
  kClusterNctaidY,
  kClusterNctaidZ,
  kClusterCtarank,
  kClusterNctarank,
  kIsExplicitCluster,
};

// One operand. Memory operands ([...]) have kind kMemory, with a register or a variable as base.
struct Operand {
  enum class Kind : uint8_t {
    kRegister,   // reg
    kImmediate,  // bits, already of the instruction's width where the syntax fixes it
    kSpecial,    // special
    kAddress,    // the address of `variable`, plus `offset`
    kMemory,     // memory at (reg | variable | absolute) + offset
    kTexture,    // the texture that reg or variable names, at the coordinates in `elements`
    kVector,     // elements
    kLabel,      // target: index of an instruction of the same kernel
    kSink,       // "_": the result is not kept
  };
  Kind kind = Kind::kRegister;
  bool negated = false;            // "!%p" as a source predicate
  bool has_register_base = false;  // of kMemory, kTexture
  RegisterId reg = 0;
  SpecialRegister special = SpecialRegister::kTidX;
  // Immediates: integers sign-extended to 64 bits; floats by `immediate_type` as IEEE bits
  // (kF32: low 32 bits). Integer literals in float instructions are refused, as ptxas does.
  Type immediate_type = Type::kNone;  // kS64, kU64, kF32, kF64 or kPred
  uint64_t bits = 0;
  const Variable* variable = nullptr;  // owned by the Module or its Kernel
  int64_t offset = 0;                  // bytes
  uint32_t target = 0;
  std::vector<Operand> elements;
};

struct Instruction {
  Opcode opcode = Opcode::kInvalid;
  Type type = Type::kNone;         // the (destination) type: add.s32 -> s32; setp.lt.s32 -> s32
  Type source_type = Type::kNone;  // second type of cvt, set, tex: cvt.rn.f32.s32 -> s32
  Type third_type = Type::kNone;   // of vabsdiff4, mma
  Type fourth_type = Type::kNone;  // of mma
  Space space = Space::kGeneric;   // of ld, st, atom, red, cvta; of copies: where from
  Modifiers modifiers;
  TensorMemoryForm tensor_memory;   // of tcgen05
  std::optional<RegisterId> guard;  // @%p
  bool guard_negated = false;       // @!%p
  // Destination(s) first, as in the text. setp with two destinations ("%p|%q") has both, in order.
  std::vector<Operand> operands;
  uint8_t destinations = 0;  // how many of `operands` are written
  Location location;
  std::string text;  // the instruction as written, white space folded: for messages
  // The recursive function that it belongs to, from 1; 0: none. Only until there are frames.
  uint16_t procedure = 0;

  // The operand that is an address; null where none is.
  const Operand* Address() const {
    for (const Operand& operand : operands) {
      if (operand.kind == Operand::Kind::kMemory) return &operand;
    }
    return nullptr;
  }
};

// Why a kernel cannot run, though its text is good PTX: an instruction that Flagstone does not
// execute, or a call that it cannot follow.
struct Refusal {
  Location location;
  std::string text;    // of the instruction
  std::string reason;  // "recursion: f -> g -> f"
  // Only the instruction's results are missing: its kernel can be analyzed.
  bool results_only = false;
};

struct Kernel {
  std::string name;
  std::vector<std::unique_ptr<Variable>> parameters;  // offsets laid out as the ISA says
  uint32_t parameter_bytes = 0;
  std::vector<std::unique_ptr<Variable>>
      shared;                 // static ones with offsets; extern ones at the end
  uint32_t shared_bytes = 0;  // static shared memory
  std::vector<std::unique_ptr<Variable>> locals;  // .local (also "__local_depot")
  uint32_t local_bytes = 0;                       // per thread, without a stack
  std::vector<Register> registers;
  // Labels are resolved to indices; the index is the "pc". Calls are inlined.
  std::vector<Instruction> instructions;
  std::array<uint32_t, 3> max_threads = {0, 0, 0};       // .maxntid, 0 where absent
  std::array<uint32_t, 3> required_threads = {0, 0, 0};  // .reqntid
  uint32_t min_tbs_per_sm = 0;                           // .minnctapersm
  uint32_t max_registers = 0;                            // .maxnreg, per thread; 0 where absent
  std::array<uint32_t, 3> required_cluster = {0, 0, 0};  // .reqnctapercluster
  bool syncs_grid = false;                               // reads %envreg1 or %envreg2
  bool reads_reserved_shared = false;  // where the system's part of shared memory lies
  bool allocates = false;              // calls malloc or free
  bool uses_stack = false;             // recursion, alloca: a stack behind the .local variables
  std::vector<Refusal> refusals;       // in the order of the text; empty: it runs
  Location location;
};

struct Module {
  std::string file;  // as given by the user, for messages
  int version_major = 0;
  int version_minor = 0;
  std::string target;                              // "sm_35"
  bool independent_textures = false;               // texmode_independent: OpenCL's
  int address_size = 64;                           // bits
  std::vector<std::unique_ptr<Variable>> globals;  // .global and .const of module scope
  std::vector<std::unique_ptr<Kernel>> kernels;

  // Throws kBadInput that lists the entries there are.
  const Kernel& FindKernel(std::string_view name) const;
  // Throws kBadInput that names the place of each refusal, if the kernel has any.
  void CheckRunnable(const Kernel& kernel) const;
  // The same where it cannot even be analyzed: code is missing, not only results.
  void CheckAnalyzable(const Kernel& kernel) const;

 private:
  void Fail(const Kernel& kernel, std::span<const Refusal* const> refusals) const;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_KERNEL_H_
