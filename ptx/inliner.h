// Replaces each call in a kernel by the callee's body, so that everything behind the parser sees
// one flat kernel.
//
// Registers and .param variables are new in each copy. A function's .local and .shared variables
// exist once in a kernel: without recursion a thread is in a function at most once. An argument
// that is a .param variable and the formal parameter become one variable, for a caller may not use
// it any more and a callee may not write it (PTX ISA, 5.1.6.2 and 7.1).
//
// The call stays as an instruction that does nothing and each `ret` of a callee as a branch to
// behind the call, so that counts are those of the text.
#ifndef FLAGSTONE_PTX_INLINER_H_
#define FLAGSTONE_PTX_INLINER_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/function.h"

namespace flagstone::ptx {

inline constexpr size_t kMaxCallDepth = 64;
inline constexpr size_t kMaxInlinedInKernel = size_t{1} << 16;  // instructions
inline constexpr size_t kMaxInlinedInModule = size_t{1} << 19;

class Inliner {
 public:
  // `budget` is what all kernels of the module may still grow by: instructions, where one with a
  // text of several lines counts for more.
  Inliner(Body* body, size_t* budget) : body_(*body), kernel_(*body->code), budget_(*budget) {}

  // Calls that cannot be inlined become refusals of the kernel.
  void Run();

 private:
  // One copy of a body on its way into the kernel.
  struct Activation {
    const Body* body = nullptr;
    const Function* function = nullptr;  // null: the kernel itself
    std::unordered_map<RegisterId, RegisterId> registers;
    std::unordered_map<const Variable*, const Variable*> variables;  // of space .param
  };

  void Expand(Activation* activation);
  void ExpandCall(const CallSite& call, Activation* caller);
  // Why the call cannot be inlined; empty if it can.
  std::string ReasonAgainst(const CallSite& call, const Body& caller) const;
  // Ties a formal to its actual. What must be copied goes in front of the body or to `after`.
  void Bind(const Formal& formal, const Operand& actual, bool is_result, const Instruction& at,
            Activation* caller, Activation* callee, std::vector<Instruction>* after);
  void AddBuiltin(Opcode opcode, const Function& callee, const Instruction& at,
                  Activation* activation);
  void Refuse(const Instruction& at, std::string reason);

  Instruction Copy(const Instruction& instruction, Activation* activation);
  Operand Copy(const Operand& operand, Activation* activation);
  RegisterId Map(RegisterId reg, Activation* activation);
  const Variable* Map(const Variable* variable, Activation* activation);
  RegisterId NewRegister(const Register& like);
  const Variable* NewVariable(const Variable& like);
  void Charge(const Instruction& instruction);

  Body& body_;
  Kernel& kernel_;
  size_t& budget_;
  size_t inlined_ = 0;
  std::vector<Instruction> code_;
  std::vector<const Function*> stack_;     // the chain of functions at hand
  std::vector<const Function*> followed_;  // whose own refusals the kernel has taken over
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_INLINER_H_
