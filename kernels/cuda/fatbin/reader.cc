#include "kernels/cuda/fatbin/reader.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace flagstone::cuda {
namespace {

constexpr uint32_t kMagic = 0xBA55ED50;
constexpr size_t kHeader = 16, kEntryHeader = 64;
constexpr uint16_t kPtx = 1, kSass = 2;
constexpr uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr uint64_t kMostText = uint64_t{256} << 20;  // far above any PTX

template <class T>
T At(std::string_view bytes, size_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) {
    ThrowBadInput("a fat binary ends after {} bytes: expected more", bytes.size());
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view Part(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    ThrowBadInput("a fat binary ends after {} bytes: expected {} more from byte {} on",
                  bytes.size(), size, offset);
  }
  return bytes.substr(offset, size);
}

std::string Unpack(std::string_view packed, uint64_t flags, uint64_t size) {
  if (size > kMostText) {
    ThrowBadInput("an entry of a fat binary says it has {} bytes: expected at most {}", size,
                  kMostText);
  }
  std::string text(size, '\0');
  bool good = false;
  if ((flags & kZstd) != 0) {
    const size_t got = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
    good = ZSTD_isError(got) == 0 && got == size;
  } else if ((flags & kLz4) != 0) {
    const int got = LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()),
                                        static_cast<int>(size));
    good = got >= 0 && static_cast<uint64_t>(got) == size;
  }
  if (!good) ThrowBadInput("an entry of a fat binary cannot be unpacked: its bytes are damaged");
  return text;
}

std::optional<uint32_t> RegistersOf(std::string_view options) {
  constexpr std::string_view kOption = "-maxrregcount=";
  const size_t at = options.find(kOption);
  if (at == std::string_view::npos) return std::nullopt;
  uint32_t value = 0;
  const char* const begin = options.data() + at + kOption.size();
  const auto [end, error] = std::from_chars(begin, options.data() + options.size(), value);
  const bool good = error == std::errc() && value >= 1 && value <= 255;
  return good ? std::optional(value) : std::nullopt;
}

// `entry`: its header and its payload.
DeviceCode ReadEntry(std::string_view entry, uint32_t header) {
  DeviceCode code;
  code.architecture = At<uint32_t>(entry, 28);
  const auto payload = At<uint64_t>(entry, 8);
  const auto compressed = At<uint32_t>(entry, 16);
  const auto options = At<uint32_t>(entry, 20);
  if (options != 0) {
    const auto text = At<uint32_t>(entry, options), bytes = At<uint32_t>(entry, options + 4ULL);
    code.registers = RegistersOf(Part(entry.substr(0, header), text, bytes));
  }
  if (compressed == 0) {
    code.ptx = Part(entry, header, payload);
  } else {
    code.ptx =
        Unpack(Part(entry, header, compressed), At<uint64_t>(entry, 40), At<uint64_t>(entry, 56));
  }
  code.ptx.resize(std::min(code.ptx.find('\0'), code.ptx.size()));
  return code;
}

}  // namespace

DeviceCode ReadFatBinary(std::string_view bytes) {
  if (At<uint32_t>(bytes, 0) != kMagic) {
    ThrowBadInput("device code in an unknown format: expected a fat binary that begins with {:#x}",
                  kMagic);
  }
  const auto header = At<uint16_t>(bytes, 6);
  std::string_view entries = Part(bytes, header, At<uint64_t>(bytes, 8));
  std::optional<DeviceCode> best;
  uint32_t sass = 0;
  while (!entries.empty()) {
    const auto kind = At<uint16_t>(entries, 0);
    const auto entry_header = At<uint32_t>(entries, 4);
    if (header < kHeader || entry_header < kEntryHeader) {
      ThrowBadInput("a fat binary is damaged: an entry's header has {} bytes, expected at least {}",
                    entry_header, kEntryHeader);
    }
    const auto payload = At<uint64_t>(entries, 8);
    Part(entries, entry_header, payload);
    const std::string_view entry = entries.substr(0, entry_header + payload);
    if (kind == kSass) sass = std::max(sass, At<uint32_t>(entries, 28));
    if (kind == kPtx && (!best || At<uint32_t>(entries, 28) > best->architecture)) {
      best = ReadEntry(entry, entry_header);
    }
    entries.remove_prefix(entry.size());
  }
  if (best) return std::move(*best);
  if (sass != 0) {
    ThrowBadInput(
        "the program has machine code for sm_{0} and no PTX: compile it with -gencode "
        "arch=compute_{0},code=compute_{0} too",
        sass);
  }
  ThrowBadInput("a fat binary of the program has no device code");
}

}  // namespace flagstone::cuda
