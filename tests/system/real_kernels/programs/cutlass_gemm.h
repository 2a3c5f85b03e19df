// GEMMs of CUTLASS 3 by its CollectiveBuilder, launched once on small whole numbers and compared
// with a sum on the host: D = A B + C.
#ifndef FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CUTLASS_GEMM_H_
#define FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CUTLASS_GEMM_H_

#include "check.h"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/util/packed_stride.hpp"

namespace real_kernels {

using cute::_1;
using cute::_128;
using cute::_16;
using cute::_2;
using cute::_256;
using cute::_32;
using cute::_4;
using cute::_64;
using cute::Shape;
using Rows = cutlass::layout::RowMajor;
using Columns = cutlass::layout::ColumnMajor;

struct Size {
  int m = 200, n = 136, k = 160, batches = 1;
};

template <class Layout>
constexpr bool kByRows = std::is_same_v<Layout, Rows>;

template <class T>
std::vector<T> Numbers(size_t count, uint64_t seed) {
  constexpr bool kUnsigned = std::is_same_v<T, uint8_t>;
  Random random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = T(random.Whole(kUnsigned ? 0 : -2, 2));
  return numbers;
}

template <class A, class LayoutA, class B, class LayoutB, class D, class Sum, class Tile,
          class Cluster, class Schedule = cutlass::gemm::collective::KernelScheduleAuto,
          class EpilogueSchedule = cutlass::epilogue::collective::EpilogueScheduleAuto,
          class Scheduler = void, int kSplits = 1,
          class Fusion = cutlass::epilogue::fusion::LinearCombination<D, Sum, D, Sum>>
struct Gemm {
  static constexpr int kAlignA = 128 / cutlass::sizeof_bits<A>::value;
  static constexpr int kAlignB = 128 / cutlass::sizeof_bits<B>::value;
  static constexpr int kAlignD = 128 / cutlass::sizeof_bits<D>::value;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, D, Rows, kAlignD, D, Rows, kAlignD,
      EpilogueSchedule, Fusion>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, A, LayoutA, kAlignA, B, LayoutB, kAlignB,
      Sum, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue,
                                                      Scheduler>;
  using Device = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  static int Run(const Size& s) {
    const auto a = Numbers<A>(size_t(s.m) * s.k * s.batches, 1);
    const auto b = Numbers<B>(size_t(s.n) * s.k * s.batches, 2);
    const auto c = Numbers<D>(size_t(s.m) * s.n * s.batches, 3);
    Buffer<A> device_a(a);
    Buffer<B> device_b(b);
    Buffer<D> device_c(c), device_d(c.size());
    const auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{},
                                                           cute::make_shape(s.m, s.k, s.batches));
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{},
                                                           cute::make_shape(s.n, s.k, s.batches));
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{},
                                                           cute::make_shape(s.m, s.n, s.batches));
    typename Device::Arguments arguments{s.batches == 1
                                             ? cutlass::gemm::GemmUniversalMode::kGemm
                                             : cutlass::gemm::GemmUniversalMode::kBatched,
                                         {s.m, s.n, s.k, s.batches},
                                         {device_a.get(), stride_a, device_b.get(), stride_b},
                                         {{}, device_c.get(), stride_c, device_d.get(), stride_c}};
    arguments.epilogue.thread.alpha = Sum(1);
    arguments.epilogue.thread.beta = Sum(1);
    if constexpr (std::is_same_v<Scheduler, cutlass::gemm::StreamKScheduler>) {
      arguments.scheduler.splits = kSplits;
    }
    Device gemm;
    Buffer<uint8_t> workspace(Device::get_workspace_size(arguments) + 16);
    const auto status = [&](cutlass::Status status, const char* what) {
      if (status == cutlass::Status::kSuccess) return;
      std::printf("%s: %s\n", what, cutlassGetStatusString(status));
      std::exit(1);
    };
    status(gemm.can_implement(arguments), "can_implement");
    status(gemm.initialize(arguments, workspace.get()), "initialize");
    status(gemm.run(), "run");
    std::vector<float> expected(c.size());
    for (int l = 0; l < s.batches; ++l) {
      for (int i = 0; i < s.m; ++i) {
        for (int j = 0; j < s.n; ++j) {
          const size_t at = (size_t(l) * s.m + i) * s.n + j;
          float sum = float(c[at]);
          for (int k = 0; k < s.k; ++k) {
            const size_t of_a = kByRows<LayoutA> ? size_t(i) * s.k + k : size_t(k) * s.m + i;
            const size_t of_b = kByRows<LayoutB> ? size_t(k) * s.n + j : size_t(j) * s.k + k;
            sum += float(a[size_t(l) * s.m * s.k + of_a]) * float(b[size_t(l) * s.n * s.k + of_b]);
          }
          expected[at] = float(D(sum));
        }
      }
    }
    return Compare(device_d.Host(), expected);
  }
};

struct Case {
  const char* name;
  int (*run)(const Size&);
  Size size;
};

// Runs the case that the program's first argument names.
template <size_t kCount>
int RunCase(const Case (&cases)[kCount], int count, char** words) {
  for (const Case& one : cases) {
    if (count == 2 && std::string(words[1]) == one.name) return one.run(one.size);
  }
  for (const Case& one : cases) std::printf("%s\n", one.name);
  return 2;
}

}  // namespace real_kernels

#endif  // FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_CUTLASS_GEMM_H_
