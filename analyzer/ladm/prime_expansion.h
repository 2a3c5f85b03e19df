// Addresses expanded to prime variables, with nothing of the launch put in (LADM, section III.C).
#ifndef FLAGSTONE_ANALYZER_LADM_PRIME_EXPANSION_H_
#define FLAGSTONE_ANALYZER_LADM_PRIME_EXPANSION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/address/slice.h"
#include "analyzer/address/value_analysis.h"
#include "analyzer/ladm/polynomial.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// What a term of an index varies with.
struct Dependence {
  bool bx = false, by = false;
  bool gdimx = false;        // gridDim.x, or a parameter that equals the row width at launch
  bool data = false;         // a loaded value
  std::set<uint32_t> loops;  // whose turns change it
  void Join(const Dependence& other);
};

class PrimeExpansion {
 public:
  // `values` decides only where a mask, an `or`, a minimum or a merge of paths changes nothing at
  // this launch. All must outlive the expansion.
  PrimeExpansion(const KernelLaunch& launch, const KernelStructure& structure,
                 ValueAnalysis& values);

  // The byte address of the instruction's memory operand.
  Polynomial Address(uint32_t pc, const ptx::Operand& memory);
  Dependence Of(const Polynomial& polynomial);
  Dependence Of(const Monomial& monomial);
  // The number at this launch; empty if the monomial varies with more than the launch.
  std::optional<int64_t> ValueOf(const Monomial& monomial) const;
  // With the launch's parameters and dimensions put in: ids, counters and what is not known stay.
  Polynomial AtLaunch(const Polynomial& polynomial) const;
  // No value of it is more; empty where that is not known.
  std::optional<uint64_t> MostOf(const Polynomial& polynomial, int depth = 0) const;
  // gridDim.x * blockDim.x: the elements in a row of a matrix with one element per thread.
  int64_t RowWidth() const { return int64_t{launch_->grid.x} * launch_->block.x; }

  // "ctaid.y*ntid.y*n + tid.x": each coefficient divided by `unit`.
  std::string ToString(const Polynomial& polynomial, int64_t unit) const;

 private:
  // A value that is no polynomial of prime variables.
  struct Opaque {
    std::vector<Polynomial> operands;  // what it is computed from, as far as that decides on it
    bool data = false;
    std::set<uint32_t> loops;
    int line = 0;
    std::optional<int64_t> number = {};  // that the launch makes of it
    int64_t divisor = 0;                 // of a quotient of operands[0] by this number
  };
  // An operation on polynomials whose result is none: what two instructions must agree in to have
  // the same result.
  struct Operation {
    ptx::Opcode opcode;
    ptx::Type type, source_type;
    ptx::Comparison comparison;
    ptx::MulPart part;
    std::vector<std::map<Monomial, int64_t>> operands;
    auto operator<=>(const Operation&) const = default;
  };

  // Values of instructions (prime_expansion.cc).
  Polynomial Evaluate(ValueId value);
  Polynomial EvaluateAt(ValueId value, ptx::BlockId block);
  Polynomial EvaluateInstruction(ValueId value);
  Polynomial Operand(uint32_t pc, const ptx::Operand& operand);
  Polynomial Parameter(const ptx::Instruction& load);
  std::optional<Polynomial> Arithmetic(const ptx::Instruction& i,
                                       const std::vector<Polynomial>& sources);
  // Where bits are put together that do not overlap (prime_bits.cc).
  bool LeavesRoomFor(const Polynomial& high, const Polynomial& low);
  std::optional<Polynomial> Inserted(const ptx::Instruction& bfi,
                                     const std::vector<Polynomial>& sources);
  std::optional<uint64_t> MostOf(const Prime& prime, int depth) const;
  // Divisions, shifts and masks, all as quotients (prime_quotients.cc).
  std::optional<Polynomial> Divide(const ptx::Instruction& i,
                                   const std::vector<Polynomial>& sources);
  Polynomial Quotient(Polynomial dividend, const Polynomial& divisor, int line);
  std::optional<Polynomial> QuotientOfProduct(const Polynomial& product, int shift, int line);
  std::optional<Polynomial> Unchanged(ValueId value, const std::vector<Polynomial>& sources);
  std::optional<AffineForm> FormOf(uint32_t pc, const ptx::Operand& operand);
  Polynomial AddOpaque(Opaque opaque);
  Polynomial AddOpaque(Operation operation, Opaque opaque);  // once for each operation
  std::set<uint32_t> LoopsAround(ptx::BlockId block) const;

  // What primes vary with (prime_dependence.cc).
  Dependence Of(const Prime& prime);
  std::optional<int64_t> NumberOf(const Prime& prime) const;
  std::optional<int64_t> ParameterNumber(uint32_t offset) const;

  // Values that meet or that loops carry (prime_phis.cc).
  Polynomial Merge(ValueId phi);
  Polynomial CarriedValue(ValueId phi);
  Polynomial Resolve(Polynomial polynomial, uint32_t loop);  // kNoLoop: all loops
  Polynomial LeaveLoops(Polynomial polynomial, ptx::BlockId from, ptx::BlockId to);
  void AddDecisions(ptx::BlockId block, Opaque& opaque);
  Dependence OfTrips(uint32_t loop);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  ValueAnalysis* values_;
  std::map<ValueId, Polynomial> known_;
  std::map<ValueId, std::optional<Polynomial>> carried_;  // empty while being worked out
  std::set<ValueId> running_;
  std::vector<Opaque> opaque_;
  std::map<Operation, uint32_t> operations_;  // -> opaque value
  std::map<uint32_t, Dependence> depends_;    // by opaque value; partly filled while worked out
  std::map<uint32_t, Dependence> of_trips_;   // by loop; likewise
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_PRIME_EXPANSION_H_
