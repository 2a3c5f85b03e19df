#include "kernels/launch/heap.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace flagstone {
namespace {

constexpr uint64_t kUnit = 16;
constexpr uint64_t kInUse = 0x6d616c6c6f630001;  // marks of a block's header
constexpr uint64_t kFree = 0x6d616c6c6f630000;

// What the account at the heap's start holds; the rest is blocks.
struct Account {
  uint64_t base = 0;  // device address of the heap
  uint64_t bytes = 0;
  uint64_t next = 0;  // offset of what was never given out
  uint64_t unused = 0;
  uint64_t free_blocks[40] = {};  // offsets, by the size's power of two; 0: none
};
// In front of each block.
struct Header {
  uint64_t bytes = 0;  // with the header
  uint64_t mark = 0;   // of a free one: kFree, and the block's first word is the next one's offset
};

template <class T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void Store(std::byte* into, const T& value) {
  std::memcpy(into, &value, sizeof(T));
}

size_t ClassOf(uint64_t bytes) {
  return std::min<size_t>(static_cast<size_t>(std::bit_width(bytes)) - 1, 39);
}

// Takes a block of at least so many bytes off a list; 0: none among its first ones.
uint64_t TakeFree(std::byte* heap, Account* account, uint64_t bytes) {
  constexpr int kProbes = 16;
  for (size_t list = ClassOf(bytes); list < std::size(account->free_blocks); ++list) {
    uint64_t before = 0;
    uint64_t at = account->free_blocks[list];
    for (int probe = 0; at != 0 && probe < kProbes; ++probe) {
      const auto after = Load<uint64_t>(heap + at + sizeof(Header));
      if (Load<Header>(heap + at).bytes >= bytes) {
        if (before == 0) {
          account->free_blocks[list] = after;
        } else {
          Store(heap + before + sizeof(Header), after);
        }
        return at;
      }
      before = at;
      at = after;
    }
  }
  return 0;
}

}  // namespace

uint64_t AllocateHeap(uint64_t bytes, DeviceMemory* memory) {
  Account account;
  account.bytes = sizeof(Account) + bytes;
  account.base = memory->AllocateApart("heap of device code", account.bytes);
  account.next = sizeof(Account);
  Store(memory->At(account.base), account);
  return account.base;
}

uint64_t AllocateFrom(std::byte* heap, uint64_t bytes) {
  auto account = Load<Account>(heap);
  if (bytes == 0 || bytes > account.bytes) return 0;
  const uint64_t whole = sizeof(Header) + (bytes + kUnit - 1) / kUnit * kUnit;
  uint64_t at = TakeFree(heap, &account, whole);
  Header header = {whole, kInUse};
  if (at != 0) {
    header.bytes = Load<Header>(heap + at).bytes;
  } else {
    if (whole > account.bytes - account.next) return 0;
    at = account.next;
    account.next += whole;
  }
  Store(heap + at, header);
  Store(heap, account);
  return account.base + at + sizeof(Header);
}

bool FreeInto(std::byte* heap, uint64_t address) {
  auto account = Load<Account>(heap);
  const uint64_t at = address - account.base - sizeof(Header);
  const bool inside = address >= account.base + sizeof(Account) + sizeof(Header) &&
                      at < account.next && at % kUnit == 0;
  if (!inside) return false;
  auto header = Load<Header>(heap + at);
  if (header.mark != kInUse) return false;
  header.mark = kFree;
  uint64_t& first = account.free_blocks[ClassOf(header.bytes)];
  Store(heap + at, header);
  Store(heap + at + sizeof(Header), first);
  first = at;
  Store(heap, account);
  return true;
}

}  // namespace flagstone
