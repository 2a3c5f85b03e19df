#include "analyzer/replay/traces.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>
#include <utility>

#include "gpu_model/memory/packet.h"

namespace flagstone::replay {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};
constexpr uint64_t kMostOfTb = uint64_t{1} << 30;  // instructions of threads, of a TB

std::vector<uint32_t> PcsOf(const AddressAnalysis& addresses) {
  std::vector<uint32_t> pcs;
  for (const AddressForm& access : addresses.accesses) pcs.push_back(access.pc);
  return pcs;
}

int64_t OfTb(const AffineForm& form, const Dim3& tb) {
  return form.ctaid[0] * tb.x + form.ctaid[1] * tb.y + form.ctaid[2] * tb.z;
}

// What the form is at least and at most, but for what the TB adds.
Range ReachOf(const AffineForm& form, const AddressAnalysis& addresses, const Dim3& block) {
  Range range = {form.constant, form.constant};
  const auto add = [&](int64_t factor, uint64_t count) {
    const int64_t most = factor * static_cast<int64_t>(std::max<uint64_t>(count, 1) - 1);
    (most < 0 ? range.begin : range.end) += most;
  };
  add(form.tid[0], block.x);
  add(form.tid[1], block.y);
  add(form.tid[2], block.z);
  for (size_t l = 0; l < form.loops.size(); ++l) add(form.loops[l], addresses.loops[l].trip_count);
  return range;
}

}  // namespace

Traces::Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm)
    : launch_(launch),
      warps_(launch.WarpsPerTb()),
      code_(launch, addresses, PcsOf(addresses), sm),
      whole_(launch.TbCount()) {
  std::vector<uint32_t> pcs;
  table_.index_of.resize(launch.kernel->instructions.size(), kNone);
  affine_ = true;
  for (const AddressForm& access : addresses.accesses) {
    if (table_.index_of[access.pc] != kNone) continue;
    table_.index_of[access.pc] = static_cast<uint32_t>(table_.forms.size());
    table_.forms.push_back(&access);
    guards_.emplace_back();
    if (access.address_class == AddressClass::kIndirect) {
      if (!access.is_store) skipped_.push_back({access.pc, access.line, access.reason});
      continue;
    }
    pcs.push_back(access.pc);
    affine_ = affine_ && access.address_class == AddressClass::kAffine;
    for (const Guard& guard : access.guards) {
      guards_.back().push_back(ReachOf(guard.form, addresses, launch.block));
    }
  }
  structure_ = std::make_unique<KernelStructure>(*launch.kernel);
  evaluator_ =
      std::make_unique<SliceEvaluator>(launch, *structure_, pcs, addresses.constants.get());
  for (const SliceEvaluator::Refusal& refusal : evaluator_->Refused()) {
    const AddressForm& access = *table_.forms[table_.index_of[refusal.pc]];
    if (!access.is_store) skipped_.push_back({access.pc, access.line, refusal.reason});
  }
}

namespace {

struct Recorder {
  std::vector<uint8_t> is_access;  // by pc
  std::function<void(uint64_t tb, uint32_t warp, const StepResult& step)> record;
  static void Observe(void* self, uint64_t tb, uint32_t warp, const StepResult& step) {
    const auto& recorder = *static_cast<const Recorder*>(self);
    if (recorder.is_access[step.pc] != 0) recorder.record(tb, warp, step);
  }
};

}  // namespace

