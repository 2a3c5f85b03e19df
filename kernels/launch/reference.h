// CPU references: independent, straightforward computations of what a workload's kernels must leave
// in the buffers. The functions live beside their kernels (workloads/<name>/reference.cc); this
// room only knows their shape, and is handed their table.
#ifndef FLAGSTONE_KERNELS_LAUNCH_REFERENCE_H_
#define FLAGSTONE_KERNELS_LAUNCH_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

struct Workload;

// What a reference works on: the initial contents of all buffers, to be changed in place to what
// they must be after the last launch, and the launches' arguments as workload.toml gives them.
// Every accessor throws kBadInput when the workload has not what the reference asks for.
class ReferenceData {
 public:
  explicit ReferenceData(const Workload& workload);

  // Launches in order, loops with `repeat` unrolled. Those of a loop with `until_zero` count once:
  // the reference finds its end by itself.
  size_t LaunchCount() const { return launches_.size(); }

  // The launch's kernel.
  const std::string& Entry(size_t launch) const;

  // Argument `index` of a launch: an integer of any width, an f32 or f64, or a buffer's name.
  int64_t Integer(size_t launch, size_t index) const;
  double Real(size_t launch, size_t index) const;
  const std::string& BufferName(size_t launch, size_t index) const;

  // An integer argument that counts something: 0 to 2^31 - 1, so that products of two do not wrap.
  size_t Extent(size_t launch, size_t index) const;

  // `count` elements of a buffer argument from its offset on; the buffer's elements have the size
  // of T, and there are at least `count`.
  template <class T>
  std::span<T> Buffer(size_t launch, size_t index, size_t count) {
    return {reinterpret_cast<T*>(BufferBytes(launch, index, sizeof(T), count)), count};
  }

  // All elements from the argument's offset on.
  template <class T>
  std::span<T> Buffer(size_t launch, size_t index) {
    return Buffer<T>(launch, index, BytesAfterOffset(launch, index) / sizeof(T));
  }

  // The first `count` elements of a buffer that no argument need name: a texture's.
  template <class T>
  std::span<const T> Named(const std::string& buffer, size_t count) const {
    return {reinterpret_cast<const T*>(NamedBytes(buffer, sizeof(T), count)), count};
  }

  // The first `count` elements that [symbol.NAME] gives a .const or .global variable.
  template <class T>
  std::span<const T> Symbol(const std::string& name, size_t count) const {
    return {reinterpret_cast<const T*>(SymbolBytes(name, sizeof(T), count)), count};
  }

  // All of them.
  template <class T>
  std::span<const T> Symbol(const std::string& name) const {
    const auto found = symbols_.find(name);
    return Symbol<T>(name, found == symbols_.end() ? 0 : found->second.size() / sizeof(T));
  }

  std::span<const std::byte> Bytes(const std::string& buffer) const;

 private:
  std::byte* BufferBytes(size_t launch, size_t index, uint64_t element_size, uint64_t count);

  const std::byte* NamedBytes(const std::string& buffer, uint64_t element_size,
                              uint64_t count) const;

  const std::byte* SymbolBytes(const std::string& name, uint64_t element_size,
                               uint64_t count) const;

  uint64_t BytesAfterOffset(size_t launch, size_t index) const;

  const Workload& workload_;
  std::vector<size_t> launches_;  // indices into workload_.launches
  std::map<std::string, std::vector<std::byte>> buffers_;
  std::map<std::string, std::vector<std::byte>> symbols_;
};

struct Reference {
  std::string_view name;
  void (*compute)(ReferenceData& data);
};
using ReferenceTable = std::span<const Reference>;

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_REFERENCE_H_
