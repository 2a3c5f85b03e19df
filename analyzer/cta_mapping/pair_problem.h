// The integer program of one pair of accesses: where two TBs read the same cache block, and how far
// apart they are. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_PAIR_PROBLEM_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_PAIR_PROBLEM_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/cta_mapping/subscripts.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct PairScene {
  CtaDirection direction = CtaDirection::kX;
  const AddressAnalysis* analysis = nullptr;
  const KernelLaunch* launch = nullptr;
  uint64_t block_bytes = 0;
};

// A system of affine constraints over integers. Its variables: gx, gy and gz, the grid's extents;
// the distance; and others, which have no names.
class PairProblem {
 public:
  static constexpr uint32_t kExtents = 3;  // variables 0 to 2
  static constexpr uint32_t kDistance = 3;

  using Term = std::pair<uint32_t, int64_t>;  // variable, coefficient
  // constant + sum(coefficient * variable) = 0, or >= 0.
  struct Constraint {
    bool equality = false;
    int64_t constant = 0;
    std::vector<Term> terms;
  };

  // Variables that no form reads are left out, and so are those that are always 0; a block id that
  // both TBs have in common is one variable; cache blocks are counted from the first access's. So
  // pairs that lie alike have the same problem.
  PairProblem(const PairScene& scene, const SubscriptedAccess& first,
              const SubscriptedAccess& second);

  uint32_t variables() const { return variables_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  std::string Key() const;  // equal for equal problems

 private:
  // What the variables of one of the two accesses are; 0: it has none, since its value is 0.
  struct Side {
    std::array<uint32_t, 3> threads = {}, blocks = {};
    std::vector<uint32_t> loops;
  };
  Side Domain(const SubscriptedAccess& access, const std::array<uint32_t, 3>& blocks);
  std::array<bool, 3> BlocksRead(const SubscriptedAccess& access) const;
  // The form's terms, `times` of them, behind those there are.
  void Put(const AffineForm& form, const Side& side, int64_t times, Constraint* into) const;
  void Add(bool equality, int64_t constant, std::initializer_list<Term> terms);
  uint32_t Between(uint64_t end);         // a new variable: 0 <= it < end
  uint32_t BelowExtent(uint32_t extent);  // a new variable: 0 <= it < that extent
  void AtLeast(uint32_t extent, int64_t n);

  const PairScene& scene_;
  uint32_t variables_ = kDistance + 1;
  std::vector<Constraint> constraints_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_PAIR_PROBLEM_H_
