#include "gpu_model/simt/generic_memory.h"

#include <fmt/core.h>

#include <cstring>

#include "gpu_model/simt/faults.h"

namespace flagstone::simt {
namespace {

// Where the bytes are on the host; null where they do not lie in one memory.
const std::byte* Find(const Context& context, uint32_t lane, uint64_t address, uint64_t bytes) {
  const uint64_t window = address >> kWindowShift << kWindowShift;
  const uint64_t offset = address - window;
  const auto in = [&](const View& view) {
    const bool inside = offset <= view.size && bytes <= view.size - offset;
    return inside ? view.origin + offset + lane * view.lane_stride : nullptr;
  };
  if (window == kSharedWindow) return in(context.shared);
  if (window == kLocalWindow) return in(context.local);
  if (window == kParamWindow) return in(context.param);
  const bool known = context.memory->Find(address, bytes) != nullptr;
  return known ? context.memory->At(address) : nullptr;
}

}  // namespace

void ReadGeneric(const Context& context, const Inst& inst, uint32_t lane, uint64_t address,
                 std::span<std::byte> into) {
  const std::byte* const from = Find(context, lane, address, into.size());
  if (from == nullptr) {
    ThrowOfThread(context, inst, lane,
                  fmt::format("out-of-bounds read of {} bytes at {:#x}", into.size(), address),
                  FailureCause::kAddress);
  }
  std::memcpy(into.data(), from, into.size());
}

std::string ReadString(const Context& context, const Inst& inst, uint32_t lane, uint64_t address) {
  constexpr size_t kLongest = size_t{64} << 10;
  std::string text;
  while (text.size() < kLongest) {
    char byte = 0;
    ReadGeneric(context, inst, lane, address++, {reinterpret_cast<std::byte*>(&byte), 1});
    if (byte == '\0') break;
    text += byte;
  }
  return text;
}

}  // namespace flagstone::simt
