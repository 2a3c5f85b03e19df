// What the parser knows of bodies and device functions until the calls are inlined. Nothing of this
// leaves the parser: the kernels of a Module hold no calls.
#ifndef FLAGSTONE_KERNELS_PTX_FUNCTION_H_
#define FLAGSTONE_KERNELS_PTX_FUNCTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

struct Function;

// One `call`; its instruction holds guard, text and location.
struct CallSite {
  uint32_t pc = 0;                   // index into the body's instructions
  const Function* callee = nullptr;  // null where a register names it
  RegisterId pointer = 0;            // that register
  std::vector<Operand> results;      // registers, .param variables (kAddress) or sinks
  std::vector<Operand> arguments;    // the same, and immediates
};

// The code of an entry or of a device function.
struct Body {
  explicit Body(Kernel* parsed) : code(parsed) {}

  Kernel* code;
  std::vector<CallSite> calls;  // ascending
  // .param variables that pass values to and from calls, and a function's own parameters.
  std::vector<std::unique_ptr<Variable>> call_variables;
};

// A formal parameter or result: a .param variable or, in old PTX, a register.
struct Formal {
  const Variable* variable = nullptr;  // null: `reg`
  RegisterId reg = 0;
  Type type = Type::kNone;

  uint64_t SizeInBytes() const {
    return variable != nullptr ? variable->SizeInBytes()
                               : static_cast<uint64_t>(ptx::SizeInBytes(type));
  }
};

// What a pointer to the function with this index in ParseContext::functions holds: below all
// memory.
inline constexpr uint64_t CodeAddress(uint32_t function) { return 16 * (uint64_t{function} + 1); }

struct Function {
  std::string name;
  Location location;  // of its name
  // The one with the body: itself, that of a prototype, or that of an alias. Null: the file has
  // none.
  const Function* definition = nullptr;
  bool address_taken = false;  // calls through registers may lead to it
  std::vector<Formal> results;
  std::vector<Formal> parameters;
  Kernel code;
  Body body{&code};
};

// A function with a body whose address is taken, and what pointers to it hold.
struct PointerTarget {
  uint64_t address = 0;
  const Function* definition = nullptr;
};
inline constexpr size_t kMaxPointerTargets = 256;

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_FUNCTION_H_
