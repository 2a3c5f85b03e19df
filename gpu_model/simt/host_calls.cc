#include "gpu_model/simt/host_calls.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/generic_memory.h"
#include "kernels/ptx/frames.h"
#include "kernels/ptx/lexer.h"

namespace flagstone::simt {
namespace {

std::string* printed_text = nullptr;

uint64_t LaneOf(const Context& context, SlotId slot, uint32_t lane, bool wide) {
  const std::byte* const lanes = context.base[slot >> kBaseShift] + (slot & kOffsetMask);
  uint64_t value = 0;
  std::memcpy(&value, lanes + size_t{lane} * (wide ? 8 : 4), wide ? 8 : 4);
  return value;
}

uint64_t PointerOf(const Context& context, const Inst& inst, size_t source, uint32_t lane) {
  const bool wide = inst.type == ptx::Type::kU64;
  const uint64_t bits = LaneOf(context, inst.source[source], lane, wide);
  return wide ? bits : Widen(static_cast<uint32_t>(bits));
}

// Formats one call for one lane.
class Formatter {
 public:
  Formatter(Context& context, const Inst& inst, uint32_t lane)
      : context_(context), inst_(inst), lane_(lane) {}

  void Run(std::string_view format, uint64_t arguments) {
    next_ = arguments;
    while (!format.empty()) {
      const size_t percent = format.find('%');
      context_.printed.append(format.substr(0, percent));
      if (percent == std::string_view::npos) return;
      format.remove_prefix(percent);
      format.remove_prefix(Convert(format));
    }
  }
  int32_t arguments() const { return count_; }

 private:
  // Prints the conversion at the start of `format`; returns its length.
  size_t Convert(std::string_view format);
  std::string StarOr(std::string_view format, size_t* at);
  template <class T>
  void Append(const std::string& conversion, T value);

  template <class T>
  T Argument() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value = {};
    ReadGeneric(context_, inst_, lane_, next_, {reinterpret_cast<std::byte*>(&value), sizeof(T)});
    next_ += sizeof(T);
    ++count_;
    return value;
  }

  Context& context_;
  const Inst& inst_;
  uint32_t lane_;
  uint64_t next_ = 0;  // generic address of the next argument
  int32_t count_ = 0;
};

template <class T>
void Formatter::Append(const std::string& conversion, T value) {
  const int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (length <= 0) return;
  std::string& text = context_.printed;
  const size_t begin = text.size();
  text.resize(begin + static_cast<size_t>(length) + 1);
  std::snprintf(text.data() + begin, static_cast<size_t>(length) + 1, conversion.c_str(), value);
  text.pop_back();
}

// A number or "*", which takes an argument, of at most four digits.
std::string Formatter::StarOr(std::string_view format, size_t* at) {
  constexpr int kWidest = 9999;
  std::string digits;
  if (*at < format.size() && format[*at] == '*') {
    ++*at;
    const auto width = Argument<int32_t>();
    return fmt::format("{}", std::clamp(width, -kWidest, kWidest));
  }
  while (*at < format.size() && format[*at] >= '0' && format[*at] <= '9') {
    digits += format[(*at)++];
  }
  return digits.size() <= 4 ? digits : fmt::format("{}", kWidest);
}

size_t Formatter::Convert(std::string_view format) {
  constexpr std::string_view kFlags = "-+ #0";
  std::string conversion = "%";
  size_t at = 1;
  while (at < format.size() && kFlags.find(format[at]) != std::string_view::npos) {
    if (conversion.find(format[at]) == std::string::npos) conversion += format[at];
    ++at;
  }
  std::string width = StarOr(format, &at);
  // A negative width from an argument asks for the left side.
  if (width.starts_with('-') && conversion.find('-') != std::string::npos) width.erase(0, 1);
  conversion += width;
  if (at < format.size() && format[at] == '.') {
    ++at;
    const std::string precision = StarOr(format, &at);
    if (!precision.starts_with('-')) conversion += "." + precision;
  }
  const size_t sizes = at;
  while (at < format.size() && std::string_view("hljztL").find(format[at]) != format.npos) ++at;
  const std::string_view size = format.substr(sizes, at - sizes);
  // `long` is 64 bits wide in device code of all 64-bit hosts but Windows.
  const bool long_is_wide = inst_.type == ptx::Type::kU64;
  const bool wide =
      (size == "l" && long_is_wide) || size == "ll" || size == "j" || size == "z" || size == "t";
  const char letter = at < format.size() ? format[at] : '\0';
  switch (letter) {
    case '%':
      context_.printed += '%';
      break;
    case 'd':
    case 'i':
      if (wide) {
        Append(conversion + "jd", intmax_t{Argument<int64_t>()});
      } else {
        const auto value = Argument<int32_t>();
        Append(conversion + 'd', size == "hh"  ? static_cast<int8_t>(value)
                                 : size == "h" ? static_cast<int16_t>(value)
                                               : value);
      }
      break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (wide) {
        Append(conversion + "j" + letter, uintmax_t{Argument<uint64_t>()});
      } else {
        const auto value = Argument<uint32_t>();
        Append(conversion + letter, size == "hh"  ? static_cast<uint8_t>(value)
                                    : size == "h" ? static_cast<uint16_t>(value)
                                                  : value);
      }
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      Append(conversion + letter, Argument<double>());
      break;
    case 'c':
      Append(conversion + 'c', Argument<int32_t>());
      break;
    case 'p': {
      const bool pointer64 = inst_.type == ptx::Type::kU64;
      const uint64_t address = pointer64 ? Argument<uint64_t>() : Argument<uint32_t>();
      Append(conversion + 's', fmt::format("{:#x}", address).c_str());
      break;
    }
    case 's': {
      const bool pointer64 = inst_.type == ptx::Type::kU64;
      const uint64_t address = pointer64 ? Argument<uint64_t>() : Argument<uint32_t>();
      Append(conversion + 's',
             ReadString(context_, inst_, lane_,
                        pointer64 ? address : Widen(static_cast<uint32_t>(address)))
                 .c_str());
      break;
    }
    default:
      ThrowOfThread(context_, inst_, lane_,
                    fmt::format("unknown conversion {} in a format of printf",
                                ptx::Quote(format.substr(0, at + 1))));
  }
  return at + 1;
}

}  // namespace

