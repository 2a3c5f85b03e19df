#include "analyzer/replay/traces.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "gpu_model/sm/coalescer.h"

namespace flagstone::replay {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

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

Step::Kind KindOf(const AddressForm& access) {
  if (access.is_atomic) return Step::Kind::kAtomic;
  if (access.is_store) return Step::Kind::kStore;
  return access.is_copy ? Step::Kind::kCopy : Step::Kind::kLoad;
}

}  // namespace

// Makes the steps of a warp.
class Traces::WarpTrace {
 public:
  explicit WarpTrace(Traces* traces) : traces_(*traces) {}

  void Begin() {
    steps_.clear();
    last_.assign(traces_.accesses_.size(), 0);
    commits_.clear();
    from_ = CodeBetween::kStart;
    loads_ = awaited_ = 0;
  }

  void Access(uint32_t pc, uint32_t lanes, const LaneAddresses& addresses, bool by_sector) {
    const uint32_t index = traces_.IndexOf(pc);
    const AddressForm& form = *traces_.accesses_[index].form;
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

  // `partial`: the warp's steps are not all there.
  void AppendTo(Trace* trace, bool partial = false) {
    Push(Step::Kind::kEnd, partial ? uint16_t{0} : Go(CodeBetween::kEnd), 0);
    trace->whole += Sum();
    if (traces_.most_steps_ != 0) Shorten(traces_.most_steps_);
    trace->kept += Sum();
    trace->first.push_back(static_cast<uint32_t>(trace->steps.size()));
    trace->steps.insert(trace->steps.end(), steps_.begin(), steps_.end());
  }

 private:
  Amount Sum() const {
    Amount sum;
    sum.steps = static_cast<double>(steps_.size());
    for (const Step& step : steps_) {
      const bool writes = step.kind == Step::Kind::kStore || step.kind == Step::Kind::kAtomic;
      (writes ? sum.stored : sum.loaded) += SectorCount(step.sectors);
    }
    return sum;
  }
  // Leaves the first steps and those behind the last load.
  void Shorten(size_t most) {
    const auto is_load = [](const Step& step) {
      return step.kind == Step::Kind::kLoad || step.kind == Step::Kind::kCopy;
    };
    const auto last = std::find_if(steps_.rbegin(), steps_.rend(), is_load).base();
    auto cut = steps_.begin() + static_cast<std::ptrdiff_t>(std::min(most, steps_.size()));
    while (cut < last && cut->goes_on) ++cut;
    if (cut >= last) return;
    uint32_t loads = 0;
    for (auto step = steps_.begin(); step < cut; ++step) {
      const bool answers = is_load(*step) || step->kind == Step::Kind::kAtomic;
      if (answers && !step->goes_on) ++loads;
    }
    for (auto step = last; step != steps_.end(); ++step) {
      if (step->kind == Step::Kind::kResult) step->line = loads;
    }
    steps_.erase(cut, last);
  }
  // To the next request; returns the gap right before it.
  uint16_t Go(uint32_t to) {
    uint16_t gap = 0;
    for (const Stretch& stretch : traces_.code_.Find(from_, to)) {
      gap = stretch.gap;
      switch (stretch.end) {
        case Stretch::End::kResult: {
          uint32_t newest = 0;
          for (const uint32_t pc : stretch.loads) {
            newest = std::max(newest, last_[traces_.IndexOf(pc)]);
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
  void Await(uint32_t load, uint16_t gap) {
    Push(Step::Kind::kResult, gap, load > awaited_ ? load : 0);
    awaited_ = std::max(awaited_, load);
  }
  void Push(Step::Kind kind, uint16_t gap, uint32_t line) {
    Step step;
    step.kind = kind;
    step.gap = gap;
    step.line = line;
    steps_.push_back(step);
  }
  void Add(LineNumber line, SectorMask sectors) {
    Step step;
    step.line = line;
    step.sectors = sectors;
    steps_.push_back(step);
  }
  void AddCopy(const AddressForm& form, uint32_t lanes, const LaneAddresses& addresses) {
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

  Traces& traces_;
  std::vector<Step> steps_;
  std::vector<uint32_t> last_;     // load of each access
  std::vector<uint32_t> commits_;  // loads before each
  std::vector<uint64_t> starts_;
  uint32_t from_ = CodeBetween::kStart;
  uint32_t loads_ = 0, awaited_ = 0;
};

Traces::Traces(const KernelLaunch& launch, const AddressAnalysis& addresses, const SmConfig& sm)
    : launch_(launch),
      warps_(launch.WarpsPerTb()),
      index_of_(launch.kernel->instructions.size(), kNone),
      code_(launch, addresses, PcsOf(addresses), sm),
      of_tb_(launch.TbCount(), nullptr) {
  std::vector<uint32_t> pcs;
  moved_ = true;
  for (const AddressForm& access : addresses.accesses) {
    if (index_of_[access.pc] != kNone) continue;
    index_of_[access.pc] = static_cast<uint32_t>(accesses_.size());
    accesses_.push_back({&access, {}});
    if (access.address_class == AddressClass::kIndirect) {
      if (!access.is_store) skipped_.push_back({access.pc, access.line, access.reason});
      continue;
    }
    pcs.push_back(access.pc);
    moved_ = moved_ && access.address_class == AddressClass::kAffine;
    for (const Guard& guard : access.guards) {
      accesses_.back().guards.push_back(ReachOf(guard.form, addresses, launch.block));
    }
  }
  structure_ = std::make_unique<KernelStructure>(*launch.kernel);
  evaluator_ =
      std::make_unique<SliceEvaluator>(launch, *structure_, pcs, addresses.constants.get());
  evaluator_->SetStepLimit(~uint64_t{0});
  for (const SliceEvaluator::Refusal& refusal : evaluator_->Refused()) {
    const AddressForm& access = *accesses_[IndexOf(refusal.pc)].form;
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
               DeviceMemory* memory, const FunctionalControl& control)
    : Traces(launch, addresses, sm) {
  evaluator_.reset();
  skipped_.clear();
  moved_ = false;
  std::vector<WarpTrace> warps(warps_, WarpTrace(this));
  for (WarpTrace& warp : warps) warp.Begin();
  uint64_t now = 0;  // TB
  const auto end_tb = [&] {
    traces_.push_back(std::make_unique<Trace>());
    for (WarpTrace& warp : warps) {
      warp.AppendTo(traces_.back().get());
      warp.Begin();
    }
    of_tb_[now] = traces_.back().get();
  };
  Recorder recorder;
  recorder.is_access.resize(launch.kernel->instructions.size(), 0);
  for (const Access& access : accesses_) recorder.is_access[access.form->pc] = 1;
  recorder.record = [&](uint64_t tb, uint32_t warp, const StepResult& step) {
    if (step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
    for (; now < tb; ++now) end_tb();
    const bool is_copy = accesses_[IndexOf(step.pc)].form->is_copy;
    const LaneMask lanes = is_copy ? step.in_space : step.executed & step.in_space;
    if (lanes != 0) warps[warp].Access(step.pc, lanes, *step.addresses, is_copy);
  };
  RunFunctionally(launch, memory, &Recorder::Observe, &recorder, control);
  for (; now < launch.TbCount(); ++now) end_tb();
}

Traces::~Traces() = default;

Amount& Amount::operator+=(const Amount& other) {
  steps += other.steps;
  loaded += other.loaded;
  stored += other.stored;
  return *this;
}

void Traces::Cut(uint32_t steps, uint32_t like) {
  if (evaluator_ == nullptr) return;
  like_ = Of(like).whole;
  most_steps_ = steps;
  shapes_.clear();
  traces_.clear();
  std::fill(of_tb_.begin(), of_tb_.end(), nullptr);
}

const Trace& Traces::Of(uint32_t tb) {
  const Trace*& trace = of_tb_[tb];
  if (trace != nullptr) return *trace;
  const Trace** shape = nullptr;
  if (moved_) {
    shape = &shapes_[KeyOf(tb)];
    if (*shape != nullptr) return *(trace = *shape);
  }
  traces_.push_back(Evaluate(tb));
  trace = traces_.back().get();
  if (shape != nullptr) *shape = trace;
  return *trace;
}

// What of a TB decides on its trace: where its accesses begin in a line, and its guards, as far as
// they do not hold, or fail, for all its threads.
Traces::Key Traces::KeyOf(uint32_t tb) const {
  const Dim3 at = TbCoordinates(tb, launch_.grid);
  Key key;
  for (const Access& access : accesses_) {
    if (access.form->address_class != AddressClass::kAffine) continue;
    key.push_back(OfTb(access.form->form, at) & (kLineBytes - 1));
    for (size_t g = 0; g < access.guards.size(); ++g) {
      const int64_t here = OfTb(access.form->guards[g].form, at);
      const bool holds = access.guards[g].begin + here >= 0;
      const bool fails = access.guards[g].end + here < 0;
      key.push_back(holds ? INT64_MAX : fails ? INT64_MIN : here);
    }
  }
  return key;
}

void Traces::FindBases(uint32_t tb, uint32_t* bases) const {
  if (!moved_) {
    std::fill(bases, bases + accesses_.size(), 0);
    return;
  }
  const Dim3 at = TbCoordinates(tb, launch_.grid);
  for (const Access& access : accesses_) {
    const bool affine = access.form->address_class == AddressClass::kAffine;
    const int64_t bytes = affine ? OfTb(access.form->form, at) : 0;
    *bases++ = static_cast<uint32_t>(static_cast<uint64_t>(bytes) / kLineBytes);
  }
}

std::unique_ptr<Trace> Traces::Evaluate(uint32_t tb) {
  auto trace = std::make_unique<Trace>();
  std::vector<uint32_t> bases(accesses_.size());
  FindBases(tb, bases.data());
  WarpTrace steps(this);
  bool partial = false;
  for (uint32_t warp = 0; warp < warps_; ++warp) {
    steps.Begin();
    if (most_steps_ != 0 && !moved_) {
      constexpr uint64_t kOfStep = 64 * 32;  // instructions of threads: many
      evaluator_->SetStepLimit(evaluator_->steps() + most_steps_ * kOfStep);
    }
    const bool all = evaluator_->VisitWarp(tb, warp, [&](const SliceEvaluator::Together& at) {
      steps.Access(at.pc, at.lanes, at.addresses, false);
    });
    const bool is_cut = !all && most_steps_ != 0;
    if (!all && !is_cut && skipped_.empty()) {
      const AddressForm& first = *accesses_.front().form;
      skipped_.push_back({first.pc, first.line, evaluator_->Problem()});
    }
    steps.AppendTo(trace.get(), is_cut);
    partial = partial || is_cut;
  }
  if (partial) trace->whole = like_;
  for (Step& step : trace->steps) {
    if (step.sectors != 0) step.line -= bases[step.access];
  }
  return trace;
}

}  // namespace flagstone::replay
