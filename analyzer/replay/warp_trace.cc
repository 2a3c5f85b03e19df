#include "analyzer/replay/warp_trace.h"

#include <algorithm>
#include <bit>

namespace flagstone::replay {
namespace {

Step::Kind KindOf(const AddressForm& access) {
  if (access.is_atomic) return Step::Kind::kAtomic;
  if (access.is_store) return Step::Kind::kStore;
  return access.is_copy ? Step::Kind::kCopy : Step::Kind::kLoad;
}

}  // namespace

void WarpTrace::Begin() {
  steps_.clear();
  last_.assign(table_.forms.size(), 0);
  commits_.clear();
  from_ = CodeBetween::kStart;
  loads_ = awaited_ = 0;
}

void WarpTrace::Access(uint32_t pc, uint32_t lanes, const LaneAddresses& addresses,
                       bool by_sector) {
  const uint32_t index = table_.index_of[pc];
  const AddressForm& form = *table_.forms[index];
  const uint16_t gap = Go(pc);
  const Step::Kind kind = KindOf(form);
  const size_t first = steps_.size();
  if (form.is_copy && !by_sector) {
    AddCopy(form, lanes, addresses);
  } else {
    CoalescedRequests requests;
    Coalesce(addresses, lanes, &requests);
    for (uint32_t i = 0; i < requests.count; ++i) Add(requests.lines[i], requests.sectors[i]);
  }
  for (size_t i = first; i < steps_.size(); ++i) {
    steps_[i].access = static_cast<uint16_t>(index);
    steps_[i].gap = gap;
    steps_[i].kind = kind;
    steps_[i].goes_on = i != first;
  }
  if (!form.is_store || form.is_atomic) last_[index] = ++loads_;
}

void WarpTrace::AppendTo(Trace* trace) {
  Push(Step::Kind::kEnd, Go(CodeBetween::kEnd), 0);
  trace->Append(steps_);
}

// To the next request; returns the gap right before it.
uint16_t WarpTrace::Go(uint32_t to) {
  uint16_t gap = 0;
  for (const Stretch& stretch : code_.Find(from_, to)) {
    gap = stretch.gap;
    switch (stretch.end) {
      case Stretch::End::kResult: {
        uint32_t newest = 0;
        for (const uint32_t pc : stretch.loads) {
          newest = std::max(newest, last_[table_.index_of[pc]]);
        }
        Await(newest, gap);
        break;
      }
      case Stretch::End::kCopies:
        Await(stretch.groups == 0                 ? loads_
              : stretch.groups >= commits_.size() ? 0
                                                  : *(commits_.end() - 1 - stretch.groups),
              gap);
        break;
      case Stretch::End::kCommit:
        commits_.push_back(loads_);
        break;
      case Stretch::End::kBarrier:
        Push(Step::Kind::kBarrier, gap, 0);
        break;
      case Stretch::End::kRequest:
        break;
    }
  }
  from_ = to;
  return gap;
}

// What has been waited for needs no step, but the time before it counts.
void WarpTrace::Await(uint32_t load, uint16_t gap) {
  Push(Step::Kind::kResult, gap, load > awaited_ ? load : 0);
  awaited_ = std::max(awaited_, load);
}

void WarpTrace::Push(Step::Kind kind, uint16_t gap, uint32_t line) {
  Step step;
  step.kind = kind;
  step.gap = gap;
  step.line = line;
  steps_.push_back(step);
}

void WarpTrace::Add(LineNumber line, SectorMask sectors) {
  Step step;
  step.line = line;
  step.sectors = sectors;
  steps_.push_back(step);
}

void WarpTrace::AddCopy(const AddressForm& form, uint32_t lanes, const LaneAddresses& addresses) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    starts_ = {addresses[static_cast<size_t>(std::countr_zero(left))]};
    for (const AddressForm::Rows& rows : form.rows) {
      const size_t before = starts_.size();
      for (uint32_t row = 1; row < rows.count; ++row) {
        for (size_t i = 0; i < before; ++i) {
          starts_.push_back(starts_[i] + row * static_cast<uint64_t>(rows.stride));
        }
      }
    }
    for (const uint64_t start : starts_) {
      const uint64_t end = start + std::max(1U, form.bytes);
      for (uint64_t at = start; at < end; at = (at / kLineBytes + 1) * kLineBytes) {
        const uint64_t last = std::min(end - 1, at / kLineBytes * kLineBytes + kLineBytes - 1);
        const uint32_t s0 = at % kLineBytes / kSectorBytes, s1 = last % kLineBytes / kSectorBytes;
        Add(LineOf(at), static_cast<SectorMask>((2U << s1) - (1U << s0)));
      }
    }
  }
}

}  // namespace flagstone::replay
