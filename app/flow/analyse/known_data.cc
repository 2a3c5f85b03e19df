#include "app/flow/analyse/known_data.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "gpu_model/memory/packet.h"
#include "gpu_model/simt/executor.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// The elements of one array that one reader has touched since the last Take.
class TouchedElements {
 public:
  void Resize(uint64_t elements) { words_.resize((elements + 63) / 64); }
  void Touch(uint64_t element) {
    uint64_t& word = words_[element / 64];
    if (word == 0) touched_.push_back(element / 64);
    word |= uint64_t{1} << element % 64;
  }
  // As byte ranges from `base` on, sorted and disjoint.
  std::vector<Range> Take(uint64_t base, uint32_t element_bytes) {
    std::sort(touched_.begin(), touched_.end());
    std::vector<Range> ranges;
    for (const uint64_t at : touched_) {
      uint64_t word = std::exchange(words_[at], 0);
      while (word != 0) {
        const int begin = std::countr_zero(word);
        const int length = std::countr_one(word >> begin);
        const auto start =
            static_cast<int64_t>(base + (at * 64 + static_cast<uint64_t>(begin)) * element_bytes);
        const int64_t end = start + int64_t{length} * element_bytes;
        if (!ranges.empty() && ranges.back().end == start) {
          ranges.back().end = end;
        } else {
          ranges.push_back({start, end});
        }
        if (begin + length == 64) break;
        word &= ~uint64_t{0} << (begin + length);
      }
    }
    touched_.clear();
    return ranges;
  }

 private:
  std::vector<uint64_t> words_;
  std::vector<uint64_t> touched_;  // words that are not zero
};

struct Array {
  const DeviceMemory::Region* region = nullptr;
  uint32_t element_bytes = 0;
  std::vector<TouchedElements> readers;  // one for the TB, or one for each warp
  KnownAccesses::Array result;
};

// The loads that the analysis leaves out: their addresses depend on data, or take too long to
// evaluate.
std::vector<const AddressForm*> LeftOut(const AddressAnalysis& addresses,
                                        const KernelLaunch& launch) {
  AddressAnalysis evaluated = {addresses.loops, {}};
  evaluated.constants = addresses.constants;
  std::vector<const AddressForm*> left_out;
  for (const AddressForm& access : addresses.accesses) {
    if (access.is_store || access.address_class == AddressClass::kAffine) continue;
    left_out.push_back(&access);
    if (access.address_class == AddressClass::kDeterministic) evaluated.accesses.push_back(access);
  }
  if (evaluated.accesses.empty() || launch.TbCount() > kMaxAnalyzedTbs) return left_out;
  const Footprints found = FindFootprints(evaluated, launch);
  std::erase_if(left_out, [&](const AddressForm* access) {
    return access->address_class == AddressClass::kDeterministic &&
           std::none_of(found.skipped.begin(), found.skipped.end(),
                        [&](const SkippedLoad& skipped) { return skipped.pc == access->pc; });
  });
  return left_out;
}

class Recorder {
 public:
  Recorder(const std::vector<const AddressForm*>& loads, const KernelLaunch& launch,
           const DeviceMemory& memory, bool by_warp, const AlsoObserved& also)
      : memory_(memory),
        by_warp_(by_warp),
        also_(also),
        bytes_(launch.kernel->instructions.size(), 0),
        copies_(launch.kernel->instructions.size(), false) {
    uint32_t element = 16;
    for (const AddressForm* load : loads) {
      known_.pcs.push_back(load->pc);
      // Copies of many bytes are executed sector by sector.
      const uint32_t bytes = load->is_copy ? kSectorBytes : load->bytes;
      bytes_[load->pc] = bytes;
      copies_[load->pc] = load->is_copy;
      element = std::min(element, bytes);
    }
    element_ = element;
    element_shift_ = std::countr_zero(element);
    readers_ = by_warp ? launch.WarpsPerTb() : 1;
  }

