// Device memory as a file in memory that has no name: it is gone with the last process that maps
// it.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_SHARED_MEMORY_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_SHARED_MEMORY_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/error.h"

namespace flagstone::cuda {

class SharedMemory {
 public:
  explicit SharedMemory(uint64_t bytes) : bytes_(bytes) {
    file_ = memfd_create("flagstone device memory", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0) Fail();
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (data_ == MAP_FAILED) Fail();
  }
  ~SharedMemory() {
    munmap(data_, bytes_);
    close(file_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int file() const { return file_; }
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), bytes_}; }

 private:
  [[noreturn]] void Fail() const {
    ThrowInternal("cannot map {} bytes of device memory: {}", bytes_, std::strerror(errno));
  }

  uint64_t bytes_;
  int file_ = -1;
  void* data_ = nullptr;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_SHARED_MEMORY_H_
