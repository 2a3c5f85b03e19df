#include "base/huge_pages.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <memory>

namespace flagstone {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kHeap = size_t{256} << 20;  // a simulation of 80 SMs takes 50 to 100 MB

#ifdef M_MMAP_MAX
constexpr int kMostMappings = 65536;   // glibc's own
constexpr int kLargeBlock = 32 << 20;  // from here on a mapping of its own: the most glibc takes
#endif

}  // namespace

void PreferHugePages() {
#if defined(M_MMAP_THRESHOLD) && defined(MADV_HUGEPAGE) && !defined(__SANITIZE_ADDRESS__)
  // The heap keeps what is freed at its end, this block first of all, which shall be part of it.
  mallopt(M_TRIM_THRESHOLD, kHeap);
  mallopt(M_MMAP_MAX, 0);
  void* heap = std::malloc(kHeap - kHugePage);
  mallopt(M_MMAP_MAX, kMostMappings);
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  if (heap == nullptr) return;
  void* begin = heap;
  size_t room = kHeap - kHugePage;
  if (std::align(kHugePage, kHeap - 2 * kHugePage, begin, room) != nullptr) {
    madvise(begin, kHeap - 2 * kHugePage, MADV_HUGEPAGE);
  }
  std::free(heap);
#endif
}

}  // namespace flagstone
