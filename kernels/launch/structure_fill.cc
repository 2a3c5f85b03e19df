#include "kernels/launch/structure_fill.h"

#include <cstring>
#include <vector>

#include "kernels/inputs/btree.h"
#include "kernels/inputs/sphere.h"
#include "kernels/inputs/suffix_tree.h"
#include "kernels/launch/element.h"

namespace flagstone {
namespace {

void FillSphere(const BufferSpec& spec, std::span<std::byte> bytes) {
  const auto points = SpherePoints(spec.count, spec.fill.seed);
  VisitElementType(spec.type, [&](auto element) {
    for (uint64_t i = 0; i < spec.count; ++i) {
      StoreElement(bytes.data(), i, static_cast<decltype(element)>(points[i][spec.fill.axis]));
    }
  });
}

// `bytes` may be longer: the rest is zero.
template <class T>
void Copy(const std::vector<T>& values, std::span<std::byte> bytes) {
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
}

}  // namespace

void FillStructure(const BufferSpec& spec, std::span<std::byte> bytes) {
  const Fill& fill = spec.fill;
  std::memset(bytes.data(), 0, bytes.size());
  switch (fill.kind) {
    case Fill::Kind::kSphere:
      return FillSphere(spec, bytes);
    case Fill::Kind::kBtree:
      return Copy(BtreeNodes({fill.keys, fill.order, fill.per_node}), bytes);
    case Fill::Kind::kSuffixTree:
      return Copy(SuffixTree(RandomLetters(fill.letters, fill.seed)), bytes);
    case Fill::Kind::kReads:
      return Copy(Reads(RandomLetters(fill.letters, fill.seed), fill.length, spec.count, fill.seed),
                  bytes);
    default:
      ThrowInternal("fill kind {} is no structure", static_cast<int>(fill.kind));
  }
}

}  // namespace flagstone
