// Special registers by name.
#include "kernels/ptx/special_register.h"

#include <array>

namespace flagstone::ptx {
namespace {

struct Name {
  std::string_view text;
  SpecialRegister special;
};
constexpr std::array kVectors = {
    Name{"%tid", SpecialRegister::kTidX},
    Name{"%ntid", SpecialRegister::kNtidX},
    Name{"%ctaid", SpecialRegister::kCtaidX},
    Name{"%nctaid", SpecialRegister::kNctaidX},
    Name{"%clusterid", SpecialRegister::kClusteridX},
    Name{"%nclusterid", SpecialRegister::kNclusteridX},
    Name{"%cluster_ctaid", SpecialRegister::kClusterCtaidX},
    Name{"%cluster_nctaid", SpecialRegister::kClusterNctaidX},
};
constexpr std::array kScalars = {
    Name{"%laneid", SpecialRegister::kLaneid},
    Name{"%warpid", SpecialRegister::kWarpid},
    Name{"%nwarpid", SpecialRegister::kNwarpid},
    Name{"%smid", SpecialRegister::kSmid},
    Name{"%nsmid", SpecialRegister::kNsmid},
    Name{"%gridid", SpecialRegister::kGridid},
    Name{"%clock", SpecialRegister::kClock},
    Name{"%clock64", SpecialRegister::kClock64},
    Name{"%lanemask_eq", SpecialRegister::kLanemaskEq},
    Name{"%lanemask_le", SpecialRegister::kLanemaskLe},
    Name{"%lanemask_lt", SpecialRegister::kLanemaskLt},
    Name{"%lanemask_ge", SpecialRegister::kLanemaskGe},
    Name{"%lanemask_gt", SpecialRegister::kLanemaskGt},
    Name{"%total_smem_size", SpecialRegister::kTotalSmemSize},
    Name{"%dynamic_smem_size", SpecialRegister::kDynamicSmemSize},
    Name{"%reserved_smem_offset_begin", SpecialRegister::kReservedSmemBegin},
    Name{"%reserved_smem_offset_0", SpecialRegister::kReservedSmemBegin},
    Name{"%reserved_smem_offset_1", SpecialRegister::kReservedSmemBegin},
    Name{"%reserved_smem_offset_end", SpecialRegister::kReservedSmemEnd},
    Name{"%reserved_smem_offset_cap", SpecialRegister::kReservedSmemSize},
    Name{"%globaltimer", SpecialRegister::kGlobaltimer},
    Name{"%globaltimer_lo", SpecialRegister::kGlobaltimerLo},
    Name{"%globaltimer_hi", SpecialRegister::kGlobaltimerHi},
    Name{"%envreg1", SpecialRegister::kEnvreg1},
    Name{"%envreg2", SpecialRegister::kEnvreg2},
    Name{"%cluster_ctarank", SpecialRegister::kClusterCtarank},
    Name{"%cluster_nctarank", SpecialRegister::kClusterNctarank},
    Name{"%is_explicit_cluster", SpecialRegister::kIsExplicitCluster},
};

}  // namespace

std::optional<SpecialRegister> ParseSpecialRegister(std::string_view name,
                                                    std::string_view component) {
  if (component.empty()) {
    for (const Name& scalar : kScalars) {
      if (scalar.text == name) return scalar.special;
    }
    return std::nullopt;
  }
  if (component.size() != 1 || component[0] < 'x' || component[0] > 'z') return std::nullopt;
  for (const Name& vector : kVectors) {
    if (vector.text != name) continue;
    return static_cast<SpecialRegister>(static_cast<int>(vector.special) + component[0] - 'x');
  }
  return std::nullopt;
}

bool HasComponents(std::string_view name) { return ParseSpecialRegister(name, "x").has_value(); }

bool CanBeReadAs(SpecialRegister special, int bytes) {
  if (special == SpecialRegister::kClock64 || special == SpecialRegister::kGlobaltimer) {
    return bytes == 8;
  }
  if (special == SpecialRegister::kIsExplicitCluster) return bytes == 0;  // a predicate
  if (special == SpecialRegister::kGridid) return bytes == 4 || bytes == 8;
  return bytes == 4;
}

}  // namespace flagstone::ptx
