// CUTLASS 3 with other orders of work: stream-K, split K, large tiles, batches.
#include "cutlass_gemm.h"

using namespace real_kernels;  // NOLINT
using Half = cutlass::half_t;
using cutlass::epilogue::NoSmemWarpSpecialized;
using cutlass::epilogue::TmaWarpSpecializedCooperative;
using cutlass::gemm::KernelTmaWarpSpecializedCooperative;

template <class Cluster, int kSplits>
using StreamK = Gemm<Half, Rows, Half, Columns, float, float, Shape<_128, _128, _64>, Cluster,
                     KernelTmaWarpSpecializedCooperative, TmaWarpSpecializedCooperative,
                     cutlass::gemm::StreamKScheduler, kSplits>;
using Large =
    Gemm<Half, Rows, Half, Columns, Half, float, Shape<_256, _128, _64>, Shape<_2, _1, _1>,
         KernelTmaWarpSpecializedCooperative, TmaWarpSpecializedCooperative>;
using Copying = Gemm<Half, Rows, Half, Rows, float, float, Shape<_128, _64, _64>, Shape<_1, _1, _1>,
                     cutlass::gemm::KernelCpAsyncWarpSpecializedCooperative, NoSmemWarpSpecialized>;

int main(int count, char** words) {
  const Case cases[] = {{"stream_k", StreamK<Shape<_1, _1, _1>, 1>::Run, {300, 264, 512}},
                        {"split_k", StreamK<Shape<_2, _1, _1>, 2>::Run, {200, 136, 512}},
                        {"large", Large::Run, {400, 264, 160}},
                        {"copying", Copying::Run, {}}};
  return RunCase(cases, count, words);
}
