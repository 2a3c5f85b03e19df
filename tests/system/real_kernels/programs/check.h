// What the programs of this folder share: small whole numbers as data, so that sums are exact in
// any order, and a comparison that prints PASS or the first difference.
#ifndef FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CHECK_H_
#define FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CHECK_H_

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace real_kernels {

inline void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint32_t Next() {  // the upper bits of Knuth's MMIX generator
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<uint32_t>(state_ >> 33);
  }
  int Whole(int low, int high) { return low + static_cast<int>(Next() % (high - low + 1)); }
  float Real(float low, float high) {
    return low + (high - low) * static_cast<float>(Next()) / 2147483648.0F;
  }

 private:
  uint64_t state_;
};

// Device memory with a host vector's contents.
template <class T>
class Buffer {
 public:
  explicit Buffer(const std::vector<T>& host) : size_(host.size()) {
    Check(cudaMalloc(&device_, size_ * sizeof(T)), "cudaMalloc");
    Check(cudaMemcpy(device_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  explicit Buffer(size_t size) : size_(size) {
    Check(cudaMalloc(&device_, size_ * sizeof(T)), "cudaMalloc");
    Check(cudaMemset(device_, 0, size_ * sizeof(T)), "cudaMemset");
  }
  Buffer(const Buffer&) = delete;
  T* get() const { return device_; }
  std::vector<T> Host() const {
    std::vector<T> host(size_);
    Check(cudaDeviceSynchronize(), "kernel");
    Check(cudaMemcpy(host.data(), device_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy back");
    return host;
  }

 private:
  T* device_ = nullptr;
  size_t size_;
};

// Prints PASS where each element is within `relative` and `absolute` of what is expected.
template <class T>
int Compare(const std::vector<T>& got, const std::vector<float>& expected, float relative = 0,
            float absolute = 0) {
  size_t wrong = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const float value = static_cast<float>(got[i]);
    if (std::fabs(value - expected[i]) <= absolute + relative * std::fabs(expected[i])) continue;
    if (wrong++ == 0) std::printf("element %zu is %g, expected %g\n", i, value, expected[i]);
  }
  std::printf("%zu of %zu wrong\n%s\n", wrong, expected.size(), wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}

}  // namespace real_kernels

#endif  // FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CHECK_H_
