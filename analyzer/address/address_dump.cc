#include "analyzer/address/address_dump.h"

#include <fmt/core.h>

#include "kernels/ptx/kernel.h"

namespace flagstone {

std::string ToString(const AffineForm& form) {
  std::string text = fmt::format("{}", form.constant);
  const auto term = [&](int64_t coefficient, const std::string& symbol) {
    if (coefficient == 0) return;
    const auto magnitude = coefficient < 0 ? uint64_t{0} - static_cast<uint64_t>(coefficient)
                                           : static_cast<uint64_t>(coefficient);
    text += coefficient < 0 ? " - " : " + ";
    text += magnitude == 1 ? symbol : fmt::format("{}*{}", magnitude, symbol);
  };
  constexpr char kAxes[] = "xyz";
  for (size_t d = 0; d < 3; ++d) term(form.tid[d], fmt::format("tid.{}", kAxes[d]));
  for (size_t d = 0; d < 3; ++d) term(form.ctaid[d], fmt::format("ctaid.{}", kAxes[d]));
  for (size_t l = 0; l < form.loops.size(); ++l) term(form.loops[l], fmt::format("L{}", l));
  return text;
}

std::string ToString(const LoadLink& link) {
  return fmt::format("{} (line {}, {} memory)", link.array, link.line, ptx::ToString(link.space));
}

std::string Dump(const AddressAnalysis& analysis) {
  std::string text;
  for (size_t l = 0; l < analysis.loops.size(); ++l) {
    const CountedLoop& loop = analysis.loops[l];
    text += fmt::format("loop L{} at pc {}", l, loop.header_pc);
    if (loop.parent != ~uint32_t{0}) text += fmt::format(" in L{}", loop.parent);
    if (loop.known) {
      text += fmt::format(": {} iterations\n", loop.trip_count);
    } else if (loop.bounded) {
      text += fmt::format(": at most {} iterations\n", loop.trip_count);
    } else {
      text += fmt::format(": unknown ({})\n", loop.reason);
    }
  }
  for (const AddressForm& access : analysis.accesses) {
    const char* const kind = access.is_atomic  ? "atomic"
                             : access.is_copy  ? (access.is_store ? "copy to" : "copy from")
                             : access.is_store ? "store"
                                               : "load";
    text += fmt::format("{} pc {} line {} {} bytes of {}: {}", kind, access.pc, access.line,
                        access.TotalBytes(), access.array, ToString(access.address_class));
    if (access.IsUniform()) text += ", uniform";
    if (access.IsFromConstantTable()) text += ", from a constant table";
    if (access.pattern == AddressClass::kAffine) text += ", " + ToString(access.form);
    if (!access.reason.empty()) text += fmt::format(" ({})", access.reason);
    for (const uint32_t loop : access.loops) text += fmt::format(", in L{}", loop);
    text += '\n';
    for (const LoadLink& link : access.chain) text += "  through " + ToString(link) + "\n";
    for (const Guard& guard : access.guards) {
      text += fmt::format("  where {} >= 0\n", ToString(guard.form));
    }
  }
  return text;
}

}  // namespace flagstone
