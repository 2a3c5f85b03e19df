#include "app/flow/sample/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/flow/sample/tb_work.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/energy/launch_energy.h"

namespace flagstone {
namespace {

// Half waves before the first mark, which lies in the midst of the second wave's TBs: they come
// when those of the first one end.
constexpr uint64_t kBegin = 3;
// A beginning of so many waves, in which the L2 fills up, is simulated whole; a longer one has a
// sample of its own.
constexpr uint64_t kShortBeginning = 4;
// TBs left out that do so much more or less than the sampled ones are other TBs.
constexpr double kMostDifference = 0.05;

}  // namespace

Sampler::Sampler(const SimulateOptions& options, const LaunchRequest& launch,
                 const SampleRequest& request, const WaveSequence& sequence,
                 const LoopSampler* loop)
    : options_(options),
      launch_(launch),
      request_(request),
      sequence_(sequence),
      loop_(loop),
      before_(launch),
      silent_(request.control),
      replay_(options.machine, before_.l2()) {
  silent_.progress = nullptr;
  silent_.max_warp_instructions = 0;
}

bool Sampler::Parted() const { return filling_ > kShortBeginning; }

double Sampler::Tail() const { return 0.5 + sequence_.waves() - std::floor(sequence_.waves()); }

double Sampler::WavesOf(uint32_t samples) const {
  const double without = kBegin / 2.0 + samples;
  if (Parted()) return 2 * without + Tail();
  return without + Tail() + (filling_ > 1 ? static_cast<double>(filling_ - 1) : 0);
}

bool Sampler::MayTry(uint32_t samples) const {
  const double first = Parted() ? static_cast<double>(filling_) : 0;
  return WavesOf(samples) * 2 <= sequence_.waves() && first + WavesOf(samples) < sequence_.waves();
}

std::vector<uint32_t> Sampler::Flat(const WaveSequence::Lists& lists) const {
  std::vector<uint32_t> tbs;
  for (const auto& list : lists) {
    for (const uint32_t tb : list) tbs.push_back(launch_.order.empty() ? tb : launch_.order[tb]);
  }
  return tbs;
}

LaunchRequest Sampler::PartOf(WaveSequence::Lists lists, uint64_t begin, uint32_t samples) const {
  LaunchRequest part = launch_;
  part.order = Flat(lists);
  if (launch_.tb_scheduler->has_queue) {
    uint32_t next = 0;
    std::erase_if(lists, [](const std::vector<uint32_t>& list) { return list.empty(); });
    for (std::vector<uint32_t>& list : lists) {
      for (uint32_t& tb : list) tb = next++;
    }
    part.groups.groups = std::move(lists);
  }
  const uint64_t wave = sequence_.wave_tbs();
  for (uint64_t i = 0; i <= samples * SampledWaves::kMarks; ++i) {
    part.marks.push_back(begin * wave / 2 + i * wave / SampledWaves::kMarks);
  }
  return part;
}

std::vector<uint32_t> Sampler::LeftOut(const std::vector<uint32_t>& simulated) const {
  std::vector<bool> runs(sequence_.tbs());
  for (const uint32_t tb : simulated) runs[tb] = true;
  std::vector<uint32_t> left_out;
  for (uint32_t tb = 0; tb < runs.size(); ++tb) {
    if (!runs[tb]) left_out.push_back(tb);
  }
  return left_out;
}

void Sampler::FillL2() {
  const MachineConfig& machine = options_.machine;
  const bool warm = machine.l2.between_launches == BetweenLaunches::kWarm && !options_.cold_l2;
  if (before_.l2().empty() && warm) replay_.Warm(before_.memory());
  const double last = sequence_.waves() - WavesOf(kFewestSamples);
  for (uint64_t wave = 0; replay_.brought() < replay_.capacity(); ++wave) {
    // What these waves have brought the others will bring too, but for what they share.
    const double full =
        static_cast<double>(replay_.brought()) / static_cast<double>(replay_.capacity());
    if (wave > 0 && static_cast<double>(wave) > last * full) {
      filling_ = 0;  // not before the last waves
      break;
    }
    const auto tbs = Flat(sequence_.Part(2 * wave, 2 * wave + 2, /*tail=*/false));
    replay_.Execute(*launch_.launch, tbs, launch_.memory, silent_);
    filling_ = wave + 1;
  }
  if (Parted()) filled_ = *launch_.memory;
  before_.Restore();
}

std::string Sampler::Simulate(const LaunchRequest& part, SimulationResult* result) const {
  if (loop_ != nullptr) return loop_->Simulate(part, result);
  *result = flagstone::Simulate(options_, part);
  return "";
}

std::string Sampler::Beginning(uint32_t samples, SimulationResult* result) {
  LaunchRequest part =
      PartOf(sequence_.Part(0, kBegin + 2 * samples + 1, /*tail=*/false), kBegin, samples);
  part.counters = nullptr;
  part.stop_at_marks = true;
  std::string why = Simulate(part, result);
  before_.Restore();
  return why;
}

std::string Sampler::WhyNot(const Estimate& estimate, double ratio, uint32_t samples,
                            uint32_t* more) const {
  *more = 0;
  if (std::abs(ratio - 1) > kMostDifference) {
    return fmt::format("TBs left out have {:.2f} times the instructions of others", ratio);
  }
  const double percent = estimate.CyclesPercent();
  if (percent <= request_.percent) return "";
  *more = 1 + static_cast<uint32_t>(samples * percent / request_.percent);
  return fmt::format("after {} waves its cycles were known to {:.1f} %", samples, percent);
}

// TBs that were neither simulated nor executed in the waves before half wave `from`.
void Sampler::Execute(const std::vector<uint32_t>& simulated, uint64_t from,
                      SimulationResult* result) {
  std::vector<uint32_t> done = Flat(sequence_.Part(0, from, /*tail=*/false));
  done.insert(done.end(), simulated.begin(), simulated.end());
  const std::vector<uint32_t> left_out = LeftOut(done);
  FunctionalControl control = request_.control;
  control.only = left_out;
  result->interrupted =
      RunFunctionally(*launch_.launch, launch_.memory, nullptr, nullptr, control).interrupted;
}

void Sampler::PutIds(const WaveSequence::Lists& lists, LaunchDetail* detail) const {
  std::vector<uint32_t> ids;
  for (const auto& list : lists) ids.insert(ids.end(), list.begin(), list.end());
  for (PlacedTb& placed : detail->tbs) placed.tb = ids[placed.tb];
  for (std::vector<uint32_t>& group : detail->groups.groups) {
    for (uint32_t& tb : group) tb = ids[tb];
  }
}

std::optional<SimulationResult> Sampler::Try(uint32_t samples, std::string* why, uint32_t* more) {
  before_.Restore();
  const size_t marks = samples * SampledWaves::kMarks + 1;
  std::vector<SampledWaves> waves;
  uint64_t from = 0, begin = kBegin;
  std::vector<TagArray> l2 = before_.l2();
  *more = 0;
  if (Parted()) {
    SimulationResult result;
    *why = Beginning(samples, &result);
    if (!why->empty()) return std::nullopt;
    waves.push_back(
        {std::move(result.at_marks), static_cast<double>(filling_ * sequence_.wave_tbs())});
    if (waves.front().at_marks.size() < marks && result.interrupted) return result;
    from = 2 * filling_;
    *launch_.memory = *filled_;
    l2 = replay_.tags();
  } else if (filling_ > 1) {
    begin += 2 * (filling_ - 1);
  }
  const uint64_t to = from + begin + 2 * samples;
  const WaveSequence::Lists lists = sequence_.Part(from, to, /*tail=*/true);
  LaunchRequest part = PartOf(lists, begin, samples);
  if (Parted() || launch_.l2 != nullptr) part.l2 = &l2;
  SimulationResult result;
  *why = Simulate(part, &result);
  if (!why->empty()) return std::nullopt;
  if (result.interrupted) return result;

  const std::vector<uint32_t> left_out = LeftOut(part.order);
  const std::vector<uint32_t> sampled = Flat(sequence_.Part(from + begin, to, /*tail=*/false));
  const uint64_t beginning = Parted() ? filling_ * sequence_.wave_tbs() : 0;
  waves.push_back({std::move(result.at_marks),
                   static_cast<double>(left_out.size()) - static_cast<double>(beginning)});
  for (const SampledWaves& like : waves) {
    if (like.at_marks.size() == marks && !sampled.empty() && like.left_out >= 0) continue;
    *why = "its TBs do not come wave by wave";
    *more = 0;
    return std::nullopt;
  }
  const TbWork work = WorkOf(*launch_.launch, before_.memory(), left_out, silent_);
  const double ratio = work.mean / WorkOf(*launch_.launch, before_.memory(), sampled, silent_).mean;
  Estimate estimate = Extrapolate(result.launch.statistics, waves, work);
  if (loop_ != nullptr) estimate.Widen(result.launch.statistics, result.launch.sample->half_widths);
  *why = WhyNot(estimate, ratio, samples, more);
  if (!why->empty()) return std::nullopt;

  LaunchStatistics& totals = result.launch.statistics;
  totals = estimate.totals;
  totals.tb.count = totals.tb.issued = totals.tb.completed = sequence_.tbs();
  totals.tb.groups = part.groups.groups.empty() ? 0 : launch_.groups.groups.size();
  totals.energy =
      EnergyOf(totals, options_.machine, options_.machine.sm.prefetcher != kNoPrefetcher);
  SampleRecord& sample = loop_ != nullptr ? *result.launch.sample : result.launch.sample.emplace();
  sample.tbs = part.order.size();
  sample.waves = samples * waves.size();
  sample.work_ratio = ratio;
  sample.half_widths = estimate.half_widths;
  if (result.launch.detail) PutIds(lists, &*result.launch.detail);
  if (launch_.l2 != nullptr) *launch_.l2 = std::move(l2);
  if (request_.execute) Execute(part.order, from, &result);
  return result;
}

}  // namespace flagstone
