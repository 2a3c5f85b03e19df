// A bounded first-in first-out queue that allocates once.
#ifndef FLAGSTONE_BASE_RING_H_
#define FLAGSTONE_BASE_RING_H_

#include <bit>
#include <cassert>
#include <cstddef>
#include <vector>

namespace flagstone {

template <class T>
class Ring {
 public:
  explicit Ring(size_t capacity)
      : mask_(std::bit_ceil(capacity < 1 ? size_t{1} : capacity) - 1),
        capacity_(capacity),
        items_(mask_ + 1) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ >= capacity_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  size_t room() const { return capacity_ - size_; }

  // Into a queue that is not full: a sender holds the credit for its place.
  void Push(const T& item) {
    assert(!full());
    items_[(head_ + size_++) & mask_] = item;
  }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& operator[](size_t i) { return items_[(head_ + i) & mask_]; }  // 0 is the front
  const T& operator[](size_t i) const { return items_[(head_ + i) & mask_]; }
  T& back() { return items_[(head_ + size_ - 1) & mask_]; }
  // Fetches the place of the front into the cache of this thread, and that of the counts.
  void PreloadFront() const { __builtin_prefetch(&items_[head_]); }
  void Pop() {
    assert(!empty());
    head_ = (head_ + 1) & mask_;
    --size_;
  }

 private:
  size_t size_ = 0;  // first: most rings are asked most often whether they are empty
  size_t head_ = 0;
  size_t mask_;
  size_t capacity_;
  std::vector<T> items_;  // a power of two
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_RING_H_