Traces::Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm,
               const Execute& execute)
    : Traces(launch, addresses, sm) {
  evaluator_.reset();
  skipped_.clear();
  affine_ = false;
  std::vector<WarpTrace> warps(warps_, WarpTrace(table_, &code_));
  for (WarpTrace& warp : warps) warp.Begin();
  uint64_t now = 0;  // TB
  const auto end_tb = [&] {
    Trace& trace = *whole_.all.emplace_back(std::make_unique<Trace>());
    for (WarpTrace& warp : warps) {
      warp.AppendTo(&trace);
      warp.Begin();
    }
    whole_.of_tb[now] = &trace;
  };
  Recorder recorder;
  recorder.is_access.resize(launch.kernel->instructions.size(), 0);
  for (const AddressForm* form : table_.forms) recorder.is_access[form->pc] = 1;
  recorder.record = [&](uint64_t tb, uint32_t warp, const StepResult& step) {
    if (step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
    for (; now < tb; ++now) end_tb();
    const bool is_copy = table_.forms[table_.index_of[step.pc]]->is_copy;
    const LaneMask lanes = is_copy ? step.in_space : step.executed & step.in_space;
    if (lanes != 0) warps[warp].Access(step.pc, lanes, *step.addresses, is_copy);
  };
  execute(&Recorder::Observe, &recorder);
  for (; now < launch.TbCount(); ++now) end_tb();
}

Traces::~Traces() = default;

Traces::Found& Traces::FoundOf(uint32_t steps) {
  if (steps == 0) return whole_;
  const std::scoped_lock lock(evaluates_);
  return short_.try_emplace(steps, whole_.of_tb.size()).first->second;
}

const Trace& Traces::Of(uint32_t tb, uint32_t steps) {
  Found& found = FoundOf(steps);
  if (const Trace* trace = found.of_tb[tb]) return *trace;
  const Trace* whole = steps == 0 ? nullptr : &Of(tb);
  const std::scoped_lock lock(evaluates_);
  if (const Trace* trace = found.of_tb[tb]) return *trace;
  // What has been executed is no other TB's.
  const Trace*& same = found.by_key[evaluator_ == nullptr ? Key{tb} : KeyOf(tb)];
  if (same == nullptr) {
    Trace trace = whole == nullptr ? Evaluate(tb) : whole->ShortenedTo(steps);
    same = found.all.emplace_back(std::make_unique<Trace>(std::move(trace))).get();
  }
  found.of_tb[tb] = same;
  return *same;
}

bool Traces::Share() const {
  constexpr size_t kEnough = 1 << 20;  // steps
  struct Loaded {
    uint32_t tb = kNone;
    SectorMask sectors = 0;
  };
  std::unordered_map<LineNumber, Loaded> loaded;
  std::vector<uint32_t> bases(accesses());
  size_t steps = 0;
  for (uint32_t tb = 0; tb < whole_.of_tb.size() && steps < kEnough; ++tb) {
    const Trace* trace = whole_.of_tb[tb];
    if (trace == nullptr) continue;
    FindBases(tb, bases.data());
    steps += trace->steps.size();
    for (const Step& step : trace->steps) {
      if (step.kind != Step::Kind::kLoad && step.kind != Step::Kind::kCopy) continue;
      Loaded& there = loaded[step.line + bases[step.access]];
      if (there.tb != tb && (there.sectors & step.sectors) != 0) return true;
      there.tb = tb;
      there.sectors |= step.sectors;
    }
  }
  return false;
}

std::vector<LoadedLine> Traces::LoadsOf(uint32_t tb) {
  const Trace& trace = Of(tb);
  std::vector<uint32_t> bases(accesses()), at = trace.first;
  FindBases(tb, bases.data());
  std::vector<LoadedLine> loads;
  for (size_t left = at.size(); left > 0;) {
    left = 0;
    for (uint32_t& next : at) {
      // Of each warp all that it asks for at once.
      for (bool found = false; trace.steps[next].kind != Step::Kind::kEnd; ++next) {
        const Step& step = trace.steps[next];
        if (found && !step.goes_on) break;
        if (step.kind != Step::Kind::kLoad && step.kind != Step::Kind::kCopy) continue;
        loads.push_back({step.line + bases[step.access], step.sectors});
        found = true;
      }
      if (trace.steps[next].kind != Step::Kind::kEnd) ++left;
    }
  }
  return loads;
}

int64_t Traces::MovedBy(size_t access, const Dim3& tb) const {
  if (shifts_) return shifts_->Of(access, tb);
  const AddressForm& form = *table_.forms[access];
  return affine_ && form.address_class == AddressClass::kAffine ? OfTb(form.form, tb) : 0;
}

// Where its accesses begin in a line, and what it does.
Traces::Key Traces::KeyOf(uint32_t tb) {
  const Dim3 at = TbCoordinates(tb, launch_.grid);
  Key key;
  if (affine_) {
    key = AffineKeyOf(at);
  } else {
    if (!shifts_) {
      shifts_.emplace(launch_.grid, accesses(),
                      [this](uint32_t other) { return ExecutedBy(other); });
    }
    const TbShifts::Kind kind = shifts_->KindOf(tb);
    key.assign(kind.begin(), kind.end());
  }
  for (size_t i = 0; i < accesses(); ++i) key.push_back(MovedBy(i, at) & (kLineBytes - 1));
  return key;
}

// Guards, as far as they do not hold, or fail, for all its threads.
Traces::Key Traces::AffineKeyOf(const Dim3& at) const {
  Key key;
  for (size_t i = 0; i < accesses(); ++i) {
    for (size_t g = 0; g < guards_[i].size(); ++g) {
      const int64_t here = OfTb(table_.forms[i]->guards[g].form, at);
      const bool holds = guards_[i][g].begin + here >= 0;
      const bool fails = guards_[i][g].end + here < 0;
      key.push_back(holds ? INT64_MAX : fails ? INT64_MIN : here);
    }
  }
  return key;
}

void Traces::FindBases(uint32_t tb, uint32_t* bases) const {
  const Dim3 at = TbCoordinates(tb, launch_.grid);
  for (size_t i = 0; i < accesses(); ++i) {
    *bases++ = static_cast<uint32_t>(static_cast<uint64_t>(MovedBy(i, at)) / kLineBytes);
  }
}

Trace Traces::Evaluate(uint32_t tb) {
  Trace trace;
  WarpTrace steps(table_, &code_);
  evaluator_->SetStepLimit(evaluator_->steps() + kMostOfTb);
  for (uint32_t warp = 0; warp < warps_; ++warp) {
    steps.Begin();
    const bool all = evaluator_->VisitWarp(tb, warp, [&](const SliceEvaluator::Together& at) {
      steps.Access(at.pc, at.lanes, at.addresses, false);
    });
    if (!all && skipped_.empty() && !table_.forms.empty()) {
      const AddressForm& first = *table_.forms.front();
      skipped_.push_back({first.pc, first.line, evaluator_->Problem()});
    }
    steps.AppendTo(&trace);
  }
  std::vector<uint32_t> bases(accesses());
  FindBases(tb, bases.data());
  for (Step& step : trace.steps) {
    if (step.sectors != 0) step.line -= bases[step.access];
  }
  return trace;
}

std::vector<uint64_t> Traces::Where(uint32_t tb) {
  constexpr uint64_t kSoon = 1 << 16;  // instructions of threads
  std::vector<uint64_t> where(accesses(), 0);
  evaluator_->SetStepLimit(evaluator_->steps() + kSoon);
  evaluator_->VisitWarp(tb, 0, [&](const SliceEvaluator::Together& at) {
    uint64_t& first = where[table_.index_of[at.pc]];
    if (first == 0) first = at.addresses[static_cast<size_t>(std::countr_zero(at.lanes))];
  });
  return where;
}

TbShifts::Tb Traces::ExecutedBy(uint32_t tb) {
  TbShifts::Tb executed;
  evaluator_->SetStepLimit(evaluator_->steps() + kMostOfTb);
  for (uint32_t warp = 0; warp < warps_; ++warp) {
    evaluator_->VisitWarp(tb, warp, [&](const SliceEvaluator::Together& at) {
      const uint64_t first = at.addresses[static_cast<size_t>(std::countr_zero(at.lanes))];
      uint64_t pattern = 0;
      for (uint32_t left = at.lanes; left != 0; left &= left - 1) {
        const uint64_t offset = at.addresses[static_cast<size_t>(std::countr_zero(left))] - first;
        pattern = (pattern ^ offset) * 0x100000001b3U;
      }
      executed.push_back({table_.index_of[at.pc], warp, at.lanes, pattern, first});
    });
  }
  return executed;
}

}  // namespace flagstone::replay
