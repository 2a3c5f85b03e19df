#include "ptx/foreign.h"

#include <algorithm>
#include <array>

namespace flagstone::ptx {
namespace {

using std::string_view_literals::operator""sv;

// Instructions of chapter 9 and, further down, words. Those that Flagstone executes are looked up
// elsewhere and first, so a name may stand in both places.
constexpr std::array kInstructions = {
    "activemask"sv, "addc"sv,      "alloca"sv,     "applypriority"sv,
    "bfind"sv,      "bmsk"sv,      "brkpt"sv,      "clusterlaunchcontrol"sv,
    "cnot"sv,       "copysign"sv,  "cp"sv,         "createpolicy"sv,
    "discard"sv,    "dp2a"sv,      "dp4a"sv,       "elect"sv,
    "fence"sv,      "fns"sv,       "getctarank"sv, "griddepcontrol"sv,
    "isspacep"sv,   "istypep"sv,   "ldmatrix"sv,   "ldu"sv,
    "lop3"sv,       "mad24"sv,     "madc"sv,       "mapa"sv,
    "match"sv,      "mbarrier"sv,  "mma"sv,        "movmatrix"sv,
    "mul24"sv,      "multimem"sv,  "nanosleep"sv,  "pmevent"sv,
    "prefetch"sv,   "prefetchu"sv, "redux"sv,      "setmaxnreg"sv,
    "shf"sv,        "shfl"sv,      "slct"sv,       "stackrestore"sv,
    "stacksave"sv,  "stmatrix"sv,  "subc"sv,       "suld"sv,
    "suq"sv,        "sured"sv,     "sust"sv,       "szext"sv,
    "tanh"sv,       "tcgen05"sv,   "tensormap"sv,  "testp"sv,
    "tex"sv,        "tld4"sv,      "txq"sv,        "vabsdiff"sv,
    "vabsdiff2"sv,  "vabsdiff4"sv, "vadd"sv,       "vadd2"sv,
    "vadd4"sv,      "vavrg2"sv,    "vavrg4"sv,     "vmad"sv,
    "vmax"sv,       "vmax2"sv,     "vmax4"sv,      "vmin"sv,
    "vmin2"sv,      "vmin4"sv,     "vote"sv,       "vset"sv,
    "vset2"sv,      "vset4"sv,     "vshl"sv,       "vshr"sv,
    "vsub"sv,       "vsub2"sv,     "vsub4"sv,      "wgmma"sv,
    "wmma"sv,
};

constexpr std::array kWords = {
    // Narrow floats, 128 bits and packed halves.
    "f16"sv,
    "f16x2"sv,
    "bf16"sv,
    "bf16x2"sv,
    "tf32"sv,
    "e4m3x2"sv,
    "e5m2x2"sv,
    "e4m3x4"sv,
    "e5m2x4"sv,
    "e2m1x2"sv,
    "e2m3x2"sv,
    "e3m2x2"sv,
    "ue8m0x2"sv,
    "f32x2"sv,
    "b128"sv,
    "u16x2"sv,
    "s16x2"sv,
    // Modifiers.
    "NaN"sv,
    "abs"sv,
    "async"sv,
    "bulk"sv,
    "cc"sv,
    "cluster"sv,
    "mmio"sv,
    "noftz"sv,
    "oob"sv,
    "relu"sv,
    "rna"sv,
    "rs"sv,
    "satfinite"sv,
    "v8"sv,
    "xorsign"sv,
    "L2::cache_hint"sv,
    "shared::cluster"sv,
    "unified"sv,
};

constexpr std::array kRegisters = {
    "%aggr_smem_size"sv,
    "%cluster_ctaid"sv,
    "%cluster_ctarank"sv,
    "%cluster_nctaid"sv,
    "%cluster_nctarank"sv,
    "%clusterid"sv,
    "%clock_hi"sv,
    "%current_graph_exec"sv,
    "%globaltimer"sv,
    "%globaltimer_hi"sv,
    "%globaltimer_lo"sv,
    "%is_explicit_cluster"sv,
    "%nclusterid"sv,
    "%reserved_smem_offset_begin"sv,
    "%reserved_smem_offset_cap"sv,
    "%reserved_smem_offset_end"sv,
};

template <size_t kCount>
bool Holds(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "%pm0" .. "%pm7", "%envreg0" .. "%envreg31".
bool IsNumbered(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

}  // namespace

bool IsForeignInstruction(std::string_view name) { return Holds(kInstructions, name); }

bool IsForeignWord(std::string_view word) { return Holds(kWords, word); }

bool IsForeignRegister(std::string_view name) {
  return Holds(kRegisters, name) || IsNumbered(name, "%pm") || IsNumbered(name, "%envreg");
}

}  // namespace flagstone::ptx
