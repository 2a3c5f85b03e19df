#include "kernels/launch/reference.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "kernels/launch/element.h"
#include "kernels/launch/fill.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

const ArgumentSpec& ArgumentOf(const Workload& workload, const LaunchSpec& launch, size_t index) {
  if (index < launch.arguments.size()) return launch.arguments[index];
  ThrowBadInput("{}:{}:{}: the reference reads argument {} of '{}': expected at least {} arguments",
                workload.path.string(), launch.location.line, launch.location.column, index + 1,
                launch.entry, index + 1);
}

[[noreturn]] void FailKind(const Workload& workload, const ArgumentSpec& argument, size_t index,
                           std::string_view expected) {
  ThrowBadInput("{}:{}:{}: argument {} is {}: the reference expected {}", workload.path.string(),
                argument.location.line, argument.location.column, index + 1, argument.text,
                expected);
}

}  // namespace

ReferenceData::ReferenceData(const Workload& workload) : workload_(workload) {
  for (const BufferSpec& buffer : workload.buffers) {
    std::vector<std::byte>& bytes = buffers_[buffer.name];
    bytes.resize(buffer.Bytes());
    FillBuffer(buffer, bytes);
  }
  for (const BufferSpec& symbol : workload.symbols) {
    std::vector<std::byte>& bytes = symbols_[symbol.name];
    bytes.resize(symbol.Bytes());
    FillBuffer(symbol, bytes);
  }
  for (const LaunchLoop& loop : workload.loops) {
    const uint32_t rounds = loop.until_zero.empty() ? loop.repeat : 1;
    for (uint32_t round = 0; round < rounds; ++round) {
      for (size_t i = 0; i < loop.count; ++i) launches_.push_back(loop.first + i);
    }
  }
}

const std::string& ReferenceData::Entry(size_t launch) const {
  return workload_.launches[launches_.at(launch)].entry;
}

int64_t ReferenceData::Integer(size_t launch, size_t index) const {
  const LaunchSpec& spec = workload_.launches[launches_.at(launch)];
  const ArgumentSpec& argument = ArgumentOf(workload_, spec, index);
  const std::byte* bytes = argument.bytes.data();
  switch (argument.type) {
    case ptx::Type::kU8:
      return LoadElement<uint8_t>(bytes, 0);
    case ptx::Type::kS8:
      return LoadElement<int8_t>(bytes, 0);
    case ptx::Type::kU16:
      return LoadElement<uint16_t>(bytes, 0);
    case ptx::Type::kS16:
      return LoadElement<int16_t>(bytes, 0);
    case ptx::Type::kU32:
      return LoadElement<uint32_t>(bytes, 0);
    case ptx::Type::kS32:
      return LoadElement<int32_t>(bytes, 0);
    case ptx::Type::kU64:
    case ptx::Type::kS64:
      return LoadElement<int64_t>(bytes, 0);
    default:
      FailKind(workload_, argument, index, "an integer scalar");
  }
}

double ReferenceData::Real(size_t launch, size_t index) const {
  const LaunchSpec& spec = workload_.launches[launches_.at(launch)];
  const ArgumentSpec& argument = ArgumentOf(workload_, spec, index);
  if (argument.type == ptx::Type::kF32) return LoadElement<float>(argument.bytes.data(), 0);
  if (argument.type == ptx::Type::kF64) return LoadElement<double>(argument.bytes.data(), 0);
  FailKind(workload_, argument, index, "an f32 or f64 scalar");
}

const std::string& ReferenceData::BufferName(size_t launch, size_t index) const {
  const LaunchSpec& spec = workload_.launches[launches_.at(launch)];
  const ArgumentSpec& argument = ArgumentOf(workload_, spec, index);
  if (argument.type != ptx::Type::kNone) FailKind(workload_, argument, index, "a buffer");
  return argument.buffer;
}

size_t ReferenceData::Extent(size_t launch, size_t index) const {
  const int64_t value = Integer(launch, index);
  if (value >= 0 && value <= std::numeric_limits<int32_t>::max()) return static_cast<size_t>(value);
  const LaunchSpec& spec = workload_.launches[launches_.at(launch)];
  FailKind(workload_, spec.arguments[index], index, "a value from 0 to 2147483647");
}

std::byte* ReferenceData::BufferBytes(size_t launch, size_t index, uint64_t element_size,
                                      uint64_t count) {
  std::vector<std::byte>& bytes = buffers_.at(BufferName(launch, index));
  const LaunchSpec& spec = workload_.launches[launches_.at(launch)];
  const ArgumentSpec& argument = spec.arguments[index];
  const BufferSpec& buffer = *workload_.FindBuffer(argument.buffer);
  if (SizeInBytes(buffer.type) != element_size || argument.offset % element_size != 0 ||
      (bytes.size() - argument.offset) / element_size < count) {
    FailKind(workload_, argument, index,
             fmt::format("a buffer of {} elements of {} bytes", count, element_size));
  }
  return bytes.data() + argument.offset;
}

uint64_t ReferenceData::BytesAfterOffset(size_t launch, size_t index) const {
  const uint64_t size = buffers_.at(BufferName(launch, index)).size();
  return size - workload_.launches[launches_.at(launch)].arguments[index].offset;
}

const std::byte* ReferenceData::NamedBytes(const std::string& buffer, uint64_t element_size,
                                           uint64_t count) const {
  const BufferSpec* spec = workload_.FindBuffer(buffer);
  if (spec == nullptr) {
    ThrowBadInput("{}: the reference reads [buffer.{}]: expected this table",
                  workload_.path.string(), buffer);
  }
  if (SizeInBytes(spec->type) != element_size || spec->count < count) {
    ThrowBadInput("{}:{}:{}: [buffer.{}] has {} {}: the reference expected {} of {} bytes",
                  workload_.path.string(), spec->location.line, spec->location.column, buffer,
                  spec->count, ToString(spec->type), count, element_size);
  }
  return buffers_.at(buffer).data();
}

const std::byte* ReferenceData::SymbolBytes(const std::string& name, uint64_t element_size,
                                            uint64_t count) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) {
    ThrowBadInput("{}: the reference reads [symbol.{}]: expected this table",
                  workload_.path.string(), name);
  }
  const auto spec = std::find_if(workload_.symbols.begin(), workload_.symbols.end(),
                                 [&](const BufferSpec& symbol) { return symbol.name == name; });
  if (SizeInBytes(spec->type) != element_size || spec->count < count) {
    ThrowBadInput("{}:{}:{}: [symbol.{}] has {} {}: the reference expected {} of {} bytes",
                  workload_.path.string(), spec->location.line, spec->location.column, name,
                  spec->count, ToString(spec->type), count, element_size);
  }
  return found->second.data();
}

std::span<const std::byte> ReferenceData::Bytes(const std::string& buffer) const {
  return buffers_.at(buffer);
}

}  // namespace flagstone
