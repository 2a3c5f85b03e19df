// Replaces each call in a kernel by the callee's body, so that everything behind the parser sees
// one flat kernel.
//
// Registers and .param variables are new in each copy. A function's .local and .shared variables
// exist once in a kernel: a thread is in a function that is inlined at most once. An argument
// that is a .param variable and the formal parameter become one variable, for a caller may not use
// it any more and a callee may not write it (PTX ISA, 5.1.6.2 and 7.1).
//
// A call through a register becomes a chain of comparisons with the functions of its shape whose
// address is taken anywhere in the file, each with its copy of the body; a pointer to none of them
// is a trap.
//
// A recursive function has one copy, a procedure, behind the kernel's own code (procedures.cc);
// what is passed to and from it goes through variables of its own (frames.h).
//
// The call stays as an instruction that does nothing and each `ret` of a callee as a branch to
// behind the call, so that counts are those of the text.
#ifndef FLAGSTONE_KERNELS_PTX_INLINER_H_
#define FLAGSTONE_KERNELS_PTX_INLINER_H_

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernels/ptx/function.h"

namespace flagstone::ptx {

inline constexpr size_t kMaxCallDepth = 64;
inline constexpr size_t kMaxInlinedInKernel = size_t{1} << 16;  // instructions
inline constexpr size_t kMaxInlinedInModule = size_t{1} << 19;
class Inliner {
 public:
  // `recursive` are the functions that become procedures. `budget` is what all kernels of the
  // module may still grow by: instructions, where one with a text of several lines counts for more.
  Inliner(Body* body, const std::vector<PointerTarget>& targets,
          const std::unordered_set<const Function*>& recursive, int address_bits, size_t* budget)
      : body_(*body),
        kernel_(*body->code),
        targets_(targets),
        recursive_(recursive),
        pointer_(address_bits == 64 ? Type::kU64 : Type::kU32),
        budget_(*budget) {}

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

  // A recursive function in this kernel.
  struct Procedure {
    Activation activation;
    std::vector<Formal> arguments, results;  // through which values are passed
  };

  void Expand(Activation* activation);

  // Procedures (procedures.cc).
  void ExpandProcedures();
  uint32_t ProcedureOf(const Function& function);
  void CallProcedure(const CallSite& call, const Function& callee, Activation* caller);
  Formal NewPassed(const Formal& like);
  // Copies what is passed; a side is a variable or register of the kernel.
  void Pass(const Formal& to, const Formal& from, const Instruction& at);
  Formal ActualOf(const Operand& actual, const Formal& like, const Instruction& at,
                  Activation* caller);

  // A call (inline_call.cc).
  void ExpandCall(const CallSite& call, Activation* caller);
  // Of a call through a register: what it may lead to.
  std::vector<PointerTarget> CandidatesFor(const CallSite& call, const Body& caller) const;
  void ExpandPointerCall(const CallSite& call, Activation* caller);
  // A copy of `callee`, or what stands for one that has no body here.
  void ExpandCallee(const CallSite& call, const Function& callee, Activation* caller);
  // Why the call cannot be inlined; empty if it can.
  std::string ReasonAgainst(const CallSite& call, const Body& caller) const;
  std::string ReasonAgainstSize(const Function& callee) const;
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
  const std::vector<PointerTarget>& targets_;
  const std::unordered_set<const Function*>& recursive_;
  const Type pointer_;
  std::deque<Procedure> procedures_;  // number - 1 is the index; addresses stay
  std::unordered_map<const Function*, uint32_t> numbers_;  // of procedures, from 1
  bool in_procedure_ = false;                              // the code at hand is one's
  size_t& budget_;
  size_t inlined_ = 0;
  std::vector<Instruction> code_;
  std::vector<const Function*> stack_;     // the chain of functions at hand
  std::vector<const Function*> followed_;  // whose own refusals the kernel has taken over
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_INLINER_H_
