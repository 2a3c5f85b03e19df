#include "gpu_model/memory/tag_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace flagstone {

TagArray::TagArray(uint32_t size_bytes, uint32_t ways, SetHash hash)
    : sets_(std::max(1U, size_bytes / kLineBytes / ways)),
      associativity_(ways),
      set_bits_(static_cast<uint32_t>(std::bit_width(sets_ - 1))),
      hash_(hash == SetHash::kFermi && sets_ != 32 && sets_ != 64 ? SetHash::kFolded : hash),
      tags_(size_t{sets_} * ways, kFree),
      ways_(size_t{sets_} * ways),
      order_(size_t{sets_} * ways),
      set_(sets_) {
  Clear();
}

uint32_t TagArray::SetOf(LineNumber line) const {
  if (sets_ == 1) return 0;
  if (hash_ == SetHash::kLinear) return line % sets_;
  if (hash_ == SetHash::kFermi) {
    // Bits 7 to 11 of the address with 13, 14, 15, 17 and 19; of 64 sets, bit 12 is the upper one.
    const uint32_t upper = ((line >> 6) & 7) | ((line >> 7) & 8) | ((line >> 8) & 16);
    return ((line & 31) ^ upper) | (line & (sets_ - 32));
  }
  // So that power-of-two strides spread over all sets.
  const uint32_t folded = line ^ (line >> set_bits_) ^ (line >> (2 * set_bits_ & 31));
  return std::has_single_bit(sets_) ? folded & (sets_ - 1) : folded % sets_;
}

// The first way of the set at `base` with the tag. Eight at a time are compared as vectors, which
// g++ does not make of a loop that ends early.
uint32_t TagArray::Search(uint32_t base, LineNumber tag) const {
  using Tags = LineNumber __attribute__((vector_size(16)));
  constexpr uint32_t kLanes = sizeof(Tags) / sizeof(LineNumber);
  const Tags wanted = Tags{} + tag;
  const LineNumber* const tags = tags_.data() + base;
  uint32_t way = 0;
  for (; way + 2 * kLanes <= associativity_; way += 2 * kLanes) {
    Tags low, high;
    std::memcpy(&low, tags + way, sizeof(low));
    std::memcpy(&high, tags + way + kLanes, sizeof(high));
    const auto found = std::bit_cast<std::array<uint64_t, 2>>((low == wanted) | (high == wanted));
    if ((found[0] | found[1]) != 0) break;
  }
  while (way < associativity_ && tags[way] != tag) ++way;
  return way < associativity_ ? base + way : kNone;
}

uint32_t TagArray::Find(LineNumber line) const {
  const uint32_t set = SetOf(line);
  const uint32_t base = set * associativity_;
  uint32_t& recent = set_[set].recent;
  if (tags_[base + recent] == line) return base + recent;
  const uint32_t index = Search(base, line);
  if (index != kNone) recent = index - base;
  return index;
}

uint32_t TagArray::Victim(LineNumber line) const {
  const uint32_t number = SetOf(line);
  Set& set = set_[number];
  if (set.free > 0) return Search(number * associativity_, kFree);
  while (ways_[set.victim].mshr != kNoMshr) {
    if (order_[set.victim].newer == set.victim) return kNone;
    set.victim = order_[set.victim].newer;
  }
  return set.victim;
}

void TagArray::Release(uint32_t index) {
  ways_[index].mshr = kNoMshr;
  Set& set = set_[index / associativity_];
  set.victim = set.oldest;  // the released way may be older than the last victim
}

void TagArray::MakeNewest(uint32_t index) {
  Set& set = set_[index / associativity_];
  const Order old = order_[index];
  if (set.victim == index) set.victim = old.newer;
  if (old.older == index) {
    set.oldest = old.newer;
    order_[old.newer].older = old.newer;
  } else {
    order_[old.older].newer = old.newer;
    order_[old.newer].older = old.older;
  }
  order_[set.newest].newer = index;
  order_[index] = {set.newest, index};
  set.newest = index;
}

void TagArray::Assign(uint32_t index, LineNumber line) {
  if (tags_[index] == kFree) --set_[index / associativity_].free;
  tags_[index] = line;
  ways_[index] = Way{};
  Touch(index);
}

TagArray::Entered TagArray::Enter(LineNumber line, SectorMask sectors, bool writes) {
  Entered entered;
  uint32_t index = Find(line);
  if (index == kNone) {
    index = Victim(line);
    entered.brought = true;
    entered.written_back = free(index) ? 0 : SectorCount(ways_[index].dirty);
    Assign(index, line);
  }
  Way& way = ways_[index];
  entered.missing = SectorCount(sectors & ~way.valid);
  way.valid |= sectors;
  if (writes) way.dirty |= sectors;
  Touch(index);
  return entered;
}

void TagArray::Invalidate(uint32_t index) {
  if (tags_[index] != kFree) ++set_[index / associativity_].free;
  tags_[index] = kFree;
  ways_[index] = Way{};
}

void TagArray::Clear() {
  std::fill(tags_.begin(), tags_.end(), kFree);
  std::fill(ways_.begin(), ways_.end(), Way{});
  for (uint32_t set = 0; set < sets_; ++set) {
    const uint32_t first = set * associativity_, last = first + associativity_ - 1;
    for (uint32_t index = first; index <= last; ++index) {
      order_[index] = {std::max(index, first + 1) - 1, std::min(index + 1, last)};
    }
    set_[set] = {first, last, first, associativity_, 0};
  }
}

namespace {

// Of a checkpoint: what its bytes begin with.
struct Shape {
  uint32_t sets, associativity, hash;
};

template <class T>
void Append(const T* values, size_t count, std::string* bytes) {
  static_assert(std::has_unique_object_representations_v<T>);  // no padding
  bytes->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
void Take(std::string_view* bytes, std::vector<T>* values) {
  const size_t size = values->size() * sizeof(T);
  std::memcpy(values->data(), bytes->data(), size);
  bytes->remove_prefix(size);
}

}  // namespace

std::string TagArray::Bytes() const {
  std::string bytes;
  const Shape shape = {sets_, associativity_, static_cast<uint32_t>(hash_)};
  Append(&shape, 1, &bytes);
  Append(tags_.data(), tags_.size(), &bytes);
  Append(ways_.data(), ways_.size(), &bytes);
  Append(order_.data(), order_.size(), &bytes);
  Append(set_.data(), set_.size(), &bytes);
  return bytes;
}

std::optional<TagArray> TagArray::OfBytes(std::string_view bytes) {
  Shape shape;
  if (bytes.size() < sizeof(shape)) return std::nullopt;
  std::memcpy(&shape, bytes.data(), sizeof(shape));
  bytes.remove_prefix(sizeof(shape));
  const uint64_t ways = uint64_t{shape.sets} * shape.associativity;
  constexpr uint64_t kOfWay = sizeof(LineNumber) + sizeof(Way) + sizeof(Order);
  if (ways == 0 || ways > bytes.size() ||
      ways * kOfWay + shape.sets * sizeof(Set) != bytes.size()) {
    return std::nullopt;
  }
  TagArray array(static_cast<uint32_t>(ways * kLineBytes), shape.associativity,
                 static_cast<SetHash>(shape.hash));
  Take(&bytes, &array.tags_);
  Take(&bytes, &array.ways_);
  Take(&bytes, &array.order_);
  Take(&bytes, &array.set_);
  return array;
}

}  // namespace flagstone
