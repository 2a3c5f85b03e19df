// What parts of TBs touch, as ranges of bytes step by step; a piece is what moves as one, and is
// named once however many parts touch it. Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_TOUCH_PIECES_H_
#define FLAGSTONE_APP_ORDER_TOUCH_PIECES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "app/order/access_groups.h"
#include "app/order/shifted_accesses.h"
#include "app/order/touch_plan.h"

namespace flagstone::order {

class TouchPieces {
 public:
  // Adds groups, steps, turns and what was skipped to the plan, of so many parts a TB. All must
  // outlive the pieces.
  TouchPieces(const AddressAnalysis& addresses, const KernelLaunch& launch,
              const TouchRequest& request, TouchPlan* plan);

  uint32_t count() const { return static_cast<uint32_t>(pieces_.size()); }
  uint32_t StepsOf(uint32_t piece) const;
  // The piece of the first part of the TB that the piece is of.
  uint32_t FirstPart(uint32_t piece) const { return piece - pieces_[piece].part; }

  // Calls visit(range) for the piece's ranges in a step, as addresses.
  template <class Visit>
  void ForRanges(uint32_t piece, uint32_t step, Visit visit) const {
    const Piece& p = pieces_[piece];
    if (p.group == kExplicit) {
      const std::vector<Range>& all = explicit_[p.shape];
      for (size_t i = all.size() * step / explicit_steps_;
           i < all.size() * (step + 1) / explicit_steps_; ++i) {
        visit(all[i]);
      }
      return;
    }
    const std::vector<Range>& ranges =
        p.group == kShifted ? shifted_->groups[p.shape].ranges[p.part * shifted_->steps + step]
                            : groups_.groups[p.group].Ranges(p.shape, p.part, step);
    for (const Range& range : ranges) visit(Range{range.begin + p.base, range.end + p.base});
  }

 private:
  struct Piece {
    uint32_t group = 0;
    uint32_t shape = 0;
    uint32_t part = 0;
    int64_t base = 0;
  };
  static constexpr uint32_t kExplicit = ~uint32_t{0}, kShifted = kExplicit - 1;

  // Calls visit(tb) for those that are looked at.
  template <class Visit>
  void ForTbs(Visit visit) const {
    if (request_.tbs.empty()) {
      for (uint32_t tb = 0; tb < plan_.tbs; ++tb) visit(tb);
    }
    for (const uint32_t tb : request_.tbs) visit(tb);
  }
  void AddGroup(uint32_t g);
  void AddShifted();
  // Loads and stores whose addresses are no affine forms: what each TB touches, in a step at the
  // end, or spread over the kernel's steps where it has loops. Its first part does all of it.
  void AddOthers(AccessKind kind);
  double AskedBy(const AccessGroup& group) const;
  double BytesOfParts(uint32_t first_piece) const;

  const AddressAnalysis& addresses_;
  const KernelLaunch& launch_;
  const TouchRequest& request_;
  TouchPlan& plan_;
  AccessGroups groups_;
  std::vector<Piece> pieces_;
  std::optional<ShiftedAccesses> shifted_;
  std::vector<std::vector<Range>> explicit_;
  uint32_t explicit_steps_ = 1;
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_TOUCH_PIECES_H_
