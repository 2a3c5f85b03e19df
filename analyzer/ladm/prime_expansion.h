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
  };

  // Values of instructions (prime_expansion.cc).
  Polynomial Evaluate(ValueId value);
  Polynomial EvaluateAt(ValueId value, ptx::BlockId block);
  Polynomial EvaluateInstruction(ValueId value);
  Polynomial Operand(uint32_t pc, const ptx::Operand& operand);
  Polynomial Parameter(const ptx::Instruction& load);
  std::optional<Polynomial> Arithmetic(const ptx::Instruction& i,
                                       const std::vector<Polynomial>& sources) const;
  std::optional<Polynomial> Unchanged(ValueId value, const std::vector<Polynomial>& sources);
  std::optional<AffineForm> FormOf(uint32_t pc, const ptx::Operand& operand);
  Polynomial AddOpaque(Opaque opaque);
  std::set<uint32_t> LoopsAround(ptx::BlockId block) const;

  Dependence Of(const Prime& prime);  // prime_dependence.cc

  // Values that meet or that loops carry (prime_phis.cc).
  Polynomial Merge(ValueId phi);
  Polynomial CarriedValue(ValueId phi);
  Polynomial Resolve(Polynomial polynomial, uint32_t loop);  // kNoLoop: all loops
  Polynomial LeaveLoops(Polynomial polynomial, ptx::BlockId from, ptx::BlockId to);
  void AddDecisions(ptx::BlockId block, Opaque& opaque);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  ValueAnalysis* values_;
  std::map<ValueId, Polynomial> known_;
  std::map<ValueId, std::optional<Polynomial>> carried_;  // empty while being worked out
  std::set<ValueId> running_;
  std::vector<Opaque> opaque_;
  std::map<uint32_t, Dependence> depends_;  // by opaque value; partly filled while worked out
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_PRIME_EXPANSION_H_
