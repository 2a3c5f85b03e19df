#include "gpu_model/simt/products.h"

#include <fmt/core.h>

#include <algorithm>

#include "gpu_model/simt/faults.h"
#include "kernels/launch/findings.h"
#include "kernels/ptx/instruction_text.h"

namespace flagstone::simt {
namespace {

const ptx::Kernel& KernelOf(const Context& c) { return *c.program->launch().kernel; }

std::string_view NameOf(const Context& c, WatchedId id) {
  const ptx::RegisterId reg = c.program->code().warpgroup->watched[id];
  return KernelOf(c).registers[reg].name;
}

int LineOf(const Context& c, uint32_t pc) {
  return static_cast<int>(KernelOf(c).instructions[pc].location.line);
}

[[noreturn]] void ThrowUnderWay(const Context& c, const Inst& inst, const char* verb, WatchedId id,
                                const WarpProducts::Use& use) {
  const bool committed = use.group < c.products->open;
  ThrowOfWarp(c, inst,
              fmt::format("{} of {}, which the wgmma.mma_async of line {} still uses, before {},",
                          verb, NameOf(c, id), LineOf(c, use.pc),
                          committed ? "a wgmma.wait_group for its group"
                                    : "its group is committed and waited for"));
}

// Of one TB and pair of instructions; the second is the same where there is but one.
template <class Text>
void NoteRace(const Context& c, uint32_t pc, uint32_t other, const Text& text) {
  Findings* const findings = c.program->launch().findings;
  if (findings == nullptr || !findings->wants_races) return;
  findings->Add(FindingKind::kRace, pc, other, c.tb, text);
}

std::string Shown(const Context& c, uint32_t pc) {
  return fmt::format("{}:{} ({})", c.program->launch().module->file, LineOf(c, pc),
                     ptx::Shortened(KernelOf(c).instructions[pc].text));
}

std::string WarpOfTb(const Context& c) {
  const Dim3 tb = TbCoordinates(c.tb, c.program->launch().grid);
  return fmt::format("warp {} of TB ({},{},{})", c.warp, tb.x, tb.y, tb.z);
}

// What has been written since the last wgmma.fence, a product may read too early.
void CheckFence(const Context& c, const Inst& inst, WatchedId id) {
  const WarpProducts::Write& write = c.products->writes[id];
  if (write.fences != c.products->fences) return;
  NoteRace(c, std::min(write.pc, inst.pc), std::max(write.pc, inst.pc), [&] {
    return fmt::format("race on {}: {} and {}, without a wgmma.fence between them, by {}",
                       NameOf(c, id), Shown(c, write.pc), Shown(c, inst.pc), WarpOfTb(c));
  });
}

}  // namespace

void WarpProducts::Start(size_t watched) {
  sums.assign(watched, {});
  factors.assign(watched, {});
  writes.assign(watched, {});
  open = 1;
  waited = 0;
  fences = 0;
}

void WarpProducts::Wait(uint64_t pending) {
  const uint32_t committed = open - 1;
  if (pending < committed) {
    waited = std::max(waited, committed - static_cast<uint32_t>(pending));
  }
}

void ProductLog::Start() {
  entries_.clear();
  done_ = {};
}

const ProductEntry* ProductLog::Add(uint32_t warp, const ProductEntry& entry) {
  const size_t at = done_[warp]++;
  if (at == entries_.size()) {
    entries_.push_back(entry);
  } else if (!(entries_[at] == entry)) {
    other_ = entries_[at];
    return &other_;
  }
  if (std::all_of(done_.begin(), done_.end(), [&](size_t d) { return d == entries_.size(); })) {
    Start();
  }
  return nullptr;
}

const ProductEntry* ProductLog::Missing(uint32_t warp) const {
  return done_[warp] < entries_.size() ? &entries_[done_[warp]] : nullptr;
}

void TbProducts::Start(const WarpgroupCode& code, uint32_t warp_count) {
  warps.resize(warp_count);
  for (WarpProducts& warp : warps) warp.Start(code.watched.size());
  logs.resize((warp_count + ptx::WgmmaForm::kWarps - 1) / ptx::WgmmaForm::kWarps);
  for (ProductLog& log : logs) log.Start();
}

void CheckRegisters(const Context& c, const Inst& inst, const RegisterWatch& watch) {
  WarpProducts& products = *c.products;
  for (const WatchedId id : watch.reads) {
    const WarpProducts::Use& use = products.sums[id];
    if (!products.UnderWay(use)) continue;
    if (!watch.copies) ThrowUnderWay(c, inst, "read", id, use);
  }
  for (const WatchedId id : watch.writes) {
    for (const WarpProducts::Use& use : {products.sums[id], products.factors[id]}) {
      if (products.UnderWay(use)) ThrowUnderWay(c, inst, "write", id, use);
    }
    products.writes[id] = {products.fences, inst.pc};
    if (!watch.copies || watch.reads.empty()) continue;
    const WarpProducts::Use source = products.sums[watch.reads.front()];
    if (!products.UnderWay(source)) continue;
    products.sums[id] = source;  // of the same value
    products.writes[id] = {};
  }
}

void TakeRegisters(const Context& c, const Inst& inst, const WarpgroupSlots& slots) {
  WarpProducts& products = *c.products;
  if (products.fences == 0) {
    NoteRace(c, inst.pc, inst.pc, [&] {
      return fmt::format("race on registers: {} without a wgmma.fence before it, by {}",
                         Shown(c, inst.pc), WarpOfTb(c));
    });
  }
  for (const WatchedId id : slots.factors) {
    if (products.UnderWay(products.sums[id])) ThrowUnderWay(c, inst, "read", id, products.sums[id]);
    CheckFence(c, inst, id);
    products.factors[id] = {products.open, inst.pc};
  }
  for (const WatchedId id : slots.sums) {
    CheckFence(c, inst, id);
    products.sums[id] = {products.open, inst.pc};
  }
}

}  // namespace flagstone::simt
