#include "kernels/ptx/foreign.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/spelling.h"
#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

struct Known {
  std::string_view name;
  std::string_view feature;
};

// Instructions of chapter 9 and, further down, words. Those that Flagstone executes are looked up
// elsewhere and first, so a name may stand in both places.
constexpr std::array kInstructions = {
    Known{"activemask", ""},
    Known{"bfind", ""},
    Known{"bmsk", ""},
    Known{"brkpt", ""},
    Known{"cnot", ""},
    Known{"copysign", ""},
    Known{"dp2a", ""},
    Known{"dp4a", ""},
    Known{"fence", ""},
    Known{"fns", ""},
    Known{"isspacep", ""},
    Known{"istypep", ""},
    Known{"lop3", ""},
    Known{"mad24", ""},
    Known{"match", ""},
    Known{"mul24", ""},
    Known{"nanosleep", ""},
    Known{"prefetch", ""},
    Known{"prefetchu", ""},
    Known{"redux", ""},
    Known{"shf", ""},
    Known{"shfl", ""},
    Known{"slct", ""},
    Known{"szext", ""},
    Known{"tanh", ""},
    Known{"testp", ""},
    Known{"tex", ""},
    Known{"tld4", ""},
    Known{"vabsdiff4", ""},
    Known{"vote", ""},
    Known{"mbarrier", "asynchronous barriers"},
    Known{"cp", "asynchronous copies"},
    Known{"applypriority", "cache policies"},
    Known{"createpolicy", "cache policies"},
    Known{"discard", "cache policies"},
    Known{"addc", "carries"},
    Known{"madc", "carries"},
    Known{"subc", "carries"},
    Known{"getctarank", "clusters"},
    Known{"mapa", "clusters"},
    Known{"griddepcontrol", "dependent launches"},
    Known{"pmevent", "profiler events"},
    Known{"setmaxnreg", "registers that move between warps"},
    Known{"suld", "surfaces"},
    Known{"sured", "surfaces"},
    Known{"sust", "surfaces"},
    Known{"ldmatrix", "tensor cores"},
    Known{"mma", "tensor cores"},
    Known{"movmatrix", "tensor cores"},
    Known{"stmatrix", "tensor cores"},
    Known{"wmma", "tensor cores"},
    Known{"wgmma", "tensor cores of sm_90a"},
    Known{"elect", "the election of a lane"},
    Known{"vabsdiff", "video instructions"},
    Known{"vabsdiff2", "video instructions"},
    Known{"vadd", "video instructions"},
    Known{"vadd2", "video instructions"},
    Known{"vadd4", "video instructions"},
    Known{"vavrg2", "video instructions"},
    Known{"vavrg4", "video instructions"},
    Known{"vmad", "video instructions"},
    Known{"vmax", "video instructions"},
    Known{"vmax2", "video instructions"},
    Known{"vmax4", "video instructions"},
    Known{"vmin", "video instructions"},
    Known{"vmin2", "video instructions"},
    Known{"vmin4", "video instructions"},
    Known{"vset", "video instructions"},
    Known{"vset2", "video instructions"},
    Known{"vset4", "video instructions"},
    Known{"vshl", "video instructions"},
    Known{"vshr", "video instructions"},
    Known{"vsub", "video instructions"},
    Known{"vsub2", "video instructions"},
    Known{"vsub4", "video instructions"},
    // Families: the name alone is no instruction.
    Known{"clusterlaunchcontrol.query_cancel", "clusters"},
    Known{"clusterlaunchcontrol.try_cancel", "clusters"},
    Known{"multimem.ld_reduce", "memory of several GPUs"},
    Known{"multimem.red", "memory of several GPUs"},
    Known{"multimem.st", "memory of several GPUs"},
    Known{"tcgen05.alloc", "tensor cores of sm_100a"},
    Known{"tcgen05.commit", "tensor cores of sm_100a"},
    Known{"tcgen05.cp", "tensor cores of sm_100a"},
    Known{"tcgen05.dealloc", "tensor cores of sm_100a"},
    Known{"tcgen05.fence::after_thread_sync", "tensor cores of sm_100a"},
    Known{"tcgen05.fence::before_thread_sync", "tensor cores of sm_100a"},
    Known{"tcgen05.ld", "tensor cores of sm_100a"},
    Known{"tcgen05.mma", "tensor cores of sm_100a"},
    Known{"tcgen05.relinquish_alloc_permit", "tensor cores of sm_100a"},
    Known{"tcgen05.shift", "tensor cores of sm_100a"},
    Known{"tcgen05.st", "tensor cores of sm_100a"},
    Known{"tcgen05.wait::ld", "tensor cores of sm_100a"},
    Known{"tcgen05.wait::st", "tensor cores of sm_100a"},
};

