// Special registers by name.
#include "kernels/ptx/special_register.h"

#include <array>
#include <charconv>

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
    Name{"%clock_hi", SpecialRegister::kClockHi},
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
    Name{"%aggr_smem_size", SpecialRegister::kAggrSmemSize},
    Name{"%current_graph_exec", SpecialRegister::kZero64},
    Name{"%globaltimer", SpecialRegister::kGlobaltimer},
    Name{"%globaltimer_lo", SpecialRegister::kGlobaltimerLo},
    Name{"%globaltimer_hi", SpecialRegister::kGlobaltimerHi},
    Name{"%envreg1", SpecialRegister::kEnvreg1},
    Name{"%envreg2", SpecialRegister::kEnvreg2},
    Name{"%cluster_ctarank", SpecialRegister::kClusterCtarank},
    Name{"%cluster_nctarank", SpecialRegister::kClusterNctarank},
    Name{"%is_explicit_cluster", SpecialRegister::kIsExplicitCluster},
};

// "%pm0" to "%pm7", "%pm0_64" to "%pm7_64": no counter is programmed. "%envreg0" to "%envreg31":
// the driver sets those of cooperative launches alone.
std::optional<SpecialRegister> ParseNumbered(std::string_view name) {
  const bool counter = name.starts_with("%pm");
  if (!counter && !name.starts_with("%envreg")) return std::nullopt;
  name.remove_prefix(counter ? 3 : 7);
  const bool wide = counter && name.ends_with("_64");
  if (wide) name.remove_suffix(3);
  const uint32_t count = counter ? 8 : 32;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool padded = name.size() > 1 && name[0] == '0';
  if (error != std::errc() || end != name.data() + name.size() || number >= count || padded) {
    return std::nullopt;
  }
  return wide ? SpecialRegister::kZero64 : SpecialRegister::kZero;
}

}  // namespace

std::optional<SpecialRegister> ParseSpecialRegister(std::string_view name,
                                                    std::string_view component) {
  if (component.empty()) {
    for (const Name& scalar : kScalars) {
      if (scalar.text == name) return scalar.special;
    }
    return ParseNumbered(name);
  }
  if (component.size() != 1 || component[0] < 'w' || component[0] > 'z') return std::nullopt;
  for (const Name& vector : kVectors) {
    if (vector.text != name) continue;
    if (component == "w") return SpecialRegister::kZero;
    return static_cast<SpecialRegister>(static_cast<int>(vector.special) + component[0] - 'x');
  }
  return std::nullopt;
}

bool HasComponents(std::string_view name) { return ParseSpecialRegister(name, "x").has_value(); }

bool CanBeReadAs(SpecialRegister special, int bytes) {
  if (special == SpecialRegister::kClock64 || special == SpecialRegister::kGlobaltimer ||
      special == SpecialRegister::kZero64) {
    return bytes == 8;
  }
  // PTX before 2.0 had these in 16 bits.
  if (special <= SpecialRegister::kNctaidZ || special == SpecialRegister::kZero) {
    return bytes == 2 || bytes == 4;
  }
  if (special == SpecialRegister::kIsExplicitCluster) return bytes == 0;  // a predicate
  if (special == SpecialRegister::kGridid) return bytes == 4 || bytes == 8;
  return bytes == 4;
}

}  // namespace flagstone::ptx