  static void Observe(void* self, uint64_t tb, uint32_t warp, const StepResult& step) {
    auto& recorder = *static_cast<Recorder*>(self);
    recorder.Record(tb, warp, step);
    if (recorder.also_.observer != nullptr) {
      recorder.also_.observer(recorder.also_.context, tb, warp, step);
    }
  }

  KnownAccesses Take() {
    EndTb();
    for (auto& [region, array] : arrays_) known_.arrays.push_back(std::move(array.result));
    return std::move(known_);
  }

 private:
  void Record(uint64_t tb, uint32_t warp, const StepResult& step) {
    if (tb != tb_) {
      EndTb();
      tb_ = tb;
    }
    const uint32_t bytes = bytes_[step.pc];
    if (bytes == 0 || step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
    // Access sizes are powers of two, and addresses multiples of them.
    const uint64_t elements = bytes >> element_shift_;
    uint64_t base = 0;  // of the array that the lane before went to: mostly the same
    uint64_t size = 0;
    TouchedElements* reader = nullptr;
    const LaneMask executed = copies_[step.pc] ? step.in_space : step.executed & step.in_space;
    for (LaneMask lanes = executed; lanes != 0; lanes &= lanes - 1) {
      const uint64_t address = (*step.addresses)[static_cast<size_t>(std::countr_zero(lanes))];
      if (address - base >= size) {
        Array& array = ArrayAt(address);
        base = array.region->address;
        size = array.region->size;
        reader = &array.readers[by_warp_ ? warp : 0];
      }
      const uint64_t first = (address - base) >> element_shift_;
      for (uint64_t e = first; e < first + elements; ++e) reader->Touch(e);
    }
  }

  Array& ArrayAt(uint64_t address) {
    if (last_ != nullptr && address - last_->region->address < last_->region->size) return *last_;
    const DeviceMemory::Region* region = memory_.Find(address, 1);
    const auto [found, is_new] = arrays_.try_emplace(region);
    last_ = &found->second;
    if (is_new) {
      last_->region = region;
      last_->readers.resize(readers_);
      for (TouchedElements& reader : last_->readers) reader.Resize(region->size / element_ + 1);
      last_->result.array = region->name;
      last_->result.element_bytes = element_;
    }
    return *last_;
  }

  void EndTb();

  const DeviceMemory& memory_;
  bool by_warp_;
  const AlsoObserved also_;
  std::vector<uint32_t> bytes_;  // by pc; 0 for all but the loads wanted
  std::vector<bool> copies_;     // by pc: one lane's addresses are those of many sectors
  uint32_t element_ = 0;
  int element_shift_ = 0;
  uint32_t readers_ = 1;
  KnownAccesses known_;
  std::map<const DeviceMemory::Region*, Array> arrays_;
  Array* last_ = nullptr;
  uint64_t tb_ = 0;
};

void Recorder::EndTb() {
  for (auto& [region, array] : arrays_) {
    KnownAccesses::Tb tb;
    tb.tb = static_cast<uint32_t>(tb_);
    for (TouchedElements& reader : array.readers) {
      std::vector<Range> bytes = reader.Take(region->address, element_);
      tb.bytes.insert(tb.bytes.end(), bytes.begin(), bytes.end());
      if (by_warp_) tb.warps.push_back(std::move(bytes));
    }
    if (tb.bytes.empty()) continue;
    Normalize(tb.bytes);
    array.result.tbs.push_back(std::move(tb));
  }
}

}  // namespace

KnownAccesses ExecuteForAddresses(const AddressAnalysis& addresses, const KernelLaunch& launch,
                                  DeviceMemory* memory, bool by_warp,
                                  const FunctionalControl& control, const AlsoObserved& also) {
  Recorder recorder(LeftOut(addresses, launch), launch, *memory, by_warp, also);
  RunFunctionally(launch, memory, &Recorder::Observe, &recorder, control);
  return recorder.Take();
}

}  // namespace flagstone