void Print(Context& context, const Inst& inst, LaneMask mask) {
  auto* const results = reinterpret_cast<int32_t*>(context.registers + inst.destination);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t format = PointerOf(context, inst, 0, lane);
    if (format == 0) {
      results[lane] = -1;
      continue;
    }
    Formatter formatter(context, inst, lane);
    formatter.Run(ReadString(context, inst, lane, format), PointerOf(context, inst, 1, lane));
    results[lane] = formatter.arguments();
  }
  if (!context.deferred) FlushPrinted(context);
}

void OverflowStack(Context& context, const Inst& inst, LaneMask mask) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
  const bool wide = inst.type == ptx::Type::kU64;
  const size_t bytes = wide ? 8 : 4;
  const std::byte* const local = context.local.origin + size_t{lane} * context.local.lane_stride;
  uint64_t depth = 0;
  uint64_t frame = LaneOf(context, inst.source[0], lane, wide);
  for (; frame < context.local.size; ++depth) {
    uint64_t caller = 0;
    std::memcpy(&caller, local + frame + ptx::kLinkOffset, bytes);
    frame = caller;
  }
  ThrowOfThread(context, inst, lane,
                fmt::format("stack overflow: more than {} bytes (the launch's 'stack', "
                            "cudaLimitStackSize) at a depth of {} calls",
                            context.program->launch().stack_bytes, depth));
}

void FailAssertion(Context& context, const Inst& inst, LaneMask mask) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
  const auto string = [&](size_t source) {
    const uint64_t address = PointerOf(context, inst, source, lane);
    return address == 0 ? std::string("?") : ReadString(context, inst, lane, address);
  };
  ThrowOfThread(context, inst, lane,
                fmt::format("assertion {} failed in {}, line {} of {},", ptx::Quote(string(0)),
                            ptx::Quote(string(3)), LaneOf(context, inst.source[2], lane, false),
                            ptx::Quote(string(1))),
                FailureCause::kAssertion);
}

void FlushPrinted(Context& context) {
  if (context.printed.empty()) return;
  if (printed_text != nullptr) {
    *printed_text += context.printed;
  } else {
    std::fwrite(context.printed.data(), 1, context.printed.size(), stderr);
    std::fflush(stderr);
  }
  context.printed.clear();
}

}  // namespace flagstone::simt

namespace flagstone {

void PrintTo(std::string* text) { simt::printed_text = text; }

}  // namespace flagstone
