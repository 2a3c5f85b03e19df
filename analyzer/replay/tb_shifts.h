// By how much the accesses of a TB lie apart from those of another TB that does the same elsewhere,
// found by evaluating a few TBs: for addresses that are no affine forms of all ids, but mostly move
// in proportion to those of the TB. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TB_SHIFTS_H_
#define FLAGSTONE_ANALYZER_REPLAY_TB_SHIFTS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone::replay {

class TbShifts {
 public:
  // That lanes of a warp execute together.
  struct Executed {
    uint32_t access = 0, warp = 0, lanes = 0;
    uint64_t pattern = 0;  // of the lanes' addresses, from that of the first one
    uint64_t address = 0;  // of the first one
  };
  using Tb = std::vector<Executed>;  // warp after warp
  using Evaluate = std::function<Tb(uint32_t tb)>;

  TbShifts(const Dim3& grid, size_t accesses, Evaluate evaluate);

  // The same of TBs that do the same elsewhere: two of the first kinds have been compared.
  using Kind = std::array<int64_t, 3>;
  Kind KindOf(uint32_t tb);
  // Bytes by which an access of the TB lies apart from the same of others of its kind.
  int64_t Of(size_t access, const Dim3& tb) const;

 private:
  // How far the accesses of TB b are from those of a; nothing where it is not the same elsewhere.
  using Distances = std::vector<std::optional<int64_t>>;  // by access; none: not executed
  std::optional<Distances> Between(const Dim3& a, const Dim3& b) const;
  bool AddsUp(const Dim3& a, const Dim3& b) const;
  bool IsCompared(const Kind& kind) const;

  const Dim3 grid_;
  const Evaluate evaluate_;
  std::array<bool, 3> moves_ = {};  // axes along which TBs do the same elsewhere
  std::vector<std::array<int64_t, 3>> by_access_;
  std::array<uint32_t, 3> borders_ = {};  // TBs at the ends of these that do something else
  std::map<Kind, bool> holds_;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TB_SHIFTS_H_