// Types and modifiers.
constexpr std::array kForeignWords = {
    Known{"L2::cache_hint", ""},
    Known{"unified", ""},
    Known{"b128", "128 bits"},
    Known{"tf32", "TF32"},
    Known{"rna", "TF32"},
    Known{"async", "asynchronous copies"},
    Known{"bulk", "asynchronous copies"},
    Known{"bf16", "bfloat16"},
    Known{"bf16x2", "bfloat16"},
    Known{"cc", "carries"},
    Known{"cluster", "clusters"},
    Known{"shared::cluster", "clusters"},
    Known{"cta_group::2", "pairs of thread blocks"},
    Known{"cp_mask", "copies of single bytes"},
    Known{"oob", "conversions for neural networks"},
    Known{"relu", "conversions for neural networks"},
    Known{"satfinite", "conversions for neural networks"},
    Known{"proxy", "fences for asynchronous copies"},
    Known{"e4m3x2", "floats of 8 bits and less"},
    Known{"e5m2x2", "floats of 8 bits and less"},
    Known{"f16", "half precision"},
    Known{"f16x2", "half precision"},
    Known{"noftz", "half precision"},
    Known{"mmio", "memory-mapped input and output"},
    Known{"f32x2", "packed floats"},
    Known{"NaN", "results that are NaN if an operand is"},
    Known{"abs", "signs combined by xor"},
    Known{"xorsign", "signs combined by xor"},
    Known{"v8", "vectors of 8"},
    Known{"base", "levels of detail"},
    Known{"grad", "levels of detail"},
    Known{"acube", "layers of cubes"},
    Known{"2dms", "several samples of a texel"},
    Known{"a2dms", "several samples of a texel"},
    Known{"p", "formatted surfaces"},
    Known{"m16n16", "matrices of 8 bits and less"},
    Known{"m8n16", "matrices of 8 bits and less"},
    Known{"m16n8", "matrices of 8 bits and less"},
};

template <size_t kCount>
const Known* Find(const std::array<Known, kCount>& table, std::string_view name) {
  const auto at =
      std::find_if(table.begin(), table.end(), [&](const Known& k) { return k.name == name; });
  return at == table.end() ? nullptr : &*at;
}

std::string_view FeatureOf(const Known* known) {
  return known == nullptr ? std::string_view() : known->feature;
}

const Known* FirstOfFamily(std::string_view name) {
  const auto at = std::find_if(kInstructions.begin(), kInstructions.end(), [&](const Known& k) {
    return k.name.starts_with(name) && k.name.size() > name.size() && k.name[name.size()] == '.';
  });
  return at == kInstructions.end() ? nullptr : &*at;
}

}  // namespace

bool IsForeignInstruction(std::string_view name, std::string_view word) {
  return Find(kInstructions, name) != nullptr ||
         Find(kInstructions, fmt::format("{}.{}", name, word)) != nullptr;
}
bool IsForeignFamily(std::string_view name) { return FirstOfFamily(name) != nullptr; }
bool IsForeignWord(std::string_view word) { return Find(kForeignWords, word) != nullptr; }

std::string_view FeatureOfInstruction(std::string_view name) {
  const Known* const family = FirstOfFamily(name);
  return FeatureOf(family != nullptr ? family : Find(kInstructions, name));
}
std::string_view FeatureOfWord(std::string_view word) {
  return FeatureOf(Find(kForeignWords, word));
}

std::vector<std::string> KnownInstructions() {
  std::vector<std::string> names;
  for (const InstructionRule& rule : InstructionRules()) {
    const bool spelled =
        rule.name.find(' ') == std::string_view::npos && !IsForeignFamily(rule.name);
    if (spelled) names.emplace_back(rule.name);
  }
  for (const Known& known : kInstructions) {
    if (FindInstructionRule(known.name) == nullptr) names.emplace_back(known.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> NearestInstructions(const std::string& name) {
  constexpr size_t kShown = 3;
  std::vector<std::string> names = KnownInstructions();
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(name, a) < EditDistance(name, b);
  });
  names.resize(kShown);
  return names;
}

std::string NotSupported(std::string_view what, std::string_view feature) {
  if (feature.empty()) return fmt::format("{} is not supported", what);
  return fmt::format("{} is not supported ({})", what, feature);
}

}  // namespace flagstone::ptx
